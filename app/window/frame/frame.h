// One frame of the whole window: top bar, docked panels, the line at the bottom, status bar, dialogs.
#pragma once

#include <map>
#include <optional>

#include "app/views/inspector/present_card.h"
#include "app/widgets/fitted.h"
#include "app/window/frame/author.h"
#include "app/window/frame/dialogs.h"
#include "app/window/frame/fetch_card.h"
#include "app/window/frame/inspector_card.h"
#include "app/window/frame/layout.h"
#include "app/window/frame/panel_keys.h"
#include "app/window/frame/panels.h"
#include "app/window/frame/present_bar.h"
#include "app/window/frame/top_bar.h"

namespace warplens {

// The text of present mode's card, and the thing that it describes.
struct PresentCardMemory {
  std::shared_ptr<const RunResult> result;
  std::shared_ptr<const BlockFootprint> footprint;
  Pick pick;
  PresentCard card;
  bool at_left = false;  // where it stands over the picture
  uint64_t made = 0;     // how often the card was made
  FittedText fitted;
};

struct FrameMemory {
  Panels panels;
  FittedText present_view;  // the view in present mode, which does not scroll
  TopBarState top_bar;
  DialogsState dialogs;
  LayoutMemory layout;
  std::optional<View> focused;  // the view whose tab was last brought to the front
  int settle = 0;               // frames until a new layout has its tabs
  std::map<View, bool> drawn;   // whether the panel was in front in the frame before
  bool inspector_shown = false;
  HoverCardMemory hover_card;
  PresentBarState present_bar;
  PresentCardMemory present_card;
  PanelKeys keys;
  FetchCardState fetch;
  AuthorMemory author;
};

// With `reset_layout`, the layout becomes the default one.
void draw_frame(const AppState& state, FrameMemory& memory, bool reset_layout, Actions& actions);
// Whether the inspector is shown in this frame, as a column or as a card.
void note_inspector(const AppState& state, FrameMemory& memory);

// Keeps the docked panels where they are while none is drawn. Call it after SetNextWindowPos and -Size.
void keep_spaces_alive();

}  // namespace warplens
