#include "app/views/image/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/base/draw/parts.h"
#include "app/base/format.h"
#include "app/views/image/marks.h"
#include "app/views/image/plots.h"

namespace warplens {

const char* to_string(ImageMode mode) {
  switch (mode) {
    case ImageMode::side_by_side:
      return "input | result";
    case ImageMode::split:
      return "split";
    case ImageMode::difference:
      return "difference";
    case ImageMode::result:
      return "result";
  }
  return "";
}

const char* name_of(ImageMode mode) { return mode == ImageMode::side_by_side ? "side" : to_string(mode); }

std::optional<ImageMode> image_mode_from(std::string_view name) {
  for (const ImageMode mode : all_image_modes)
    if (name == to_string(mode) || name == name_of(mode)) return mode;
  return std::nullopt;
}

ImageSet build_image_set(const RunResult& result, std::string_view array) {
  ImageSet set;
  if (!result.request) return set;
  const LaunchRequest& request = *result.request;
  set.grid = result.shape.grid;
  set.block = result.shape.block;
  set.incidents = incident_marks(result);
  set.shown = shown_buffers(request, array);
  const BufferSpec* input = set.shown.input ? &request.buffers[*set.shown.input] : nullptr;
  if (input != nullptr) {
    set.input = raster_of(*input, *input->initial, nullptr);
    set.input_series = series_of(*input, input->initial, nullptr);
  }
  const OutputBuffer* output = set.shown.output ? output_buffer(result, *set.shown.output) : nullptr;
  if (output == nullptr) {
    set.difference.reason = "This run handed back no result, so there is no difference to show.";
    return set;
  }
  const BufferSpec& spec = request.buffers[output->index];
  set.result = raster_of(spec, *output->bytes, output->writers.get());
  set.result_series = series_of(spec, output->bytes, output->writers);
  if (set.input_series && set.result_series)
    set.difference_series = difference_series(*set.input_series, *set.result_series);
  if (output->writers) set.blocks = block_raster(*set.result, *output->writers);
  if (input == nullptr) {
    set.difference.reason = "This kernel has no input to compare with.";
  } else {
    set.difference = difference_of(*input, *input->initial, spec, *output->bytes);
  }
  return set;
}

void mask_result(ImageSet& set) {
  set.masked = true;
  set.difference = {};
  set.difference.reason = "The difference comes with the answer.";
  set.difference_series.reset();
  set.result_series.reset();
  set.incidents.clear();
  if (!set.result) return;
  BufferRaster& result = *set.result;
  // Where blocks begin says which elements they wrote.
  if (result.unwritten > 0) set.blocks = {};
  Raster veil = make_raster(result.raster->width, result.raster->height);
  constexpr uint32_t gray = 0x808080;
  for (uint64_t i = 0; i < uint64_t{veil.width} * veil.height; ++i) put_pixel(veil, i, gray);
  result.raster = std::make_shared<const Raster>(std::move(veil));
  result.amounts = false;
  result.low = result.high = 0;
  result.unwritten = result.not_finite = 0;
}

namespace {

// If the mode is not possible for this result, only the result is shown, or the input if there is no result.
struct Sides {
  const BufferRaster* left = nullptr;
  const BufferRaster* right = nullptr;
  bool beside = false, split = false;
};

Sides sides_of(const ImageViewInput& input) {
  const ImageSet& set = *input.set;
  const BufferRaster* before = set.input ? &*set.input : nullptr;
  const BufferRaster* after = set.result ? &*set.result : nullptr;
  if (input.flipped && before != nullptr) return {before, nullptr, false, false};
  if (input.mode == ImageMode::difference && set.difference.raster)
    return {nullptr, &*set.difference.raster, false, false};
  if (before == nullptr || after == nullptr)
    return {after == nullptr ? before : nullptr, after, false, false};
  const bool same_shape = before->plane.extent == after->plane.extent;
  if (input.mode == ImageMode::split && same_shape) return {before, after, false, true};
  if (input.mode == ImageMode::result) return {nullptr, after, false, false};
  return {before, after, true, false};
}

void draw_bitmap(Picture& picture, const Style& style, const ImageFrame& frame) {
  const BufferRaster& raster = *frame.raster;
  picture.begin_clip(frame.visible);
  if (raster.unwritten > 0)
    for (const Box& part : filled_boxes(raster.plane, frame.frame))
      picture.hatch(intersection(part, frame.visible), solid(style.palette.warning, 0.8f));
  Bitmap bitmap;
  bitmap.box = frame.frame.box_of({0, 0}, uint64_t{raster.raster->width} * raster.reduction,
                                  uint64_t{raster.raster->height} * raster.reduction);
  bitmap.raster = raster.raster;
  // Amounts are drawn as cells. A photograph is smooth until its pixels are large.
  bitmap.sampling = raster.amounts || frame.frame.cell >= 4 ? Sampling::nearest : Sampling::linear;
  picture.shapes.emplace_back(std::move(bitmap));
  picture.end_clip();
}

// At the lower edge of a picture. Beside cells that have numbers it stands outside of them, where there is
// room.
void draw_label(Picture& picture, const Style& style, const ImageFrame& frame, Box image,
                std::string_view words, bool right) {
  const float size = style.small(), height = style.px(24);
  const float width = style.width(words, Font::words, size) + style.px(16), edge = style.px(8);
  if (image.width < width + style.px(12)) return;
  Box box{right ? image.right() - width - edge : image.x + edge, image.bottom() - height - edge, width,
          height};
  if (has_values(style, frame)) {
    const float gap = style.px(4);
    box.y = image.y - height - gap >= frame.visible.y ? image.y - height - gap : image.bottom() + gap;
    if (box.bottom() > frame.visible.bottom()) return;
  } else if (image.height < 2 * height) {
    return;
  }
  picture.rectangle(box, solid(0x0e1217, 0.72f), style.px(4));
  picture.text(box.centre(), words, Font::words, size, solid(0xe6edf3), AlignX::centre, AlignY::middle);
}

ImageFrame frame_in(const Style& style, const BufferRaster& raster, Box canvas, MapView view, bool is_input) {
  ImageFrame frame;
  frame.frame = frame_of(raster.plane.columns, raster.plane.rows, canvas, view, style.px(largest_pixel));
  frame.visible = canvas;
  frame.is_input = is_input;
  frame.raster = &raster;
  return frame;
}

ImageViewLayout place_frames(const Style& style, Box canvas, const ImageViewInput& input,
                             const Sides& sides) {
  ImageViewLayout layout;
  if (sides.beside) {
    const float gap = style.px(16);
    // The pictures are side by side or one below the other, whichever makes them larger.
    const auto& plane = sides.left->plane;
    const Box across{canvas.x, canvas.y, (canvas.width - gap) / 2, canvas.height};
    const Box down{canvas.x, canvas.y, canvas.width, (canvas.height - gap) / 2};
    const auto columns = static_cast<double>(plane.columns), rows = static_cast<double>(plane.rows);
    const bool is_across = fitted(across, columns, rows).width >= fitted(down, columns, rows).width;
    const Box first = is_across ? across : down;
    const Box second{is_across ? first.right() + gap : canvas.x, is_across ? canvas.y : first.bottom() + gap,
                     first.width, first.height};
    layout.frames.push_back(frame_in(style, *sides.left, first, input.view, true));
    layout.frames.push_back(frame_in(style, *sides.right, second, input.view, false));
    return layout;
  }
  if (sides.left != nullptr) layout.frames.push_back(frame_in(style, *sides.left, canvas, input.view, true));
  if (sides.right != nullptr)
    layout.frames.push_back(frame_in(style, *sides.right, canvas, input.view, false));
  if (sides.split) {
    const Plane& plane = sides.right->plane;
    const Box whole = intersection(layout.frames[1].frame.box_of({0, 0}, plane.columns, plane.rows), canvas);
    const float x = whole.x + whole.width * std::clamp(input.split, 0.0f, 1.0f);
    layout.divider = x;
    layout.frames[0].visible.width = x - canvas.x;
    layout.frames[1].visible = {x, canvas.y, canvas.right() - x, canvas.height};
  }
  return layout;
}

std::string what_is_shown(const ImageViewInput& input, bool is_input) {
  if (is_input) return "input";
  return input.mode == ImageMode::difference && input.set->difference.raster ? "difference" : "result";
}

constexpr std::array<ImageMode, 4> all_modes = {ImageMode::side_by_side, ImageMode::split,
                                                ImageMode::difference, ImageMode::result};

constexpr size_t most_array_chips = 8;

// With `compact` there is a single chip that selects the next mode, for large text in a small panel.
std::vector<Chip> toolbar_chips(const ImageViewInput& input, bool compact) {
  std::vector<Chip> chips;
  if (compact) {
    const ImageMode next = all_modes[(static_cast<size_t>(input.mode) + 1) % all_modes.size()];
    chips.push_back({to_string(input.mode),
                     Click(ImageVerb::mode, static_cast<uint64_t>(next), to_string(next)),
                     std::string("next: ") + to_string(next),
                     true,
                     {},
                     ChipKind::mode});
  } else {
    for (const ImageMode mode : all_modes)
      chips.push_back({to_string(mode),
                       Click(ImageVerb::mode, static_cast<uint64_t>(mode), to_string(mode)),
                       "",
                       mode == input.mode,
                       {},
                       ChipKind::mode});
  }
  if (!input.live && !input.hide_blocks)  // which records nothing
    chips.push_back({"blocks",
                     ImageVerb::raster,
                     "lines where another block begins, as recorded",
                     input.show_blocks,
                     {},
                     ChipKind::on_off});
  if (input.cost != nullptr)
    chips.push_back({"cost",
                     ImageVerb::cost,
                     "what each thread of the pinned block did: " + input.cost->cost.sentence,
                     input.show_cost,
                     {},
                     ChipKind::on_off});
  if (input.has_live && (!compact || input.live))  // the key and the menu are always there
    chips.push_back({"live",
                     ImageVerb::live,
                     "the kernel runs again whenever a number moves (F6)",
                     input.live,
                     {},
                     ChipKind::on_off});
  if (input.live)
    chips.push_back({input.playing ? "pause" : "play",
                     ImageVerb::play,
                     input.playing ? "the numbers are paused (F7)" : "the numbers move by themselves (F7)",
                     false,
                     {}});
  // A kernel with more arrays than those that are shown: any of them can be chosen.
  const LaunchRequest& request = *input.result->request;
  const size_t shown = (input.set->shown.input ? 1 : 0) +
                       (input.set->shown.output && input.set->shown.output != input.set->shown.input ? 1 : 0);
  if (!compact && !input.live && request.buffers.size() > shown && request.buffers.size() <= most_array_chips)
    for (uint32_t i = 0; i < request.buffers.size(); ++i)
      chips.push_back({request.buffers[i].name,
                       Click(ImageVerb::array, request.buffers[i].name),
                       "show this array",
                       input.set->shown.input == i || input.set->shown.output == i,
                       {},
                       ChipKind::mode});
  chips.push_back({"save…", SaveVerb::save, "save this picture as PNG or SVG", false, {}});
  return chips;
}

float draw_toolbar(Picture& picture, const Style& style, const ImageViewInput& input, Box box) {
  Picture scratch;
  const bool compact = draw_chips(scratch, style, box, toolbar_chips(input, false)) - box.y >
                       std::max(chip_height(style) * 1.5f, 0.2f * box.height);
  const std::vector<Chip> chips = toolbar_chips(input, compact);
  float right = box.x;
  for (const Chip& chip : chips) right += chip_width(style, chip) + style.px(8);
  const float y = draw_chips(picture, style, box, chips);
  const std::string words = "hold Space to flip · wheel zooms · F fits";
  if (right + style.px(12) + style.width(words, Font::words, style.small()) < box.right())
    picture.text({right + style.px(12), y - chip_height(style) / 2}, words, Font::words, style.small(),
                 solid(style.palette.quiet), AlignX::left, AlignY::middle);
  return y + style.px(12);
}

// Values have an axis there, not colours.
bool has_plots(const ImageViewInput& input) {
  return input.set->result_series || (!input.set->result && input.set->input_series);
}

// Below the picture: what the lines, hatches and colours mean.
std::vector<std::string> caption_of(const ImageViewInput& input, const Sides& sides) {
  const ImageSet& set = *input.set;
  std::vector<std::string> lines;
  std::string words;
  const BufferRaster* shown = sides.right != nullptr ? sides.right : sides.left;
  if (set.result)
    words = fmt::format("{}: {} · {} block{} of {}", set.result->name, extent_text(set.result->plane.extent),
                        input.hide_blocks ? "?" : extent_text(set.grid),
                        !input.hide_blocks && set.grid.count() == 1 ? "" : "s", extent_text(set.block));
  if (shown != nullptr && shown->plane.folded && !has_plots(input)) words += " · one long row, folded";
  if (shown != nullptr && shown->reduction > 1) words += fmt::format(" · shown at 1 : {}", shown->reduction);
  if (!words.empty()) lines.push_back(words);
  if (set.masked) lines.emplace_back("the result comes with the answer");
  if (!input.live_note.empty()) lines.push_back(input.live_note);
  if (input.show_cost && input.cost != nullptr)
    lines.push_back(fmt::format("{}, dark {} to bright {}: {}", to_string(input.cost->cost.colouring),
                                with_separators(input.cost->cost.low), with_separators(input.cost->cost.high),
                                input.cost->cost.sentence));
  if (input.mode == ImageMode::difference) {
    if (!set.difference.raster) lines.push_back(set.difference.reason);
    if (set.difference.raster)
      lines.push_back(fmt::format("{} differ, the largest difference of a channel is {}",
                                  count_text(set.difference.differing, "cell", "cells"),
                                  significant(set.difference.largest)));
  }
  if (set.result && set.result->not_finite > 0)
    lines.push_back(count_text(set.result->not_finite, "element is", "elements are") +
                    " not a finite number (gray)");
  return lines;
}

// The first incident at an element of the shown buffers.
const IncidentMark* first_incident(const ImageViewInput& input, const Sides& sides) {
  for (const IncidentMark& mark : input.set->incidents)
    if ((sides.left != nullptr && mark.buffer == input.set->shown.input) ||
        (sides.right != nullptr && mark.buffer == input.set->shown.output))
      return mark.buffer ? &mark : nullptr;
  return nullptr;
}

std::string incident_words(const IncidentMark& mark) {
  return fmt::format("{} {}: {}", mark.verb, mark.place, mark.message);
}

float caption_height(const Style& style, const Sides& sides, const ImageViewInput& input, float width) {
  float height = style.px(8);
  for (const std::string& line : caption_of(input, sides))
    height += style.small() * 1.4f *
              static_cast<float>(wrapped(style, line, Font::words, style.small(), width).size());
  if (!has_plots(input) &&
      ((sides.left != nullptr && sides.left->amounts) || (sides.right != nullptr && sides.right->amounts)))
    height += style.px(20);
  if (input.set->result && input.set->result->unwritten > 0) height += style.px(20);
  if (const IncidentMark* mark = first_incident(input, sides))
    height +=
        style.small() * 1.4f *
        static_cast<float>(wrapped(style, incident_words(*mark), Font::strong, style.small(), width).size());
  return height;
}

void draw_caption(Picture& picture, const Style& style, const Sides& sides, const ImageViewInput& input,
                  Box box) {
  float y = box.y + style.px(4), x = box.x;
  for (const BufferRaster* raster : {sides.left, sides.right}) {
    if (raster == nullptr || !raster->amounts || has_plots(input)) continue;
    const float width = std::min(style.px(300), box.width / 2 - style.px(12));
    const float name = style.width(raster->name, Font::mono, style.small()) + style.px(8);
    picture.text({x, y - style.px(1)}, raster->name, Font::mono, style.small(), solid(style.palette.text));
    if (raster->low == raster->high) {
      picture.text({x + name, y - style.px(1)}, "every value is " + significant(raster->low), Font::words,
                   style.small(), solid(style.palette.quiet));
    } else {
      draw_amount_legend(picture, style, {x + name, y}, width - name, significant(raster->low),
                         significant(raster->high));
    }
    x += width + style.px(24);
  }
  if (x > box.x) y += style.px(20);
  if (const IncidentMark* mark = first_incident(input, sides))
    y = draw_paragraph(picture, style, {box.x, y}, incident_words(*mark), Font::strong, style.small(),
                       colour_of_mark(style, *mark), box.width);
  for (const std::string& line : caption_of(input, sides))
    y = draw_paragraph(picture, style, {box.x, y}, line, Font::words, style.small(),
                       solid(style.palette.quiet), box.width);
  if (input.set->result && input.set->result->unwritten > 0)
    draw_key(picture, style, {box.x, y}, Swatch::hatched, solid(style.palette.warning),
             count_text(input.set->result->unwritten, "element that no thread wrote",
                        "elements that no thread wrote"));
}

void draw_frames(Picture& picture, const Style& style, const ImageViewInput& input,
                 const ImageViewLayout& layout) {
  for (const ImageFrame& frame : layout.frames) {
    draw_bitmap(picture, style, frame);
    draw_cell_lines(picture, frame);
    if (input.show_cost && input.cost != nullptr) draw_cost(picture, input, frame);
    draw_values(picture, style, input, frame);
    if (input.show_blocks && !input.hide_blocks) draw_block_lines(picture, style, input, frame);
    draw_marks(picture, style, input, frame);
    draw_incident_marks(picture, style, input, frame);
    const Plane& plane = frame.raster->plane;
    const Box whole = intersection(frame.frame.box_of({0, 0}, plane.columns, plane.rows), frame.visible);
    draw_label(picture, style, frame, whole, what_is_shown(input, frame.is_input),
               layout.divider && !frame.is_input);
  }
  if (!layout.divider) return;
  const Plane& plane = layout.frames[1].raster->plane;
  const Box canvas = layout.frames[1].frame.canvas;
  const Box whole = intersection(layout.frames[1].frame.box_of({0, 0}, plane.columns, plane.rows), canvas);
  picture.rectangle({*layout.divider - 2, whole.y, 4, whole.height}, solid(0x0e1217, 0.5f));
  picture.rectangle({*layout.divider - 1, whole.y, 2, whole.height}, solid(0xffffff));
  const float handle = std::min(style.px(16), whole.height * 0.05f);
  picture.rectangle({*layout.divider - handle * 0.3f, whole.centre().y - handle, handle * 0.6f, 2 * handle},
                    solid(0xffffff), handle * 0.3f);
}

// Without the room of a card where that costs the picture nothing. A plot of values has any width.
Box beside_card(const Style& style, const ImageViewInput& input, const Sides& sides, Box canvas) {
  const BufferRaster* shown = sides.right != nullptr ? sides.right : sides.left;
  if (has_plots(input)) return {canvas.x, canvas.y, canvas.width - input.free_at_right, canvas.height};
  if (shown == nullptr) return canvas;
  return without_room_at_right(shown->plane.columns * (sides.beside ? 2 : 1), shown->plane.rows, canvas,
                               style.px(largest_pixel), input.free_at_right);
}

}  // namespace

ImageViewLayout draw_image_view(Picture& picture, const Style& style, Box box, const ImageViewInput& input) {
  if (input.set == nullptr || input.result == nullptr) return {};
  const float top = input.interactive ? draw_toolbar(picture, style, input, box) : box.y;
  const Sides sides = sides_of(input);
  if (sides.left == nullptr && sides.right == nullptr) {
    draw_paragraph(picture, style, {box.x, top}, "This run has no buffers to show.", Font::words,
                   style.body(), solid(style.palette.quiet), box.width);
    return {};
  }
  float caption = caption_height(style, sides, input, box.width);
  const bool captioned = caption < 0.3f * (box.bottom() - top);  // the picture comes first
  if (!captioned) caption = 0;
  const Box canvas = beside_card(
      style, input, sides, {box.x, top, box.width, std::max(style.px(48), box.bottom() - top - caption)});
  ImageViewLayout layout;
  layout.plots = place_plots(style, canvas, input);
  if (layout.plots.empty()) {
    layout = place_frames(style, canvas, input, sides);
    draw_frames(picture, style, input, layout);
  } else {
    draw_plots(picture, style, input, layout.plots);
  }
  if (captioned) draw_caption(picture, style, sides, input, {box.x, canvas.bottom(), box.width, caption});
  return layout;
}

Pick pick_at(const ImageViewInput& input, const ImageViewLayout& layout, Point at) {
  for (const VectorPlot& plot : layout.plots) {
    if (!plot.box.contains(at)) continue;
    const double element = plot.view.first + plot.view.count * double{(at.x - plot.box.x) / plot.box.width};
    if (element < 0 || element >= static_cast<double>(plot.series->count)) continue;
    // An element of the input corresponds to the result's element of the same index.
    const bool same = input.set->result_series && input.set->result_series->count == plot.series->count;
    const uint32_t buffer = same ? *input.set->shown.output : plot.buffer;
    return with_writer(*input.result, {buffer, static_cast<uint64_t>(element)});
  }
  for (const ImageFrame& frame : layout.frames) {
    if (!frame.visible.contains(at) || input.set == nullptr) continue;
    const std::optional<Cell> cell = frame.frame.cell_at(frame.raster->plane, at);
    const std::optional<Dim3> position = cell ? position_in(frame.raster->plane, *cell) : std::nullopt;
    if (!position) continue;
    // If input and result have the same shape, a cell of the input corresponds to the result's cell at the
    // same position.
    const bool same_shape =
        input.set->result && input.set->result->plane.extent == frame.raster->plane.extent;
    const ElementPick element{*input.set->shown.output,
                              same_shape ? cell_element(*input.set->result, *position) : 0};
    if (same_shape && input.set->masked) return Pick{{}, {}, element};  // who wrote it may be the answer
    if (same_shape) return with_writer(*input.result, element);
    if (frame.is_input)
      return with_writer(*input.result, {*input.set->shown.input, cell_element(*frame.raster, *position)});
  }
  return {};
}

}  // namespace warplens
