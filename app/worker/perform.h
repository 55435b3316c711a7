// The only place that performs the effects outside of the state (app/state/parts/effects.h). Input and output
// are done on other threads.
#pragma once

#include <functional>

#include "app/state/state.h"
#include "app/worker/file_worker.h"
#include "app/worker/run_queue.h"

namespace warplens {

// Actions that only a window can do. The functions are null if there is no window.
struct WindowCalls {
  std::function<void(Dialog)> ask_file = nullptr;
  std::function<void(const std::string&)> copy_link = nullptr;
  std::function<void()> forget_progress = nullptr, forget_all = nullptr, reset_layout = nullptr,
                        quit = nullptr;
};

struct Environment {
  RunQueue& queue;
  FileWorker& files;
  WindowCalls window = {};
};

// Performs the effects that wait, in order.
void perform(AppState& state, Environment& environment);

}  // namespace warplens
