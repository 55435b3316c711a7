#include "app/widgets/save_popup.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/draw/save_picture.h"
#include "app/widgets/widgets.h"

namespace warplens {

namespace {

// The design size of the window's centre, so that a saved picture does not depend on how the window is laid
// out.
constexpr float saved_width = 1280, saved_height = 800;
constexpr double saved_zoom = 2;

void save(const std::string& path, const AppState& state, Actions& actions,
          const std::function<Picture(const Style& style, float width, float height)>& compose,
          const std::function<Table()>& tabulate) {
  if (tabulate && path.ends_with(".csv")) {
    const Result<void> saved = save_csv(tabulate(), path);
    actions.push(saved ? Notify{ProblemLevel::note, "Table saved", path}
                       : Notify{ProblemLevel::error, "The table was not saved", saved.error().message});
    return;
  }
  const Picture picture = compose(paper_style(state.preferences.theme), saved_width, saved_height);
  const Result<void> saved = save_picture(picture, path, saved_zoom);
  if (saved) {
    actions.push(Notify{ProblemLevel::note, "Picture saved", path});
  } else {
    actions.push(Notify{ProblemLevel::error, "The picture was not saved", saved.error().message});
  }
}

}  // namespace

void draw_save_popup(SavePopupState& own, const std::string& default_name, const AppState& state,
                     Actions& actions,
                     const std::function<Picture(const Style& style, float width, float height)>& compose,
                     const std::function<Table()>& tabulate) {
  if (!ImGui::BeginPopup(save_popup_id)) return;
  if (own.path.empty()) own.path = default_name;
  heading("SAVE THIS PICTURE");
  ImGui::SetNextItemWidth(scaled(360));
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  const bool entered = ImGui::InputText("##path", &own.path, ImGuiInputTextFlags_EnterReturnsTrue);
  quiet_text(tabulate ? "The ending decides: .png, .svg or .csv" : "The ending decides: .png or .svg");
  if (chip("Save", true) || entered) {
    save(own.path, state, actions, compose, tabulate);
    ImGui::CloseCurrentPopup();
  }
  ImGui::SameLine();
  if (tabulate) {
    if (chip("Copy numbers")) {
      ImGui::SetClipboardText(csv_text(tabulate()).c_str());
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
