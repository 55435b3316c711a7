#include "app/views/image/marks.h"

#include <algorithm>
#include <cmath>

#include "app/base/draw/parts.h"
#include "app/base/format.h"
#include "app/views/model/access_view.h"

namespace warplens {

namespace {

constexpr double block_lines_from = 2.5, pairs_from = 6, cell_lines_from = 12;
constexpr float values_from = 42;

// Neighbouring lines' smallest distance, in cells.
uint32_t pitch(const std::vector<uint32_t>& lines) {
  uint32_t least = lines.empty() ? 1 : lines.front();
  for (size_t i = 1; i < lines.size(); ++i) least = std::min(least, lines[i] - lines[i - 1]);
  return std::max(1u, least);
}

Box shown_part(const ImageFrame& frame) {
  return intersection(frame.frame.box_of({0, 0}, frame.raster->plane.columns, frame.raster->plane.rows),
                      frame.visible);
}

// A bright and a dark line side by side are visible on every picture. Where lines are close together they are
// fainter, and then a gray one, so that the picture stays visible too.
struct LinePair {
  float width = 1, strength = 0.6f;
  bool single = false;
};
LinePair line_pair(const Style& style, double distance, double cell) {
  return {cell >= cell_lines_from ? style.px(2) : 1.0f,
          std::clamp(static_cast<float>(distance) / 40, 0.25f, 0.65f), distance < pairs_from};
}

void draw_line_pair(Picture& picture, Box box, bool upright, LinePair how) {
  (upright ? box.width : box.height) = how.width;
  if (how.single) return picture.rectangle(box, solid(0x808080, 0.5f));
  (upright ? box.x : box.y) = std::round((upright ? box.x : box.y) - how.width);
  picture.rectangle(box, solid(0xffffff, how.strength));
  (upright ? box.x : box.y) += how.width;
  picture.rectangle(box, solid(0x000000, how.strength));
}

void draw_block_outline(Picture& picture, const ImageViewInput& input, const ImageFrame& frame, Dim3 block,
                        Colour colour, float width, uint32_t rim) {
  const std::vector<BlockRaster::Extent>& blocks = input.set->blocks.blocks;
  const uint64_t linear = linear_index(block, input.set->grid);
  if (linear >= blocks.size() || !blocks[linear].exact()) return;
  const BlockRaster::Extent& extent = blocks[linear];
  Box box = frame.frame.box_of({extent.x0, extent.y0}, extent.x1 - extent.x0 + 1, extent.y1 - extent.y0 + 1)
                .inset(-1);
  picture.rectangle(box.inset(-1), {}, 3, solid(rim, 0.6f), width + 1.5f);
  picture.rectangle(box, {}, 2, colour, width);
}

void draw_cell_mark(Picture& picture, const Style& style, const ImageFrame& frame, uint64_t element,
                    Colour colour) {
  const Plane& plane = frame.raster->plane;
  const uint64_t cell = element / frame.raster->channels;
  if (cell >= plane.extent.count()) return;
  Box box = frame.frame.box_of(cell_of(plane, position_at(cell, plane.extent)));
  const float least = style.px(7);
  if (box.width < least) box = box.inset((box.width - least) / 2);
  if (frame.frame.cell < 4) {  // too small for a frame: a dot
    picture.rectangle(box.inset(-1), solid(0x0e1217, 0.6f), box.width / 2 + 1);
    picture.rectangle(box, colour, box.width / 2);
    return;
  }
  picture.rectangle(box.inset(-1), {}, 1, solid(0x0e1217, 0.7f), style.px(2) + 2);
  picture.rectangle(box, {}, 1, colour, style.px(2));
}

}  // namespace

void draw_block_lines(Picture& picture, const Style& style, const ImageViewInput& input,
                      const ImageFrame& frame) {
  const BlockRaster& blocks = input.set->blocks;
  if (!blocks.known || !input.set->result || frame.raster->plane.extent != input.set->result->plane.extent)
    return;
  if (blocks.written.cells == 0) return;
  // No block begins where no thread wrote.
  const BlockRaster::Extent& written = blocks.written;
  const Box shown = intersection(
      shown_part(frame),
      frame.frame.box_of({written.x0, written.y0}, written.x1 - written.x0 + 1, written.y1 - written.y0 + 1));
  const VisibleCells visible =
      visible_cells(frame.raster->plane.columns, frame.raster->plane.rows, frame.frame);
  picture.begin_clip(shown);
  const auto within = [](const std::vector<uint32_t>& lines, uint64_t first, uint64_t last) {
    return std::pair{std::lower_bound(lines.begin(), lines.end(), first),
                     std::upper_bound(lines.begin(), lines.end(), last)};
  };
  const double across = pitch(blocks.columns) * frame.frame.cell,
               down = pitch(blocks.rows) * frame.frame.cell;
  const bool fit = (blocks.columns.empty() || across >= block_lines_from) &&
                   (blocks.rows.empty() || down >= block_lines_from);
  if (fit) {
    const auto [from, to] = within(blocks.columns, visible.first.column, visible.last.column);
    for (auto at = from; at != to; ++at)
      draw_line_pair(picture, {frame.frame.box_of({*at, 0}).x, shown.y, 1, shown.height}, true,
                     line_pair(style, across, frame.frame.cell));
    const auto [top, bottom] = within(blocks.rows, visible.first.row, visible.last.row);
    for (auto at = top; at != bottom; ++at)
      draw_line_pair(picture, {shown.x, frame.frame.box_of({0, *at}).y, shown.width, 1}, false,
                     line_pair(style, down, frame.frame.cell));
  }
  picture.end_clip();
}

void draw_cell_lines(Picture& picture, const ImageFrame& frame) {
  if (frame.frame.cell < cell_lines_from || frame.raster->reduction != 1) return;
  const Plane& plane = frame.raster->plane;
  const VisibleCells visible = visible_cells(plane.columns, plane.rows, frame.frame);
  const Box shown = shown_part(frame);
  const Colour line = solid(0x808080, 0.5f);  // to be seen on black and on white
  picture.begin_clip(shown);
  for (uint64_t column = visible.first.column; column <= visible.last.column; ++column)
    picture.rectangle({std::round(frame.frame.box_of({column, 0}).x), shown.y, 1, shown.height}, line);
  for (uint64_t row = visible.first.row; row <= visible.last.row; ++row)
    picture.rectangle({shown.x, std::round(frame.frame.box_of({0, row}).y), shown.width, 1}, line);
  picture.end_clip();
}

std::optional<BlockCost> block_cost(const RunResult& result, const ImageSet& set,
                                    const BlockFootprint& footprint) {
  constexpr uint64_t most = 1 << 16;  // cells that are checked
  if (!set.result || !set.shown.output || !set.blocks.known) return std::nullopt;
  const OutputBuffer* output = output_buffer(result, *set.shown.output);
  const uint64_t block = linear_index(footprint.block, set.grid), threads = set.block.count();
  if (output == nullptr || !output->writers || block >= set.blocks.blocks.size()) return std::nullopt;
  const BlockRaster::Extent& extent = set.blocks.blocks[block];
  if (extent.cells == 0 ||
      (uint64_t{extent.x1} - extent.x0 + 1) * (uint64_t{extent.y1} - extent.y0 + 1) > most)
    return std::nullopt;
  auto cost = thread_cost(footprint, ThreadColouring::passes);
  if (cost && cost->low == cost->high) cost = thread_cost(footprint, ThreadColouring::instructions);
  if (!cost || cost->low == cost->high) return std::nullopt;
  BlockCost found{*std::move(cost), {}};
  const Plane& plane = set.result->plane;
  for (uint64_t y = extent.y0; y <= extent.y1; ++y) {
    for (uint64_t x = extent.x0; x <= extent.x1; ++x) {
      const std::optional<Dim3> at = position_in(plane, {x, y});
      if (!at) continue;
      const uint64_t element = cell_element(*set.result, *at);
      if (element >= output->writers->writer.size()) continue;
      const uint64_t writer = output->writers->writer[element];
      if (writer != 0 && (writer - 1) / threads == block)
        found.cells.emplace_back(linear_index(*at, plane.extent), (writer - 1) % threads);
    }
  }
  return found;
}

void draw_cost(Picture& picture, const ImageViewInput& input, const ImageFrame& frame) {
  const Plane& plane = frame.raster->plane;
  if (!input.set->result || plane.extent != input.set->result->plane.extent) return;
  picture.begin_clip(frame.visible);
  for (const auto& [cell, thread] : input.cost->cells)
    picture.rectangle(frame.frame.box_of(cell_of(plane, position_at(cell, plane.extent))),
                      solid(input.cost->cost.colour_of(thread)));
  picture.end_clip();
}

ThreadElements elements_of_thread(const RunResult& result, const ShownBuffers& shown,
                                  const BlockFootprint& footprint, const Pick& pick) {
  constexpr size_t most = 1024;  // marks on one picture
  ThreadElements elements;
  if (!pick.thread || pick.block != footprint.block) return elements;
  for (const ThreadAccess& access : accesses_of_thread(result, footprint, *pick.thread)) {
    const auto is = [&](std::optional<uint32_t> buffer) {
      return buffer && access.buffer == static_cast<int64_t>(*buffer);
    };
    if (access.kind == AccessKind::load && is(shown.input) && elements.read.size() < most)
      elements.read.push_back(access.element);
    if (access.kind != AccessKind::load && is(shown.output) && elements.written.size() < most)
      elements.written.push_back(access.element);
  }
  return elements;
}

void draw_marks(Picture& picture, const Style& style, const ImageViewInput& input, const ImageFrame& frame) {
  const ImageSet& set = *input.set;
  const bool over_result = set.result && frame.raster->plane.extent == set.result->plane.extent;
  picture.begin_clip(frame.visible);
  const uint32_t accent = 0x4cc2ff;  // over photographs the dark theme's accent serves both themes
  if (over_result && input.hovered.block)
    draw_block_outline(picture, input, frame, *input.hovered.block, solid(0xffffff), style.px(1.5f),
                       0x0e1217);
  if (over_result && input.chosen.block)
    draw_block_outline(picture, input, frame, *input.chosen.block, solid(accent), style.px(2.5f), 0x0e1217);
  if (frame.is_input && input.elements != nullptr)
    for (const uint64_t element : input.elements->read)
      draw_cell_mark(picture, style, frame, element, solid(group_colours[3]));
  if (!frame.is_input && over_result) {
    if (input.chosen.element && input.chosen.element->buffer == set.shown.output) {
      draw_cell_mark(picture, style, frame, input.chosen.element->index, solid(accent));
    } else if (input.elements != nullptr) {
      for (const uint64_t element : input.elements->written)
        draw_cell_mark(picture, style, frame, element, solid(accent));
    }
  }
  picture.end_clip();
}

void draw_incident_marks(Picture& picture, const Style& style, const ImageViewInput& input,
                         const ImageFrame& frame) {
  const std::optional<uint32_t> buffer = frame.is_input ? input.set->shown.input : input.set->shown.output;
  const Plane& plane = frame.raster->plane;
  const uint64_t width = plane.folded ? plane.columns : std::max(1u, plane.extent.x);
  const Box canvas = frame.visible;
  picture.begin_clip(canvas);
  for (const IncidentMark& mark : input.set->incidents) {
    if (!mark.buffer || !mark.element || mark.buffer != buffer) continue;
    const uint64_t cell = *mark.element / frame.raster->channels;
    Box box = cell < plane.extent.count()
                  ? frame.frame.box_of(cell_of(plane, position_at(cell, plane.extent)))
                  : frame.frame.box_of({cell % width, cell / width});
    // Far past the end is still on the canvas.
    const float room = style.px(10);
    box.y = std::min(box.y, canvas.bottom() - std::max(box.height, room));
    box.x = std::clamp(box.x, canvas.x, std::max(canvas.x, canvas.right() - std::max(box.width, room)));
    draw_incident_mark(picture, style, box, mark);
  }
  picture.end_clip();
}

bool has_values(const Style& style, const ImageFrame& frame) {
  const BufferRaster& raster = *frame.raster;
  return raster.channels == 1 && raster.reduction == 1 && frame.frame.cell >= double{style.px(values_from)};
}

void draw_values(Picture& picture, const Style& style, const ImageViewInput& input, const ImageFrame& frame) {
  const ImageSet& set = *input.set;
  const BufferRaster& raster = *frame.raster;
  if (!has_values(style, frame)) return;
  const std::optional<uint32_t> buffer = frame.is_input ? set.shown.input : set.shown.output;
  const bool is_shown =
      set.input && frame.raster == &*set.input ? true : set.result && frame.raster == &*set.result;
  if (!buffer || !is_shown) return;
  const BufferSpec& spec = input.result->request->buffers[*buffer];
  const OutputBuffer* output = output_buffer(*input.result, *buffer);
  const Bytes* bytes = frame.is_input      ? spec.initial.get()
                       : output != nullptr ? output->bytes.get()
                                           : nullptr;
  if (bytes == nullptr) return;
  const VisibleCells visible = visible_cells(raster.plane.columns, raster.plane.rows, frame.frame);
  // As large as the cell allows.
  const float largest = std::clamp(static_cast<float>(frame.frame.cell) * 0.34f, style.small(), style.px(28));
  picture.begin_clip(frame.visible);
  for (uint64_t row = visible.first.row; row < visible.last.row; ++row) {
    for (uint64_t column = visible.first.column; column < visible.last.column; ++column) {
      const std::optional<Dim3> at = position_in(raster.plane, {column, row});
      const uint8_t* rgba = raster.raster->rgba.data() + 4 * (row * raster.raster->width + column);
      if (!at || rgba[3] == 0) continue;
      const std::optional<double> value = value_of(spec, *bytes, cell_element(raster, *at));
      if (!value) continue;
      const bool hidden = set.masked && !frame.is_input;
      const std::string words =
          hidden ? "[" + std::to_string(cell_element(raster, *at)) + "]" : significant(*value);
      const Box box = frame.frame.box_of({column, row});
      const float width = style.width(words, Font::mono, largest);
      const float size = std::min(largest, largest * (box.width - 6) / std::max(1.0f, width));
      if (size < style.small()) continue;
      const uint32_t ground = uint32_t{rgba[0]} << 16 | uint32_t{rgba[1]} << 8 | rgba[2];
      picture.text(box.centre(), words, Font::mono, size, solid(ink_on(ground)), AlignX::centre,
                   AlignY::middle);
    }
  }
  picture.end_clip();
}

}  // namespace warplens
