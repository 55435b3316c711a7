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

// Between ImGui::OpenPopup(save_popup_id) and its end. `compose` draws the view for paper at a size;
// `tabulate`, where the view has numbers to save, gives them as rows.
void draw_save_popup(SavePopupState& own, const std::string& default_name, const AppState& state,
                     Actions& actions,
                     const std::function<Picture(const Style& style, float width, float height)>& compose,
                     const std::function<Table()>& tabulate = {});

}  // namespace warplens
