#include "app/views/step/picture.h"

#include <gmock/gmock.h>

#include "app/base/draw/save_picture.h"
#include "core/device/device.h"
#include "core/kernels/catalogue.h"

namespace warplens {
namespace THIS_FILE {

using testing::ElementsAre;
using testing::HasSubstr;

std::shared_ptr<const LaunchRequest> default_request(const char* name) {
  const auto kernel = find_kernel(name);
  Result<LaunchRequest> request = make_request(**kernel, default_setup(**kernel), *find_device("3060"));
  EXPECT_TRUE(request) << (request ? "" : request.error().message);
  return std::make_shared<const LaunchRequest>(std::move(request).value());
}

// A block of a built-in kernel at a position, with its whole course.
class SteppedBlock {
 public:
  SteppedBlock(const char* kernel, Dim3 block, uint64_t position, uint32_t warp = 0)
      : m_request(default_request(kernel)) {
    auto opened = stepping::BlockStepper::open(m_request, block);
    EXPECT_TRUE(opened);
    stepper.emplace(std::move(opened).value());
    stepper->jump(UINT64_MAX);
    const auto timeline =
        std::make_shared<const stepping::Timeline>(stepping::timeline_of(*stepper, timeline_parts));
    stepper->jump(position);
    shown = snapshot_of(*stepper, warp, nullptr);
    shown.timeline = timeline;
    input.shown = &shown;
    input.request = m_request.get();
    input.source = m_request->module->source;
    input.source_name = m_request->module->source_name;
    input.ptx = m_request->module->ptx;
    input.block = block;
  }
  std::optional<stepping::BlockStepper> stepper;
  StepSnapshot shown;
  StepViewInput input;

 private:
  std::shared_ptr<const LaunchRequest> m_request;
};

TEST(StepWords, LanesAreNamedByTheirRanges) {
  EXPECT_EQ(ranges_text({}), "");
  EXPECT_EQ(ranges_text({4}), "4");
  EXPECT_EQ(ranges_text({0, 1}), "0, 1");
  EXPECT_EQ(ranges_text({0, 1, 2, 3, 7}), "0–3, 7");
  EXPECT_EQ(lanes_words(0xffffffff), "all lanes");
  EXPECT_EQ(lanes_words(1u << 5), "lane 5");
  EXPECT_EQ(lanes_words(0xffff), "lanes 0–15");
}

TEST(StepWords, SayWhereLanesAreAndWhereTheyMeet) {
  SteppedBlock tail("vector_add", {39, 0, 0}, 20);
  EXPECT_THAT(words_of_warp(tail.shown, 0), HasSubstr("now: 16 of 32 lanes"));
  EXPECT_THAT(words_of_paths(tail.shown),
              ElementsAre(HasSubstr("lanes 0–15: next is line 6; meet lanes 16–31 again at line 7"),
                          HasSubstr("lanes 16–31: wait at line 7 for lanes 0–15")));
  SteppedBlock start("vector_add", {0, 0, 0}, 0);
  EXPECT_THAT(words_of_paths(start.shown), ElementsAre("The 32 lanes of warp 0 are together."));
  start.stepper->jump(UINT64_MAX);
  const StepSnapshot end = snapshot_of(*start.stepper, 0, nullptr);
  EXPECT_EQ(words_of_warp(end, 3), "finished");
}

TEST(StepWords, AWarpAtABarrierNamesThoseItWaitsFor) {
  SteppedBlock block("reduce_shared", {4, 0, 0}, 400, 1);
  EXPECT_THAT(words_of_warp(block.shown, 1), HasSubstr("waits at line 13 for warps 3–7"));
}

TEST(StepSnapshot, LightsUpWhatTheLastMoveChanged) {
  SteppedBlock block("vector_add", {0, 0, 0}, 5);
  const StepSnapshot before = snapshot_of(*block.stepper, 0, nullptr);
  block.stepper->run({stepping::Goal::Kind::instruction, 0});
  const StepSnapshot after = snapshot_of(*block.stepper, 0, &before);
  size_t changed = 0;
  for (const StepValue& value : after.registers) {
    const auto old = std::ranges::find(before.registers, value.name, &StepValue::name);
    const bool differs = old != before.registers.end() && old->lanes != value.lanes;
    EXPECT_EQ(value.changed != 0, differs) << value.name;
    changed += value.changed != 0;
  }
  EXPECT_LE(changed, 1u) << "an instruction writes one register";
  EXPECT_GT(after.registers.size(), 0u);
}

TEST(StepStack, HasARowForEachCallOfTheShownLane) {
  SteppedBlock block("lucas_recursive", {0, 0, 0}, 0);
  EXPECT_TRUE(frame_rows(block.shown, 0).empty()) << "the kernel has not called anything";
  // To where lane 9 is in a call of a call of a call.
  stepping::BlockStepper& stepper = *block.stepper;
  StepSnapshot shot = block.shown;
  for (uint64_t at = 1; frame_rows(shot, 9).size() < 4; ++at) {
    stepper.jump(at);
    ASSERT_EQ(stepper.end(), stepping::End::none);
    shot = snapshot_of(stepper, 0, nullptr);
  }
  const std::vector<StepFrameRow> rows = frame_rows(shot, 9);
  EXPECT_THAT(rows[0].words, HasSubstr("lucas_number"));
  EXPECT_THAT(rows[3].words, HasSubstr("lucas_recursive, called in line 12"));
  EXPECT_TRUE(rows[0].shown);
  EXPECT_FALSE(rows[1].shown);
  StepWants wants;
  wants.frame = {9, 3};
  block.shown = snapshot_of(stepper, 0, nullptr, wants);
  EXPECT_TRUE(frame_rows(block.shown, 9)[3].shown);
  EXPECT_FALSE(frame_rows(block.shown, 9)[0].shown);
  block.input.lane = 9;
  Picture picture;
  const StepLayout layout =
      draw_step_view(picture, paper_style(Theme::dark, 1), {0, 0, 1500, 900}, block.input);
  EXPECT_EQ(layout.frames.size(), 4u);
  // A lane that has fewer frames shows its innermost one.
  wants.frame = {9, 90};
  EXPECT_FALSE(snapshot_of(stepper, 0, nullptr, wants).frame);
}

TEST(StepStack, OfManyCallsKeepsItsEnds) {
  StepSnapshot shot;
  stepping::StackView stack{.lanes = ~0u, .frames = {}};
  for (uint32_t i = 0; i < 1000; ++i) {
    stepping::FrameView frame{.function = i == 999 ? "k" : "f", .at = {}, .level = 999 - i};
    frame.at.line = i + 1;
    stack.frames.push_back(frame);
  }
  shot.stacks.push_back(stack);
  const std::vector<StepFrameRow> rows = frame_rows(shot, 3);
  ASSERT_EQ(rows.size(), 13u);
  EXPECT_EQ(rows[7].words, "f, called in line 8");
  EXPECT_EQ(rows[8].words, "… 988 more calls");
  EXPECT_EQ(rows[9].words, "f, called in line 997");
  EXPECT_EQ(rows[12].words, "k, called in line 1000");
  EXPECT_EQ(rows[12].number, 999u);
}

TEST(StepPicture, HasARowOfLanesForEachWarpAndTheCurrentLine) {
  SteppedBlock block("reduce_shared", {4, 0, 0}, 400, 1);
  for (const auto& [width, height, scale] :
       {std::tuple{1500.f, 900.f, 1.f}, std::tuple{900.f, 500.f, 1.f}, std::tuple{700.f, 500.f, 1.f},
        std::tuple{1200.f, 700.f, 2.5f}}) {
    Picture picture;
    const StepLayout layout =
        draw_step_view(picture, paper_style(Theme::dark, scale), {10, 10, width, height}, block.input);
    ASSERT_TRUE(layout.current) << width;
    EXPECT_EQ(layout.first_line + *layout.current, block.shown.line);
    ASSERT_EQ(layout.warps.size(), scale > 1 ? 1u : 8u) << "with little room, the shown one";
    for (const auto& lanes : layout.warps) {
      ASSERT_EQ(lanes.size(), 32u);
      EXPECT_LE(lanes.back().right(), 10 + width + 1);
    }
    EXPECT_EQ(layout.arrays.size(), 1u);
    for (const StepLayout::Column& column : layout.columns)
      EXPECT_LE(column.box.bottom(), layout.scrubber.y) << width;
    for (const Box& line : layout.lines) EXPECT_LE(line.bottom(), layout.scrubber.y);
    EXPECT_GE(layout.bottom, layout.scrubber.bottom());
  }
}

TEST(StepPicture, WithoutABlockItSaysWhy) {
  StepViewInput input;
  input.message = "Opening the block…";
  Picture picture;
  EXPECT_GT(draw_step_view(picture, paper_style(Theme::light), {0, 0, 600, 300}, input).bottom, 0);
  EXPECT_TRUE(picture.areas.empty());
}

}  // namespace THIS_FILE
}  // namespace warplens
