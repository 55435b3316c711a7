#include "app/state/files/file_dialogs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/state/open/file_kinds.h"
#include "app/state/state.h"
#include "core/image/image.h"

namespace warplens {

namespace {

template <class Asked>
Action path_for(const std::string& path) {
  return Asked{path};
}

// Programs have any ending or none: a path that is typed opens them.
constexpr std::array opened = {FileKind::kernel, FileKind::program, FileKind::session, FileKind::recording};

std::vector<std::string_view> endings_of_kind(FileKind kind) { return endings_of(std::array{kind}); }

const std::vector<FileDialog>& file_dialogs() {
  using enum FileDialog::For;
  static const std::vector<FileDialog> table = {
      {Dialog::open_file, opening, "Open", "Kernels, programs, sessions and recordings", endings_of(opened),
       path_for<OpenFile>},
      {Dialog::open_picture, opening, "Open picture", "Pictures", endings_of_kind(FileKind::picture),
       path_for<ChoosePicture>},
      {Dialog::open_lesson, folder, "Open a lesson or a challenge",
       "The folder, or its lesson.md or challenge.md", endings_of_kind(FileKind::lesson),
       [](const std::string& path) -> Action { return OpenFolder{path}; }},
      {Dialog::open_class,
       folder,
       "Open a class",
       "The folder, or one of the hand-ins in it",
       {".json"},
       [](const std::string& path) -> Action {
         std::error_code ignored;
         const bool is_folder = std::filesystem::is_directory(path, ignored);
         return OpenClass{is_folder ? path : std::filesystem::path(path).parent_path().string()};
       }},
      {Dialog::save_class_page,
       saving,
       "Save the class as a page",
       "A page to print",
       {".html"},
       path_for<SaveClassPage>},
      {Dialog::save_hand_in, saving, "Hand in", "Your answer for the teacher", {".json"}, path_for<HandInAs>},
      {Dialog::save_result,
       saving,
       "Save result",
       "A picture",
       {saved_picture_endings().begin(), saved_picture_endings().end()},
       path_for<SaveResultAs>},
      {Dialog::save_views,
       saving,
       "Save all views",
       "One document with a page for each",
       {".pdf"},
       path_for<SaveViewsAs>},
      {Dialog::save_source, saving, "Save code", "CUDA C++", {".cu"}, path_for<SaveSourceAs>},
      {Dialog::save_session, saving, "Save session", "A session", endings_of_kind(FileKind::session),
       path_for<SaveSessionAs>},
      {Dialog::save_recording, saving, "Save recording", "A recording", endings_of_kind(FileKind::recording),
       path_for<SaveRecordingAs>},
  };
  return table;
}

}  // namespace

std::string FileDialog::words() const {
  if (dialog == Dialog::open_file) return words_of(opened);
  return fmt::format("{}: {}", kind, fmt::join(endings, ", "));
}

const FileDialog* find_file_dialog(Dialog dialog) {
  const std::vector<FileDialog>& all = file_dialogs();
  const auto at = std::ranges::find(all, dialog, &FileDialog::dialog);
  return at == all.end() ? nullptr : &*at;
}

std::string proposed_name(const AppState& state, Dialog dialog) {
  switch (dialog) {
    case Dialog::save_hand_in:
      return "hand_in.json";
    case Dialog::save_class_page:
      return "class.html";
    case Dialog::save_result:
      return "result.png";
    case Dialog::save_views:
      return "views.pdf";
    case Dialog::save_source:
      return state.code.name.empty() ? "kernel.cu" : state.code.name;
    case Dialog::save_session:
      return "session.json";
    case Dialog::save_recording:
      return state.program.opened
                 ? std::filesystem::path(state.program.opened->name).stem().string() + ".warplens"
                 : "program.warplens";
    default:
      return "";
  }
}

}  // namespace warplens
