// Threads of a small launch above the elements of the array that they wrote, with a line from each to its
// own: what the writers' map of the run says, not what a formula would.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "app/base/draw/parts.h"
#include "app/views/grid/captions.h"
#include "app/views/model/grid_map_picture.h"

namespace warplens {
namespace {

constexpr uint64_t most_drawn = 32;  // threads, and elements: more are too narrow to be numbered
constexpr float writers_cell = 44, largest_writers_cell = 88, narrowest_cell = 20, block_gap = 14;
constexpr float lines_height = 56;  // between threads and elements, where there is room

bool is_row(Dim3 extent) { return extent.y == 1 && extent.z == 1; }

// The first array that was written, if it is short enough. Null if there is none.
const OutputBuffer* written_row(const GridViewInput& input) {
  const LaunchShape& shape = input.result->shape;
  if (!is_row(shape.grid) || !is_row(shape.block)) return nullptr;
  if (shape.grid.count() * shape.block.count() > most_drawn) return nullptr;
  for (const OutputBuffer& output : input.result->outputs)
    if (output.writers != nullptr) return output.writers->writer.size() <= most_drawn ? &output : nullptr;
  return nullptr;
}

// The labels of the blocks above, and the words below.
float words_height(const Style& style) { return 2.3f * style.line(); }

float lines_height_in(const Style& style, Box room) {
  return std::min(style.px(lines_height), room.height * 0.18f);
}

// The width of a cell of a thread or element, in a view of this size. Empty if there is no row, or no room
// for one.
std::optional<float> writers_cell_in(const Style& style, const GridViewInput& input, Box room) {
  const OutputBuffer* output = written_row(input);
  if (output == nullptr) return std::nullopt;
  const LaunchShape& shape = input.result->shape;
  const uint64_t count = std::max<uint64_t>(shape.grid.x * shape.block.x, output->writers->writer.size());
  const float wide = (room.width - float(shape.grid.x) * style.px(block_gap)) / float(count);
  const float high = (room.height - lines_height_in(style, room) - words_height(style)) / 2;
  // Large text makes cells no larger than a number needs.
  if (std::min(wide, high) < std::min(style.px(narrowest_cell), 1.2f * narrowest_cell)) return std::nullopt;
  // A tenth of the height: both rows and their lines take less than the map above them.
  const float fitting = std::clamp(room.height / 10, style.px(writers_cell), style.px(largest_writers_cell));
  return std::min({wide, high, fitting});
}

float writers_number_size(const Style& style, float cell) {
  return std::min(cell * 0.5f, std::max(style.body(), cell * 0.36f));
}

struct WritersRow {
  const Style& style;
  const GridViewInput& input;
  std::span<const uint64_t> writer;
  Box box;
  float cell = 0, gap = 0;   // of threads and elements; between blocks
  float top = 0, below = 0;  // of the threads, of the elements

  uint64_t block_size() const { return input.result->shape.block.x; }
  uint64_t threads() const { return input.result->shape.grid.x * block_size(); }
  Box thread(uint64_t linear) const {
    const uint64_t block = linear / block_size();
    const float x = box.x + gap / 2 + float(linear) * cell + float(block) * gap;
    return {x + 1, top, cell - 2, cell - 2};
  }
  Box element(uint64_t index) const {
    return {box.x + gap / 2 + float(index) * cell + 1, below, cell - 2, cell - 2};
  }
  bool is_chosen(uint64_t linear) const {
    const Pick& chosen = input.chosen;
    return chosen.block && chosen.thread && chosen.block->x == linear / block_size() &&
           chosen.thread->x == linear % block_size();
  }
  bool wrote(uint64_t linear) const { return std::ranges::find(writer, linear + 1) != writer.end(); }
};

void draw_writers_lines(Picture& picture, const WritersRow& row) {
  const Palette& p = row.style.palette;
  for (size_t index = 0; index < row.writer.size(); ++index) {
    if (row.writer[index] == 0 || row.writer[index] > row.threads()) continue;
    const uint64_t linear = row.writer[index] - 1;
    const bool chosen = row.is_chosen(linear);
    const Box from = row.thread(linear), to = row.element(index);
    picture.line({from.centre().x, from.bottom() + row.style.px(3)}, {to.centre().x, to.y - row.style.px(3)},
                 solid(chosen ? p.accent : p.quiet), row.style.px(chosen ? 3 : 1.5f));
  }
}

void draw_writers_threads(Picture& picture, const WritersRow& row) {
  const Style& style = row.style;
  const Palette& p = style.palette;
  for (uint64_t block = 0; block < row.input.result->shape.grid.x; ++block) {
    const Box first = row.thread(block * row.block_size()),
              last = row.thread((block + 1) * row.block_size() - 1);
    const float edge = style.px(4);
    const bool chosen = row.input.chosen.block && row.input.chosen.block->x == block;
    picture.rectangle(
        {first.x - edge, first.y - edge, last.right() - first.x + 2 * edge, first.height + 2 * edge}, {},
        style.px(4), solid(chosen ? p.accent : p.quiet), style.px(chosen ? 2 : 1));
    picture.text({first.x, first.y - edge - style.line()}, fmt::format("block {}", block), Font::words,
                 style.small(), solid(chosen ? p.text : p.quiet));
  }
  for (uint64_t linear = 0; linear < row.threads(); ++linear) {
    const Box box = row.thread(linear);
    const uint64_t number = linear % row.block_size();
    const uint32_t fill = warp_colour(number / warp_lanes);
    const bool idle = row.input.show_writers && !row.wrote(linear);
    picture.rectangle(box, idle ? Colour{} : solid(fill), style.px(2), solid(idle ? p.quiet : fill));
    if (idle) picture.hatch(box, solid(p.quiet), style.px(5));
    if (row.is_chosen(linear)) picture.rectangle(box, {}, style.px(2), solid(p.text), style.px(3));
    picture.text(box.centre(), fmt::format("{}", number), Font::mono, writers_number_size(style, row.cell),
                 solid(idle ? p.text : ink_on(fill)), AlignX::centre, AlignY::middle);
    picture.area(box, row.input.interactive ? Click(GridVerb::thread_at, linear) : Click(),
                 fmt::format("block {}, thread {}{}", linear / row.block_size(), number,
                             idle ? ": it wrote nothing" : ""));
  }
}

void draw_writers_elements(Picture& picture, const WritersRow& row) {
  const Style& style = row.style;
  const Palette& p = style.palette;
  for (size_t index = 0; index < row.writer.size(); ++index) {
    const Box box = row.element(index);
    const bool untouched = row.input.show_writers && row.writer[index] == 0;
    const bool chosen =
        row.input.show_writers && row.writer[index] != 0 && row.is_chosen(row.writer[index] - 1);
    picture.rectangle(box, solid(p.raised), 0, solid(chosen ? p.accent : p.line), style.px(chosen ? 3 : 1));
    if (untouched) picture.hatch(box, solid(p.quiet), style.px(5));
    picture.text(box.centre(), fmt::format("{}", index), Font::mono, writers_number_size(style, row.cell),
                 solid(p.text), AlignX::centre, AlignY::middle);
    picture.area(
        box, {},
        untouched ? fmt::format("element {}: no thread wrote it", index) : fmt::format("element {}", index));
  }
}

// As much of the words below the elements as has room.
std::string writers_caption(const Style& style, const std::string& name, bool with_lines, float room) {
  for (const std::string& words :
       {with_lines ? fmt::format("elements of {}, each with a line from the thread that wrote it", name)
                   : fmt::format("elements of {}; the lines come with the answer", name),
        fmt::format("elements of {}", name)})
    if (style.width(words, Font::words, style.small()) <= room) return words;
  return name;
}

}  // namespace

float writers_height(const Style& style, const GridViewInput& input, Box room) {
  const std::optional<float> cell = writers_cell_in(style, input, room);
  return cell ? 2 * *cell + lines_height_in(style, room) + words_height(style) : 0;
}

void draw_writers(Picture& picture, const Style& style, const GridViewInput& input, Box room, Box box,
                  std::vector<Box>& threads) {
  const OutputBuffer& output = *written_row(input);
  WritersRow row{style, input, output.writers->writer, box};
  row.gap = style.px(block_gap);
  const uint64_t count = std::max<uint64_t>(row.threads(), row.writer.size());
  // The height is the one that writers_height() asked for.
  const float lines = lines_height_in(style, room);
  row.cell = std::min((box.height - lines - words_height(style)) / 2,
                      (box.width - row.gap * float(input.result->shape.grid.x)) / float(count));
  row.top = box.y + style.line() + style.px(6);
  row.below = row.top + row.cell + lines;
  if (input.show_writers) draw_writers_lines(picture, row);
  draw_writers_threads(picture, row);
  draw_writers_elements(picture, row);
  for (uint64_t linear = 0; linear < row.threads(); ++linear) threads.push_back(row.thread(linear));
  const std::string name = output.index < input.result->request->buffers.size()
                               ? input.result->request->buffers[output.index].name
                               : "array";
  const std::string words = writers_caption(style, name, input.show_writers, box.width - row.gap / 2);
  picture.text({box.x + row.gap / 2, row.below + row.cell + style.px(4)}, words, Font::words, style.small(),
               solid(style.palette.quiet));
}

}  // namespace warplens
