// Backend on a real GPU through a process of its own. A kernel that faults, that takes the driver along, or
// that never ends costs that process, and the next run starts another one.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/launch/backend.h"
#include "cuda/backend/child_process.h"

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
  // A library is given as long as a launch, for each measured call.
  Result<LibraryRun> run_libraries(const Device& device, const LibraryWork& work,
                                   std::stop_token stop) override;

 private:
  struct Question {
    char tag;
    std::string bytes;
    char answer;  // its tag; any other is a sign of life
    uint32_t time_limit_ms;
  };
  struct Reply {
    enum class Ending : uint8_t { answered, cancelled, too_long };
    Ending ending;
    std::string bytes;
  };

  // Errors: the process cannot be started, or is gone.
  Result<Reply> ask(const Question& question, const std::stop_token& stop);
  Result<Reply> wait(const Question& question, const std::stop_token& stop);
  Error gone(const std::string& when);

  WorkerCommand m_command;
  std::mutex m_mutex;  // one run at a time
  std::unique_ptr<ChildProcess> m_child;
};

}  // namespace warplens::cuda
