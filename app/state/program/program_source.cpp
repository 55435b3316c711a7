// The text of the user's program in the window: read, edited, saved, run.
#include "app/state/parts/program_source.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/state/reducers/files.h"
#include "app/state/reducers/program.h"
#include "app/state/reducers/runs.h"

namespace warplens {

bool is_program_text(std::string_view path) {
  constexpr std::array<std::string_view, 5> endings = {".py", ".cu", ".cpp", ".cc", ".c"};
  return std::ranges::any_of(endings, [&](std::string_view ending) { return path.ends_with(ending); });
}

bool edits_program(const AppState& state) {
  const ProgramSource& source = state.program.source;
  return state.frame.view == View::program && source.open && (source.given || !state.frame.present);
}

namespace detail {
namespace {

void take_text(ProgramSource& source, std::string text) {
  source.text = source.saved = std::move(text);
  ++source.serial;
}

}  // namespace

// What is edited stays a draft.
void close_program_text(AppState& state) {
  ProgramSource& source = state.program.source;
  if (source.dirty()) state.drafts.programs[source.path] = {source.text, source.saved};
  const uint64_t serial = source.serial;
  source = {};
  source.serial = serial;
}

void apply(AppState& state, const EditProgram& action) {
  ProgramSource& source = state.program.source;
  const std::string& path = state.program.run.path;
  if (state.program.run.given) return;  // its editor stays open
  const bool same = source.open && source.path == path;
  if (action.on && same) return;
  close_program_text(state);
  if (!action.on || path.empty()) return;
  source.open = source.wanted = true;
  source.path = path;
  state.effects.add(effect::ReadProgram{path});
}

void apply(AppState& state, const ProgramTextRead& action) {
  ProgramSource& source = state.program.source;
  if (!source.open || !source.wanted || source.path != action.path) return;
  source.wanted = false;
  source.error = action.error;
  if (!action.error.empty()) return;
  take_text(source, action.text);
  const auto draft = state.drafts.programs.find(action.path);
  if (draft == state.drafts.programs.end()) return;
  const ProgramDraft kept = std::move(draft->second);
  state.drafts.programs.erase(draft);
  if (kept.text == action.text) return;
  source.text = kept.text;
  // In a newer version of the lesson or challenge, it may begin differently.
  if (kept.saved == action.text || source.given) return;
  source.saved = kept.saved;
  source.changed = action.text;
}

void apply(ProgramState& program, const EditProgramText& action) {
  if (program.source.is_ready()) program.source.text = action.text;
}

void apply(AppState& state, const SaveProgram& action) {
  ProgramSource& source = state.program.source;
  if (!source.is_ready() || source.changed) return;
  if (!source.dirty() || source.given) {
    if (action.run) apply(state, RunProgram{});
    return;
  }
  source.saving = source.text;
  source.runs_when_saved = action.run;
  state.effects.add(effect::SaveProgram{source.path, source.text, source.saved});
}

void apply(AppState& state, const ProgramTextSaved& action) {
  ProgramSource& source = state.program.source;
  if (!source.open || source.path != action.path) return;
  source.saving.clear();
  const bool runs = std::exchange(source.runs_when_saved, false);
  if (!action.error.empty())
    return apply(state.problems,
                 Notify{ProblemLevel::error, "The program was not saved", action.error, NoticeKind::saving});
  if (action.found) {
    source.changed = action.found;
    return;
  }
  source.saved = action.text;
  // A program that runs again whenever its file is saved does so by itself.
  const ProgramRun& run = state.program.run;
  if (runs && !(run.choices.again_on_save && run.has_run)) apply(state, RunProgram{});
}

void apply(ProgramState& program, const ProgramTextChanged& action) {
  ProgramSource& source = program.source;
  if (!source.is_ready() || source.given || source.path != action.path) return;
  if (action.text == source.saved || action.text == source.saving) return;
  if (!source.dirty() || action.text == source.text) {
    source.changed.reset();
    if (action.text != source.text) return take_text(source, action.text);
    source.saved = action.text;
    return;
  }
  source.changed = action.text;
}

void apply(ProgramState& program, const SettleProgramText& action) {
  ProgramSource& source = program.source;
  if (!source.changed) return;
  const std::string in_file = *std::exchange(source.changed, std::nullopt);
  if (action.mine)
    source.saved = in_file;  // Save writes over it
  else
    take_text(source, in_file);
}

}  // namespace detail
}  // namespace warplens
