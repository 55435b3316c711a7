#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/draw/parts.h"
#include "app/base/format.h"
#include "app/views/grid/captions.h"

namespace warplens {

namespace {

struct Crumb {
  std::string words;
  GridLevel level;
};

std::vector<Crumb> crumbs_of(const GridViewInput& input) {
  const LaunchShape& shape = input.result->shape;
  std::vector<Crumb> crumbs = {{"grid " + extent_text(shape.grid), GridLevel::grid}};
  if (input.level == GridLevel::grid) return crumbs;
  crumbs.push_back(
      {"block " + position_text(input.chosen.block.value_or(Dim3{0, 0, 0}), shape.grid), GridLevel::block});
  if (input.level == GridLevel::block || !input.chosen.thread) return crumbs;
  crumbs.push_back({fmt::format("warp {}", warp_of(*input.chosen.thread, shape.block)), GridLevel::warp});
  if (input.level == GridLevel::lane)
    crumbs.push_back({fmt::format("lane {}", lane_of(*input.chosen.thread, shape.block)), GridLevel::lane});
  return crumbs;
}

// "one cell = 8 × 8 blocks": what the map loses at this size.
std::string lost_by_zooming_out(const Style& style, const GridViewInput& input, Box box) {
  const HeatMap& heat = *input.heat;
  const MapFrame frame =
      frame_of(heat.plane.columns, heat.plane.rows, box, input.map_view, style.px(largest_block_cell));
  const uint32_t shift = level_for(heat, frame.cell).shift;
  std::string words;
  if (shift > 0) words = fmt::format("one cell = {} blocks", with_separators(uint64_t{1} << (2 * shift)));
  if (heat.has_amounts && heat.blocks_per_bin > 1)
    words += fmt::format("{}counted in bins of {} blocks", words.empty() ? "" : ", ",
                         with_separators(heat.blocks_per_bin));
  if (heat.sampled) words += ", 16 of them sampled";
  return words;
}

Point draw_crumbs(Picture& picture, const Style& style, const std::vector<Crumb>& crumbs, Box box) {
  Point at{box.x, box.y};
  const float size = style.body();
  for (size_t i = 0; i < crumbs.size(); ++i) {
    const bool last = i + 1 == crumbs.size();
    const float width = style.width(crumbs[i].words, Font::words, size);
    if (at.x > box.x && at.x + width + style.px(12) > box.right()) at = {box.x, at.y + style.line()};
    picture.text(at, crumbs[i].words, Font::words, size,
                 solid(last ? style.palette.text : style.palette.accent));
    picture.area(
        {at.x, at.y, width, style.line()},
        Click(GridVerb::level, static_cast<uint64_t>(crumbs[i].level), std::string(name_of(crumbs[i].level))),
        last ? "" : "back to the " + crumbs[i].words);
    at.x += width;
    if (last) break;
    picture.text({at.x + style.px(6), at.y}, "›", Font::words, size, solid(style.palette.quiet));
    at.x += style.px(20);
  }
  return {at.x + style.px(20), at.y};
}

// With `compact` there is a single chip that selects the next colouring, for large text in a small panel.
std::vector<Chip> colouring_chips(const GridViewInput& input, bool compact) {
  static constexpr std::array<const char*, 4> hints = {
      "the colour of x + y, to tell blocks apart", "warp instructions that each block executed",
      "branches at which lanes of a warp went different ways",
      "32-byte sectors of global memory that each block touched"};
  std::vector<Chip> chips;
  for (const Colouring colouring : all_colourings) {
    const auto i = static_cast<size_t>(colouring);
    const Colouring other = all_colourings[(i + 1) % all_colourings.size()],
                    offered = compact ? other : colouring;
    const std::string name(name_of(colouring)), next(name_of(other));
    const bool chosen = colouring == input.heat->colouring;
    if (compact && !chosen) continue;
    chips.push_back(
        {name,
         Click(GridVerb::colouring, static_cast<uint64_t>(offered), std::string(name_of(offered))),
         compact ? "next: " + next : hints[i],
         chosen,
         {},
         ChipKind::mode});
  }
  chips.push_back({"save…", SaveVerb::save, "save this picture as PNG or SVG", false, {}});
  return chips;
}

float draw_colouring_chips(Picture& picture, const Style& style, const GridViewInput& input, Box box) {
  Picture scratch;
  const float height = draw_chips(scratch, style, box, colouring_chips(input, false)) - box.y;
  const bool compact = height > std::max(chip_height(style) * 1.5f, 0.2f * box.height);
  return draw_chips(picture, style, box, colouring_chips(input, compact));
}

// "instructions": the colouring's words without "a block".
std::string amount_words(Colouring colouring) {
  std::string words = to_string(colouring);
  if (const size_t at = words.rfind(" a block"); at != std::string::npos) words.erase(at);
  return words;
}

std::string sentence_of_blocks(const GridViewInput& input) {
  const LaunchShape& shape = input.result->shape;
  const uint64_t warps = ceil_div(shape.block.count(), warp_lanes);
  std::string words =
      fmt::format("{} of {} threads, {} each", count_text(shape.grid.count(), "block", "blocks"),
                  with_separators(shape.block.count()), count_text(warps, "warp", "warps"));
  if (input.heat->plane.folded) words += "; one long row of blocks, folded";
  return words;
}

}  // namespace

float draw_grid_header(Picture& picture, const Style& style, const GridViewInput& input, Box box) {
  Point at{box.x, box.y};
  if (input.interactive) at.y = draw_colouring_chips(picture, style, input, box) + style.px(12);
  const Point after = draw_crumbs(picture, style, crumbs_of(input), {at.x, at.y, box.width, 0});
  at.y = after.y;
  std::string words = std::string("colour: ") + to_string(input.heat->colouring);
  const float words_width = style.width(words, Font::words, style.small());
  float x = after.x;
  if (x + words_width < box.right()) {
    picture.text({x, at.y + style.px(2)}, words, Font::words, style.small(), solid(style.palette.quiet));
    x += words_width + style.px(10);
    const Provenance source = input.heat->has_amounts ? Provenance::counted : Provenance::derived;
    if (x + source_tag_width(style, source) < box.right())
      x = draw_source_tag(picture, style, {x, at.y + style.px(1)}, source,
                          input.heat->has_amounts ? "exact counts of the virtual GPU, block by block"
                                                  : "the colour of blockIdx.x + blockIdx.y") +
          style.px(14);
  }
  const std::string lost = lost_by_zooming_out(style, input, box);
  if (!lost.empty() && x + style.width(lost, Font::words, style.small()) < box.right())
    picture.text({x, at.y + style.px(2)}, lost, Font::words, style.small(), solid(style.palette.quiet));
  return at.y + style.px(30);
}

float map_caption_height(const Style& style, const GridViewInput& input, float width) {
  const size_t lines = wrapped(style, sentence_of_blocks(input), Font::words, style.small(), width).size();
  float height = style.px(10) + style.small() * 1.4f * static_cast<float>(lines);
  if (input.heat->has_amounts) height += style.px(20);
  if (input.heat->idle_blocks > 0) height += style.px(20);
  if (input.heat->uncovered_blocks > 0) height += style.px(20);
  if (input.heat->tail_threads > 0) height += style.px(20);
  return height;
}

void draw_map_caption(Picture& picture, const Style& style, const GridViewInput& input, Box box) {
  const HeatMap& heat = *input.heat;
  float y = box.y;
  if (heat.has_amounts && heat.low == heat.high) {
    const std::string words =
        fmt::format("every block: {} {}", significant(heat.low), amount_words(heat.colouring));
    picture.text({box.x, y - style.px(2)}, words, Font::words, style.small(), solid(style.palette.text));
    y += style.px(20);
  } else if (heat.has_amounts) {
    y = draw_amount_legend(picture, style, {box.x, y}, std::min(box.width, style.px(280)),
                           significant(heat.low), significant(heat.high));
  }
  const auto room_for = [&](float height) { return y + height <= box.bottom() + style.px(4); };
  const std::string sentence = sentence_of_blocks(input);
  const auto lines = wrapped(style, sentence, Font::words, style.small(), box.width).size();
  if (room_for(style.small() * 1.4f * static_cast<float>(lines)))
    y = draw_paragraph(picture, style, {box.x, y}, sentence, Font::words, style.small(),
                       solid(style.palette.quiet), box.width);
  const float row = style.px(20);
  if (heat.idle_blocks > 0 && room_for(row)) {
    draw_key(picture, style, {box.x, y}, Swatch::hollow, solid(style.palette.quiet),
             count_text(heat.idle_blocks, "block wrote nothing", "blocks wrote nothing"));
    y += style.px(20);
  }
  if (heat.tail_threads > 0 && room_for(row)) {
    draw_key(picture, style, {box.x, y}, Swatch::hatched, solid(style.palette.text),
             count_text(heat.tail_threads, "thread has no element", "threads have no element"));
    y += style.px(20);
  }
  if (heat.uncovered_blocks > 0 && room_for(row))
    draw_key(picture, style, {box.x, y}, Swatch::hatched, solid(style.palette.warning),
             count_text(heat.uncovered_blocks, "block is missing: no thread covers its elements",
                        "blocks are missing: no thread covers their elements"));
}

namespace {

// What the colours of the threads show, as soon as the block has been replayed.
std::vector<Chip> thread_chips(const GridViewInput& input) {
  static constexpr std::array<const char*, 3> labels = {"by warp", "instructions", "loop passes"};
  static constexpr std::array<const char*, 3> hints = {"the threads in the colours of their warps",
                                                       "how many instructions each thread executed",
                                                       "how often each thread came to the start of a loop"};
  std::vector<Chip> chips;
  if (!input.interactive || input.footprint == nullptr || input.footprint->threads.empty()) return chips;
  const ThreadColouring shown =
      input.digest != nullptr && input.digest->cost ? input.digest->cost->colouring : ThreadColouring::warps;
  for (const ThreadColouring colouring : all_thread_colourings) {
    const auto i = static_cast<size_t>(colouring);
    chips.push_back(
        {labels[i],
         Click(GridVerb::threads, static_cast<uint64_t>(colouring), std::string(name_of(colouring))),
         hints[i],
         colouring == shown,
         {},
         ChipKind::mode});
  }
  return chips;
}

std::vector<Chip> warp_chips(const GridViewInput& input) {
  std::vector<Chip> chips;
  const LaunchShape& shape = input.result->shape;
  const uint64_t warps = std::min<uint64_t>(64, ceil_div(shape.block.count(), warp_lanes));
  for (uint32_t warp = 0; warp < warps; ++warp) {
    const bool chosen = input.level != GridLevel::block && input.chosen.thread &&
                        warp_of(*input.chosen.thread, shape.block) == warp;
    chips.push_back(
        {fmt::format("warp {}", warp), Click(GridVerb::warp, warp), "", chosen, solid(warp_colour(warp))});
  }
  return chips;
}

// Whether any thread of the chosen block is outside the problem. If so, the last one is.
bool reaches_outside(const GridViewInput& input) {
  const Dim3 block = input.result->shape.block;
  BlockPicture lanes;
  lanes.block = block;
  lanes.block_at = input.chosen.block.value_or(Dim3{0, 0, 0});
  lanes.problem = input.problem;
  return out_of_range(lanes, {block.x - 1, block.y - 1, block.z - 1});
}

// Returns the y below the rows of chips. Without a picture it only measures.
float chip_rows(Picture* picture, const Style& style, const GridViewInput& input, Box box) {
  Picture scratch;
  Picture& on = picture != nullptr ? *picture : scratch;
  const std::vector<Chip> threads = thread_chips(input);
  float y = box.y;
  if (!threads.empty()) y = draw_chips(on, style, box, threads) + style.px(8);
  return draw_chips(on, style, {box.x, y, box.width, 0}, warp_chips(input)) + style.px(8);
}

void draw_cost_caption(Picture& picture, const Style& style, const ThreadCost& cost, Box box) {
  float x = box.x;
  if (cost.low != cost.high) {
    const float width = std::min(box.width * 0.6f, style.px(280));
    draw_amount_legend(picture, style, {x, box.y}, width, with_separators(cost.low),
                       with_separators(cost.high));
    x += width + style.px(16);
  }
  const std::string words = to_string(cost.colouring);
  const float room = box.right() - x - source_tag_width(style, Provenance::counted) - style.px(10);
  if (style.width(words, Font::words, style.small()) <= room) {
    picture.text({x, box.y - style.px(2)}, words, Font::words, style.small(), solid(style.palette.quiet));
    x += style.width(words, Font::words, style.small()) + style.px(10);
  }
  draw_source_tag(picture, style, {x, box.y - style.px(3)}, Provenance::counted,
                  "Counted for each thread of the PTX while the virtual GPU replayed the block.");
  const auto lines = wrapped(style, cost.sentence, Font::words, style.small(), box.width).size();
  if (style.px(22) + style.small() * 1.4f * static_cast<float>(lines) > box.height + style.px(4)) return;
  draw_paragraph(picture, style, {box.x, box.y + style.px(22)}, cost.sentence, Font::words, style.small(),
                 solid(style.palette.text), box.width);
}

}  // namespace

float block_caption_height(const Style& style, const GridViewInput& input, float width, bool chips) {
  float height = chips ? chip_rows(nullptr, style, input, {0, 0, width, 0}) : 0;
  if (input.digest != nullptr && input.digest->cost)
    height += style.px(24) +
              style.small() * 1.4f *
                  static_cast<float>(
                      wrapped(style, input.digest->cost->sentence, Font::words, style.small(), width).size());
  const bool message = input.footprint == nullptr && !input.footprint_message.empty();
  return height + style.px(message ? 72 : 32);
}

void draw_block_caption(Picture& picture, const Style& style, const GridViewInput& input, Box box,
                        bool chips) {
  const float y = chips ? chip_rows(&picture, style, input, box) : box.y;
  if (input.digest != nullptr && input.digest->cost) {
    draw_cost_caption(picture, style, *input.digest->cost, {box.x, y, box.width, box.bottom() - y});
    return;
  }
  if (y + style.line() > box.bottom()) return;
  float x = draw_key(picture, style, {box.x, y}, Swatch::filled, solid(warp_colour(0)),
                     "a thread, coloured by warp");
  if (reaches_outside(input))
    x = draw_key(picture, style, {x, y}, Swatch::hollow, solid(style.palette.quiet), "out of range");
  if (input.digest != nullptr && input.digest->wrote_nothing && x < box.right() - style.px(120))
    draw_key(picture, style, {x, y}, Swatch::hollow, solid(style.palette.quiet), "wrote nothing");
  if (input.footprint == nullptr && !input.footprint_message.empty())
    draw_paragraph(picture, style, {box.x, y + style.px(20)}, input.footprint_message, Font::words,
                   style.small(), solid(style.palette.quiet), box.width);
}

}  // namespace warplens
