// A state with the window's workers, but without a window.
#pragma once

#include <chrono>
#include <thread>

#include "app/state/update.h"
#include "app/worker/drive.h"
#include "app/worker/step_worker.h"

namespace warplens {

class DrivenState {
 public:
  AppState state = *initial_state("vector_add", "");

  // Applies an action as a click does.
  void push(const Action& action) {
    m_actions.push(action);
    go_on();
  }
  // False if it takes longer than the limit, which exists for tests that hang.
  template <class Condition>
  bool until(Condition reached, std::chrono::seconds limit = std::chrono::seconds(60)) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (std::chrono::steady_clock::now() < end) {
      go_on();
      if (reached()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }
  bool queue_is_busy() const { return m_queue.busy(); }

 private:
  void go_on() {
    drive(state, m_actions, m_environment, m_memory);
    drive_files(state, m_files);
    drive_steps(state, m_steps);
  }

  Actions m_actions;
  RunQueue m_queue{make_worker_calls(), nullptr};
  FileWorker m_files{nullptr};
  Environment m_environment{m_queue, m_files};
  StepWorker m_steps{nullptr};
  DriveMemory m_memory;
};

}  // namespace warplens
