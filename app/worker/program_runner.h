// Runs a program of the user's in another process. A thread of its own waits for it.
#pragma once

#include <functional>
#include <vector>

#include "app/state/actions.h"
#include "app/user_program/recorded_run.h"
#include "core/base/system/mailbox.h"

namespace warplens {

class ProgramRunner {
 public:
  // It calls `on_event` on its thread whenever poll() has something new.
  explicit ProgramRunner(std::function<void()> on_event);
  ProgramRunner(const ProgramRunner&) = delete;
  ProgramRunner& operator=(const ProgramRunner&) = delete;

  // Only one program runs at a time: the one before is ended first. It ends, with all processes that it has
  // started, when the window closes.
  void run(uint64_t serial, program_run::RecordedRun run) { m_box.send({serial, std::move(run)}); }
  // Asks it to end.
  void stop() { m_box.stop(); }
  std::vector<Action> poll() { return m_box.take(); }
  bool busy() const { return m_box.busy(); }

  uint64_t submitted = 0;  // ProgramRun::serial of the last start

 private:
  struct Order {
    uint64_t serial = 0;
    program_run::RecordedRun run;
  };
  Mailbox<Order, Action> m_box;
};

// Gives the runner what the state asks for, and the state what the runner says. Call it once in each frame.
void drive_program_run(AppState& state, ProgramRunner& runner);

}  // namespace warplens
