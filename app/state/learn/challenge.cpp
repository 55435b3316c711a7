// The challenge that is open: its code, its judge, its hints.
#include "app/state/parts/challenge.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/language.h"
#include "app/state/files/session.h"
#include "app/state/parts/judged_answer.h"
#include "app/state/reducers/code.h"
#include "app/state/reducers/files.h"
#include "app/state/reducers/learn.h"
#include "app/state/reducers/program.h"
#include "app/state/reducers/runs.h"
#include "app/state/reducers/select.h"
#include "app/state/reducers/setup.h"
#include "app/state/reducers/step.h"
#include "core/base/diagnostic.h"
#include "core/base/json/json.h"
#include "core/base/json/json_values.h"
#include "core/lesson/judge/hand_in.h"

namespace warplens {

std::string answer_source(const AppState& state) {
  if (!state.challenge.is_open()) return "";
  if (state.challenge.open->challenge.is_program()) return state.program.source.text;
  if (state.challenge.open->challenge.kind == lesson::ChallengeKind::kernel) return state.code.text;
  const KernelSetup& launch = state.setup.launch;
  const auto extent = [](Dim3 d) { return fmt::format("({}, {}, {})", d.x, d.y, d.z); };
  std::string choice = "block=" + extent(launch.block);
  if (!launch.fit_grid) choice += ", grid=" + extent(launch.grid);
  for (const lesson::Change& change : state.challenge.open->challenge.change) {
    if (change.name == "shared") choice += fmt::format(", shared={}", launch.shared_dynamic_bytes);
    if (change.name == "order") choice += fmt::format(", order={}", state.setup.order);
    if (change.name == "device") choice += ", device=" + state.setup.device.id;
    if (const auto value = launch.values.find(change.name); value != launch.values.end())
      choice += fmt::format(", {}={}", change.name, value->second);
  }
  const bool own_text = state.challenge.open->challenge.kind == lesson::ChallengeKind::both;
  return "// warplens: " + choice + "\n" + (own_text ? state.code.text : std::string());
}

namespace detail {
namespace {

void note_time(AppState& state) {
  if (!state.challenge.is_open()) return;
  ChallengeProgress& kept = state.progress.challenges[state.challenge.open->folder.name];
  kept.seconds = seconds_spent(state);
  ++state.progress.revision;
}

// The smallest case that failed, as the Launch panel would set it.
void set_case(AppState& state, const lesson::JudgedCase& failed) {
  KernelSetup& launch = state.setup.launch;
  for (const auto& [name, value] : failed.at.values) launch.values[name] = value;
  if (failed.at.block) launch.block = *failed.at.block;
  launch.fit_grid = !failed.at.grid;
  if (failed.at.grid) launch.grid = *failed.at.grid;
  launch.data_seed = failed.data_seed;
  state.setup.order = failed.order;
}

}  // namespace

// The starter with the challenge's data as its comment, as the student's own kernel in no file.
void show_challenge(AppState& state) {
  const LoadedChallenge& loaded = *state.challenge.open;
  const lesson::ChallengeFile* starter = loaded.challenge.starter(".cu");
  const auto text = starter ? loaded.folder.files.find(starter->name) : loaded.folder.files.end();
  if (text == loaded.folder.files.end()) return;
  if (loaded.challenge.is_program()) {
    if (const Device* device = device_by_id(state, loaded.challenge.device)) {
      state.setup.wanted_device.reset();
      state.setup.device = *device;
    }
    state.frame.view = View::program;
    const std::vector<std::string> words = loaded.challenge.arguments_at(loaded.challenge.stars_at);
    give_program(state, "challenge " + loaded.folder.name + "/" + loaded.folder.name + ".cu", text->second,
                 fmt::format("{}", fmt::join(words, " ")));
    return;
  }
  Session code;
  code.code_name = loaded.folder.name + ".cu";
  code.code_text = loaded.challenge.as_own_kernel(text->second);
  code.code_entry = loaded.challenge.entry;
  code.has_code_text = true;
  if (const Device* device = device_by_id(state, loaded.challenge.device)) {
    state.setup.wanted_device.reset();
    state.setup.device = *device;
  }
  state.setup.order = 0;
  open_code(state, code, code.code_text);  // what was typed in it before comes back
}

void apply(AppState& state, const ChallengeLoaded& action) {
  const LoadedChallenge& loaded = *action.challenge;
  state.frame.dialog = Dialog::none;
  if (has_errors(loaded.diagnostics)) {
    return apply(state.problems, Notify{ProblemLevel::error, "The challenge was not opened",
                                        to_text(loaded.diagnostics), NoticeKind::opening});
  }
  apply(state, CloseLesson{});
  note_time(state);
  take_program_away(state);
  const uint64_t serial = state.challenge.serial + 1;
  state.challenge = {};
  state.challenge.serial = serial;
  state.challenge.open = action.challenge;
  state.challenge.mistakes = loaded.diagnostics;
  warn_of_undrawn(state, loaded.folder, loaded.challenge.language);
  state.challenge.opened_s = state.frame.now_s;
  if (const auto kept = state.progress.challenges.find(loaded.folder.name);
      kept != state.progress.challenges.end())
    state.challenge.spent_before_s = kept->second.seconds;
  state.predict = {};
  state.frame.welcome = state.frame.preferences.bottom_open = false;
  state.frame.view = View::code;
  show_challenge(state);
}

void apply(AppState& state, const OpenChallenge& action) {
  for (const lesson::Folder& folder : lesson::embedded_folders("challenges")) {
    if (folder.name != action.name) continue;
    lesson::LoadedChallenge read =
        lesson::load_challenge(folder, language_meant(state.frame.preferences.language));
    return apply(state, ChallengeLoaded{std::make_shared<const LoadedChallenge>(LoadedChallenge{
                            folder, std::move(read.challenge), std::move(read.diagnostics)})});
  }
  apply(state.problems,
        Notify{ProblemLevel::error, "No such challenge",
               "There is no challenge \"" + action.name + "\" in this program. The Learn menu has all.",
               NoticeKind::opening});
}

void apply(AppState& state, const CloseChallenge&) {
  note_time(state);
  if (state.challenge.is_open()) take_program_away(state);
  const uint64_t serial = state.challenge.serial;
  state.challenge = {};
  state.challenge.serial = serial + 1;  // what the judge still says is of no interest
}

// False if it judges already, or there is nothing to judge.
static bool begin_judging(AppState& state, const std::string& file) {
  if (!state.challenge.is_open() || state.challenge.judging) return false;
  ++state.challenge.serial;
  state.challenge.judging = true;
  state.challenge.file = file;
  return true;
}

void apply(AppState& state, const JudgeAnswer&) {
  if (!begin_judging(state, "")) return;
  // What the window shows is the run of what is judged.
  const bool is_program = state.challenge.open->challenge.is_program();
  if (!is_program && state.code.text != state.code.compiled) compile_again(state);
}

void judge_file(AppState& state, const std::string& path) { begin_judging(state, path); }

bool cancel_judging(AppState& state) {
  if (!std::exchange(state.challenge.judging, false)) return false;
  ++state.challenge.serial;  // what the judge still says is of no interest
  return true;
}

void apply(AppState& state, const AnswerJudged& action) {
  ChallengeState& own = state.challenge;
  if (action.serial != own.serial || !own.is_open() || !action.judged) return;
  auto judged = std::make_shared<JudgedAnswer>(*action.judged);
  if (!judged->specification && own.judged) judged->specification = own.judged->specification;
  if (!judged->judged && own.judged && judged->error.empty()) judged->judged = own.judged->judged;
  own.judged = judged;
  if (!action.judged->judged) {
    if (!action.judged->error.empty()) own.judging = false;
    return;  // only the specification
  }
  own.judging = false;
  ChallengeProgress& kept = state.progress.challenges[own.open->folder.name];
  const lesson::Judged& said = *action.judged->judged;
  kept.stars = std::max(kept.stars, said.stars);
  ++kept.tries;
  if (!said.right()) ++kept.rejected[to_string(said.reason) + (said.kind.empty() ? "" : " " + said.kind)];
  note_time(state);
}

void apply(AppState& state, const StepToCase&) {
  const ChallengeState& own = state.challenge;
  if (!own.judged || !own.judged->judged || !own.judged->judged->failed) return;
  const lesson::Judged& judged = *own.judged->judged;
  keep_for_undo(state, false);
  set_case(state, *judged.failed);
  Session pins;
  pins.pinned_line = judged.line;
  if (judged.wrong) {
    pins.pinned_block = judged.wrong->block;
    pins.pinned_thread = judged.wrong->thread;
  }
  take_pins(state, pins);
  state.frame.view = View::step;
  state.challenge.steps_to_case = true;
  setup_changed(state, "The case that failed");
}

// At the fault, or where the thread that wrote the wrong element comes to the line.
void go_on_with_case(AppState& state) {
  if (!std::exchange(state.challenge.steps_to_case, false) || !state.runs.result) return;
  OpenStep open;
  if (!state.runs.result->faults.empty()) {
    const Incident& fault = state.runs.result->faults.front();
    Pick pick{fault.block, fault.thread, std::nullopt, fault.line};
    apply(state, Pin{pick});
    open.position = UINT64_MAX;
  } else if (const auto& judged = state.challenge.judged; judged && judged->judged) {
    open.line = judged->judged->line;
  }
  apply(state, open);
}

void apply(Effects& effects, const AskHandIn&) { effects.add(effect::AskFile{Dialog::save_hand_in}); }

// The answer to the challenge that is open.
static void add_answer(const AppState& state, lesson::HandIn& file) {
  const ChallengeState& own = state.challenge;
  file.challenge = own.open->folder.name;
  file.source = answer_source(state);
  if (own.judged && !own.judged->file.empty()) {  // a file was judged last, which was in Python
    file.source = own.judged->source;
    file.language = own.judged->file.ends_with(".py") ? lesson::Language::numba : lesson::Language::cuda;
  }
  const bool judged = own.judged && own.judged->judged && own.judged->source == file.source;
  file.stars = judged ? own.judged->judged->stars : 0;
  file.seconds_spent = seconds_spent(state);
  file.session = session_json(session_of(state));
}

// The progress so far is saved too, and it is all that is saved if no challenge is open.
void apply(AppState& state, const HandInAs& action) {
  note_time(state);
  note_lesson_time(state);
  lesson::HandIn file;
  if (state.challenge.is_open()) add_answer(state, file);
  file.progress = progress_json(state.progress);
  state.effects.add(effect::SaveHandIn{action.path, lesson::hand_in_text(file)});
}

}  // namespace detail

double seconds_spent(const AppState& state) {
  return state.challenge.spent_before_s + std::max(0.0, state.frame.now_s - state.challenge.opened_s);
}

}  // namespace warplens
