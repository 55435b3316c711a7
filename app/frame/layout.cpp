#include "app/frame/layout.h"

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

// A narrow window gives its middle to the picture and lets the sides scroll.
float side_width(ImVec2 room, float scale, bool compact) {
  return compact ? room.x * 0.38f : std::min(372 * scale, room.x * 0.24f);
}

Nodes wide_nodes(ImGuiID space, ImVec2 room, float scale) {
  Nodes nodes;
  ImGuiID rest = space;
  const float bottom = std::min(196 * scale, room.y * 0.32f);
  const float side = side_width(room, scale, false);
  ImGuiID lower = split(rest, ImGuiDir_Down, bottom, room.y);
  nodes.bottom_right = split(lower, ImGuiDir_Right, room.x * 0.5f, room.x);
  nodes.bottom_left = lower;
  nodes.left = split(rest, ImGuiDir_Left, side, room.x);
  nodes.right = split(rest, ImGuiDir_Right, side, room.x - side);
  nodes.centre = rest;
  return nodes;
}

Nodes compact_nodes(ImGuiID space, ImVec2 room) {
  Nodes nodes;
  ImGuiID rest = space;
  nodes.left = split(rest, ImGuiDir_Left, side_width(room, 1, true), room.x);
  nodes.centre = nodes.right = nodes.bottom_left = nodes.bottom_right = rest;
  return nodes;
}

void build(ImGuiID space, ImVec2 room, float text_scale, bool compact) {
  ImGui::DockBuilderRemoveNode(space);
  ImGui::DockBuilderAddNode(space, ImGuiDockNodeFlags_DockSpace);
  ImGui::DockBuilderSetNodeSize(space, room);
  const Nodes nodes = compact ? compact_nodes(space, room) : wide_nodes(space, room, text_scale);
  for (const ViewRow& row : all_views()) {
    ImGui::DockBuilderDockWindow(window_name(row).c_str(), node_of(nodes, row.dock));
  }
  for (const ImGuiID id : {nodes.left, nodes.right}) {
    if (ImGuiDockNode* node = ImGui::DockBuilderGetNode(id); node && id != nodes.centre) {
      node->SetLocalFlags(node->LocalFlags | ImGuiDockNodeFlags_NoTabBar);
    }
  }
  ImGui::DockBuilderFinish(space);
}

// Whether all panels are still docked in this space.
bool panels_at_home(ImGuiID space) {
  for (const ViewRow& row : all_views()) {
    const ImGuiWindow* window = ImGui::FindWindowByName(window_name(row).c_str());
    if (!window) continue;  // not drawn yet
    const ImGuiDockNode* node = window->DockNode;
    if (!node) return false;
    while (node->ParentNode) node = node->ParentNode;
    if (node->ID != space) return false;
  }
  return true;
}

}  // namespace

bool is_compact(ImVec2 room, float text_scale) {
  return room.x / text_scale < 980 || room.y / text_scale < 480;
}

void keep_layout(ImGuiID dock_space, ImVec2 room, float text_scale, bool reset, LayoutMemory& memory) {
  const bool compact = is_compact(room, text_scale);
  if (!memory.built && !reset && ImGui::DockBuilderGetNode(dock_space) != nullptr) {
    memory = {true, false, compact, text_scale, room, 0};  // the kept layout of an earlier start
    return;
  }
  const bool resized = std::abs(room.x - memory.size.x) > 1 || std::abs(room.y - memory.size.y) > 1;
  const bool rescaled = std::abs(text_scale - memory.text_scale) > 0.001f;
  if (memory.built && memory.ours && (resized || rescaled)) memory.ours = panels_at_home(dock_space);
  const float side = side_width(room, text_scale, compact);
  const bool other = compact != memory.compact || std::abs(side - memory.side) > 8;
  const bool outgrown = memory.ours && (rescaled || (resized && (other || ImGui::GetFrameCount() < 10)));
  if (memory.built && !reset && !outgrown) {
    memory.size = room;
    return;
  }
  build(dock_space, room, text_scale, compact);
  memory = {true, true, compact, text_scale, room, side};
}

}  // namespace warplens
