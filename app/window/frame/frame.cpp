#include "app/window/frame/frame.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <optional>

#include "app/state/runs/shown_run.h"
#include "app/widgets/card_room.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "app/window/frame/blank.h"
#include "app/window/frame/bottom.h"
#include "app/window/frame/present.h"
#include "app/window/frame/strips.h"
#include "app/window/frame/veil.h"
#include "app/window/frame/welcome.h"

namespace warplens {
namespace {

constexpr float gap = 6;

// Rounds a corner: paints the part outside the quarter circle. `towards` points from the corner inwards.
void cut_corner(ImDrawList* draw, ImVec2 corner, ImVec2 towards, float radius) {
  const ImVec2 centre{corner.x + towards.x * radius, corner.y + towards.y * radius};
  const float from =
      towards.y > 0 ? (towards.x > 0 ? IM_PI : -IM_PI / 2) : (towards.x > 0 ? IM_PI / 2 : 0.0f);
  draw->PathLineTo(corner);
  draw->PathArcTo(centre, radius, from, from + IM_PI / 2);
  draw->PathFillConvex(colour(look().palette.window));
}

// Dear ImGui docks windows edge to edge with square corners. If there are tabs above, they join the upper
// edge.
void round_docked_corners() {
  const ImGuiWindow* window = ImGui::GetCurrentWindow();
  if (!window->DockIsActive || !window->DockNode) return;
  const bool tabs = !window->DockNode->IsHiddenTabBar() && !window->DockNode->IsNoTabBar();
  const ImVec2 min{window->Pos.x, window->Pos.y + (tabs ? window->TitleBarHeight : 0)};
  const ImVec2 max{window->Pos.x + window->Size.x, window->Pos.y + window->Size.y};
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float radius = scaled(6);
  draw->PushClipRect(window->Pos, max, false);
  if (!tabs) cut_corner(draw, min, {1, 1}, radius);
  cut_corner(draw, {max.x, min.y}, {-1, 1}, radius);
  cut_corner(draw, {min.x, max.y}, {1, -1}, radius);
  cut_corner(draw, max, {-1, -1}, radius);
  draw->PopClipRect();
}

ImGuiID space_of_frame() { return ImHashStr("warplens_panels"); }

void draw_dock_space(Box place, const AppState& state, FrameMemory& memory, bool reset) {
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({place.width, place.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::Begin("##centre", nullptr, fixed_flags | ImGuiWindowFlags_NoNavFocus);
  ImGui::PopStyleVar();
  keep_layout(space_of_frame(), {place.width, place.height},
              ImGui::GetStyle().FontScaleMain * ImGui::GetStyle().FontScaleDpi,
              state.lesson.is_open() || state.challenge.is_open(), reset, memory.layout);
  ImGui::PushStyleColor(ImGuiCol_Border, colour(look().palette.window));  // of the gaps between docked panels
  ImGui::DockSpace(space_of_frame(), {0, 0}, ImGuiDockNodeFlags_None);
  ImGui::PopStyleColor();
  ImGui::End();
}

// Whether the view has the inspector next to what it shows. A card has no room for a veil: what is to be
// guessed keeps it away.
bool has_inspector(const AppState& state, View view, FrameMemory& memory) {
  return memory.panels[view].shows_pins() && veiled_because(state, View::inspector).empty() &&
         is_docked_in(View::inspector, space_of_frame());
}

// The views that show what a run did.
bool is_of_a_run(View view) {
  constexpr std::array views = {View::grid,      View::image,  View::memory,
                                View::occupancy, View::timing, View::profile};
  return std::ranges::find(views, view) != views.end();
}

void draw_panel(const ViewRow& row, const AppState& state, FrameMemory& memory, Actions& actions) {
  ViewPanel& panel = memory.panels[row.view];
  const std::string name = shown(row.title) + panel.beside_title(state) + "###" + row.name;
  ImGui::SetNextWindowSize({scaled(420), scaled(320)}, ImGuiCond_FirstUseEver);
  // A view that the kept layout does not know yet is a tab next to the others.
  const ImGuiWindow* first_tab =
      row.is_tab() && row.view != View::grid ? ImGui::FindWindowByName("###grid") : nullptr;
  if (first_tab != nullptr) ImGui::SetNextWindowDockID(first_tab->DockId, ImGuiCond_FirstUseEver);
  // The name on a tab has the colour that its window begins with.
  const bool in_front = !row.is_tab() || row.view == state.frame.view;
  ImGui::PushStyleColor(ImGuiCol_WindowBg, colour(look().palette.panel));
  ImGui::PushStyleColor(ImGuiCol_Text, colour(in_front ? look().palette.text : look().palette.quiet));
  const bool visible = ImGui::Begin(name.c_str(), nullptr, ImGuiWindowFlags_NoCollapse);
  ImGui::PopStyleColor(2);
  std::optional<Box> card;
  if (visible) {
    round_docked_corners();
    const bool inspects = has_inspector(state, row.view, memory);
    if (memory.inspector_shown && inspects) card = take_room_for_card();
    expect_card(inspects && !card);
    const std::string veil = veiled_because(state, row.view);
    if (const std::string before = run_before_words(state); !before.empty() && is_of_a_run(row.view))
      quiet_text(before);
    veil.empty() ? panel.draw(state, actions) : draw_veil(state, row.view, veil, panel, actions);
    const bool focused = ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows);
    if (focused && row.is_tab() && row.view != state.frame.view && memory.focused == state.frame.view) {
      actions.push(ShowView{row.view});  // its tab was clicked
      memory.focused = row.view;
    }
  }
  // A thing in a view is no longer under the pointer if another view came to the front.
  if (!visible && memory.drawn[row.view] && row.is_tab()) actions.push(Hover{});
  memory.drawn[row.view] = visible;
  ImGui::End();
  if (card && row.view == state.frame.view)
    draw_inspector_card(memory.panels[View::inspector], state, *card, actions);
}

// Where there are more tabs than room, their bar scrolls to this one: a focus by itself does not do that.
void scroll_to_tab(const ImGuiWindow* window) {
  ImGuiTabBar* bar = window != nullptr && window->DockNode != nullptr ? window->DockNode->TabBar : nullptr;
  if (bar == nullptr) return;
  if (ImGuiTabItem* tab = ImGui::TabBarFindTabByID(bar, window->TabId)) ImGui::TabBarQueueFocus(bar, tab);
}

// Brings the state's view to the front when it was chosen by key, menu or palette.
void focus_view(const AppState& state, FrameMemory& memory) {
  if (memory.settle > 0) {
    // A tab bar knows its windows only after they were drawn once.
    if (--memory.settle == 0) memory.focused.reset();
    return;
  }
  if (memory.focused == state.frame.view) return;
  const std::string name = std::string("###") + row_of(state.frame.view).name;
  ImGui::SetWindowFocus(name.c_str());
  scroll_to_tab(ImGui::FindWindowByName(name.c_str()));
  memory.focused = state.frame.view;
}

// The part of the main space that the view in front fills.
Box room_of_view(const AppState& state, Box main) {
  const ImGuiWindow* window =
      ImGui::FindWindowByName((std::string("###") + row_of(state.frame.view).name).c_str());
  if (window == nullptr || !window->WasActive) return main;
  const ImRect inner = window->InnerRect;
  return {inner.Min.x, inner.Min.y, inner.GetWidth(), inner.GetHeight()};
}

void draw_inspector_part(const AppState& state, Box main, FrameMemory& memory, Actions& actions) {
  const bool hidden = !veiled_because(state, View::inspector).empty();
  if (!hidden) draw_hover_card(state, room_of_view(state, main), memory.hover_card);
  const bool torn_off = !is_docked_in(View::inspector, space_of_frame());
  if (torn_off && memory.inspector_shown) draw_panel(row_of(View::inspector), state, memory, actions);
}

// If panels share a place, the one that is drawn last comes to the front when they open: Problems.
void draw_bottom(const AppState& state, FrameMemory& memory, Actions& actions) {
  const auto rows = all_views();
  for (auto row = rows.rbegin(); row != rows.rend(); ++row)
    if (row->is_at_bottom() &&
        (state.frame.preferences.bottom_open || !is_docked_in(row->view, space_of_frame())))
      draw_panel(*row, state, memory, actions);
}

// The frame from top to bottom, in pixels.
struct Rows {
  float edge, top, line;
  Box main;  // of the docked panels
};

Rows rows_of(const AppState& state) {
  const ImVec2 window = ImGui::GetMainViewport()->Size;
  Rows rows{};
  rows.edge = std::min(scaled(gap), 12.0f);
  rows.top = top_bar_height(state, window.x - 2 * rows.edge);
  rows.line = bottom_line_height();
  const float y = 2 * rows.edge + rows.top;
  rows.main = {rows.edge, y, window.x - 2 * rows.edge, window.y - y - rows.line - 2 * rows.edge};
  return rows;
}

}  // namespace

// The inspector comes when a click can no longer become a double click, which could otherwise hit the card.
void note_inspector(const AppState& state, FrameMemory& memory) {
  const bool pinned = can_inspect(state.selection.pinned);
  const ImGuiIO& io = ImGui::GetIO();
  const bool clicking = ImGui::IsMouseDown(ImGuiMouseButton_Left) ||
                        ImGui::GetTime() - io.MouseClickedTime[0] < double{io.MouseDoubleClickTime};
  memory.inspector_shown = pinned && (memory.inspector_shown || !clicking);
}

void keep_spaces_alive() {
  ImGui::Begin("##centre", nullptr,
               fixed_flags | ImGuiWindowFlags_NoNavFocus | ImGuiWindowFlags_NoInputs |
                   ImGuiWindowFlags_NoBackground);  // it may lie over the view
  ImGui::DockSpace(space_of_frame(), {0, 0}, ImGuiDockNodeFlags_KeepAliveOnly);
  ImGui::End();
}

void draw_frame(const AppState& state, FrameMemory& memory, bool reset_layout, Actions& actions) {
  if (state.frame.blank) {
    keep_spaces_alive();
    return draw_blank(actions);
  }
  if (state.frame.present) return draw_present(state, memory, actions);
  enter_panel(memory.keys);
  Rows rows = rows_of(state);
  draw_strip("##top", {rows.edge, rows.edge}, {rows.main.width, rows.top}, scaled(7), [&] {
    draw_top_bar(state, memory.top_bar, actions);
    draw_dialogs(state, memory.dialogs, actions);
  });
  const float whole_width = rows.main.width;
  std::optional<Box> author;
  if (shows_author(state)) {
    const float width = author_width(rows.main.width);
    author = Box{rows.main.right() - width, rows.main.y, width, rows.main.height};
    rows.main.width -= width + rows.edge;
  }
  const LayoutMemory before = memory.layout;
  draw_dock_space(rows.main, state, memory, reset_layout);
  const LayoutMemory& now = memory.layout;
  const bool rebuilt = reset_layout || !before.built || before.text_scale != now.text_scale ||
                       before.compact != now.compact || before.side != now.side;
  if (rebuilt) memory.settle = 3;
  note_inspector(state, memory);
  for (const ViewRow& row : all_views())
    if (row.view != View::inspector && !row.is_at_bottom() && is_offered(state.program, row.view))
      draw_panel(row, state, memory, actions);
  draw_inspector_part(state, rows.main, memory, actions);
  draw_bottom(state, memory, actions);
  if (author)
    draw_author(state, memory.author, {author->x, author->y}, {author->width, author->height}, actions);
  focus_view(state, memory);
  draw_welcome(state, actions);
  draw_fetch_card(state, memory.fetch, actions);
  draw_strip("##line", {rows.edge, rows.main.bottom() + rows.edge}, {whole_width, rows.line}, frame_gap(4),
             [&] { draw_bottom_line(state, actions); });
  note_panel_keys(state, memory.keys);
}

}  // namespace warplens
