// The inspector as a card in the views that show what is pinned, and the small card of what the pointer is
// over while nothing is pinned.
#pragma once

#include <imgui.h>

#include <memory>

#include "app/views/inspector/brief.h"
#include "app/widgets/card_place.h"
#include "app/widgets/panel.h"

namespace warplens {

struct HoverCardMemory {
  // The text of the card, and the thing that it describes.
  std::shared_ptr<const RunResult> result;
  Pick pick;
  InspectorBrief brief;
};

// Cards over the views: no title, fixed in their place.
constexpr ImGuiWindowFlags card_flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                        ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                                        ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                                        ImGuiWindowFlags_NoFocusOnAppearing;
void push_card_look();  // before Begin
void pop_card_look();   // after it
void draw_brief_values(const InspectorBrief& brief);

void draw_inspector_card(ViewPanel& inspector, const AppState& state, Box place, Actions& actions);

// Draws nothing if something is pinned: the inspector then says more. It takes no clicks.
void draw_hover_card(const AppState& state, Box room, HoverCardMemory& memory);

}  // namespace warplens
