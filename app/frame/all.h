// Every panel of the window, a line each: its title, where it docks at first, and what draws it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/frame/dialogs.h"
#include "app/frame/top_bar.h"
#include "app/views/code/panel.h"
#include "app/views/grid/panel.h"
#include "app/views/image/panel.h"
#include "app/views/inspector/panel.h"
#include "app/views/launch/panel.h"
#include "app/views/memory/panel.h"
#include "app/views/occupancy/panel.h"
#include "app/views/problems/panel.h"
#include "app/views/runs/panel.h"
#include "app/views/timing/panel.h"
#include "app/widgets/panel.h"

namespace warplens {

struct PanelStates {
  LaunchPanelState launch;
  GridPanelState grid;
  ImagePanelState image;
  MemoryPanelState memory;
  OccupancyPanelState occupancy;
  TimingPanelState timing;
  CodePanelState code;
  InspectorPanelState inspector;
  ProblemsPanelState problems;
  RunsPanelState runs;
  TopBarState top_bar;
  DialogsState dialogs;
};

enum class Dock : uint8_t { left, centre, right, bottom_left, bottom_right };

struct Panel {
  const char* id;  // of its window; stable
  const char* title;
  Dock dock;
  std::optional<View> view;  // it is the tab of this view
  void (*draw)(const AppState& state, PanelStates& own, Actions& actions);
};

const std::vector<Panel>& all_panels();

// Before the panels are drawn: takes what was made beside the frames, also for panels that are hidden by now.
void collect_made(PanelStates& own);
// A panel makes something beside the frames; another frame is due when it is ready.
bool panels_busy(const PanelStates& own);

// What its tab says today: "Problems 2".
std::string panel_title(const Panel& panel, const AppState& state);

}  // namespace warplens
