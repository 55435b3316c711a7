// Files that are opened and saved; the window does it.
#include "app/state/files.h"

#include <filesystem>

#include "app/open/file_kinds.h"
#include "app/state/reducers.h"

namespace warplens {

void remember_file(FilesState& files, const std::string& path) {
  if (path.empty()) return;
  std::erase(files.recent, path);
  files.recent.insert(files.recent.begin(), path);
  if (files.recent.size() > max_recent) files.recent.resize(max_recent);
}

namespace detail {

std::string name_of(const std::string& path) { return std::filesystem::path(path).filename().string(); }

void apply(Wishes& wishes, const ShowInFolder& action) {
  wishes.show_folder = std::filesystem::path(action.path).parent_path().string();
}

void apply(Wishes& wishes, const OpenFolder& action) {
  if (action.path.empty())
    wishes.ask_file = Dialog::open_lesson;
  else
    wishes.open_folder = {action.path, action.again};
}

void apply(AppState& state, const OpenFile& action) {
  if (action.path.empty()) {
    state.wishes.ask_file = Dialog::open_file;
    return;
  }
  // An answer in Python to the challenge that is open.
  if (state.challenge.is_open() && has_ending_of(FileKind::program, action.path))
    return judge_file(state, action.path);
  switch (kind_of_file(action.path)) {
    case FileKind::lesson:
      return apply(state.wishes, OpenFolder{action.path});
    case FileKind::session:
      state.wishes.open_session = action.path;
      return;
    case FileKind::recording:
      return open_recording(state, action.path);
    case FileKind::program:
      return ask_to_run(state, action.path);
    case FileKind::kernel:
      return open_kernel(state, action.path);
    case FileKind::picture:
      return apply(state.wishes, ChoosePicture{action.path});
  }
}

void apply(Wishes& wishes, const OpenPicture&) { wishes.ask_file = Dialog::open_picture; }

void apply(Wishes& wishes, const ChoosePicture& action) { wishes.load_picture = action.name_or_path; }

void apply(Wishes& wishes, const SaveViewsAs& action) { wishes.save_views = action.path; }

void apply(Wishes& wishes, const SaveResultAs& action) { wishes.save_picture = action.path; }

void apply(Wishes& wishes, const ResetLayout&) { wishes.reset_layout = true; }

void apply(Wishes& wishes, const Quit&) { wishes.quit = true; }

void apply(AppState& state, const SaveSession&) {
  if (state.setup.kernel != nullptr && state.setup.kernel->recorded)
    return apply(state.problems,
                 Notify{ProblemLevel::note, "A recorded launch is in no session",
                        "Open its recording (.warplens) again; it has everything that the launch needs.",
                        NoticeKind::saving});
  state.wishes.ask_file = Dialog::save_session;
}

void apply(Wishes& wishes, const SaveSessionAs& action) { wishes.save_session = action.path; }

void apply(AppState& state, const SaveViews&) {
  if (!state.runs.result)
    return apply(state.problems,
                 Notify{ProblemLevel::note, "Nothing to save yet",
                        "The views show a run: run the kernel first (F5).", NoticeKind::saving});
  state.wishes.ask_file = Dialog::save_views;
}

void apply(AppState& state, const SaveResult&) {
  if (!state.runs.result || state.runs.result->outputs.empty()) {
    return apply(state.problems, Notify{ProblemLevel::note, "Nothing to save yet",
                                        "The last launch handed back no result. Run the kernel first (F5).",
                                        NoticeKind::saving});
  }
  state.wishes.ask_file = Dialog::save_result;
}

}  // namespace detail
}  // namespace warplens
