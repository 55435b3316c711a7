// The popup of "save…": asks where to save the picture of a view, saves it, and says where it lies.
#pragma once

#include <functional>
#include <string>

#include "app/base/draw/style.h"
#include "app/base/draw/table.h"
#include "app/widgets/panel.h"

namespace warplens {

struct SavePopupState {
  std::string path;
  std::string saved;      // the file that was just saved, with its folder; empty before
  std::string failed;     // why it was not
  bool replaces = false;  // the file is there already, and it was asked whether to replace it
  bool asks = false;      // that in the next frame, with the keyboard in the field of the name
};

constexpr const char* save_popup_id = "save picture";

// A view that can be written to a file.
struct SavedView {
  std::string name;  // of the proposed file: "memory"
  // Draws it without clickable parts, and returns the y below it. The picture becomes as high as that.
  std::function<float(Picture& picture, const Style& style, Box box)> draw;
  std::function<Table()> tabulate = {};  // its numbers as rows; empty if it has none
};

// Call it in each frame after ImGui::OpenPopup(save_popup_id).
void draw_save_popup(SavePopupState& own, const SavedView& view, const AppState& state, Actions& actions);

}  // namespace warplens
