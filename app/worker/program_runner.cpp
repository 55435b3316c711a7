#include "app/worker/program_runner.h"

#include <exception>
#include <filesystem>
#include <utility>

#include "app/program/words.h"
#include "app/state/update.h"

namespace warplens {
namespace {

ProgramProgress progress_of(const program_run::RunSoFar& so_far) {
  return {so_far.seconds, so_far.launches, so_far.output.lines(), so_far.output.left_out()};
}

ProgramEnded ended(uint64_t serial, const program_run::RecordedRun& run, program_run::RecordedEnd end) {
  ProgramEnded news;
  news.serial = serial;
  news.status = end.status;
  news.signal = end.signal;
  news.stopped = end.stopped;
  news.progress = progress_of(end.so_far);
  news.error = end.not_recorded;
  if (end.recording)
    news.program =
        opened_program(*std::move(end.recording), "", std::filesystem::path(run.path).filename().string());
  return news;
}

}  // namespace

ProgramRunner::ProgramRunner(std::function<void()> on_news) : m_on_news(std::move(on_news)) {}

ProgramRunner::~ProgramRunner() = default;

void ProgramRunner::run(uint64_t serial, program_run::RecordedRun run) {
  m_thread = {};
  {
    const std::lock_guard lock(m_mutex);
    m_progress.reset();
    m_ended.reset();
    m_running = true;
  }
  m_thread = std::jthread(
      [this, serial, run = std::move(run)](const std::stop_token& stop) { work(serial, run, stop); });
}

void ProgramRunner::stop() { m_thread.request_stop(); }

std::vector<Action> ProgramRunner::poll() {
  const std::lock_guard lock(m_mutex);
  std::vector<Action> news;
  if (m_progress) news.emplace_back(*std::exchange(m_progress, std::nullopt));
  if (m_ended) news.emplace_back(*std::exchange(m_ended, std::nullopt));
  return news;
}

bool ProgramRunner::busy() const {
  const std::lock_guard lock(m_mutex);
  return m_running || m_progress || m_ended;
}

void ProgramRunner::work(uint64_t serial, const program_run::RecordedRun& run, const std::stop_token& stop) {
  const auto tell = [&](const program_run::RunSoFar& so_far) {
    {
      const std::lock_guard lock(m_mutex);
      m_progress = ProgramProgressed{serial, progress_of(so_far)};
    }
    if (m_on_news) m_on_news();
  };
  ProgramEnded news;
  news.serial = serial;
  try {
    Result<program_run::RecordedEnd> end = program_run::run_recorded(run, tell, stop);
    if (end)
      news = ended(serial, run, std::move(end).value());
    else
      news.error = end.error().message;
  } catch (const std::exception& e) {
    news.error = std::string("What the program did could not be read: ") + e.what();
  }
  {
    const std::lock_guard lock(m_mutex);
    m_running = false;
    m_ended = std::move(news);
  }
  if (m_on_news) m_on_news();
}

void drive_program_run(AppState& state, ProgramRunner& runner) {
  for (const Action& news : runner.poll()) update(state, news);
  const ProgramRun& run = state.program.run;
  if (run.phase == ProgramRun::Phase::stopping) runner.stop();
  if (run.phase != ProgramRun::Phase::running || runner.submitted == run.serial) return;
  runner.submitted = run.serial;
  const auto words = program_run::split_words(run.choices.arguments);
  if (!words) {
    ProgramEnded news;
    news.serial = run.serial;
    news.error = words.error().message;
    return update(state, news);
  }
  runner.run(run.serial, {run.path, *words, run.device, run.choices.looks_for_all, run.choices.variables});
}

}  // namespace warplens
