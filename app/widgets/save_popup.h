// Asks where to save a view's picture, and saves it: the small window behind "save…".
#pragma once

#include <functional>
#include <string>

#include "app/draw/style.h"
#include "app/draw/table.h"
#include "app/widgets/panel.h"

namespace warplens {

struct SavePopupState {
  std::string path;
};

constexpr const char* save_popup_id = "save picture";

// A view as it is written to a file.
struct SavedView {
  std::string name;  // "memory": of the file that is proposed
  // Draws it without what can be clicked, and returns the y below it. A picture becomes as high as that
  // needs.
  std::function<float(Picture& picture, const Style& style, Box box)> draw;
  std::function<Table()> tabulate = {};  // its numbers as rows; empty: it has none
};

// Between ImGui::OpenPopup(save_popup_id) and its end.
void draw_save_popup(SavePopupState& own, const SavedView& view, const AppState& state, Actions& actions);

}  // namespace warplens
