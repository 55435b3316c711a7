#include "app/widgets/save_popup.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/draw/save_picture.h"
#include "app/widgets/widgets.h"

namespace warplens {

namespace {

// The standard size of the window's centre, so that a saved picture does not depend on the layout of the
// window.
constexpr float saved_width = 1280, saved_height = 800;
constexpr double saved_zoom = 2;

Picture compose(const SavedView& view, const Style& style) {
  Picture picture;
  picture.width = saved_width;
  picture.height = saved_height;
  picture.title = "WarpLens: " + view.name;
  picture.background = solid(style.palette.panel);
  const float margin = 20;
  const float bottom = view.draw(picture, style, Box{0, 0, saved_width, saved_height}.inset(margin));
  picture.height = std::max(saved_height, bottom + margin);
  return picture;
}

void save(const std::string& path, const SavedView& view, const AppState& state, Actions& actions) {
  if (view.tabulate && path.ends_with(".csv")) {
    const Result<void> saved = save_csv(view.tabulate(), path);
    actions.push(saved ? Notify{ProblemLevel::note, "Table saved", path}
                       : Notify{ProblemLevel::error, "The table was not saved", saved.error().message});
    return;
  }
  const Picture picture = compose(view, paper_style(state.frame.preferences.theme));
  const Result<void> saved = save_picture(picture, path, saved_zoom);
  if (saved) {
    actions.push(Notify{ProblemLevel::note, "Picture saved", path});
  } else {
    actions.push(Notify{ProblemLevel::error, "The picture was not saved", saved.error().message});
  }
}

}  // namespace

void draw_save_popup(SavePopupState& own, const SavedView& view, const AppState& state, Actions& actions) {
  if (!ImGui::BeginPopup(save_popup_id)) return;
  if (own.path.empty()) own.path = view.name + ".png";
  heading("SAVE THIS PICTURE");
  ImGui::SetNextItemWidth(scaled(360));
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  const bool entered = ImGui::InputText("##path", &own.path, ImGuiInputTextFlags_EnterReturnsTrue);
  quiet_text(view.tabulate ? "The ending decides: .png, .svg or .csv" : "The ending decides: .png or .svg");
  if (chip("Save", true) || entered) {
    save(own.path, view, state, actions);
    ImGui::CloseCurrentPopup();
  }
  ImGui::SameLine();
  if (view.tabulate) {
    if (chip("Copy numbers")) {
      ImGui::SetClipboardText(csv_text(view.tabulate()).c_str());
      actions.push(Notify{ProblemLevel::note, "Numbers copied", "They are on the clipboard, as CSV."});
      ImGui::CloseCurrentPopup();
    }
    hover_text(
        "Puts the numbers on the clipboard, as CSV. Pictures go through a file: the window's toolkit "
        "(GLFW) copies text only.");
    ImGui::SameLine();
  }
  if (chip("Cancel")) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace warplens
