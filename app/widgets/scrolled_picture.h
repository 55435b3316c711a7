// A view that is a single picture. It may be longer than its panel, which then scrolls. Handles drawing,
// clicks, scrolling and saving.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/widgets/draw_picture.h"
#include "app/widgets/save_popup.h"

namespace warplens {

struct ScrolledPictureState {
  TextureCache textures;
  SavePopupState save;
};

struct ScrolledPicture {
  std::string name;  // of the proposed file: "memory"
  // Draws it and returns the y below it. With `interactive` it has clickable parts; a file has none.
  std::function<float(Picture& picture, const Style& style, Box box, bool interactive)> draw;
  std::function<Table()> tabulate = {};  // its numbers as rows; empty if it has none
};

// Fills the panel. SaveVerb::save opens the save popup. Returns what was clicked.
Click draw_scrolled(const ScrolledPicture& what, ScrolledPictureState& own, const AppState& state,
                    Actions& actions);

}  // namespace warplens
