#include "app/cli/render_picture.h"
#include "core/gpu/engine/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/base/format.h"
#include "app/draw/parts.h"
#include "app/draw/save_picture.h"
#include "app/views/code/picture.h"
#include "app/views/inspector/model.h"
#include "app/views/memory/picture.h"

namespace warplens {

namespace {

// A place outside the result is an error; none leaves the picture without an inspector.
Result<Pick> pick_of(const RunResult& result, const RenderView& view) {
  Pick pick;
  const LaunchShape& shape = result.shape;
  if (view.kind == RenderKind::memory) {
    pick.block = view.at.value_or(Dim3{0, 0, 0});
    pick.thread = view.thread.value_or(Dim3{0, 0, 0});
    return pick;
  }
  if (view.kind == RenderKind::grid) {
    if (view.at) pick.block = view.at;
    if (!pick.block && (view.level != GridLevel::grid || view.thread))
      pick.block = Dim3{shape.grid.x / 2, shape.grid.y / 2, shape.grid.z / 2};
    pick.thread = view.thread;
    if (!pick.thread && view.level >= GridLevel::warp) pick.thread = Dim3{0, 0, 0};
    return pick;
  }
  if (!view.at) return pick;
  const ShownBuffers shown = shown_buffers(*result.request);
  if (!shown.output) return bad_input("--at: this kernel has no result to point into; leave the option away");
  const BufferSpec& spec = result.request->buffers[*shown.output];
  if (view.at->x >= spec.width || view.at->y >= spec.height || view.at->z != 0)
    return bad_input(fmt::format("--at {},{}: {} is {} x {}, counted from 0", view.at->x, view.at->y,
                                 spec.name, spec.width, spec.height));
  const uint64_t cell = view.at->x + uint64_t{spec.width} * view.at->y;
  return with_writer(result, {*shown.output, cell * std::max(1u, spec.channels)});
}

struct Replayed {
  std::optional<BlockFootprint> footprint;
  std::string message;
  FootprintDigest digest;
};

Replayed replay(const RunResult& result, const Pick& pick, std::stop_token stop) {
  Replayed replayed;
  if (!pick.block) return replayed;
  Result<BlockFootprint> footprint = replay_block(*result.request, *pick.block, stop);
  if (footprint) {
    replayed.footprint = std::move(footprint).value();
    replayed.digest = digest_of(result, *replayed.footprint, pick);
  } else {
    replayed.message = footprint.error().message;
  }
  return replayed;
}

// A launch file has code, but no description.
KernelDescription code_of(const Job& job, const RunResult& result) {
  if (job.kernel) return *job.kernel;
  KernelDescription kernel;
  kernel.name = job.request->kernel;
  kernel.entry = result.entry;
  kernel.source = job.request->module->source;
  kernel.source_name = job.request->module->source_name;
  kernel.ptx = job.request->module->ptx;
  return kernel;
}

void draw_code(Picture& picture, const Style& style, Box box, const Job& job, const RunResult& result,
               uint32_t line) {
  const KernelDescription kernel = code_of(job, result);
  const CodeLinks links = link_code(kernel);
  draw_code_view(picture, style, box, {&kernel, &links, &result, line});
}

void draw_view(Picture& picture, const Style& style, Box box, const Job& job, const RunResult& result,
               const RenderView& view, const Pick& pick, const Replayed& replayed) {
  const BlockFootprint* footprint = replayed.footprint ? &*replayed.footprint : nullptr;
  if (view.kind == RenderKind::code) return draw_code(picture, style, box, job, result, view.line);
  if (view.kind == RenderKind::image) {
    const ImageSet set = build_image_set(result);
    ImageViewInput input;
    input.result = &result;
    input.set = &set;
    ThreadElements elements;
    if (footprint != nullptr) elements = elements_of_thread(result, set.shown, *footprint, pick);
    input.elements = &elements;
    input.mode = view.mode;
    input.chosen = pick;
    input.interactive = false;
    draw_image_view(picture, style, box, input);
    return;
  }
  const HeatMap heat = build_heat_map(result, job.problem, view.colouring, style.palette);
  GridViewInput input;
  input.result = &result;
  input.heat = &heat;
  input.kernel = job.kernel.get();
  input.footprint = footprint;
  input.digest = footprint != nullptr ? &replayed.digest : nullptr;
  input.footprint_message = replayed.message;
  input.problem = job.problem;
  input.level = view.level;
  input.chosen = pick;
  input.interactive = false;
  draw_grid_view(picture, style, box, input);
}

// "RGB → grayscale" and on what it ran.
float draw_title(Picture& picture, const Style& style, Box box, const Job& job) {
  const std::string title = job.kernel ? job.kernel->title : job.request->kernel;
  picture.text({box.x, box.y}, shortened(style, title, Font::strong, style.px(19), box.width), Font::strong,
               style.px(19), solid(style.palette.text));
  const float x = box.x + style.width(title, Font::strong, style.px(19)) + style.px(16);
  const std::string device = job.request->device.name + (job.request->device.is_virtual ? " · virtual" : "");
  const std::string fitting = shortened(style, device, Font::words, style.small(), box.right() - x);
  picture.text({x, box.y + style.px(6)}, fitting, Font::words, style.small(), solid(style.palette.quiet));
  return box.y + style.px(34);
}

}  // namespace

Picture framed_picture(const Job& job, const RenderView& view,
                       const std::function<float(Picture&, const Style&, Box)>& draw) {
  const Style style = paper_style(view.theme, view.text_scale);
  Picture picture;
  picture.width = view.width;
  picture.height = view.height;
  picture.background = solid(style.palette.window);
  picture.title = "WarpLens: " + job.request->kernel;
  const float gap = 6, margin = style.px(16);
  picture.rectangle(Box{0, 0, view.width, view.height}.inset(gap), solid(style.palette.panel), 8);
  const Box box = Box{0, 0, view.width, view.height}.inset(gap + margin);
  const float top = draw_title(picture, style, box, job);
  const float bottom = draw(picture, style, {box.x, top, box.width, box.bottom() - top});
  if (bottom > box.bottom()) {
    picture.height = std::ceil(bottom + margin + gap);
    std::get<Rectangle>(picture.shapes.front()).box.height = picture.height - 2 * gap;
  }
  return picture;
}

namespace {

Picture picture_of_memory(const Job& job, const RunResult& result, const RenderView& view, const Pick& pick,
                          const Replayed& replayed, std::stop_token stop) {
  const MemoryView memory = view_memory(result);
  MemoryPictureInput input;
  input.view = &memory;
  input.grid = result.shape.grid;
  input.interactive = false;
  if (view.line != 0) input.line = view.line;
  MemoryAccesses accesses;
  if (replayed.footprint) {
    const uint32_t warp = pick.thread ? warp_of(*pick.thread, result.shape.block) : 0;
    accesses = choose_accesses(*result.request, *replayed.footprint, result.shape.block, warp, view.line, {});
    input.accesses = &accesses;
  }
  input.footprint_message = replayed.message;
  HeatPicture heat;
  if (const Result<AddressHeat> recorded = record_heat(*result.request, stop)) {
    heat = view_heat(*result.request, *recorded, {});
    input.heat = &heat;
  } else {
    input.heat_message = recorded.error().message;
  }
  return framed_picture(job, view, [&](Picture& into, const Style& style, Box box) {
    return draw_memory_view(into, style, box, input).bottom;
  });
}

}  // namespace

Result<Picture> picture_of_run(const Job& job, const RunResult& result, const RenderView& view,
                               std::stop_token stop) {
  const Result<Pick> pick = pick_of(result, view);
  if (!pick) return pick.error();
  const Style style = paper_style(view.theme, view.text_scale);
  Picture picture;
  picture.width = view.width;
  picture.height = view.height;
  picture.background = solid(style.palette.window);
  picture.title = "WarpLens: " + result.request->kernel;
  const Replayed replayed = replay(result, *pick, stop);
  if (view.kind == RenderKind::memory) return picture_of_memory(job, result, view, *pick, replayed, stop);
  const float gap = 6, margin = style.px(16);
  Box panel{gap, gap, view.width - 2 * gap, view.height - 2 * gap};
  // The inspector stands beside the view where both have room.
  const float inspector_width = style.px(316);
  const bool inspected = !pick->empty() && view.width - inspector_width >= style.px(560);
  if (inspected) {
    const Box side{panel.right() - inspector_width, panel.y, inspector_width, panel.height};
    panel.width -= inspector_width + gap;
    picture.rectangle(side, solid(style.palette.panel), 8);
    InspectorInput input;
    input.result = &result;
    input.kernel = job.kernel.get();
    input.footprint = replayed.footprint ? &*replayed.footprint : nullptr;
    input.footprint_message = replayed.message;
    input.shown = *pick;
    picture.begin_clip(side);
    draw_inspector_view(picture, style, side.inset(margin), inspect(input));
    picture.end_clip();
  }
  picture.rectangle(panel, solid(style.palette.panel), 8);
  Box box = panel.inset(margin);
  const float top = draw_title(picture, style, box, job);
  box = {box.x, top, box.width, box.bottom() - top};
  draw_view(picture, style, box, job, result, view, *pick, replayed);
  return picture;
}

}  // namespace warplens
