// The backend for a real GPU in a process of its own. If a kernel faults, crashes the driver or never ends,
// only that process is lost, and the next run starts another one.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/launch/backend.h"
#include "cuda/device/backend/child_process.h"

namespace warplens::cuda {

struct WorkerCommand {
  std::string program;
  std::vector<std::string> arguments;
};

class RemoteGpu final : public Backend {
 public:
  // The first run starts the process. It stays alive between runs.
  explicit RemoteGpu(WorkerCommand command) : m_command(std::move(command)) {}

  // The process is ended at once if the run is stopped, or if one pass takes longer than the request's time
  // limit.
  Result<RunResult> run(std::shared_ptr<const LaunchRequest> request, std::stop_token stop,
                        Progress* progress) override;
  // Each measured call of a library has the same time limit as a launch.
  Result<LibraryRun> run_libraries(const Device& device, const LibraryWork& work,
                                   std::stop_token stop) override;

 private:
  struct Question {
    char tag;
    std::string bytes;
    char answer;  // the tag of the answer; any other tag is a sign of life
    uint32_t time_limit_ms;
  };
  struct Reply {
    enum class Ending : uint8_t { answered, cancelled, too_long };
    Ending ending;
    std::string bytes;
  };

  // Fails if the process cannot be started, or is gone.
  Result<Reply> ask(const Question& question, const std::stop_token& stop);
  Result<Reply> wait(const Question& question, const std::stop_token& stop);
  Error gone(const std::string& when);

  WorkerCommand m_command;
  std::mutex m_mutex;  // one run at a time
  std::unique_ptr<ChildProcess> m_child;
};

}  // namespace warplens::cuda
