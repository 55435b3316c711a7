// Keeps what a view shows of what it can show (grid level, mode of the image) in the state as well, so that a
// session has it and a lesson can set it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "app/widgets/look.h"
#include "app/widgets/panel.h"

namespace warplens {

// Part of a panel's own state.
struct ShownPart {
  uint64_t set = 0;  // FrameState::parts_set that the panel has followed
  std::string told;  // what it last told the state
};

// Calls `take` with the part's name if a session or a lesson has chosen one since the last call.
template <class Take>
void follow_part(const AppState& state, View view, ShownPart& own, Take take) {
  if (own.set == state.frame.parts_set) return;
  own.set = state.frame.parts_set;
  const auto part = state.frame.parts.find(view);
  if (part == state.frame.parts.end()) return;
  own.told = part->second;
  take(std::string_view(part->second));
}

// Tells the state what is shown now, if it is another part than before.
inline void tell_part(View view, std::string_view part, ShownPart& own, Actions& actions) {
  if (own.told == part) return;
  own.told = part;
  actions.push(ShowPart{view, own.told});
}

// The same for a picture that scrolls: its part comes into view.
struct ScrolledPart {
  ShownPart part;
  std::string wanted;  // where to scroll to, as soon as it is drawn
};
// `place` gives the y of a part in the picture; below 0 if it is not drawn yet. Call it after the picture.
template <class Place>
void scroll_to_part(const AppState& state, View view, ScrolledPart& own, Place place) {
  follow_part(state, view, own.part, [&](std::string_view part) { own.wanted = part; });
  if (own.wanted.empty()) return;
  const float y = place(std::string_view(own.wanted));
  if (y < 0) return;
  ImGui::SetScrollY(y < scaled(120) ? 0 : y - scaled(40));
  own.wanted.clear();
}

}  // namespace warplens
