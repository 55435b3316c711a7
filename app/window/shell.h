// The window with state, worker and panels. open_window(), render_window() and the tests of the window use
// it.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "app/widgets/look.h"
#include "app/window/file_dialogs.h"
#include "app/window/frame/frame.h"
#include "app/window/frame/teacher_notes.h"
#include "app/window/gl_window.h"
#include "app/window/second_window.h"
#include "app/window/settings.h"
#include "app/window/window.h"
#include "app/worker/class_follower.h"
#include "app/worker/drive.h"
#include "app/worker/file_watch.h"
#include "app/worker/file_worker.h"
#include "app/worker/judge_worker.h"
#include "app/worker/keeper.h"
#include "app/worker/notes_teller.h"
#include "app/worker/program_runner.h"
#include "app/worker/step_worker.h"
#include "app/worker/worker_calls.h"

namespace warplens {

class Shell {
 public:
  // Fails if the kernel or device is unknown (bad_input), or if there is no display or OpenGL (missing).
  static Result<std::unique_ptr<Shell>> open(const WindowOptions& options, WorkerCalls calls, bool visible,
                                             std::filesystem::path config_folder);
  ~Shell();
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;

  // Waits until something changes, but for these seconds at most.
  void wait_for_events(double at_most);
  // Draws one frame now.
  void frame();
  bool closed() const { return m_closed; }
  // Saves everything that is saved when the window closes, for a process that ends without closing it.
  void keep_all();
  // Whether a result is on the screen and the worker is idle.
  bool settled() const;
  // Whether work on other threads is running whose result a later frame will show.
  bool works() const;
  // Whether a frame with a complete result was drawn.
  bool shows_a_picture() const { return m_pictures > 0; }

  AppState& state() { return m_state; }
  Actions& actions() { return m_actions; }
  GlWindow& window() { return *m_window; }
  // The teacher's own window, while a lesson is presented with notes; null else.
  SecondWindow* teacher_window() { return m_teacher.window.get(); }
  TeacherNotes teacher_notes() const;  // what it shows
  const LiveView& live() const;
  FetchCardState& fetch_card() { return m_frame->fetch; }  // tests put tools of their own into it

 private:
  // The worker starts before the window exists. The first picture needs both, and neither waits for the
  // other.
  struct Worker {
    DriveMemory memory;
    std::shared_ptr<std::atomic<bool>> window_is_open;
    std::unique_ptr<RunQueue> queue;
    std::unique_ptr<FileWorker> files;
  };
  static Worker start_worker(AppState& state, WorkerCalls calls);
  Shell(AppState state, std::unique_ptr<GlWindow> window, Worker worker, MakeLive make_live,
        std::filesystem::path config_folder, std::unique_ptr<Keeper> keeper, const Preferences& kept);

  double wait_seconds() const;
  double wait_for_work() const;
  void take_look();
  void take_compiler();
  void take_drops();
  WindowCalls window_calls();
  void watch_source();
  void watch_for_faults();
  bool has_something_to_keep() const;
  std::vector<KeptFile> files_to_keep(bool ended_well);
  void keep_files();
  void take_stored_code();
  void show_teacher_notes();

  AppState m_state;
  Preferences m_kept, m_started;  // as they were saved, and as the options of this start made them
  Actions m_actions;
  Look m_look;
  float m_applied_scale = 0;
  std::optional<std::string> m_language;  // the preference that is spoken
  CompilerKind m_compiler = CompilerKind::what_is_there;
  std::filesystem::path m_config_folder;
  std::unique_ptr<Keeper> m_keeper;
  std::unique_ptr<GlWindow> m_window;  // declared before everything that uses its context
  FileDialogs m_dialogs;
  std::unique_ptr<FrameMemory> m_frame;
  bool m_closed = false, m_reset_layout = false;
  double m_last_event = 0, m_watch_until = 0;
  std::shared_ptr<const RunResult> m_watched;  // the last result that was checked for a fault
  uint64_t m_frames = 0, m_pictures = 0;
  bool m_works = false;  // in the last frame
  StepWorker m_steps{[] { GlWindow::wake(); }};
  JudgeWorker m_judge{[] { GlWindow::wake(); }};
  ProgramRunner m_runner{[] { GlWindow::wake(); }};
  std::unique_ptr<ClassFollower> m_follower;                 // null if no class is followed
  FileWatch m_watch{[] { GlWindow::wake(); }};               // watches the own kernel's file
  FileWatch m_lesson_watch{[] { GlWindow::wake(); }};        // and that of the lesson
  FileWatch m_program_text_watch{[] { GlWindow::wake(); }};  // and that of the program that is edited
  FileWatch m_program_watch{[] { GlWindow::wake(); }, FileWatch::Tells::that_it_rests};
  double m_kept_at = 0;
  bool m_has_stored_code = false;
  std::unique_ptr<NotesTeller> m_notes;  // null if they have no reader
  // The teacher's own window, and what its teller said last.
  struct Teacher {
    struct Said {
      std::mutex mutex;
      TeacherNotes now;
    };
    std::shared_ptr<Said> said;
    std::unique_ptr<NotesTeller> teller;
    std::unique_ptr<SecondWindow> window;
  };
  Teacher m_teacher;
  Worker m_worker;  // last member, so that its thread ends first
};

}  // namespace warplens
