#include "app/frame/frame.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/frame/status_bar.h"
#include "app/frame/tour.h"
#include "app/widgets/widgets.h"

namespace warplens {
namespace {

constexpr float gap = 6;

constexpr ImGuiWindowFlags fixed_flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                         ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                                         ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                                         ImGuiWindowFlags_NoBringToFrontOnFocus |
                                         ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;

// A rounded background for what the current window draws next.
void draw_ground() {
  const ImVec2 min = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImGui::GetWindowDrawList()->AddRectFilled(min, {min.x + size.x, min.y + size.y},
                                            colour(look().palette.panel), scaled(6));
}

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

void draw_strip(const char* id, ImVec2 position, ImVec2 size, float padding_y,
                const std::function<void()>& draw) {
  ImGui::SetNextWindowPos(position);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {scaled(12), padding_y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::Begin(id, nullptr, fixed_flags);
  ImGui::PopStyleVar(2);
  draw_ground();
  draw();
  ImGui::End();
}

void draw_dock_space(ImVec2 position, ImVec2 size, const AppState& state, FrameMemory& memory, bool reset) {
  ImGui::SetNextWindowPos(position);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::Begin("##centre", nullptr, fixed_flags | ImGuiWindowFlags_NoNavFocus);
  ImGui::PopStyleVar();
  const ImGuiID space = ImGui::GetID("dock");
  keep_layout(space, size, state.frame.preferences.text_scale, reset, memory.layout);
  ImGui::PushStyleColor(ImGuiCol_Border, colour(look().palette.window));  // of the gaps between docked panels
  ImGui::DockSpace(space, {0, 0}, ImGuiDockNodeFlags_None);
  ImGui::PopStyleColor();
  ImGui::End();
}

void draw_panel(const ViewRow& row, const AppState& state, FrameMemory& memory, Actions& actions) {
  ViewPanel& panel = memory.panels[row.view];
  const std::string name = row.title + panel.beside_title(state) + "###" + row.name;
  ImGui::SetNextWindowSize({scaled(420), scaled(320)}, ImGuiCond_FirstUseEver);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, colour(look().palette.panel));
  const bool visible = ImGui::Begin(name.c_str(), nullptr, ImGuiWindowFlags_NoCollapse);
  ImGui::PopStyleColor();
  if (visible) {
    round_docked_corners();
    panel.draw(state, actions);
    const bool focused = ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows);
    if (focused && row.is_tab() && row.view != state.frame.view && memory.focused == state.frame.view) {
      actions.push(ShowView{row.view});  // its tab was clicked
      memory.focused = row.view;
    }
  }
  ImGui::End();
}

// Brings the state's view to the front when it was chosen by key, menu or palette.
void focus_view(const AppState& state, FrameMemory& memory) {
  if (memory.settle > 0) {
    // A tab bar knows its windows only after they were drawn once.
    if (--memory.settle == 0) memory.focused.reset();
    return;
  }
  if (memory.focused == state.frame.view) return;
  ImGui::SetWindowFocus((std::string("###") + row_of(state.frame.view).name).c_str());
  memory.focused = state.frame.view;
}

// Everything but a circle around the pointer is a little darker.
void draw_spotlight() {
  const ImVec2 mouse = ImGui::GetIO().MousePos, room = ImGui::GetMainViewport()->Size;
  if (!ImGui::IsMousePosValid(&mouse)) return;
  ImDrawList* draw = ImGui::GetForegroundDrawList();
  const ImDrawListFlags flags = draw->Flags;
  draw->Flags &= ~ImDrawListFlags_AntiAliasedFill;  // it would leave seams between the parts of the ring
  const float inner = scaled(90), outer = room.x + room.y;
  constexpr int parts = 96;
  const auto at = [&](int part, float radius) {
    const float angle = 2 * 3.14159265f * float(part) / parts;
    return ImVec2(mouse.x + radius * std::cos(angle), mouse.y + radius * std::sin(angle));
  };
  for (int part = 0; part < parts; ++part) {
    draw->AddQuadFilled(at(part, inner), at(part, outer), at(part + 1, outer), at(part + 1, inner),
                        colour(0x000000, 0.3f));
  }
  draw->Flags = flags;
}

// One view fills the screen. The docked panels are kept, and come back unchanged.
void draw_present(const AppState& state, FrameMemory& memory, Actions& actions) {
  const ImVec2 room = ImGui::GetMainViewport()->Size;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(room);
  ImGui::Begin("##centre", nullptr,
               fixed_flags | ImGuiWindowFlags_NoNavFocus | ImGuiWindowFlags_NoInputs |
                   ImGuiWindowFlags_NoBackground);  // it may lie over the view
  ImGui::DockSpace(ImGui::GetID("dock"), {0, 0}, ImGuiDockNodeFlags_KeepAliveOnly);
  ImGui::End();
  draw_strip("##present", {0, 0}, room, scaled(12), [&] {
    if (state.frame.blank) {
      ImGui::GetWindowDrawList()->AddRectFilled({0, 0}, room, colour(0x000000));
    } else {
      memory.panels[state.frame.view].draw(state, actions);
    }
    draw_dialogs(state, memory.dialogs, actions);
  });
  if (!state.frame.blank) draw_spotlight();
  memory.focused.reset();  // the tab comes to the front again afterwards
}

}  // namespace

void draw_frame(const AppState& state, FrameMemory& memory, bool reset_layout, Actions& actions) {
  if (state.frame.present) return draw_present(state, memory, actions);
  const ImVec2 room = ImGui::GetMainViewport()->Size;
  const float edge = scaled(gap) > 12 ? 12 : scaled(gap);
  const float top = top_bar_height(state, room.x - 2 * edge);
  const float status = scaled(small_size) + 2 * scaled(7);
  draw_strip("##top", {edge, edge}, {room.x - 2 * edge, top}, scaled(7), [&] {
    draw_top_bar(state, memory.top_bar, actions);
    draw_dialogs(state, memory.dialogs, actions);
  });
  const float below = 2 * edge + top, height = room.y - below - status - 2 * edge;
  const LayoutMemory before = memory.layout;
  draw_dock_space({edge, below}, {room.x - 2 * edge, height}, state, memory, reset_layout);
  const LayoutMemory& now = memory.layout;
  const bool rebuilt = reset_layout || !before.built || before.text_scale != now.text_scale ||
                       before.compact != now.compact || before.side != now.side;
  if (rebuilt) memory.settle = 3;
  for (const ViewRow& row : all_views()) draw_panel(row, state, memory, actions);
  focus_view(state, memory);
  draw_tour(state, actions);
  draw_strip("##status", {edge, room.y - edge - status}, {room.x - 2 * edge, status}, scaled(6),
             [&] { draw_status_bar(state, actions); });
}

}  // namespace warplens
