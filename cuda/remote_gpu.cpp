#include "cuda/remote_gpu.h"

#include <fmt/format.h>

#include "cuda/wire.h"
#include "cuda/worker.h"

namespace warplens::cuda {

namespace {

using Clock = std::chrono::steady_clock;

// A driver that starts, and a large module that is compiled, take seconds at most.
constexpr std::chrono::seconds start_limit{60};
constexpr std::chrono::milliseconds look_again{20};

RunResult ended(const LaunchRequest& request, RunStatus status, std::string message) {
  RunResult result;
  const LaunchStep& launch = *first_launch(request);
  result.entry = launch.entry;
  result.shape = {launch.grid, launch.block, launch.shared_dynamic_bytes, launch.cooperative};
  result.status = status;
  result.message = std::move(message);
  return result;
}

RunResult out_of_time(const LaunchRequest& request) {
  RunResult result =
      ended(request, RunStatus::fault,
            fmt::format(
                "{} had not ended on the GPU after {} s, so it was stopped. Does it wait for something that "
                "never comes? A virtual GPU says where each thread is; --time-limit gives it longer.",
                first_launch(request)->entry, request.time_limit_ms / 1000.0));
  Incident incident;
  incident.kind = "time_limit";
  incident.message = result.message;
  result.faults.push_back(std::move(incident));
  return result;
}

}  // namespace

Result<RunResult> RemoteGpu::gone(const std::string& when) {
  const std::string how = m_child ? m_child->end() : "";
  m_child.reset();
  return failed(
      fmt::format("The process that runs kernels on the GPU ended {}, {}. Nothing else is lost; the "
                  "next run starts it anew.",
                  how, when));
}

Result<RunResult> RemoteGpu::run(std::shared_ptr<const LaunchRequest> request, std::stop_token stop,
                                 Progress*) {
  if (first_launch(*request) == nullptr || !request->module)
    return bad_input("The request launches no kernel.");
  const std::scoped_lock lock(m_mutex);
  if (!m_child) {
    Result<std::unique_ptr<ChildProcess>> child = ChildProcess::start(m_command.program, m_command.arguments);
    if (!child) return child.error();
    m_child = std::move(*child);
  }
  const auto go_on = [&] { return !stop.stop_requested(); };
  const bool sent = m_child->wire().send(tag::request, encode(*request), go_on);
  Result<RunResult> result =
      sent ? wait(*request, stop)
      : stop.stop_requested()
          ? Result<RunResult>(ended(*request, RunStatus::cancelled, "The run was cancelled."))
          : gone("before it had taken the launch");
  // A half-sent request, a kernel that still runs, a device that faulted: a new process is the clean state.
  const bool spoilt = result ? result->status == RunStatus::fault || result->status == RunStatus::cancelled
                             : result.error().kind == ErrorKind::failed;
  if (spoilt) m_child.reset();
  if (result) result->request = std::move(request);
  return result;
}

Result<RunResult> RemoteGpu::wait(const LaunchRequest& request, const std::stop_token& stop) {
  const auto pass_limit = std::chrono::milliseconds(request.time_limit_ms);
  auto deadline = Clock::now() + start_limit;
  bool started = false;
  Wire::Message message;
  while (true) {
    if (stop.stop_requested()) return ended(request, RunStatus::cancelled, "The run was cancelled.");
    if (Clock::now() > deadline) {
      if (started) return out_of_time(request);
      return gone("because the driver was not ready after a minute");
    }
    const Wire::State state = m_child->wire().receive(message, look_again);
    if (state == Wire::State::closed) return gone("while it ran the launch");
    if (state == Wire::State::nothing) continue;
    if (message.tag == tag::result) return decode_result(message.bytes);
    started = true;
    deadline = Clock::now() + pass_limit;
  }
}

}  // namespace warplens::cuda
