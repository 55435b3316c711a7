#include "app/worker/perform.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

#include "app/base/language.h"
#include "app/classroom/class_report.h"
#include "app/state/files/session.h"
#include "app/state/update.h"
#include "app/views/document.h"
#include "app/worker/drive.h"
#include "core/base/system/files.h"
#include "core/lesson/format/lesson.h"
#include "core/lesson/judge/judge_process.h"
#include "core/system/places.h"
#include "core/system/run_program.h"
#include "core/system/server.h"

namespace warplens {
namespace {

Notify opening_failed(std::string title, std::string why) {
  return {ProblemLevel::error, std::move(title), std::move(why), NoticeKind::opening};
}

// Says where a file is now, or why it is not.
Notify saved_or_not(const Result<void>& saved, std::string where, std::string yes, std::string no) {
  if (!saved) return {ProblemLevel::error, std::move(no), saved.error().message, NoticeKind::saving};
  return {ProblemLevel::note, std::move(yes), std::move(where), NoticeKind::saving};
}

// The folder, or the one of the file that was opened. A challenge has a challenge.md, a lesson a lesson.md.
Action open_folder(const effect::OpenFolder& wanted) {
  constexpr const char* not_opened = "The folder was not opened";
  std::error_code ignored;
  const std::string folder = std::filesystem::is_directory(wanted.path, ignored)
                                 ? wanted.path
                                 : std::filesystem::path(wanted.path).parent_path().string();
  const Result<lesson::Folder> read = lesson::load_folder(folder);
  if (!read) return opening_failed(not_opened, read.error().message);
  if (read->files.contains("challenge.md")) {
    lesson::LoadedChallenge challenge = lesson::load_challenge(*read, std::string(spoken()));
    return ChallengeLoaded{std::make_shared<const LoadedChallenge>(
        LoadedChallenge{*read, std::move(challenge.challenge), std::move(challenge.diagnostics)})};
  }
  if (read->files.contains("lesson.md")) {
    lesson::LoadedLesson lesson = lesson::load_lesson(*read, std::string(spoken()));
    return LessonLoaded{std::make_shared<const LoadedLesson>(
                            LoadedLesson{*read, std::move(lesson.lesson), std::move(lesson.diagnostics)}),
                        wanted.again};
  }
  return opening_failed(not_opened, folder + " has neither a lesson.md nor a challenge.md.");
}

Action open_session(const std::string& path) {
  const Result<Session> session = read_session(path);
  if (!session) return opening_failed("The session was not opened", session.error().message);
  return SessionLoaded{std::make_shared<const Session>(*session), path};
}

std::optional<Action> show_folder(const std::string& path) {
  const auto shown =
      run_program("/bin/sh", {"-c", "exec xdg-open \"$1\"", "sh", path}, std::chrono::seconds(10));
  if (shown && shown->status == 0) return std::nullopt;
  return Notify{ProblemLevel::note, "This desktop opens no folders (xdg-open)", path, NoticeKind::saving};
}

constexpr uint64_t most_program_bytes = 4 << 20;

ProgramTextRead read_program(const std::string& path) {
  Result<std::string> text = read_text(path, most_program_bytes);
  if (!text) return {path, "", text.error().message};
  if (text->find('\0') != std::string::npos) return {path, "", "This file is no text."};
  return {path, std::move(text).value(), ""};
}

// Not over what another program has written meanwhile. A file that is gone is written again.
ProgramTextSaved save_program(const effect::SaveProgram& wanted) {
  std::error_code ignored;
  if (std::filesystem::exists(wanted.path, ignored)) {
    Result<std::string> now = read_text(wanted.path, most_program_bytes);
    if (!now) return {wanted.path, "", now.error().message};
    if (*now != wanted.before && *now != wanted.text) return {wanted.path, "", "", std::move(now).value()};
  }
  const Result<void> written = write_text(wanted.path, wanted.text);
  return {wanted.path, wanted.text, written ? "" : written.error().message};
}

// Its table, and the judge's verdicts where they are wanted and this machine can judge.
Action opened_class(const effect::ReadClass& wanted, const std::stop_token& stop) {
  ClassOpened opened{wanted.folder, nullptr, false, ""};
  const Result<ReadClass> read = read_class(wanted.folder);
  if (!read) return opened.error = read.error().message, opened;
  ClassVerdicts verdicts;
  if (wanted.judge) {
    lesson::GradeOptions options;
    options.program = program_path().string();
    options.judge.stop = stop;
    const std::string why_not = lesson::why_not_apart();
    Result<ClassVerdicts> judged = why_not.empty() ? judge_class(wanted.folder, *read, {}, options)
                                                   : Result<ClassVerdicts>(missing(why_not));
    if (judged)
      verdicts = *std::move(judged);
    else
      opened.error = judged.error().message + stars_as_handed_in;
    opened.judged = opened.error.empty();
  }
  std::string problem;
  const auto names =
      wanted.names ? std::map<std::string, std::string>() : made_up_names(wanted.folder, *read, problem);
  if (opened.error.empty()) opened.error = problem;
  ClassReport report = class_report(wanted.folder, *read, names, verdicts, wanted.names);
  if (report.students.empty())
    opened.error = no_hand_in(wanted.folder).message;
  else
    opened.report = std::make_shared<const ClassReport>(std::move(report));
  return opened;
}

// The result that is shown, as a job that its drawing reads.
Job job_of_result(const AppState& state) {
  Job job;
  job.request = state.runs.result->request;
  const KernelDescription* kernel = state.setup.kernel;
  if (kernel != nullptr && kernel->name == job.request->kernel)  // else it waits for its first run
    job.kernel = state.setup.own_kernel ? state.setup.own_kernel : borrowed(*kernel);
  return job;
}

class Performer {
 public:
  Performer(AppState& state, Environment& environment) : m_state(state), m_environment(environment) {}

  void operator()(const effect::CancelRun&) { m_environment.queue.cancel(); }
  void operator()(const effect::CancelSweeps&) { m_environment.queue.cancel_sweeps(); }
  void operator()(effect::LoadPicture& wanted) {
    m_environment.queue.send(LoadPictureOrder{std::move(wanted.name_or_path)});
  }
  void operator()(effect::SavePicture& wanted) {
    if (m_state.runs.result && picture_output(*m_state.runs.result) != nullptr)
      return m_environment.queue.send(
          SavePictureOrder{[result = m_state.runs.result] { return result_picture(*result); }, wanted.path});
    update(m_state, Notify{ProblemLevel::note, "This result is no picture",
                           "Only kernels that write a picture can save one; use warplens run --json for "
                           "numbers.",
                           NoticeKind::saving});
  }
  void operator()(effect::SaveViews& wanted) {
    if (!m_state.runs.result || !m_state.runs.result->request) return;
    RenderChoice choice;
    choice.theme = m_state.frame.preferences.theme;
    in_turn([job = job_of_result(m_state), choice, result = m_state.runs.result, path = wanted.path] {
      return saved_or_not(save_document(choice, job, *result, path), path, "Saved",
                          "The views were not saved");
    });
  }
  void operator()(effect::SaveSource& wanted) {
    m_environment.queue.send(SaveTextOrder{std::move(wanted.path), std::move(wanted.text)});
  }
  void operator()(effect::ReadProgram& wanted) {
    in_turn([path = std::move(wanted.path)] { return read_program(path); });
  }
  void operator()(effect::SaveProgram& wanted) {
    in_turn([wanted = std::move(wanted)] { return save_program(wanted); });
  }
  void operator()(effect::SaveHandIn& wanted) {
    in_turn([path = std::move(wanted.path), text = std::move(wanted.text)] {
      // The page sends the file to the class's server, and shows at the top what that said.
      const bool sent = has_server();
      return saved_or_not(write_text(path, text),
                          sent ? "The top of the page says whether it arrived." : path,
                          sent ? "Your answer goes to your teacher" : "What you hand in is in this file",
                          "Your answer was not saved");
    });
  }
  void operator()(effect::SaveRecording& wanted) {
    in_turn([path = std::move(wanted.path), bytes = std::move(wanted.bytes)] {
      const Result<void> written = write_bytes(path, *bytes);
      return RecordingSaved{path, written ? "" : written.error().message};
    });
  }
  void operator()(effect::OpenSession& wanted) {
    in_turn([path = std::move(wanted.path)] { return open_session(path); });
  }
  void operator()(effect::SaveSession& wanted) {
    in_turn([path = std::move(wanted.path), text = session_text(session_of(m_state))] {
      return saved_or_not(write_text(path, text), path, "The session is saved", "The session was not saved");
    });
  }
  void operator()(effect::ReadClass& wanted) {
    m_environment.files.beside(
        [wanted = std::move(wanted)](const std::stop_token& stop) { return opened_class(wanted, stop); });
  }
  void operator()(effect::SaveClassPage& wanted) {
    in_turn([path = std::move(wanted.path), report = std::move(wanted.report)] {
      return saved_or_not(write_text(path, class_page(*report)), path, "Saved", "The page was not saved");
    });
  }
  // The file watch has it read again.
  void operator()(effect::SaveLesson& wanted) {
    in_turn([path = wanted.folder + "/lesson.md", text = std::move(wanted.text)]() -> std::optional<Action> {
      const Result<void> written = write_text(path, text);
      if (written) return std::nullopt;
      return Notify{ProblemLevel::error, "The lesson was not saved", written.error().message,
                    NoticeKind::saving};
    });
  }
  void operator()(effect::OpenFolder& wanted) {
    in_turn([wanted = std::move(wanted)] { return open_folder(wanted); });
  }
  void operator()(effect::ShowFolder& wanted) {
    in_turn([path = std::move(wanted.path)] { return show_folder(path); });
  }
  void operator()(const effect::AskFile& wanted) {
    if (m_environment.window.ask_file) m_environment.window.ask_file(wanted.dialog);
  }
  void operator()(const effect::CopyLink& wanted) {
    if (m_environment.window.copy_link) m_environment.window.copy_link(wanted.text);
  }
  void operator()(const effect::ForgetProgress&) { call(m_environment.window.forget_progress); }
  void operator()(const effect::ForgetAll&) { call(m_environment.window.forget_all); }
  void operator()(const effect::ResetLayout&) { call(m_environment.window.reset_layout); }
  void operator()(const effect::Quit&) { call(m_environment.window.quit); }

 private:
  void in_turn(FileWorker::Work work) { m_environment.files.in_turn(std::move(work)); }
  static void call(const std::function<void()>& window_call) {
    if (window_call) window_call();
  }

  AppState& m_state;
  Environment& m_environment;
};

}  // namespace

void perform(AppState& state, Environment& environment) {
  for (Effect& wanted : std::exchange(state.effects.waiting, {}))
    std::visit(Performer(state, environment), wanted);
}

}  // namespace warplens
