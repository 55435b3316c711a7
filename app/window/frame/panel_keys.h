// Tab goes on into the next panel where Dear ImGui would begin the same one again, and Ctrl+Tab goes from
// panel to panel.
#pragma once

#include <string>

#include "app/widgets/panel.h"

namespace warplens {

struct PanelKeys {
  int going = 0;       // 1 or −1 while the next frame is to enter a panel
  std::string window;  // the name of that panel's window
  bool to_last = false;
  bool stays = false;  // in that panel, even if Tab can reach nothing in it
};

// Call it before the panels are drawn, and after them.
void enter_panel(PanelKeys& keys);
void note_panel_keys(const AppState& state, PanelKeys& keys);

}  // namespace warplens
