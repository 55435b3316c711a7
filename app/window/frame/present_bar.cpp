#include "app/window/frame/present_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "app/base/format.h"
#include "app/widgets/fitted.h"
#include "app/widgets/slider.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "app/window/frame/strips.h"

namespace warplens {
namespace {

constexpr const char *back_label = "‹###back", *next_label = "Next ›###next", *end_label = "End ›###next";

float between() { return ImGui::GetStyle().ItemSpacing.x; }

constexpr int words_rank = 6, list_rank = 5;

// One piece of the bar. The pieces with the highest rank are left out first where there is no room for all,
// or drawn in fewer words: block and grid without boxes (words_rank), the views as a list (list_rank).
struct BarItem {
  int rank = 0;
  float width = 0;
  bool right = false;  // with those that stand at the right edge
  std::function<void()> draw;
};

void words_of_bar(const std::string& words, uint32_t rgb) {
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, colour(rgb));
  show_words(words);
  ImGui::PopStyleColor();
}

// ---- the step of a lesson

BarItem steps(const AppState& state, Actions& actions) {
  const size_t at = state.lesson.player.at, count = state.lesson.player.steps.size();
  const std::string counter = fmt::format("{} / {}", at + 1, count);
  const std::string widest = fmt::format("{} / {}", count, count);
  const bool last = at + 1 >= count;
  BarItem piece;
  piece.width = chip_width(back_label) + text_width(widest) + chip_width(next_label) + 2 * between();
  piece.draw = [=, &state, &actions] {
    if (chip(back_label, false, at > 0)) actions.push(GoToStep{at - 1});
    hover_text("Page Up");
    ImGui::SameLine();
    const float left = ImGui::GetCursorPosX();
    words_of_bar(counter, look().palette.text);
    ImGui::SameLine(left + text_width(widest) + between());
    const bool done = state.lesson.player.steps[at].done;
    const char* label = last ? end_label : next_label;
    if (done ? main_button(label) : chip(label))
      actions.push(last ? Action(ShowDialog{Dialog::learn}) : Action(GoToStep{at + 1}));
    hover_text("Page Down");
  };
  return piece;
}

BarItem hint(const AppState& state, Actions& actions) {
  const auto& player = state.lesson.player;
  const bool more = player.steps[player.at].hints < player.step().hints.size();
  return {3, chip_width("Hint"), true, [more, &actions] {
            if (chip("Hint###hint", false, more)) actions.push(ShowHint{});
          }};
}

// ---- the views

BarItem tab_row(const AppState& state, Actions& actions) {
  BarItem piece;
  piece.rank = list_rank;
  for (const ViewRow* row : offered_tabs(state.program)) piece.width += chip_width(row->title) + between();
  piece.width -= between();
  piece.draw = [&state, &actions] {
    bool first = true;
    for (const ViewRow* row : offered_tabs(state.program)) {
      if (!first) ImGui::SameLine();
      first = false;
      if (chip(std::string(row->title) + "###tab_" + row->name, state.frame.view == row->view))
        actions.push(ShowView{row->view});
    }
  };
  return piece;
}

BarItem tab_list(const AppState& state, Actions& actions) {
  float width = 0;
  for (const ViewRow* row : offered_tabs(state.program)) width = std::max(width, chip_width(row->title));
  width += ImGui::GetFrameHeight();
  return {1, width, false, [width, &state, &actions] {
            ImGui::SetNextItemWidth(width);
            if (!begin_drop_down("##tabs", row_of(state.frame.view).title)) return;
            for (const ViewRow* row : offered_tabs(state.program))
              if (ImGui::Selectable(shown_label(row->title).c_str(), state.frame.view == row->view))
                actions.push(ShowView{row->view});
            ImGui::EndCombo();
          }};
}

// ---- block and grid

struct Extent {
  const char *words, *id;
  Dim3 now, largest;
  std::function<void(Dim3, bool)> set;
};

// The number of axes that are used.
size_t axes_of(Dim3 extent) { return extent.z > 1 ? 3 : 2; }

// "block [16] × [16]"
void draw_extent(const Extent& extent, Actions& actions) {
  words_of_bar(extent.words, look().palette.quiet);
  const uint32_t limits[] = {extent.largest.x, extent.largest.y, extent.largest.z};
  const char* axes[] = {"x", "y", "z"};
  for (size_t axis = 0; axis < axes_of(extent.now); ++axis) {
    ImGui::SameLine();
    Dim3 to = extent.now;
    uint32_t& value = axis == 0 ? to.x : axis == 1 ? to.y : to.z;
    if (axis > 0) {
      words_of_bar("×", look().palette.quiet);
      ImGui::SameLine();
    }
    const SliderRow row{std::string(extent.id) + "_" + axes[axis], axes[axis], double(value), 1.0,
                        double(std::max(limits[axis], value))};
    const SliderChange change = number_box(row);
    if (change.changed) {
      value = static_cast<uint32_t>(change.value);
      extent.set(to, change.dragging);
    }
    if (change.ended) actions.push(EndGesture{});
  }
}

BarItem extents(const AppState& state, Actions& actions) {
  BarItem piece;
  piece.rank = words_rank;
  piece.right = true;
  const float box = number_box_width() + between();
  const auto boxes = static_cast<float>(axes_of(state.setup.launch.block) + axes_of(state.setup.launch.grid));
  piece.width = text_width("block") + text_width("grid") + between() + boxes * box +
                (boxes - 2) * (text_width("×") + between());
  piece.draw = [&state, &actions] {
    const auto& limits = state.setup.device.limits;
    const KernelSetup& launch = state.setup.launch;
    draw_extent({"block", "block", launch.block, limits.max_block,
                 [&](Dim3 to, bool dragging) {
                   actions.push(SetBlock{to, dragging});
                 }},
                actions);
    ImGui::SameLine();
    draw_extent({"grid", "grid", launch.grid, limits.max_grid,
                 [&](Dim3 to, bool dragging) {
                   actions.push(SetGrid{to, dragging});
                 }},
                actions);
  };
  return piece;
}

// The same, read-only: in a lesson, which says what may be changed, or where the boxes have no room.
BarItem extents_in_words(const AppState& state) {
  const std::string words =
      "block " + extent_text(state.setup.launch.block) +
      (any_hidden(state, "launch.blocks") ? "" : "   grid " + extent_text(state.setup.outlook.shape.grid));
  return {2, text_width(words), true, [words] { words_of_bar(words, look().palette.quiet); }};
}

BarItem kernel(const AppState& state, PresentBarState& own, Actions& actions) {
  return {4, picker_width(kernel_label(state)), false,
          [&] { draw_kernel_picker(state, own.pickers, actions); }};
}

BarItem keys(const AppState& state) {
  const std::string words =
      state.lesson.is_open() ? "B blank · S spotlight · N notes · R reveal" : "B blank · S spotlight";
  return {7, text_width(words), true, [words] { words_of_bar(words, look().palette.quiet); }};
}

BarItem leave(Actions& actions) {
  return {0, chip_width("Exit"), true, [&actions] {
            if (chip("Exit###exit")) actions.push(Present{false});
            hover_text("Back to the whole window (Esc, F11)");
          }};
}

float width_of(const std::vector<BarItem>& pieces) {
  float width = 0;
  for (const BarItem& piece : pieces) width += piece.width + scaled(14);
  return width;
}

std::vector<BarItem> all_pieces(const AppState& state, PresentBarState& own, Actions& actions) {
  std::vector<BarItem> pieces;
  const bool lesson = state.lesson.is_open();
  if (lesson) pieces.push_back(steps(state, actions));
  pieces.push_back(tab_row(state, actions));
  if (!lesson && !state.challenge.is_open()) pieces.push_back(kernel(state, own, actions));
  if (!lesson) pieces.push_back(extents(state, actions));
  if (lesson) pieces.push_back(extents_in_words(state));
  if (lesson) pieces.push_back(hint(state, actions));
  pieces.push_back(leave(actions));
  return pieces;
}

// How much smaller the text of the bar is, so that it has all of its pieces.
float bar_factor(const AppState& state, PresentBarState& own, Actions& actions) {
  for (const float factor : {1.0f, 0.9f, 0.8f}) {
    const SmallerText smaller(factor);
    if (width_of(all_pieces(state, own, actions)) <= ImGui::GetContentRegionAvail().x) return factor;
  }
  return 1;
}

std::vector<BarItem> pieces_that_fit(const AppState& state, PresentBarState& own, float room,
                                     Actions& actions) {
  std::vector<BarItem> pieces = all_pieces(state, own, actions);
  pieces.insert(pieces.end() - 1, keys(state));
  while (width_of(pieces) > room) {
    const auto least = std::ranges::max_element(pieces, {}, &BarItem::rank);
    if (least->rank <= 1) break;
    if (least->rank == list_rank)
      *least = tab_list(state, actions);
    else if (least->rank == words_rank)
      *least = extents_in_words(state);
    else
      pieces.erase(least);
  }
  return pieces;
}

void draw_pieces(const AppState& state, float factor, PresentBarState& own, Actions& actions) {
  const SmallerText smaller(factor);
  const float room = ImGui::GetContentRegionAvail().x, left = ImGui::GetCursorPosX();
  const std::vector<BarItem> pieces = pieces_that_fit(state, own, room, actions);
  float at_right = left + room, x = left;
  for (const BarItem& piece : pieces)
    if (piece.right) at_right -= piece.width + scaled(14);
  at_right += scaled(14);
  for (const BarItem& piece : pieces) {
    float& at = piece.right ? at_right : x;
    if (&piece != &pieces.front()) ImGui::SameLine(at);
    piece.draw();
    at += piece.width + scaled(14);
  }
}

}  // namespace

float present_bar_height() {
  ImGui::PushFont(look().words, small_size);
  const float height = ImGui::GetFrameHeight() + 2 * scaled(4);
  ImGui::PopFont();
  return std::ceil(height);
}

void draw_present_bar(const AppState& state, Box place, PresentBarState& own, Actions& actions) {
  draw_strip("##present_bar", {place.x, place.y}, {place.width, place.height}, scaled(4), [&] {
    ImGui::PushFont(look().words, small_size);
    ImGui::PushStyleVarX(ImGuiStyleVar_FramePadding, scaled(6));
    draw_pieces(state, bar_factor(state, own, actions), own, actions);
    ImGui::PopStyleVar();
    ImGui::PopFont();
  });
}

}  // namespace warplens
