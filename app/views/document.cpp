#include "app/views/document.h"

#include <algorithm>
#include <cmath>

#include "app/base/draw/parts.h"
#include "app/base/draw/save_picture.h"
#include "app/views/inspector/model.h"
#include "app/views/renderings.h"
#include "core/gpu/engine/replay.h"
#include "core/job/report/caption.h"

namespace warplens {

namespace {

constexpr float frame_gap = 6;

// The title, such as "RGB → grayscale", and the device.
struct Heading {
  std::string title, device;
};
Heading heading_of(const Job& job) {
  return {job.kernel ? job.kernel->title : job.request->kernel,
          job.request->device.name + (job.request->device.is_virtual ? " · virtual" : "")};
}

// With the launch, where it is known what ran.
Heading heading_of(const RenderSource& source) {
  Heading heading = heading_of(*source.job);
  if (source.result != nullptr && source.result->request) heading.device = launch_caption(*source.result);
  return heading;
}

Picture empty_picture(const RenderChoice& choice, const Style& style, const std::string& name) {
  Picture picture;
  picture.width = choice.width;
  picture.height = choice.height;
  picture.background = solid(style.palette.window);
  picture.title = "WarpLens: " + name;
  return picture;
}

float draw_title(Picture& picture, const Style& style, Box box, const Heading& heading) {
  const auto& [title, device] = heading;
  picture.text({box.x, box.y}, shortened(style, title, Font::strong, style.px(19), box.width), Font::strong,
               style.px(19), solid(style.palette.text));
  const float x = box.x + style.width(title, Font::strong, style.px(19)) + style.px(16);
  const std::string fitting = shortened(style, device, Font::words, style.small(), box.right() - x);
  picture.text({x, box.y + style.px(6)}, fitting, Font::words, style.small(), solid(style.palette.quiet));
  return box.y + style.px(34);
}

void draw_inspector_beside(Picture& picture, const Style& style, Box side, const RenderSource& source) {
  picture.rectangle(side, solid(style.palette.panel), 8);
  InspectorInput input;
  input.result = source.result;
  input.kernel = source.job->kernel.get();
  input.footprint = source.footprint;
  input.footprint_message = source.footprint_message;
  input.shown = source.pick;
  picture.begin_clip(side);
  draw_inspector_view(picture, style, side.inset(style.px(16)), inspect(input));
  picture.end_clip();
}

Picture framed_picture(const RenderChoice& choice, const std::string& name, const Heading& heading,
                       const DrawView& draw) {
  const Style style = paper_style(choice.theme, choice.text_scale);
  Picture picture = empty_picture(choice, style, name);
  const float margin = style.px(16);
  const Box whole{0, 0, choice.width, choice.height};
  picture.rectangle(whole.inset(frame_gap), solid(style.palette.panel), 8);
  const Box box = whole.inset(frame_gap + margin);
  const float top = draw_title(picture, style, box, heading);
  const float bottom = draw(picture, style, {box.x, top, box.width, box.bottom() - top});
  if (bottom > box.bottom()) {
    picture.height = std::ceil(bottom + margin + frame_gap);
    std::get<Rectangle>(picture.shapes.front()).box.height = picture.height - 2 * frame_gap;
  }
  return picture;
}

}  // namespace

Picture framed_picture(const RenderChoice& choice, const std::string& title, const std::string& device,
                       const DrawView& draw) {
  return framed_picture(choice, title, {title, device}, draw);
}

Picture framed_picture(const RenderChoice& choice, const Job& job, const DrawView& draw) {
  return framed_picture(choice, job.request->kernel, heading_of(job), draw);
}

Picture inspected_picture(const RenderChoice& choice, const RenderSource& source, const DrawView& draw) {
  const Style style = paper_style(choice.theme, choice.text_scale);
  Picture picture = empty_picture(choice, style, source.job->request->kernel);
  Box panel = Box{0, 0, choice.width, choice.height}.inset(frame_gap);
  const float inspector_width = style.px(316);
  if (!source.pick.empty() && choice.width - inspector_width >= style.px(560)) {
    const Box side{panel.right() - inspector_width, panel.y, inspector_width, panel.height};
    panel.width -= inspector_width + frame_gap;
    draw_inspector_beside(picture, style, side, source);
  }
  picture.rectangle(panel, solid(style.palette.panel), 8);
  Box box = panel.inset(style.px(16));
  const float top = draw_title(picture, style, box, heading_of(source));
  box = {box.x, top, box.width, box.bottom() - top};
  draw(picture, style, box);
  return picture;
}

std::vector<RunPicture> pictures_of_run(const RenderChoice& choice, const Job& job, const RunResult& result) {
  RenderSource source{.job = &job, .result = &result};
  Result<BlockFootprint> footprint = replay_block(*result.request, Dim3{0, 0, 0}, {});
  if (footprint) {
    source.footprint = &*footprint;
    source.digest = digest_of(result, *footprint, Pick{}, ThreadColouring::warps);
  } else {
    source.footprint_message = footprint.error().message;
  }
  std::vector<RunPicture> pictures;
  for (const Rendering& rendering : all_renderings()) {
    if (rendering.needs != RenderNeeds::launch && rendering.needs != RenderNeeds::run) continue;
    const Result<Pick> pick = rendering.pick != nullptr ? rendering.pick(choice, result) : Pick{};
    if (!pick) continue;
    source.pick = *pick;
    const Rendered rendered = rendering.make(choice, source);
    pictures.push_back({rendering.name, rendering.with_inspector
                                            ? inspected_picture(choice, source, rendered.draw)
                                            : framed_picture(choice, job.request->kernel, heading_of(source),
                                                             rendered.draw)});
  }
  return pictures;
}

Result<void> save_document(const RenderChoice& choice, const Job& job, const RunResult& result,
                           const std::string& path) {
  std::vector<PaperPage> pages;
  for (RunPicture& one : pictures_of_run(choice, job, result))
    pages.push_back(page_of(std::move(one.picture)));
  return save_pdf(pages, "WarpLens: " + job.request->kernel, path);
}

}  // namespace warplens
