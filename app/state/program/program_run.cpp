// A program of the user's: asked about, run, stopped, run again.
#include "app/state/parts/program_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/state/reducers/files.h"
#include "app/state/reducers/program.h"
#include "app/state/reducers/runs.h"
#include "app/user_program/given_program.h"
#include "app/user_program/words.h"
#include "core/system/capabilities.h"

namespace warplens {

std::vector<Diagnostic> compile_mistakes(const ProgramRun& run) {
  if (!run.path.ends_with(".cu") || run.status == 0 || run.used_device) return {};
  return program_run::mistakes_in(run.output.lines, std::filesystem::path(run.path).filename().string());
}

namespace detail {
namespace {

void start(AppState& state) {
  ProgramRun& run = state.program.run;
  const Result<std::vector<std::string>> words = program_run::split_words(run.choices.arguments);
  run.again = false;
  if (!words) {
    run.phase = ProgramRun::Phase::asking;
    run.problem = words.error().message;
    return;
  }
  run.arguments = *words;
  if (run.given) {
    run.text = state.program.source.text;
    state.lesson.runs_programs = true;
  } else {
    remember_file(state.files, run.path);
  }
  if (run.phase == ProgramRun::Phase::asking) run.device = state.setup.device;
  run.problem.clear();
  run.output = {};
  run.mistakes.clear();
  run.launches = 0;
  run.other_order.reset();
  run.is_other_order = false;
  run.seconds = 0;
  run.phase = ProgramRun::Phase::running;
  run.has_run = true;
  ++run.serial;
}

// What is still on its way to the one that is shown now is not for the next.
void count_on(const ProgramState& now, ProgramState& next) {
  next.serial = now.serial + 1;
  next.search.serial = now.search.serial + 1;
  next.run.serial = now.run.serial + 1;
  next.source.serial = now.source.serial + 1;
}

bool is_news(const ProgramRun& run, uint64_t serial) { return run.serial == serial && run.is_busy(); }

void take_progress(ProgramRun& run, const ProgramProgress& progress) {
  if (run.is_other_order) {
    run.other_order = progress.output;
    return;
  }
  run.seconds = progress.seconds;
  run.launches = progress.launches;
  run.output = progress.output;
}

// After saving the program, the user wants to see the same launch again: the choice stays, and the launch
// that the other views show is opened again if it is still one of the same kernel.
void take_next_version(AppState& state, std::shared_ptr<const OpenedProgram> next) {
  ProgramState& program = state.program;
  const std::shared_ptr<const OpenedProgram> before = program.opened;
  const uint64_t chosen = program.chosen, shown = program.shown;
  const bool showed = shown != 0 && state.setup.own_kernel && program.shown_kernel == state.setup.own_kernel;
  take_opened(state, std::move(next));
  const auto kernel_of = [](const OpenedProgram& of, uint64_t number) {
    return number == 0 || number > of.launches.size()
               ? std::string()
               : of.launches[static_cast<size_t>(number - 1)].event->name;
  };
  const auto is_same = [&](uint64_t number) {
    return !kernel_of(*before, number).empty() &&
           kernel_of(*before, number) == kernel_of(*program.opened, number);
  };
  if (!before || before->path != program.opened->path || before->name != program.opened->name) return;
  if (is_same(chosen)) program.chosen = chosen;
  if (!showed || !is_same(shown) || !program.opened->launches[static_cast<size_t>(shown - 1)].why_not.empty())
    return;
  program.wanted = shown;
  program.wanted_view.reset();
  ++program.serial;
}

}  // namespace

void ask_to_run(AppState& state, const std::string& path) {
  take_program_away(state);
  ProgramRun& run = state.program.run;
  state.frame.view = View::program;
  std::error_code ignored;
  const std::filesystem::path whole = std::filesystem::absolute(path, ignored);
  const std::string absolute = whole.empty() ? path : whole.lexically_normal().string();
  if (run.is_busy()) {
    if (absolute != run.path)
      apply(state.problems, Notify{ProblemLevel::note, name_of(run.path) + " is still running",
                                   "Stop it before you open " + name_of(path) + "."});
    return;
  }
  const bool same = run.path == absolute;
  if (!same) close_program_text(state);
  const ProgramRunChoices before = run.choices;
  const uint64_t serial = run.serial;
  run = {};
  run.serial = serial;
  run.path = absolute;
  run.phase = ProgramRun::Phase::asking;
  if (same) run.choices = before;
  run.choices.again_on_save = false;
  if (state.drafts.programs.contains(absolute)) apply(state, EditProgram{});  // what was typed is there again
}

void give_program(AppState& state, const std::string& name, const std::string& text,
                  const std::string& arguments) {
  ProgramState& program = state.program;
  close_program_text(state);  // what was typed stays a draft
  ProgramState given;
  given.users = program.users;
  if (!program.run.given && program.is_there()) given.users = std::make_shared<const ProgramState>(program);
  count_on(program, given);
  given.run.path = name;
  given.run.given = true;
  given.run.choices.arguments = arguments;
  given.run.phase = ProgramRun::Phase::asking;
  given.source.open = given.source.wanted = given.source.given = true;
  given.source.path = name;
  program = std::move(given);
  apply(state, ProgramTextRead{name, text, ""});
}

void take_program_away(AppState& state) {
  ProgramState& program = state.program;
  if (!program.run.given) return;
  close_program_text(state);
  ProgramState users = program.users ? *program.users : ProgramState();
  count_on(program, users);
  if (users.run.is_busy()) users.run.phase = ProgramRun::Phase::asking;  // it was ended for the other one
  program = std::move(users);
}

void apply(ProgramState& program, const SetProgramChoices& action) {
  program.run.choices = action.choices;
  program.run.problem.clear();
}

void apply(ProgramState& program, const ChangeProgram&) {
  if (program.run.phase == ProgramRun::Phase::ended && !program.run.given)
    program.run.phase = ProgramRun::Phase::asking;
}

// While it runs, it is stopped first.
void apply(AppState& state, const RunProgram&) {
  ProgramRun& run = state.program.run;
  if (run.phase == ProgramRun::Phase::none) return;
  if (!run.is_busy()) return start(state);
  run.phase = ProgramRun::Phase::stopping;
  run.again = true;
}

void apply(ProgramState& program, const RunInOtherOrder&) {
  ProgramRun& run = program.run;
  if (run.phase != ProgramRun::Phase::ended || !run.used_device || !run.device.is_virtual) return;
  run.problem.clear();
  run.other_order.emplace();
  run.is_other_order = true;
  run.phase = ProgramRun::Phase::running;
  ++run.serial;
}

void apply(ProgramState& program, const StopProgram&) {
  program.run.again = false;
  if (program.run.is_busy()) program.run.phase = ProgramRun::Phase::stopping;
}

void apply(ProgramState& program, const CloseProgram&) {
  ProgramRun& run = program.run;
  if (run.is_busy()) return;
  if (run.given) return;
  const bool back = run.phase == ProgramRun::Phase::asking && run.has_run;
  run.phase = back ? ProgramRun::Phase::ended : ProgramRun::Phase::none;
}

void apply(AppState& state, const ProgramSaved& action) {
  const ProgramRun& run = state.program.run;
  if (run.path == action.path && run.has_run && run.choices.again_on_save) apply(state, RunProgram{});
}

void apply(ProgramState& program, const ProgramProgressed& action) {
  if (is_news(program.run, action.serial)) take_progress(program.run, action.progress);
}

void apply(AppState& state, const ProgramEnded& action) {
  ProgramRun& run = state.program.run;
  if (!is_news(run, action.serial)) return;
  run.phase = ProgramRun::Phase::ended;
  run.problem = action.error;
  if (run.is_other_order) {
    take_progress(run, action.progress);
    run.is_other_order = false;
    // Half an output is nothing to compare with.
    if (action.stopped || !action.error.empty()) run.other_order.reset();
    if (run.again) start(state);
    return;
  }
  run.status = action.status;
  run.compiles = action.compiles;
  run.signal = action.signal;
  run.stopped = action.stopped;
  run.used_device = action.program != nullptr;
  take_progress(run, action.progress);
  run.mistakes = compile_mistakes(run);
  if (run.again) return start(state);
  state.program.ran = action.program ? run.path : std::string();
  state.program.search.wanted = false;  // of the run before
  if (action.program) take_next_version(state, action.program);
}

void apply(AppState& state, const SaveRecording&) {
  if (!state.program.opened)
    return apply(state.problems, Notify{ProblemLevel::note, "Nothing to save yet",
                                        "Run a program, or open a recording, first.", NoticeKind::saving});
  state.effects.add(effect::AskFile{Dialog::save_recording});
}

void apply(AppState& state, const SaveRecordingAs& action) {
  if (!state.program.opened) return;
  const std::string ending = ".warplens";
  state.effects.add(effect::SaveRecording{action.path.ends_with(ending) ? action.path : action.path + ending,
                                          state.program.opened->recording.file});
}

void apply(AppState& state, const RecordingSaved& action) {
  if (!action.error.empty())
    return apply(state.problems, Notify{ProblemLevel::error, "The recording was not saved", action.error,
                                        NoticeKind::saving});
  remember_file(state.files, action.path);
  apply(state.problems,
        Notify{ProblemLevel::note, "The recording is saved", action.path, NoticeKind::saving});
}

}  // namespace detail
}  // namespace warplens
