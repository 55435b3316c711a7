#include "app/window/frame/layout.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/base/views.h"

namespace warplens {
namespace {

std::string window_name(const ViewRow& row) { return std::string("###") + row.name; }

struct Nodes {
  ImGuiID left = 0, centre = 0, right = 0, bottom_left = 0, bottom_right = 0;
};

ImGuiID node_of(const Nodes& nodes, Dock dock) {
  switch (dock) {
    case Dock::left:
      return nodes.left;
    case Dock::centre:
      return nodes.centre;
    case Dock::right:
      return nodes.right;
    case Dock::bottom_left:
      return nodes.bottom_left;
    case Dock::bottom_right:
      return nodes.bottom_right;
  }
  return nodes.centre;
}

ImGuiID split(ImGuiID& rest, ImGuiDir side, float pixels, float of) {
  const float share = std::clamp(pixels / std::max(of, 1.0f), 0.1f, 0.6f);
  return ImGui::DockBuilderSplitNode(rest, side, share, nullptr, &rest);
}

// A narrow window gives its middle to the picture and lets the side scroll.
float side_width(ImVec2 room, float scale, bool compact, bool reads) {
  if (reads) return std::min(380 * scale, room.x * (compact ? 0.42f : 0.34f));
  return compact ? std::min(290 * scale, room.x * 0.36f) : std::min(372 * scale, room.x * 0.24f);
}

void start_space(ImGuiID space, ImVec2 room) {
  ImGui::DockBuilderRemoveNode(space);
  ImGui::DockBuilderAddNode(space, ImGuiDockNodeFlags_DockSpace);
  ImGui::DockBuilderSetNodeSize(space, room);
}

// A phone held upright: what would stand left of the views stands below them.
bool is_narrow(ImVec2 room, float scale) { return room.x / scale < 560 && room.x < room.y; }

// The inspector is a card of the views; its place is used only if the user tears it off and docks it again.
Nodes split_space(ImGuiID space, ImVec2 room, float scale, bool compact, bool reads) {
  Nodes nodes;
  const float side = side_width(room, scale, compact, reads);
  ImGuiID rest = space;
  nodes.left = is_narrow(room, scale) ? split(rest, ImGuiDir_Down, room.y * 0.42f, room.y)
                                      : split(rest, ImGuiDir_Left, side, room.x);
  ImGuiID below = split(rest, ImGuiDir_Down, std::min(250 * scale, room.y * 0.5f), room.y);
  nodes.centre = rest;
  // Side by side only where a row of either has room.
  nodes.bottom_right = room.x - side < 1100 * scale ? below : split(below, ImGuiDir_Right, 0.38f, 1);
  nodes.bottom_left = below;
  nodes.right = nodes.centre;
  return nodes;
}

void build(ImGuiID space, ImVec2 room, float text_scale, bool compact, bool reads) {
  start_space(space, room);
  const Nodes nodes = split_space(space, room, text_scale, compact, reads);
  for (const ViewRow& row : all_views()) {
    ImGui::DockBuilderDockWindow(window_name(row).c_str(), node_of(nodes, row.dock));
  }
  if (ImGuiDockNode* node = ImGui::DockBuilderGetNode(nodes.left))
    node->SetLocalFlags(node->LocalFlags | ImGuiDockNodeFlags_NoTabBar);
  ImGui::DockBuilderFinish(space);
}

bool panels_at_home(ImGuiID space) {
  return std::ranges::all_of(all_views(), [&](const ViewRow& row) { return is_docked_in(row.view, space); });
}

// The left column changes its width when a lesson begins or ends, if it had the one that the program chose.
void follow_reading(ImVec2 room, float scale, bool compact, bool reads, LayoutMemory& memory) {
  const ImGuiWindow* window = ImGui::FindWindowByName(window_name(row_of(View::launch)).c_str());
  if (memory.reads == reads || window == nullptr || window->DockNode == nullptr) return;
  ImGuiDockNode* column = window->DockNode;
  if (column->ParentNode == nullptr || column->ParentNode->SplitAxis != ImGuiAxis_X) return;
  memory.reads = reads;
  const float now = column->Size.x, before = side_width(room, scale, compact, !reads);
  if (std::abs(now - before) > 8) return;
  memory.side = side_width(room, scale, compact, reads);
  ImGui::DockBuilderSetNodeSize(column->ID, {memory.side, column->Size.y});
}

}  // namespace

bool is_compact(ImVec2 room, float text_scale) {
  return room.x / text_scale < 980 || room.y / text_scale < 480;
}

// A panel that is not drawn now keeps the id of its place. Before it was drawn for the first time, only the
// saved layout knows it, if there is one.
bool is_docked_in(View view, ImGuiID space) {
  const std::string name = window_name(row_of(view));
  ImGuiID id = 0;
  if (const ImGuiWindow* window = ImGui::FindWindowByName(name.c_str())) {
    id = window->DockNode ? window->DockNode->ID : window->DockId;
  } else if (const ImGuiWindowSettings* kept = ImGui::FindWindowSettingsByID(ImHashStr(name.c_str()))) {
    id = kept->DockId;
  } else {
    return true;
  }
  const ImGuiDockNode* node = ImGui::DockBuilderGetNode(id);
  while (node && node->ParentNode) node = node->ParentNode;
  return node && node->ID == space;
}

void keep_layout(ImGuiID space, ImVec2 room, float text_scale, bool reads, bool reset, LayoutMemory& memory) {
  const bool compact = is_compact(room, text_scale);
  if (!memory.built && !reset && ImGui::DockBuilderGetNode(space) != nullptr) {
    memory = {true, false, compact, text_scale, room, 0, !reads};  // the kept layout of an earlier start
    return;
  }
  const bool resized = std::abs(room.x - memory.size.x) > 1 || std::abs(room.y - memory.size.y) > 1;
  const bool rescaled = std::abs(text_scale - memory.text_scale) > 0.001f;
  if (memory.built && memory.ours && (resized || rescaled)) memory.ours = panels_at_home(space);
  const float side = side_width(room, text_scale, compact, reads);
  const bool other = compact != memory.compact ||
                     is_narrow(room, text_scale) != is_narrow(memory.size, text_scale) ||
                     (reads == memory.reads && std::abs(side - memory.side) > 8);
  const bool outgrown = memory.ours && (rescaled || (resized && (other || ImGui::GetFrameCount() < 10)));
  if (memory.built && !reset && !outgrown) {
    memory.size = room;
    memory.compact = compact;
    return follow_reading(room, text_scale, compact, reads, memory);
  }
  build(space, room, text_scale, compact, reads);
  memory = {true, true, compact, text_scale, room, side, reads};
}

}  // namespace warplens
