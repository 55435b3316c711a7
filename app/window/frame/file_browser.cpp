#include "app/window/frame/file_browser.h"

#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>

#include "app/base/format.h"
#include "app/state/files/file_dialogs.h"
#include "app/widgets/widgets.h"
#include "core/system/paths.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

void go_to(FileBrowserState& own, const std::string& folder) {
  own.folder = folder;
  own.list = {};
  own.message.clear();
  ++own.visit;
}

// Where the newest file is, or else where the program was started, or else at home.
std::string first_folder(const AppState& state) {
  std::error_code ignored;
  for (const std::string& file : state.files.recent)
    if (std::string folder = folder_above(file); fs::is_directory(folder, ignored)) return folder;
  const fs::path here = fs::current_path(ignored);
  return ignored ? home_folder() : here.string();
}

std::vector<std::string> recent_folders(const AppState& state, const std::string& but) {
  constexpr size_t most = 3;
  std::vector<std::string> folders;
  for (const std::string& file : state.files.recent) {
    const std::string folder = folder_above(file);
    if (folder.starts_with('/') && folder != but && std::ranges::find(folders, folder) == folders.end() &&
        folders.size() < most)
      folders.push_back(folder);
  }
  return folders;
}

// The folder that is shown, and the folders above it to click.
void draw_path(FileBrowserState& own) {
  const fs::path whole(own.folder);
  fs::path so_far;
  const float part = text_width("›") + 2 * ImGui::GetStyle().ItemSpacing.x;
  for (auto at = whole.begin(); at != whole.end(); ++at) {
    so_far /= *at;
    const bool last = std::next(at) == whole.end();
    const std::string name = at->string();
    if (at != whole.begin()) {
      wrap_before(part + text_width(name));
      ImGui::PushStyleColor(ImGuiCol_Text, colour(look().palette.quiet));
      ImGui::TextUnformatted("›");
      ImGui::PopStyleColor();
      ImGui::SameLine();
    }
    if (last)
      ImGui::TextUnformatted(name.c_str());
    else if (link(name + "###folder_" + so_far.string()))
      return go_to(own, so_far.string());
  }
}

void draw_places(const AppState& state, FileBrowserState& own) {
  if (chip("Up")) go_to(own, folder_above(own.folder));
  hover_text("The folder above (Backspace)");
  const std::string home = home_folder();
  if (!home.empty()) {
    wrap_before(chip_width("Home"));
    if (chip("Home")) go_to(own, home);
  }
  for (const std::string& folder : recent_folders(state, own.folder)) {
    const std::string name = fs::path(folder).filename().string();
    wrap_before(chip_width(name));
    std::string label = name;
    label += "##";
    label += folder;
    if (chip(label)) go_to(own, folder);
    hover_text(folder);
  }
}

void finish(const FileDialog& dialog, const std::string& path, Actions& actions) {
  hold_back_keys();
  actions.push(ShowDialog{Dialog::none});
  actions.push(dialog.answer(path));
}

// What Enter or the button does with a path: goes into a folder, opens a file, or saves it.
void take_path(const FileDialog& dialog, const std::string& path, FileBrowserState& own, Actions& actions) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return go_to(own, path);
  if (!dialog.saves()) {
    if (fs::exists(path, ignored)) return finish(dialog, path, actions);
    own.message = path + ": there is no such file.";
    return;
  }
  if (!fs::is_directory(folder_above(path), ignored)) {
    own.message = folder_above(path) + ": there is no such folder.";
  } else if (fs::exists(path, ignored)) {
    own.replace = path;
  } else {
    finish(dialog, path, actions);
  }
}

std::vector<ChoiceRow> rows_of(const std::vector<FolderEntry>& entries) {
  std::vector<ChoiceRow> rows;
  for (const FolderEntry& entry : entries) {
    ChoiceRow row;
    row.id = entry.name;
    row.text = entry.is_folder ? entry.name + "/" : entry.name;
    row.beside = entry.is_folder ? "folder" : bytes_text(entry.bytes);
    rows.push_back(std::move(row));
  }
  return rows;
}

void ask_to_replace(const FileDialog& dialog, FileBrowserState& own, Actions& actions) {
  begin_card("replace", look().palette.warning);
  body_text(fs::path(own.replace).filename().string() + " is there already.");
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere(1);  // on Cancel: Enter loses nothing
  const bool replace = main_button("Replace it");
  ImGui::SameLine();
  const bool keep = chip("Cancel##replace");
  end_card();
  const std::string path = own.replace;
  if (replace || keep) own.replace.clear();
  if (keep) hold_back_keys();
  if (replace) finish(dialog, path, actions);
}

// The entries of the folder that is shown, or of the one that is being typed.
std::shared_ptr<const Listing> listing_of(FileBrowserState& own) {
  const TypedParts typed = typed_parts(own.list.typed);
  const FolderKey key{typed.folder.empty() ? own.folder : typed_path(own.folder, typed.folder), own.visit};
  own.listing.collect();
  return own.listing.get(key, false, [key] {
    Result<std::vector<FolderEntry>> entries = read_folder(key.folder);
    return entries ? Listing{key, *std::move(entries), ""} : Listing{key, {}, entries.error().message};
  });
}

}  // namespace

void start_browser(const AppState& state, FileBrowserState& own, Dialog dialog) {
  const FileDialog* kind = find_file_dialog(dialog);
  if (kind == nullptr) return;
  go_to(own, own.folder.empty() ? first_folder(state) : own.folder);
  own.replace.clear();
  own.list.typed = proposed_name(state, dialog);
}

void draw_file_browser(const AppState& state, FileBrowserState& own, Dialog dialog, Actions& actions) {
  const FileDialog* kind = find_file_dialog(dialog);
  if (kind == nullptr) return;
  title(kind->title);
  small_text(kind->words());
  draw_path(own);
  if (!own.replace.empty()) return ask_to_replace(*kind, own, actions);
  draw_places(state, own);
  if (own.list.typed.empty() && ImGui::IsKeyPressed(ImGuiKey_Backspace)) go_to(own, folder_above(own.folder));
  const auto listing = listing_of(own);
  std::vector<FolderEntry> shown;
  ChoiceList list;
  list.hint = kind->saves() ? "Name of the file, or a path" : "Type to search, or a path";
  list.nothing = "Nothing of this kind is here.";
  list.height = ImGui::GetMainViewport()->Size.y * 0.42f;
  list.keeps_height = true;
  list.marks_first = !kind->saves();
  list.keeps_typed = true;
  list.rows = [&](const std::string& typed) {
    if (listing == nullptr) return std::vector<ChoiceRow>();
    shown = entries_for(listing->entries, kind->saves() ? "" : typed_parts(typed).name, kind->endings);
    return rows_of(shown);
  };
  std::optional<size_t> taken = draw_choice_list(list, own.list);
  if (listing != nullptr && !listing->error.empty()) body_text(listing->error);
  if (!own.message.empty()) body_text(own.message);
  const bool marked = listing != nullptr && own.list.marked >= 0 && own.list.marked < std::ssize(shown);
  const bool go = main_button(kind->saves() ? "Save" : "Open", !own.list.typed.empty() || marked);
  if (kind->what == FileDialog::For::folder) {  // whatever lies in it, in subfolders too
    wrap_before(chip_width("Open this folder"));
    if (chip("Open this folder###this_folder")) return finish(*kind, own.folder, actions);
    hover_text(own.folder);
  }
  ImGui::SameLine();
  if (chip("Cancel")) actions.push(ShowDialog{Dialog::none});
  if (go && marked && !kind->saves()) taken = static_cast<size_t>(own.list.marked);
  if (taken && listing != nullptr) {
    const std::string path = typed_path(listing->key.folder, shown[*taken].name);
    if (kind->saves() && !shown[*taken].is_folder)
      own.list.typed = shown[*taken].name;
    else
      take_path(*kind, path, own, actions);
  } else if ((own.list.entered || go) && !own.list.typed.empty()) {
    take_path(*kind, typed_path(own.folder, own.list.typed), own, actions);
  }
}

}  // namespace warplens
