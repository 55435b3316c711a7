// What holds in every picture of a run: amber is for warnings and red for faults, where there are neither,
// and no letters are too small to be read.
#include <gtest/gtest.h>

#include <set>
#include <variant>

#include "app/base/draw/save_picture.h"
#include "app/base/work_colours.h"
#include "app/views/model/program_timeline.h"
#include "app/views/program/timeline_picture.h"
#include "app/views/renderings.h"
#include "core/gpu/engine/replay.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "tests/app/made_recording.h"

namespace warplens {
namespace THIS_FILE {

std::vector<Colour> colours_of(const Shape& shape) {
  if (const auto* rectangle = std::get_if<Rectangle>(&shape)) return {rectangle->fill, rectangle->line};
  if (const auto* path = std::get_if<Path>(&shape)) return {path->fill, path->line};
  if (const auto* text = std::get_if<Text>(&shape)) return {text->colour};
  if (const auto* hatch = std::get_if<Hatch>(&shape)) return {hatch->line};
  return {};
}

size_t shapes_in(const Picture& picture, uint32_t rgb) {
  size_t found = 0;
  for (const Shape& shape : picture.shapes)
    for (const Colour& colour : colours_of(shape)) found += colour.visible() && colour.rgb == rgb ? 1 : 0;
  return found;
}

struct Drawn {
  Job job;
  RunResult result;
};

Drawn run_of(const std::string& name, Dim3 block) {
  const KernelDescription& kernel = **find_kernel(name);
  KernelSetup setup = default_setup(kernel);
  setup.block = block;
  RunOptions options;
  options.record_writers = options.record_blocks = true;
  Drawn drawn;
  const auto gpu = make_virtual_gpu();
  auto job = make_job(borrowed(kernel), setup, *find_device("3060"), options);
  EXPECT_TRUE(job);
  auto result = run_job(*job, *gpu, {}, nullptr);
  EXPECT_TRUE(result);
  drawn.job = *std::move(job);
  drawn.result = *std::move(result);
  return drawn;
}

// In pixels at 100 %.
constexpr float smallest_letters = 13;

void expect_no_small_letters(const Picture& picture, const std::string& where) {
  for (const Shape& shape : picture.shapes) {
    const auto* text = std::get_if<Text>(&shape);
    if (text == nullptr) continue;
    EXPECT_GE(text->size, smallest_letters) << where << ": " << text->words;
  }
}

// Scattered accesses, a tail wave, wasted registers: all of these are shown, none of them in amber. Only the
// Code view has lines with a warning, which carry a sign.
TEST(ColourUse, AmberIsForWarningsAndRedForFaults) {
  for (const char* kernel : {"transpose_naive", "vector_add", "reduce_shared"}) {
    const Drawn drawn = run_of(kernel, Dim3{96, 1, 1});
    const auto footprint = replay_block(*drawn.result.request, {0, 0, 0}, {});
    ASSERT_TRUE(footprint.ok());
    for (const Rendering& rendering : all_renderings()) {
      if (rendering.needs == RenderNeeds::block_sweep || rendering.needs == RenderNeeds::size_sweep) continue;
      if (rendering.name == "code" || rendering.name == "stopwatch") continue;  // stopwatch: a wrong watch
      for (const Theme theme : {Theme::dark, Theme::light}) {
        RenderSource source{.job = &drawn.job, .result = &drawn.result};
        source.pick.block = Dim3{0, 0, 0};
        source.footprint = &*footprint;
        source.digest = digest_of(drawn.result, *footprint, source.pick);
        Picture picture;
        RenderChoice choice;
        choice.theme = theme;
        const Rendered made = rendering.make(choice, source);
        const Style style = paper_style(theme);
        if (made.draw) made.draw(picture, style, {0, 0, 1200, 800});
        expect_no_small_letters(picture, std::string(rendering.name) + " of " + kernel);
        EXPECT_EQ(shapes_in(picture, style.palette.warning), 0u) << rendering.name << " of " << kernel;
        EXPECT_EQ(shapes_in(picture, style.palette.fault), 0u) << rendering.name << " of " << kernel;
        // Orange of the palette belongs to warps and blocks.
        if (rendering.name != "grid" && rendering.name != "occupancy" && rendering.name != "memory" &&
            rendering.name != "step") {
          EXPECT_EQ(shapes_in(picture, group_colours[1]), 0u) << rendering.name << " of " << kernel;
        }
      }
    }
  }
}

// Kernel, copies and host have one colour each in all views that show time.
TEST(ColourUse, EachKindOfWorkHasAColourOfItsOwn) {
  std::set<uint32_t> colours;
  for (const Theme theme : {Theme::dark, Theme::light}) {
    const Palette& p = palette_of(theme);
    for (const uint32_t other : {p.fault, p.warning, p.right, p.accent, p.action, group_colours[1]})
      colours.insert(other);
  }
  const size_t others = colours.size();
  for (size_t i = 0; i < work_count; ++i) {
    EXPECT_EQ(static_cast<size_t>(work_colours[i].work), i);
    EXPECT_TRUE(colours.insert(work_colours[i].colour).second) << work_colours[i].words;
  }
  EXPECT_EQ(colours.size(), others + work_count);
}

TEST(ColourUse, TimingAndProgramUseTheSameColours) {
  const Drawn drawn = run_of("vector_add", Dim3{96, 1, 1});
  for (const Rendering& rendering : all_renderings()) {
    if (rendering.name != "timing") continue;
    RenderSource source{.job = &drawn.job, .result = &drawn.result};
    const Rendered made = rendering.make({}, source);
    Picture picture;
    made.draw(picture, paper_style(Theme::dark), {0, 0, 1200, 800});
    for (const WorkKind work : {WorkKind::kernel, WorkKind::copy_in, WorkKind::copy_out, WorkKind::host})
      EXPECT_GT(shapes_in(picture, colour_of(work)), 0u) << work_colours[static_cast<size_t>(work)].words;
    EXPECT_EQ(shapes_in(picture, colour_of(WorkKind::copy_inside)), 0u);
  }
  const MadeRecording made;
  const auto read = recording::read_recording(made.path);
  ASSERT_TRUE(read);
  const ProgramTimeline timeline = program_timeline(*read);
  Picture picture;
  draw_timeline(picture, paper_style(Theme::dark), {0, 0, 1200, 800}, {&*read, &timeline, {}, {}});
  for (const WorkKind work : {WorkKind::kernel, WorkKind::copy_in, WorkKind::host})
    EXPECT_GT(shapes_in(picture, colour_of(work)), 0u) << work_colours[static_cast<size_t>(work)].words;
}

TEST(ColourUse, ModelledIsVioletAndAmberIsTheWarning) {
  EXPECT_EQ(palette_of(Theme::dark).warning, 0xffb02eu);
  EXPECT_EQ(palette_of(Theme::dark).modelled, 0xb58cffu);
  EXPECT_EQ(palette_of(Theme::dark).fault, 0xff5c5cu);
}

}  // namespace THIS_FILE
}  // namespace warplens
