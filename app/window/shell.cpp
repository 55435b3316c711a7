#include "app/window/shell.h"

#include <fmt/chrono.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <thread>

#include "app/base/language.h"
#include "app/base/proposed_text.h"
#include "app/host/window.h"
#include "app/state/files/drafts.h"
#include "app/state/files/file_dialogs.h"
#include "app/state/files/session.h"
#include "app/state/files/several_files.h"
#include "app/state/update.h"
#include "app/views/image/panel/panel.h"
#include "app/window/fonts.h"
#include "app/window/frame/blank.h"
#include "app/window/restart.h"
#include "app/window/shortcuts.h"
#include "app/window/theme.h"
#include "core/base/system/between_frames.h"
#include "core/compile/choice.h"
#include "core/compile/stored.h"

namespace warplens {
namespace {

// Frames continue for this time after the last event, in which tooltips appear and lists settle.
constexpr double awake_seconds = 0.6;
constexpr double progress_seconds = 1.0 / 30;
constexpr double program_seconds = 0.25;  // the time of a program that runs
constexpr double caret_seconds = 0.4;
constexpr double seconds_between_keeping = 0.5;
constexpr double settling_seconds = 1;  // what an event changes may come some frames after it
constexpr double clock_seconds = 1;     // of the teacher's window
constexpr double asleep_seconds = 30;   // ages in the list of runs
// A driver needs some seconds to notice that a context is lost after a fault on its GPU.
constexpr double fault_seconds = 15;

// The start of the window: what it kept, and what the command line asks for.
void start(AppState& state, const WindowOptions& options, const WindowSettings& settings,
           const std::filesystem::path& config_folder) {
  if (options.block) update(state, SetBlock{*options.block});
  Preferences preferences = settings.preferences;
  if (options.theme) preferences.theme = *options.theme;
  if (options.language) preferences.language = *options.language;
  if (options.text_scale) preferences.text_scale = *options.text_scale;
  update(state, TakeSamples{sample_photos()});
  update(state, StartWindow{preferences, settings.recent, load_progress(config_folder),
                            !config_folder.empty() && !settings.welcomed, options.view, options.image,
                            options.student});
}

// What a window that was lost left is opened again, but not on the real GPU: the run that may have caused the
// loss is not repeated automatically.
std::shared_ptr<const OfferedPlace> without_real_gpu(const AppState& state, const OfferedPlace& offer,
                                                     std::string& why) {
  auto elsewhere = std::make_shared<OfferedPlace>(offer);
  if (elsewhere->session.device.starts_with("cuda:")) {
    elsewhere->session.device = state.setup.device.id;
    why += " The kernel now runs on a virtual GPU: choose the real one to run it there again.";
  }
  return elsewhere;
}

// Where a crash or the browser ended the window, it goes on by itself; else it is offered.
void continue_or_offer(AppState& state, std::shared_ptr<const OfferedPlace> offer) {
  const bool page = state.frame.in_a_page;
  if (offer->in_other_window || (offer->ended_well && !page)) return update(state, OfferPlace{offer});
  std::string why = "The program ended unexpectedly the last time; what you had chosen is as it was.";
  if (was_restarted()) {
    why = window_was_lost;
    offer = without_real_gpu(state, *offer, why);
  }
  update(state, OfferPlace{offer});
  if (state.drafts.offered)
    update(state, Continue{});
  else
    update(state, SessionLoaded{std::make_shared<const Session>(offer->session), ""});
  if (!page) update(state, Notify{ProblemLevel::note, "Your last session is back", why});
}

float text_scale_for(const host::Window& window) {
  const host::Screen screen = window.screen();
  return proposed_text_scale(screen.pixels, screen.millimetres, window.content_scale());
}

// Opens what the command line names, or else what an earlier window left.
void open_first(AppState& state, const WindowOptions& options, const Keeper& keeper) {
  const bool asked = !options.file.empty() || !options.author.empty() || !options.lesson.empty() ||
                     !options.challenge.empty() || options.student != 0 || !options.kernel.empty() ||
                     !options.device.empty() || !options.image.empty() || options.block;
  if (!keeper.unread().empty())
    update(state, Notify{ProblemLevel::warning, "Some of what you typed could not be read", keeper.unread()});
  if (keeper.found() && asked && !keeper.found()->in_other_window)
    update(state, OfferPlace{keeper.found()});  // its drafts
  if (!options.file.empty()) return update(state, OpenFile{options.file});
  if (!options.author.empty()) {
    update(state, ShowAuthor{true});
    return update(state, OpenFolder{options.author});
  }
  if (!options.lesson.empty()) return update(state, OpenLesson{options.lesson});
  if (!options.challenge.empty()) return update(state, OpenChallenge{options.challenge});
  if (options.student != 0) return update(state, ShowDialog{Dialog::learn});
  if (!asked && keeper.found()) continue_or_offer(state, keeper.found());
}

}  // namespace

Result<std::unique_ptr<Shell>> Shell::open(const WindowOptions& options, WorkerCalls calls, bool visible,
                                           std::filesystem::path config_folder) {
  auto state = initial_state(options.kernel, options.device);
  if (!state) return state.error();
  const WindowSettings settings = load_settings(config_folder);
  start(*state, options, settings, config_folder);
  auto keeper = std::make_unique<Keeper>(config_folder);
  open_first(*state, options, *keeper);
  GlWindowOptions window_options;
  window_options.width = options.width > 0 ? options.width : settings.width;
  window_options.height = options.height > 0 ? options.height : settings.height;
  window_options.visible = visible;
  window_options.vsync = visible;
  Worker worker = start_worker(*state, std::move(calls));
  auto window = GlWindow::open(window_options);
  if (!window) return window.error();
  std::unique_ptr<Shell> shell(new Shell(std::move(*state), std::move(*window), std::move(worker),
                                         options.make_live, std::move(config_folder), std::move(keeper),
                                         settings.preferences));
  shell->m_judge.set_program(options.judge_program);
  FrameState& frame = shell->m_state.frame;
  if (frame.welcome && frame.preferences.text_scale == 1 && !options.text_scale)
    frame.proposed_text_scale = text_scale_for(shell->m_window->host());
  if (!options.class_link.empty()) {
    shell->m_follower = std::make_unique<ClassFollower>([] { GlWindow::wake(); });
    shell->m_follower->follow(options.class_link);
  }
  if (options.say_notes) shell->m_notes = std::make_unique<NotesTeller>(options.say_notes);
  return shell;
}

// Reading the sample picture takes some milliseconds. Its run then continues while the window opens.
Shell::Worker Shell::start_worker(AppState& state, WorkerCalls calls) {
  Worker worker;
  worker.window_is_open = std::make_shared<std::atomic<bool>>(false);
  const auto wake = [open = worker.window_is_open] {
    if (open->load()) GlWindow::wake();
  };
  worker.queue = std::make_unique<RunQueue>(std::move(calls), wake);
  worker.files = std::make_unique<FileWorker>(wake);
  Actions none;
  Environment environment{*worker.queue, *worker.files};
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(60);
  do {
    drive(state, none, environment, worker.memory);
    if (state.runs.now.wanted == 0 && !work_between_frames())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  } while (state.runs.now.wanted == 0 && !state.runs.result && std::chrono::steady_clock::now() < end);
  return worker;
}

Shell::Shell(AppState state, std::unique_ptr<GlWindow> window, Worker worker, MakeLive make_live,
             std::filesystem::path config_folder, std::unique_ptr<Keeper> keeper, const Preferences& kept)
    : m_state(std::move(state)),
      m_kept(kept),
      m_started(m_state.frame.preferences),
      m_config_folder(std::move(config_folder)),
      m_keeper(std::move(keeper)),
      m_window(std::move(window)),
      m_frame(std::make_unique<FrameMemory>()),
      m_worker(std::move(worker)) {
  m_worker.window_is_open->store(true);
  LiveView& live = live_view_of(m_frame->panels[View::image]);
  live.wake = [] { GlWindow::wake(); };
  if (make_live) live.make_engine = std::move(make_live);
  m_frame->fetch.wake = [] { GlWindow::wake(); };
  m_frame->fetch.offered = m_config_folder.empty() || load_settings(m_config_folder).fetch_offered;
  ImGui::GetIO().UserData = &m_look;
  load_fonts(m_look);
  const std::string layout = load_layout(m_config_folder);
  if (!layout.empty()) ImGui::LoadIniSettingsFromMemory(layout.c_str(), layout.size());
}

Shell::~Shell() {
  m_worker.queue.reset();
  m_teacher = {};
  m_worker.files.reset();  // which writes first what was given to it
  m_keeper->keep_now(files_to_keep(true));
  m_frame.reset();
}

std::vector<KeptFile> Shell::files_to_keep(bool ended_well) {
  const Preferences preferences = preferences_to_keep(m_kept, m_started, m_state.frame.preferences);
  std::vector<KeptFile> files{
      {settings_file, settings_text({preferences, m_window->width(), m_window->height(), m_state.files.recent,
                                     !m_state.frame.welcome, m_frame->fetch.offered})},
      {m_keeper->name_of_drafts(), drafts_text(m_state, ended_well)}};
  if (!m_state.progress.empty()) files.push_back({progress_file, progress_text(m_state.progress)});
  if (!m_frame->layout.ours) {
    size_t size = 0;
    const char* text = ImGui::SaveIniSettingsToMemory(&size);
    files.push_back({layout_file, std::string(text, size)});
  }
  return files;
}

bool Shell::has_something_to_keep() const { return m_last_event + settling_seconds >= m_kept_at; }

// Within a second after the last event, whatever ends the program then.
void Shell::keep_files() {
  if (m_config_folder.empty() || !has_something_to_keep()) return;
  if (m_window->seconds() - m_kept_at < seconds_between_keeping) return;
  m_kept_at = m_window->seconds();
  if (auto work = m_keeper->keep(files_to_keep(false))) m_worker.files->in_turn(*std::move(work));
}

void Shell::keep_all() { m_keeper->keep_now(files_to_keep(false)); }

// What was compiled for a page comes when it has begun, with photographs: then registers are known.
void Shell::take_stored_code() {
  if (m_has_stored_code || !is_stored_code_there()) return;
  m_has_stored_code = true;
  m_actions.push(TakeSamples{sample_photos()});
  if (m_state.setup.kernel && !m_state.code.own) m_actions.push(RunAgain{});
}

double Shell::wait_seconds() const {
  const double wait = wait_for_work();
  return has_something_to_keep() ? std::min(wait, seconds_between_keeping) : wait;
}

double Shell::wait_for_work() const {
  if (!m_actions.empty() || !m_state.effects.waiting.empty() || m_frames < 5) return 0;
  if (m_window->seconds() - m_last_event < awake_seconds || ImGui::IsAnyMouseDown()) return 0;
  if (const auto live = this->live().wait_s()) return *live;
  if (m_frame->panels.moves()) return 0;
  if (m_state.runs.now.phase == RunPhase::running || m_judge.busy() || m_worker.files->busy() ||
      m_frame->panels.busy() || m_frame->fetch.busy() || m_frame->dialogs.files.listing.busy())
    return progress_seconds;
  if (m_runner.busy()) return program_seconds;
  if (m_state.step.playing) return 1 / (2 * m_state.step.lines_per_second);
  if (m_dialogs.waiting()) return 0.1;
  if (m_window->seconds() < m_watch_until) return progress_seconds;
  if (ImGui::GetIO().WantTextInput) return caret_seconds;
  if (m_teacher.window) return clock_seconds;
  return asleep_seconds;
}

const LiveView& Shell::live() const { return live_view_of(m_frame->panels[View::image]); }

void Shell::wait_for_events(double at_most) {
  if (m_window->wait_for_events(std::min(wait_seconds(), at_most))) m_last_event = m_window->seconds();
}

void Shell::take_look() {
  const Preferences& preferences = m_state.frame.preferences;
  if (m_language != preferences.language) {
    m_language = preferences.language;
    speak(language_meant(*m_language));
  }
  const float lines = static_cast<float>(m_window->height()) / ImGui::GetStyle().FontScaleDpi;
  const bool reads = m_state.lesson.is_open() || m_state.challenge.is_open();
  const float scale = m_state.frame.present ? projector_scale(preferences.text_scale, lines)
                      : reads               ? reading_scale(preferences.text_scale, lines)
                                            : preferences.text_scale;
  const bool changed = m_window->rescaled() || m_applied_scale != scale ||
                       m_look.theme != preferences.theme || m_look.reduce_motion != preferences.reduce_motion;
  if (!changed) return;
  m_look.theme = preferences.theme;
  m_look.palette = palette_of(preferences.theme);
  m_look.reduce_motion = preferences.reduce_motion;
  m_applied_scale = scale;
  apply_theme(m_look, scale);
}

// The process takes the compiler that was chosen, and what is shown is compiled by it.
void Shell::take_compiler() {
  const CompilerKind chosen = m_state.frame.preferences.compiler;
  if (chosen == m_compiler) return;
  m_compiler = chosen;
  prefer_compiler(chosen);
  if (m_frames > 0) m_actions.push(CompileAgain{});
}

void Shell::take_drops() {
  const auto files = m_window->dropped_files();
  if (files.empty()) return;
  for (Action& action : to_open(files)) m_actions.push(std::move(action));
}

WindowCalls Shell::window_calls() {
  WindowCalls calls;
  calls.ask_file = [this](Dialog asked) { m_dialogs.ask(asked, proposed_name(m_state, asked), m_actions); };
  calls.copy_link = [this](const std::string& text) {
    const std::string address = host::address_of_page();
    ImGui::SetClipboardText((address + text).c_str());
    m_actions.push(Notify{
        ProblemLevel::note, "The link is copied",
        address.empty() ? "It opens here with File, Open link. To open it in a browser, put the address of a "
                          "page with WarpLens before it (set WARPLENS_PAGE to that address)."
                        : "It opens exactly the view that you see now.",
        NoticeKind::saving});
  };
  calls.forget_progress = [this] { m_keeper->forget(progress_file); };
  calls.forget_all = [this] {
    m_keeper->forget_all();  // nothing is kept until the page is loaded again
    host::begin_again();
  };
  calls.reset_layout = [this] {
    m_reset_layout = true;
    m_keeper->forget(layout_file);
  };
  calls.quit = [this] { m_closed = true; };
  return calls;
}

// When an editor saves the own kernel's file, the new text runs at once; so does a program whose user wants
// that.
void Shell::watch_source() {
  m_watch.watch(m_state.code.own ? m_state.code.path : std::string());
  const bool own_lesson = m_state.lesson.is_open() && !m_state.lesson.open->folder.path.empty();
  // An author's file is watched also while it has mistakes and nothing is open.
  const AuthorState& author = m_state.author;
  const std::string lesson_folder = own_lesson  ? m_state.lesson.open->folder.path
                                    : author.on ? author.folder
                                                : "";
  m_lesson_watch.watch(lesson_folder.empty() ? std::string() : lesson_folder + "/lesson.md");
  const ProgramRun& run = m_state.program.run;
  m_program_watch.watch(run.choices.again_on_save && run.has_run ? run.path : std::string());
  const ProgramSource& source = m_state.program.source;
  m_program_text_watch.watch(source.is_ready() ? source.path : std::string());
  if (auto changed = m_program_text_watch.take())
    m_actions.push(ProgramTextChanged{changed->first, std::move(changed->second)});
  if (const auto saved = m_program_watch.take()) m_actions.push(ProgramSaved{saved->first});
  if (m_lesson_watch.take()) m_actions.push(OpenFolder{lesson_folder, true});
  if (auto changed = m_watch.take()) m_actions.push(ReloadSource{changed->first, std::move(changed->second)});
}

// Continues to draw for a while after a fault of a real GPU, to notice whether the window was lost.
void Shell::watch_for_faults() {
  if (m_state.runs.result == m_watched) return;
  m_watched = m_state.runs.result;
  const bool fault = m_watched && m_watched->status == RunStatus::fault && m_watched->request &&
                     !m_watched->request->device.is_virtual;
  if (fault) m_watch_until = m_window->seconds() + fault_seconds;
}

TeacherNotes Shell::teacher_notes() const {
  if (!m_teacher.said) return {};
  const std::lock_guard lock(m_teacher.said->mutex);
  return m_teacher.said->now;
}

// With N while presenting. N closes it again.
void Shell::show_teacher_notes() {
  const bool wanted = m_state.lesson.is_open() && m_state.lesson.notes && m_state.frame.present;
  if (!wanted) {
    m_teacher = {};
    return;
  }
  if (!m_teacher.said) {
    auto said = std::make_shared<Teacher::Said>();
    m_teacher.said = said;
    m_teacher.teller = std::make_unique<NotesTeller>(
        [said](const std::string& notes) {
          const std::lock_guard lock(said->mutex);
          said->now = {notes, {}};
          GlWindow::wake();
        },
        [said](const lesson::StepText& next) {
          const std::lock_guard lock(said->mutex);
          said->now.next = next;
          GlWindow::wake();
        });
    m_teacher.window =
        SecondWindow::open("WarpLens: notes", 620, 760, m_state.frame.preferences.theme, 1.15f);
    if (!m_teacher.window)
      m_actions.push(Notify{ProblemLevel::note, "There is no second window for the notes",
                            "warplens --notes writes them into the terminal."});
  }
  drive_notes(m_state, *m_teacher.teller);
  if (!m_teacher.window) return;
  const TeacherNotes told = teacher_notes();
  m_teacher.window->frame([&] {
    read_shortcuts(m_state, m_actions);
    if (m_state.frame.blank) end_blank(m_actions);
    draw_teacher_notes(m_state, told, fmt::format("{:%H:%M}", fmt::localtime(std::time(nullptr))), m_actions);
  });
  if (m_teacher.window->should_close()) m_actions.push(ShowNotes{false});
}

void Shell::frame() {
  take_compiler();
  take_drops();
  watch_source();
  m_dialogs.poll(m_actions);
  if (m_follower)
    for (const Action& told : m_follower->poll()) m_actions.push(told);
  m_actions.push(Tick{m_window->seconds(), ImGui::GetIO().Framerate});
  Environment environment{*m_worker.queue, *m_worker.files, window_calls()};
  drive(m_state, m_actions, environment, m_worker.memory);
  drive_steps(m_state, m_steps);
  drive_judge(m_state, m_judge);
  if (m_notes) drive_notes(m_state, *m_notes);
  drive_program_run(m_state, m_runner);
  drive_files(m_state, *m_worker.files);
  watch_for_faults();
  if (m_state.frame.in_a_page) take_stored_code();
  keep_files();
  take_look();
  m_window->fill_screen(m_state.frame.present);
  m_frame->panels.collect();
  m_window->begin_frame();
  read_shortcuts(m_state, m_actions);
  draw_frame(m_state, *m_frame, std::exchange(m_reset_layout, false), m_actions);
  m_window->end_frame();
  show_teacher_notes();
  ++m_frames;
  m_pictures += m_state.runs.result && !m_frame->panels.busy();
  // What a result changes needs some frames to find its place: parts know their height from the frame before.
  const bool worked = std::exchange(m_works, works());
  if (worked && !m_works) m_last_event = m_window->seconds();
  if (m_window->should_close()) m_closed = true;
}

bool Shell::works() const {
  return !settled() || m_frame->fetch.busy() || m_frame->dialogs.files.listing.busy();
}

bool Shell::settled() const {
  return m_state.runs.now.phase == RunPhase::idle && m_state.runs.now.wanted == 0 &&
         m_state.code.wanted == 0 && m_state.effects.waiting.empty() && !m_worker.queue->busy() &&
         !m_steps.busy() && !m_judge.busy() && !m_worker.files->busy() && !m_runner.busy() &&
         !m_state.program.run.is_busy() && !m_frame->panels.busy() &&
         (m_state.runs.result != nullptr || !m_state.problems.all.empty());
}

}  // namespace warplens
