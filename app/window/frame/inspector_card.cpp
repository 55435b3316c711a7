#include "app/window/frame/inspector_card.h"

#include <imgui_internal.h>

#include <algorithm>

#include "app/widgets/card_place.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
void push_card_look() {
  ImGui::PushStyleColor(ImGuiCol_WindowBg, colour(look().palette.raised));
  ImGui::PushStyleColor(ImGuiCol_Border, colour(look().palette.accent, 0.7f));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, scaled(1));
}

void pop_card_look() {
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(2);
}

// The values as squares of colour with their numbers, or only as numbers.
void draw_brief_values(const InspectorBrief& brief) {
  bool first = true;
  for (const InspectorValue& value : brief.values) {
    if (!first && value.colour) {
      ImGui::SameLine();
      ImGui::TextUnformatted("→");
      ImGui::SameLine();
    }
    first = false;
    if (value.colour) {
      swatch(*value.colour, ImGui::GetTextLineHeight());
      ImGui::SameLine();
    }
    mono_text(value.colour ? value.value : value.name + " = " + value.value);
  }
}

void draw_inspector_card(ViewPanel& inspector, const AppState& state, Box place, Actions& actions) {
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({place.width, place.height});
  push_card_look();
  ImGui::Begin("###inspector_card", nullptr, card_flags);
  pop_card_look();
  if (ImGui::IsWindowAppearing()) ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  inspector.draw(state, actions);
  ImGui::End();
}

void draw_hover_card(const AppState& state, Box room, HoverCardMemory& memory) {
  const Pick& hover = state.selection.hover;
  const ImVec2 mouse = ImGui::GetMousePos();
  if (!state.selection.pinned.empty() || !can_inspect(hover) || !ImGui::IsMousePosValid(&mouse)) return;
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left) || !room.contains({mouse.x, mouse.y})) return;
  if (memory.result != state.runs.result || !(memory.pick == hover)) {
    memory.result = state.runs.result;
    memory.pick = hover;
    memory.brief = inspector_brief(state, hover);
  }
  if (memory.brief.heading.empty()) return;
  push_card_look();
  const ImGuiWindow* before = ImGui::FindWindowByName("##hover");
  const ImVec2 size = before ? before->Size : ImVec2{scaled(220), scaled(100)};
  const float beside = scaled(18);
  const Box box =
      place_card(room, Box{mouse.x - beside, mouse.y - beside, 2 * beside, 2 * beside}, {size.x, size.y}, 0);
  ImGui::SetNextWindowPos({box.x, box.y});
  ImGui::Begin(
      "##hover", nullptr,
      card_flags | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoNav);
  pop_card_look();
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  heading(memory.brief.heading);
  draw_brief_values(memory.brief);
  for (const std::string& line : memory.brief.lines) mono_text(line, look().palette.quiet);
  ImGui::End();
}

}  // namespace warplens
