#include "app/widgets/save_popup.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/base/draw/save_picture.h"
#include "app/state/runs/caption.h"
#include "app/widgets/draw_picture.h"
#include "app/widgets/widgets.h"
#include "app/widgets/window_picture.h"
#include "core/image/image.h"
#include "core/system/capabilities.h"
#include "core/system/own_process.h"
#include "core/system/paths.h"
#include "core/system/picture_clipboard.h"

namespace warplens {

namespace {

// The standard size of the window's centre, so that a saved picture does not depend on the layout of the
// window.
constexpr float saved_width = 1280, saved_height = 800;
constexpr double saved_zoom = 2;

// What it is of, in a line below it: a picture on a slide has no window around it that says so.
float draw_caption_line(Picture& picture, const Style& style, float y, float margin, const AppState& state) {
  const Palette& p = style.palette;
  const float width = saved_width - 2 * margin;
  picture.line({margin, y}, {margin + width, y}, solid(p.line));
  return draw_paragraph(picture, style, {margin, y + style.px(8)}, caption_of(state), Font::words,
                        style.small(), solid(p.quiet), width);
}

Picture compose(const SavedView& view, const Style& style, const AppState& state) {
  Picture picture;
  picture.width = saved_width;
  picture.height = saved_height;
  picture.title = "WarpLens: " + view.name;
  picture.background = solid(style.palette.panel);
  const float margin = 20, caption = style.px(34);
  const Box box = Box{0, 0, saved_width, saved_height - caption}.inset(margin);
  const float bottom = std::max(view.draw(picture, style, box), box.bottom());
  picture.height = draw_caption_line(picture, style, bottom + margin / 2, margin, state) + margin / 2;
  return picture;
}

// With the window's fonts, at 100 %.
Style drawn_style(Theme theme) {
  Style style = paper_style(theme);
  style.measure = window_style().measure;
  return style;
}

Result<void> write_png(const std::string& path, const SavedView& view, const AppState& state) {
  const Theme theme = state.frame.preferences.theme;
  if (draws_into_files()) return save_png(compose(view, paper_style(theme), state), path, saved_zoom);
  const Result<Image> image =
      drawn_by_window(compose(view, drawn_style(theme), state), static_cast<float>(saved_zoom));
  return image ? save_image(*image, path) : image.error();
}

Result<void> write(const std::string& path, const SavedView& view, const AppState& state) {
  if (view.tabulate && path.ends_with(".csv")) return save_csv(view.tabulate(), path);
  if (path.ends_with(".png")) return write_png(path, view, state);
  if (!draws_into_files()) return bad_input("Here pictures are saved as .png: give the file such a name.");
  return save_picture(compose(view, paper_style(state.frame.preferences.theme), state), path, saved_zoom);
}

Result<void> copy_picture(const SavedView& view, const AppState& state) {
  std::error_code error;
  const std::filesystem::path file =
      std::filesystem::temp_directory_path(error) / ("warplens-" + std::to_string(own_process_id()) + ".png");
  if (error) return failed("There is no temporary folder: set TMPDIR to one that can be written.");
  Result<void> copied = write_png(file.string(), view, state);
  if (copied) copied = copy_png(file.string());
  std::filesystem::remove(file, error);
  return copied;
}

std::string whole_path(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path whole = std::filesystem::absolute(path, ignored);
  return whole.empty() ? path : whole.lexically_normal().string();
}

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

std::string folder_of(const std::string& path) {
  return std::filesystem::path(whole_path(path)).parent_path().string();
}

// In a page, only the name counts.
std::string path_of(const std::string& typed) {
  const std::filesystem::path downloads = folder_of_downloads();
  return downloads.empty() ? typed : (downloads / file_name(typed)).string();
}

const char* endings(const SavedView& view) {
  if (draws_into_files())
    return view.tabulate ? "The ending decides: .png, .svg, .pdf or .csv"
                         : "The ending decides: .png, .svg or .pdf";
  return view.tabulate ? "The ending decides: .png or .csv" : "The name ends in .png";
}

void save(SavePopupState& own, const SavedView& view, const AppState& state, Actions& actions) {
  std::error_code ignored;
  if (!own.replaces && std::filesystem::exists(own.path, ignored)) {
    own.replaces = own.asks = true;
    return;
  }
  own.replaces = false;
  const std::string path = path_of(own.path);
  const Result<void> saved = write(path, view, state);
  own.saved = saved ? whole_path(path) : "";
  own.failed = saved ? "" : saved.error().message;
  if (saved)
    actions.push(Notify{ProblemLevel::note, "Saved", is_a_page() ? file_name(own.saved) : own.saved,
                        NoticeKind::saving});
  else
    actions.push(Notify{ProblemLevel::error, "It was not saved", own.failed, NoticeKind::saving});
}

// What came of it, where it was asked for.
void draw_saved(SavePopupState& own, Actions& actions) {
  heading("SAVED");
  body_text(file_name(own.saved));
  quiet_text(is_a_page() ? "The browser downloads it." : "in " + folder_of(own.saved));
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  if (main_button("Close")) ImGui::CloseCurrentPopup();
  ImGui::SameLine();
  if (!is_a_page()) {
    if (chip("Open folder")) actions.push(ShowInFolder{own.saved});
    ImGui::SameLine();
  }
  if (chip("Save again")) own.saved.clear();
}

void draw_choice(SavePopupState& own, const SavedView& view, const AppState& state, Actions& actions) {
  heading("SAVE THIS PICTURE");
  ImGui::SetNextItemWidth(scaled(360));
  // The field also gets the keyboard after the question, to type another name at once.
  if (ImGui::IsWindowAppearing() || std::exchange(own.asks, false)) ImGui::SetKeyboardFocusHere();
  const std::string before = own.path;
  const bool entered = ImGui::InputText("##path", &own.path, ImGuiInputTextFlags_EnterReturnsTrue);
  if (own.path != before) own.replaces = false;
  quiet_text(is_a_page() ? "The browser downloads it." : "In the folder " + folder_of(own.path));
  quiet_text(endings(view));
  if (own.replaces) body_text("There is a file of this name already.");
  if (!own.failed.empty()) body_text(own.failed);
  // Return pressed twice replaces nothing.
  if (entered && own.replaces) own.asks = true;
  if (main_button(own.replaces ? "Replace it###save" : "Save###save") || (entered && !own.replaces))
    save(own, view, state, actions);
  ImGui::SameLine();
  if (chip("Copy picture")) {
    const Result<void> copied = copy_picture(view, state);
    own.failed = copied ? "" : copied.error().message;
    if (copied) {
      actions.push(Notify{ProblemLevel::note, "Picture copied", "It is on the clipboard, as PNG.",
                          NoticeKind::saving});
      ImGui::CloseCurrentPopup();
    }
  }
  hover_text("Puts the picture on the clipboard, to paste it into a slide.");
  ImGui::SameLine();
  if (view.tabulate) {
    if (chip("Copy numbers")) {
      ImGui::SetClipboardText(csv_text(view.tabulate()).c_str());
      actions.push(Notify{ProblemLevel::note, "Numbers copied", "They are on the clipboard, as CSV.",
                          NoticeKind::saving});
      ImGui::CloseCurrentPopup();
    }
    hover_text("Puts the numbers on the clipboard, as CSV.");
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
