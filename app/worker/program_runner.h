// Runs a program of the user's beside the window. A thread of its own waits for it.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "app/program/recorded_run.h"
#include "app/state/actions.h"

namespace warplens {

class ProgramRunner {
 public:
  // It calls `on_news` on its thread whenever poll() has something new.
  explicit ProgramRunner(std::function<void()> on_news);
  ~ProgramRunner();  // ends what runs, with all that it has started
  ProgramRunner(const ProgramRunner&) = delete;
  ProgramRunner& operator=(const ProgramRunner&) = delete;

  // One at a time: what runs is ended first, and waited for.
  void run(uint64_t serial, program_run::RecordedRun run);
  // Asks it to end.
  void stop();
  std::vector<Action> poll();
  bool busy() const;

  uint64_t submitted = 0;  // ProgramRun::serial of the last start

 private:
  void work(uint64_t serial, const program_run::RecordedRun& run, const std::stop_token& stop);

  std::function<void()> m_on_news;
  mutable std::mutex m_mutex;
  bool m_running = false;
  std::optional<ProgramProgressed> m_progress;  // the newest
  std::optional<ProgramEnded> m_ended;
  std::jthread m_thread;  // last member: it uses all of the above
};

// Gives the runner what the state asks for, and the state what the runner says. Call it once in each frame.
void drive_program_run(AppState& state, ProgramRunner& runner);

}  // namespace warplens
