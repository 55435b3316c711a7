// The Step view in the window.
#pragma once

#include <array>
#include <map>
#include <string>

#include "app/views/step/picture.h"
#include "app/widgets/draw_picture.h"
#include "app/widgets/panel.h"

namespace warplens {

struct StepPanelState {
  bool show_ptx = false, all_buttons = false;
  TextureCache textures;
  std::array<float, 3> scroll{};
  int source_scroll = 0;
  std::shared_ptr<const StepSnapshot> scrolled_for;  // the source follows each move
  std::string focused;                               // the area that the keyboard was on
  std::map<uint32_t, std::string> conditions;        // what is typed next to breakpoints, by line
  std::optional<uint32_t> write_condition;           // of this line's breakpoint, next
};

void draw_step(const AppState& state, StepPanelState& own, Actions& actions);

}  // namespace warplens
