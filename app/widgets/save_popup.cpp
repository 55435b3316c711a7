#include "app/widgets/save_popup.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>

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

Result<void> write(const std::string& path, const SavedView& view, const AppState& state) {
  if (view.tabulate && path.ends_with(".csv")) return save_csv(view.tabulate(), path);
  return save_picture(compose(view, paper_style(state.frame.preferences.theme)), path, saved_zoom);
}

std::string whole_path(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path whole = std::filesystem::absolute(path, ignored);
  return whole.empty() ? path : whole.lexically_normal().string();
}

std::string folder_of(const std::string& path) {
  return std::filesystem::path(whole_path(path)).parent_path().string();
}

void save(SavePopupState& own, const SavedView& view, const AppState& state, Actions& actions) {
  std::error_code ignored;
  if (!own.replaces && std::filesystem::exists(own.path, ignored)) {
    own.replaces = true;
    return;
  }
  own.replaces = false;
  const Result<void> saved = write(own.path, view, state);
  own.saved = saved ? whole_path(own.path) : "";
  own.failed = saved ? "" : saved.error().message;
  if (saved)
    actions.push(Notify{ProblemLevel::note, "Saved", own.saved, NoticeKind::saving});
  else
    actions.push(Notify{ProblemLevel::error, "It was not saved", own.failed, NoticeKind::saving});
}

// What came of it, where it was asked for.
void draw_saved(SavePopupState& own, Actions& actions) {
  const std::filesystem::path path(own.saved);
  heading("SAVED");
  body_text(path.filename().string());
  quiet_text("in " + path.parent_path().string());
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  if (chip("Close", true)) ImGui::CloseCurrentPopup();
  ImGui::SameLine();
  if (chip("Open folder")) actions.push(ShowInFolder{own.saved});
  ImGui::SameLine();
  if (chip("Save again")) own.saved.clear();
}

void draw_choice(SavePopupState& own, const SavedView& view, const AppState& state, Actions& actions) {
  heading("SAVE THIS PICTURE");
  ImGui::SetNextItemWidth(scaled(360));
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  const std::string before = own.path;
  const bool entered = ImGui::InputText("##path", &own.path, ImGuiInputTextFlags_EnterReturnsTrue);
  if (own.path != before) own.replaces = false;
  quiet_text("In the folder " + folder_of(own.path));
  quiet_text(view.tabulate ? "The ending decides: .png, .svg or .csv" : "The ending decides: .png or .svg");
  if (own.replaces) body_text("There is a file of this name already.");
  if (!own.failed.empty()) body_text(own.failed);
  if (chip(own.replaces ? "Replace it###save" : "Save###save", true) || entered)
    save(own, view, state, actions);
  ImGui::SameLine();
  if (view.tabulate) {
    if (chip("Copy numbers")) {
      ImGui::SetClipboardText(csv_text(view.tabulate()).c_str());
      actions.push(Notify{ProblemLevel::note, "Numbers copied", "They are on the clipboard, as CSV.",
                          NoticeKind::saving});
      ImGui::CloseCurrentPopup();
    }
    hover_text(
        "Puts the numbers on the clipboard, as CSV. Pictures go through a file: the window's toolkit "
        "(GLFW) copies text only.");
    ImGui::SameLine();
  }
  if (chip("Cancel")) ImGui::CloseCurrentPopup();
}

}  // namespace

void draw_save_popup(SavePopupState& own, const SavedView& view, const AppState& state, Actions& actions) {
  if (!ImGui::BeginPopup(save_popup_id)) return;
  if (own.path.empty()) own.path = view.name + ".png";
  if (ImGui::IsWindowAppearing()) {
    own.saved.clear();
    own.failed.clear();
    own.replaces = false;
  }
  if (own.saved.empty())
    draw_choice(own, view, state, actions);
  else
    draw_saved(own, actions);
  ImGui::EndPopup();
}

}  // namespace warplens
