#include "app/state/frame/commands.h"

#include <algorithm>
#include <filesystem>

#include "app/base/language.h"
#include "app/state/parts/course.h"
#include "app/state/parts/lesson.h"
#include "core/base/text.h"

namespace warplens {
namespace {

void add_file(const AppState& state, std::vector<Command>& commands) {
  commands.push_back(
      {Menu::file, "Open kernel, program, session or recording…", {true, true, "O"}, OpenFile{}});
  commands.push_back({Menu::file, "Open picture…", {true, false, "O"}, OpenPicture{}});
  const bool has_result = state.runs.result && !state.runs.result->outputs.empty();
  const bool code = state.frame.view == View::code && state.code.own;  // Ctrl+S saves what is in front
  const bool program = edits_program(state);
  commands.push_back({Menu::file, "Save result…", code || program ? KeyPress{} : KeyPress{true, false, "S"},
                      SaveResult{}, has_result});
  commands.push_back({Menu::file, "Save all views…", {}, SaveViews{}, state.runs.result != nullptr});
  commands.push_back({Menu::file, "Save code and run", code ? KeyPress{true, false, "S"} : KeyPress{},
                      RunSource{}, state.code.own, false, true});
  commands.push_back({Menu::file, "Save code as…", {}, SaveSource{}, state.code.own});
  commands.push_back(
      {Menu::file, "Edit a copy of the kernel", {true, false, "E"}, EditCopy{}, !state.code.own});
  if (const ProgramSource& source = state.program.source; source.open && !source.given)
    commands.push_back({Menu::file, "Save " + std::filesystem::path(source.path).filename().string(),
                        program ? KeyPress{true, false, "S"} : KeyPress{}, SaveProgram{}, source.dirty()});
  if (state.program.opened) commands.push_back({Menu::file, "Save recording…", {}, SaveRecording{}});
  commands.push_back({Menu::file, "Save session…", {true, true, "S"}, SaveSession{}, true, false, true});
  commands.push_back({Menu::file, "Copy link", {}, CopyLink{}, true, false, false, "share address url"});
  commands.push_back(
      {Menu::file, "Open link…", {}, ShowDialog{Dialog::open_link}, true, false, false, "paste address url"});
  for (size_t i = 0; i < std::min<size_t>(state.files.recent.size(), 5); ++i) {
    const std::string& path = state.files.recent[i];
    commands.push_back({Menu::file,
                        "Open " + std::filesystem::path(path).filename().string(),
                        {},
                        OpenFile{path},
                        true,
                        false,
                        i == 0});
  }
  commands.push_back({Menu::file, "Quit", {true, false, "Q"}, Quit{}, true, false, true});
}

void add_program(const ProgramRun& run, std::vector<Command>& commands) {
  if (!run.has_run) return;
  const std::string name = std::filesystem::path(run.path).filename().string();
  if (!run.given)
    commands.push_back(
        {Menu::run, "Run " + name + " again", {}, RunProgram{}, true, false, true, "program script"});
  commands.push_back(
      {Menu::run, "Stop " + name, {}, StopProgram{}, run.is_busy(), false, false, "program cancel"});
}

void add_run(const AppState& state, std::vector<Command>& commands) {
  // A search without a limit may take long after its run.
  const bool running = state.runs.now.phase == RunPhase::running ||
                       (state.runs.result && state.frame.preferences.looking == Looking::always);
  // Clickers send F5 to begin and to end a presentation.
  const bool program = edits_program(state);  // what F5 runs is in front
  commands.push_back({Menu::run, "Run",
                      state.frame.present || program ? KeyPress{} : KeyPress{false, false, "F5"},
                      RunAgain{}});
  if (program) {
    const ProgramSource& source = state.program.source;
    const std::string name = std::filesystem::path(source.path).filename().string();
    if (source.given)  // clickers send F5
      commands.push_back({Menu::run,
                          "Run " + name,
                          {true, false, "Enter"},
                          SaveProgram{true},
                          source.is_ready() && !state.program.run.is_busy()});
    else
      commands.push_back(
          {Menu::run, "Save and run " + name, {false, false, "F5"}, SaveProgram{true}, source.is_ready()});
  }
  commands.push_back({Menu::run, "Cancel the run", {}, CancelRun{}, running});
  add_program(state.program.run, commands);
  commands.push_back(
      {Menu::run, "Live picture", {false, false, "F6"}, SetLive{!state.live.on}, true, state.live.on, true});
  commands.push_back({Menu::run,
                      "Let the live picture move",
                      {false, false, "F7"},
                      PlayLive{!state.live.playing},
                      state.live.on,
                      state.live.playing});
  const auto mendable =
      std::ranges::find_if(state.problems.all, [](const Problem& p) { return p.fix.has_value(); });
  const bool offered = mendable != state.problems.all.end();
  commands.push_back({Menu::run,
                      "Take the offered fix" + (offered ? ": " + mendable->fix->label : std::string()),
                      {false, false, "Enter", true},
                      ApplyFix{offered ? *mendable->fix : Fix{}},
                      offered,
                      false,
                      true,
                      "warning problem fix mend"});
  commands.push_back({Menu::run,
                      "Step this thread",
                      {true, true, "5"},
                      StepThread{},
                      can_step_thread(state),
                      false,
                      true,
                      "debug line variables"});
  commands.push_back({Menu::run,
                      "Step the first difference from the baseline",
                      {},
                      StepDifference{},
                      state.runs.baseline && state.runs.baseline->serial != state.runs.now.shown,
                      false,
                      false,
                      "debug compare"});
  commands.push_back({Menu::run, "Undo", {true, false, "Z"}, Undo{}, !state.undo.done.empty(), false, true});
  commands.push_back({Menu::run, "Redo", {true, true, "Z"}, Redo{}, !state.undo.undone.empty()});
  commands.push_back({Menu::run,
                      "Grid fits the problem",
                      {},
                      SetFitGrid{!state.setup.launch.fit_grid},
                      true,
                      state.setup.launch.fit_grid,
                      true});
}

void add_view(const AppState& state, std::vector<Command>& commands) {
  const Preferences& preferences = state.frame.preferences;
  for (const ViewRow* row : offered_tabs(state.program))
    commands.push_back({Menu::view,
                        row->title,
                        {true, false, row->key},
                        ShowView{row->view},
                        true,
                        state.frame.view == row->view,
                        false,
                        "view tab show"});
  commands.push_back({Menu::view,
                      "Problems and runs",
                      {true, false, "J"},
                      ShowBottom{!preferences.bottom_open},
                      !state.frame.present,
                      preferences.bottom_open,
                      true});
  commands.push_back({Menu::view,
                      "Larger text",
                      {true, false, "+"},
                      SetTextScale{preferences.text_scale + 0.1f},
                      preferences.text_scale < max_text_scale - 0.001f,
                      false,
                      true,
                      "font size zoom settings"});
  commands.push_back({Menu::view,
                      "Smaller text",
                      {true, false, "-"},
                      SetTextScale{preferences.text_scale - 0.1f},
                      preferences.text_scale > min_text_scale + 0.001f,
                      false,
                      false,
                      "font size zoom settings"});
  commands.push_back({Menu::view, "Normal text", {true, false, "0"}, SetTextScale{1.0f}});
  const bool light = preferences.theme == Theme::light;
  commands.push_back({Menu::view,
                      "Light theme",
                      {true, false, "L"},
                      SetTheme{light ? Theme::dark : Theme::light},
                      true,
                      light,
                      true,
                      "dark colours settings"});
  const auto language = [&](const std::string& name, const std::string& code, bool first) {
    const bool chosen = language_meant(preferences.language) == (code == "en" ? "" : code);
    commands.push_back({Menu::view, name, {}, SetLanguage{code}, true, chosen, first, "language settings"});
  };
  language("English", "en", true);
  for (const Language& other : languages()) language(other.name, other.code, false);
  commands.push_back({Menu::view,
                      "Reduce motion",
                      {},
                      SetReduceMotion{!preferences.reduce_motion},
                      true,
                      preferences.reduce_motion,
                      false,
                      "animation settings"});
  const auto looking = [&](const char* title, Looking when, bool first) {
    commands.push_back({Menu::run, title, {}, SetLooking{when}, true, preferences.looking == when, first});
  };
  looking("Check for races and other mistakes: off", Looking::off, true);
  looking("Check for races and other mistakes: in small runs", Looking::small_runs, false);
  looking("Check for races and other mistakes: always", Looking::always, false);
  const auto compiler = [&](const char* title, CompilerKind kind, bool first) {
    commands.push_back({Menu::run,
                        title,
                        {},
                        SetCompiler{kind},
                        true,
                        preferences.compiler == kind,
                        first,
                        "CUDA C++ settings"});
  };
  compiler("Compiler: NVRTC, or clang where that is not there", CompilerKind::what_is_there, true);
  compiler("Compiler: NVRTC", CompilerKind::nvrtc, false);
  compiler("Compiler: clang", CompilerKind::clang, false);
  commands.push_back({Menu::view,
                      "Present",
                      {false, false, "F11"},
                      Present{!state.frame.present},
                      true,
                      state.frame.present,
                      true,
                      "full screen projector lecture"});
  commands.push_back({Menu::view, "Spotlight around the pointer",
                      state.frame.present ? KeyPress{false, false, "S"} : KeyPress{},
                      SetSpotlight{!preferences.spotlight}, true, preferences.spotlight, false, "present"});
  commands.push_back({Menu::view, "Blank the screen",
                      state.frame.present ? KeyPress{false, false, "B"} : KeyPress{},
                      Blank{!state.frame.blank}, state.frame.present, state.frame.blank});
  commands.push_back({Menu::view, "Reset layout", {}, ResetLayout{}});
}

// Letters are keys while a lesson is open, but not in text fields.
void add_learn(const AppState& state, std::vector<Command>& commands) {
  const bool open = state.lesson.is_open();
  const auto letter = [&](const char* name) { return open ? KeyPress{false, false, name} : KeyPress{}; };
  commands.push_back({Menu::learn,
                      "Lessons and challenges…",
                      {false, false, "F2"},
                      ShowDialog{Dialog::learn},
                      true,
                      false,
                      false,
                      "learn course lesson challenge exercise teach"});
  const auto& offered = state.drafts.offered;
  if (offered && !offered->words().empty())
    commands.push_back({Menu::learn, "Continue: " + offered->words(), {}, Continue{}});
  commands.push_back({Menu::learn, "Open a lesson or a challenge of your own…", {}, OpenFolder{}});
  commands.push_back(
      {Menu::learn, "Open a class…", {}, OpenClass{}, true, false, false, "hand-ins grades teacher"});
  // In a page, what is written there would stay in its memory.
  const bool has_file = state.author.has_file() && !state.frame.in_a_page &&
                        (state.lesson.is_open() || !state.lesson.broken.empty());
  commands.push_back({Menu::learn,
                      "Author's view",
                      {},
                      ShowAuthor{!state.author.on},
                      has_file,
                      has_file && state.author.on,
                      false,
                      "lesson file edit record"});
  const size_t at = state.lesson.player.at, count = state.lesson.player.steps.size();
  commands.push_back(
      {Menu::learn, "Next step (Page Down)", {}, GoToStep{at + 1}, open && at + 1 < count, false, true});
  commands.push_back({Menu::learn, "Step before (Page Up)", {}, GoToStep{at - 1}, open && at > 0});
  commands.push_back({Menu::learn, "Hint", letter("H"), ShowHint{}, open});
  commands.push_back({Menu::learn, "Reset this step", {}, ResetStep{}, open});
  commands.push_back({Menu::learn, "Undo the reset", {}, UndoReset{}, can_undo_reset(state)});
  commands.push_back({Menu::learn, "Reveal the answers", letter("R"), RevealStep{}, open, false, true});
  commands.push_back({Menu::learn, "Teacher's notes", letter("N"), ShowNotes{!state.lesson.notes}, open,
                      state.lesson.notes});
  commands.push_back({Menu::learn,
                      "Count the class's votes with 1 to 4",
                      {},
                      CountVotes{!state.lesson.votes},
                      open,
                      state.lesson.votes});
  commands.push_back({Menu::learn, "Show the votes to the class", letter("V"),
                      ShowVotes{!state.lesson.shows_votes}, open, state.lesson.shows_votes});
  const bool locked = state.frame.preferences.answer_lock != 0;
  commands.push_back({Menu::learn,
                      locked ? "Unlock the answers…" : "Lock answers…",
                      {},
                      ShowDialog{Dialog::lock_answers},
                      true,
                      locked,
                      false,
                      "teacher reveal students number"});
  commands.push_back({Menu::learn, "Close the lesson", {}, CloseLesson{}, open});
  commands.push_back({Menu::learn, "Close the challenge", {}, CloseChallenge{}, state.challenge.is_open()});
  commands.push_back({Menu::learn,
                      "Predict, then reveal",
                      {},
                      SetPredict{!state.predict.on},
                      !open,
                      state.predict.on,
                      true,
                      "guess figures hidden"});
  commands.push_back({Menu::learn, "Forget my progress", {}, ForgetMe{}, !state.progress.empty()});
}

void add_help(std::vector<Command>& commands) {
  commands.push_back({Menu::help, "Manual", {}, ShowManual{}});
  commands.push_back({Menu::help, "Every command…", {true, false, "P"}, ShowDialog{Dialog::palette}});
  commands.push_back({Menu::help, "Keys", {false, false, "F1"}, ShowDialog{Dialog::keys}});
  commands.push_back({Menu::help, "About WarpLens", {}, ShowDialog{Dialog::about}});
}

void add_choices(const AppState& state, std::vector<Command>& commands) {
  for (const KernelDescription& kernel : built_in_kernels()) {
    commands.push_back({Menu::none,
                        "Kernel: " + kernel.title,
                        {},
                        ChooseKernel{kernel.name},
                        true,
                        state.setup.kernel == &kernel,
                        false,
                        words_of(kernel)});
  }
  const std::string spoken = language_meant(state.frame.preferences.language);
  for (const CourseLesson& lesson : course_lessons(spoken))
    commands.push_back({Menu::none,
                        "Lesson: " + lesson.title,
                        {},
                        OpenLesson{lesson.name},
                        true,
                        false,
                        false,
                        "learn " + lesson.about});
  for (const CourseChallenge& challenge : course_challenges(spoken))
    commands.push_back({Menu::none,
                        "Challenge: " + challenge.title,
                        {},
                        OpenChallenge{challenge.name},
                        true,
                        false,
                        false,
                        "learn exercise " + challenge.about});
  for (const auto* devices : {&state.setup.real_gpus.devices, &built_in_devices()})
    for (const Device& device : *devices)
      commands.push_back({Menu::none,
                          "Device: " + device.name + (device.is_virtual ? "" : " (" + device.id + ")"),
                          {},
                          ChooseDevice{device.id},
                          true,
                          state.setup.device.id == device.id,
                          false,
                          "gpu " + device.id + (device.is_virtual ? " virtual" : " real")});
  for (const SamplePhoto& photo : state.files.samples) {
    commands.push_back({Menu::none, "Picture: " + photo.title, {}, ChoosePicture{photo.name}});
  }
  for (const Problem& problem : state.problems.all) {
    if (!problem.fix) continue;
    commands.push_back({Menu::none, "Fix: " + problem.fix->label, {}, ApplyFix{*problem.fix}});
  }
}

// The browser has keys of its own, which it gives no page (app/host/web/page/keys.js).
KeyPress key_in_a_page(const KeyPress& key) {
  const bool digit = key.name.size() == 1 && key.name[0] >= '0' && key.name[0] <= '9';
  if (key.ctrl && digit && key.name != "0" && !key.shift) return {false, true, key.name, true};
  if (key.name == "F5" && !key.ctrl) return {true, false, "Enter"};
  const bool browsers = key.ctrl && (digit || key.name == "+" || key.name == "-" || key.name == "L");
  return browsers || key.name == "F11" ? KeyPress{} : key;
}

// A page is closed by its browser, and the browser keeps what it has of the person.
void fit_to_a_page(const AppState& state, std::vector<Command>& commands) {
  if (!state.frame.in_a_page) return;
  for (Command& command : commands) command.key = key_in_a_page(command.key);
  std::erase_if(commands, [](const Command& one) {
    return as<Quit>(one.action) || as<SetLive>(one.action) || as<PlayLive>(one.action) ||
           as<SaveViews>(one.action);
  });
  commands.push_back(
      {Menu::file, "Forget me", {}, ForgetAll{}, true, false, true, "settings progress kept browser delete"});
}

// In a window for students what is refused is not offered.
void leave_out_what_students_lack(const AppState& state, std::vector<Command>& commands) {
  if (!state.frame.student) return;
  std::erase_if(commands,
                [&](const Command& one) { return !why_not_for_students(state, one.action).empty(); });
}

int word_score(const std::string& title, const std::string& word) {
  const size_t at = title.find(word);
  if (at == std::string::npos) return 0;
  if (at == 0) return 4;
  return title[at - 1] == ' ' ? 3 : 1;
}

}  // namespace

std::string words_of(const KernelDescription& kernel) {
  return "kernel " + kernel.name + " " + kernel.category + " " + kernel.teaches;
}

bool belongs_to_text(const KeyPress& key) {
  if (key.alt) return false;
  if (key.ctrl) return key.name == "Z" || key.name == "L" || key.name == "Home" || key.name == "End";
  return key.name.size() == 1 || key.name == "Home" || key.name == "End" || key.name == "Enter";
}

std::string key_text(const KeyPress& key) {
  std::string text;
  if (key.alt) text += "Alt+";
  if (key.ctrl) text += "Ctrl+";
  if (key.shift) text += "Shift+";
  return text.append(key.name);
}

std::vector<Command> menu_commands(const AppState& state) {
  std::vector<Command> commands;
  add_file(state, commands);
  add_run(state, commands);
  add_view(state, commands);
  add_learn(state, commands);
  add_help(commands);
  fit_to_a_page(state, commands);
  leave_out_what_students_lack(state, commands);
  return commands;
}

std::vector<Command> all_commands(const AppState& state) {
  std::vector<Command> commands = menu_commands(state);
  add_choices(state, commands);
  leave_out_what_students_lack(state, commands);
  return commands;
}

static int score_of(std::string_view title, std::string_view typed, std::string_view words) {
  constexpr int of_title = 10, exact = 1000;
  const std::string in_title = lower_case(title), in_words = lower_case(words), wanted = lower_case(typed);
  int score = !wanted.empty() && in_title == wanted ? exact : 1;
  for (size_t start = 0; start < wanted.size();) {
    const size_t end = std::min(wanted.find(' ', start), wanted.size());
    if (end > start) {
      const std::string word = wanted.substr(start, end - start);
      const int found = of_title * word_score(in_title, word);
      const int further = found > 0 ? found : word_score(in_words, word);
      if (further == 0) return 0;
      score += further;
    }
    start = end + 1;
  }
  return score;
}

int match_score(std::string_view title, std::string_view typed, std::string_view words) {
  const std::string said = shown(title);
  const int english = score_of(title, typed, words);
  return said == title ? english : std::max(english, score_of(said, typed, words));
}

std::vector<size_t> matching_commands(const std::vector<Command>& commands, std::string_view typed) {
  std::vector<std::pair<int, size_t>> ranked;
  for (size_t i = 0; i < commands.size(); ++i) {
    const int score = match_score(commands[i].title, typed, commands[i].words);
    if (score > 0) ranked.emplace_back(-score, i);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<size_t> order;
  order.reserve(ranked.size());
  for (const auto& [score, index] : ranked) order.push_back(index);
  return order;
}

}  // namespace warplens
