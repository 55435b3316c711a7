// Files that are opened and saved; the window does it.
#include "app/state/parts/files.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "app/state/code/offered_code.h"
#include "app/state/code/page_files.h"
#include "app/state/open/file_kinds.h"
#include "app/state/reducers/code.h"
#include "app/state/reducers/files.h"
#include "app/state/reducers/program.h"
#include "app/state/reducers/runs.h"

namespace warplens {

void remember_file(FilesState& files, const std::string& path) {
  if (path.empty()) return;
  std::erase(files.recent, path);
  files.recent.insert(files.recent.begin(), path);
  if (files.recent.size() > max_recent) files.recent.resize(max_recent);
}

std::vector<std::string> recent_pictures(const FilesState& files) {
  std::vector<std::string> pictures;
  std::ranges::copy_if(files.recent, std::back_inserter(pictures),
                       [](const std::string& path) { return has_ending_of(FileKind::picture, path); });
  return pictures;
}

namespace detail {

std::string name_of(const std::string& path) { return std::filesystem::path(path).filename().string(); }

void apply(Effects& effects, const ShowInFolder& action) {
  effects.add(effect::ShowFolder{std::filesystem::path(action.path).parent_path().string()});
}

void apply(Effects& effects, const OpenFolder& action) {
  if (action.path.empty())
    effects.add(effect::AskFile{Dialog::open_lesson});
  else
    effects.add(effect::OpenFolder{action.path, action.again});
}

void apply(AppState& state, const OpenFile& action) {
  if (action.path.empty()) {
    state.effects.add(effect::AskFile{Dialog::open_file});
    return;
  }
  const bool is_judged = state.challenge.is_open() && !lacks_compiler(state);
  if (state.frame.in_a_page && kind_of_file(action.path) == FileKind::program && !is_judged)
    return apply(state.problems, no_program_in_a_page(state, action.path));
  // An answer in Python to the challenge that is open, or a whole program.
  const bool wants_program = state.challenge.is_open() && state.challenge.open->challenge.is_program();
  if ((state.challenge.is_open() && has_ending_of(FileKind::program, action.path)) ||
      (wants_program && action.path.ends_with(".cu")))
    return judge_file(state, action.path);
  switch (kind_of_file(action.path)) {
    case FileKind::link:
      return apply(state, OpenLink{action.path});
    case FileKind::lesson:
      return apply(state.effects, OpenFolder{action.path});
    case FileKind::session:
      state.effects.add(effect::OpenSession{action.path});
      return;
    case FileKind::recording:
      return open_recording(state, action.path);
    case FileKind::program:
      return ask_to_run(state, action.path);
    case FileKind::kernel:
      return open_kernel(state, action.path);
    case FileKind::picture:
      return apply(state.effects, ChoosePicture{action.path});
  }
}

void apply(Effects& effects, const OpenPicture&) { effects.add(effect::AskFile{Dialog::open_picture}); }

void apply(AppState& state, const TakeSamples& action) { state.files.samples = action.photos; }

void apply(Effects& effects, const ChoosePicture& action) {
  effects.add(effect::LoadPicture{action.name_or_path});
}

void apply(Effects& effects, const SaveViewsAs& action) { effects.add(effect::SaveViews{action.path}); }

void apply(Effects& effects, const SaveResultAs& action) { effects.add(effect::SavePicture{action.path}); }

void apply(Effects& effects, const ResetLayout&) { effects.add(effect::ResetLayout{}); }

void apply(Effects& effects, const Quit&) { effects.add(effect::Quit{}); }

void apply(AppState& state, const SaveSession&) {
  if (state.setup.kernel != nullptr && state.setup.kernel->recorded)
    return apply(state.problems,
                 Notify{ProblemLevel::note, "A recorded launch is in no session",
                        "Open its recording (.warplens) again; it has everything that the launch needs.",
                        NoticeKind::saving});
  state.effects.add(effect::AskFile{Dialog::save_session});
}

void apply(Effects& effects, const SaveSessionAs& action) { effects.add(effect::SaveSession{action.path}); }

void apply(AppState& state, const SaveViews&) {
  if (!state.runs.result)
    return apply(state.problems,
                 Notify{ProblemLevel::note, "Nothing to save yet",
                        "The views show a run: run the kernel first (F5).", NoticeKind::saving});
  state.effects.add(effect::AskFile{Dialog::save_views});
}

void apply(AppState& state, const SaveResult&) {
  if (!state.runs.result || state.runs.result->outputs.empty()) {
    return apply(state.problems, Notify{ProblemLevel::note, "Nothing to save yet",
                                        "The last launch handed back no result. Run the kernel first (F5).",
                                        NoticeKind::saving});
  }
  state.effects.add(effect::AskFile{Dialog::save_result});
}

}  // namespace detail
}  // namespace warplens
