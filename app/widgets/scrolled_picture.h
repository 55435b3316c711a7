// A view that is one picture, longer than its panel if it has to be: drawn, clicked, scrolled and saved.
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
  std::string name;  // "memory": of the file that is proposed
  // Draws it and returns the y below it. `interactive`: with what can be clicked; not so in a file.
  std::function<float(Picture& picture, const Style& style, Box box, bool interactive)> draw;
  std::string_view save_id = {};         // of the area that asks for a file; empty: nothing is saved
  std::function<Table()> tabulate = {};  // its numbers as rows; empty: it has none
};

// Fills the panel. Returns the id of the area that was activated; empty: none.
std::string draw_scrolled(const ScrolledPicture& what, ScrolledPictureState& own, const AppState& state,
                          Actions& actions);

}  // namespace warplens
