#include "app/window/frame/masked_figure.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>

#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
namespace {

struct Pen {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Palette& p = look().palette;

  // Something whose value is hidden: hatched, with "?".
  void unknown(Box box) const {
    const ImVec2 min{box.x, box.y}, max{box.right(), box.bottom()};
    draw->AddRectFilled(min, max, colour(p.raised), scaled(3));
    draw->PushClipRect(min, max, true);
    for (float x = min.x - box.height; x < max.x; x += scaled(9))
      draw->AddLine({x, max.y}, {x + box.height, min.y}, colour(p.line), scaled(2));
    draw->PopClipRect();
    draw->AddRect(min, max, colour(p.quiet), scaled(3), 0, scaled(1));
    centred("?", box, p.text);
  }
  void centred(const std::string& words, Box box, uint32_t rgb) const {
    const ImVec2 size = size_of_words(words);
    if (size.x > box.width || size.y > box.height + 4) return;
    draw->AddText({box.centre().x - size.x / 2, box.centre().y - size.y / 2}, colour(rgb),
                  shown(words).c_str());
  }
  void hollow(Box box, float line) const {
    draw->AddRect({box.x, box.y}, {box.right(), box.bottom()}, colour(p.quiet), scaled(3), 0, line);
  }
};

// The levels of memory, and what goes between them.
void draw_levels(const Pen& pen, Box place) {
  constexpr std::array<const char*, 4> levels = {"SM", "L1", "L2", "DRAM"};
  const float box = std::min(place.width / 8, scaled(96)), gap = (place.width - 4 * box) / 3;
  const float height = std::min(scaled(56), place.height), y = place.centre().y - height / 2;
  for (size_t i = 0; i < levels.size(); ++i) {
    const Box level{place.x + static_cast<float>(i) * (box + gap), y, box, height};
    pen.hollow(level, scaled(1.5f));
    pen.centred(levels[i], level, pen.p.text);
    if (i + 1 == levels.size()) continue;
    const float bar = std::min(height * 0.6f, scaled(26));
    pen.unknown({level.right() + scaled(6), level.centre().y - bar / 2, gap - scaled(12), bar});
  }
}

// The lanes of a warp, each with a line to the memory that it reads: which parts of it is asked.
void draw_lanes(const Pen& pen, Box place, uint64_t threads) {
  const uint64_t lanes = std::min<uint64_t>(warp_lanes, threads);
  if (lanes == 0) return;
  const auto count = static_cast<float>(lanes);
  const float cell = std::min({place.width / count, place.height / 3, scaled(28)}), side = cell - scaled(2);
  const float left = place.centre().x - cell * count / 2, below = place.bottom() - cell;
  for (uint64_t lane = 0; lane < lanes; ++lane) {
    const auto number = static_cast<float>(lane);
    const Box box{left + cell * number, place.y, side, side};
    pen.draw->AddRectFilled({box.x, box.y}, {box.right(), box.bottom()}, colour(pen.p.accent, 0.3f),
                            scaled(3));
    pen.centred(std::to_string(lane), box, pen.p.text);
    pen.draw->AddLine({box.centre().x, box.bottom()},
                      {place.x + place.width * (number + 0.5f) / count, below - scaled(2)},
                      colour(pen.p.accent, 0.5f));
  }
  pen.unknown({place.x, below, place.width, cell});
}

// Amounts by name, each as long as the other: which is the longest is not said.
void draw_rows(const Pen& pen, Box place, std::initializer_list<const char*> names) {
  float label = 0;
  for (const char* name : names) label = std::max(label, size_of_words(name).x);
  const float step = std::min(place.height / static_cast<float>(names.size()), scaled(48));
  float y = place.y;
  for (const char* name : names) {
    pen.draw->AddText({place.x, y + (step - ImGui::GetTextLineHeight()) / 2}, colour(pen.p.text),
                      shown(name).c_str());
    pen.unknown(
        {place.x + label + scaled(12), y + step * 0.15f, place.width - label - scaled(12), step * 0.7f});
    y += step;
  }
}

void draw_axes(const Pen& pen, Box place, const char* across, const char* up) {
  const float below = ImGui::GetTextLineHeight() + scaled(4);
  const Box plot{place.x, place.y + below, place.width, place.height - 2 * below};
  pen.draw->AddText({place.x, place.y}, colour(pen.p.quiet), shown(up).c_str());
  pen.unknown(plot);
  const ImVec2 size = size_of_words(across);
  pen.draw->AddText({place.right() - size.x, plot.bottom() + scaled(4)}, colour(pen.p.quiet),
                    shown(across).c_str());
}

// The slots of an SM for warps: how many are taken is asked.
void draw_slots(const Pen& pen, Box place, uint32_t slots) {
  constexpr uint32_t columns = 16;
  const uint32_t rows = (std::max(slots, 1u) + columns - 1) / columns;
  const float side = std::min({place.width / columns, place.height / static_cast<float>(rows), scaled(40)});
  const float left = place.centre().x - side * columns / 2;
  for (uint32_t i = 0; i < slots; ++i) {
    const uint32_t column = i % columns, row = i / columns;
    pen.hollow({left + static_cast<float>(column) * side + 2, place.y + static_cast<float>(row) * side + 2,
                side - 4, side - 4},
               scaled(1));
  }
}

void draw_blocks(const Pen& pen, Box place) {
  constexpr int shown = 4;
  const float side = std::min(place.width / (shown + 1), place.height);
  for (int i = 0; i < shown; ++i)
    pen.unknown({place.x + static_cast<float>(i) * side, place.y, side - scaled(6), side - scaled(6)});
  pen.centred("…", {place.x + shown * side, place.y, side, side}, pen.p.quiet);
}

}  // namespace

void draw_masked_figure(const AppState& state, View view, Box place) {
  const Pen pen;
  const auto found = state.frame.parts.find(view);
  const std::string part = found == state.frame.parts.end() ? "" : found->second;
  if (view == View::memory && part == "hierarchy") return draw_levels(pen, place);
  if (view == View::memory) return draw_lanes(pen, place, state.setup.outlook.shape.block.count());
  if (view == View::grid) return draw_blocks(pen, place);
  if (view == View::occupancy) return draw_slots(pen, place, state.setup.device.limits.max_warps_per_sm);
  if (view != View::timing) return pen.unknown(place);
  if (part == "steps") return draw_rows(pen, place, {"copy in", "kernel", "copy out"});
  if (part == "blocks") return draw_axes(pen, place, "threads a block", "time");
  if (part == "sizes") return draw_axes(pen, place, "elements", "time");
  if (part == "roofline") return draw_axes(pen, place, "operations a byte", "operations a second");
  draw_rows(pen, place, {"CPU", "GPU"});
}

}  // namespace warplens
