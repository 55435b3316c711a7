// Backend on a real GPU through a process of its own. A kernel that faults, that takes the driver along, or
// that never ends costs that process, and the next run starts another one.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "cuda/child_process.h"

namespace warplens::cuda {

struct WorkerCommand {
  std::string program;
  std::vector<std::string> arguments;
};

class RemoteGpu final : public Backend {
 public:
  // The process is started by the first run, and lives on between runs.
  explicit RemoteGpu(WorkerCommand command) : m_command(std::move(command)) {}

  // A run that is stopped, or longer at one pass than its request's time limit, ends the process at once.
  Result<RunResult> run(std::shared_ptr<const LaunchRequest> request, std::stop_token stop,
                        Progress* progress) override;

 private:
  Result<RunResult> wait(const LaunchRequest& request, const std::stop_token& stop);
  Result<RunResult> gone(const std::string& when);

  WorkerCommand m_command;
  std::mutex m_mutex;  // one run at a time
  std::unique_ptr<ChildProcess> m_child;
};

}  // namespace warplens::cuda
