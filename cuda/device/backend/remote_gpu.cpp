#include "cuda/device/backend/remote_gpu.h"

#include <fmt/format.h>

#include "core/launch/steps.h"
#include "cuda/device/backend/wire.h"
#include "cuda/device/backend/worker.h"

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
  incident.kind = IncidentKind::time_limit;
  incident.message = result.message;
  result.faults.push_back(std::move(incident));
  return result;
}

bool leaves_spoilt(const Error& error) {
  return error.kind == ErrorKind::failed || error.kind == ErrorKind::cancelled ||
         error.kind == ErrorKind::missing;
}

}  // namespace

Error RemoteGpu::gone(const std::string& when) {
  const std::string how = m_child ? m_child->end() : "";
  m_child.reset();
  return failed(
      fmt::format("The process that runs kernels on the GPU ended {}, {}. Nothing else is lost; the "
                  "next run starts it again.",
                  how, when));
}

Result<RemoteGpu::Reply> RemoteGpu::ask(const Question& question, const std::stop_token& stop) {
  if (!m_child) {
    Result<std::unique_ptr<ChildProcess>> child = ChildProcess::start(m_command.program, m_command.arguments);
    if (!child) return child.error();
    m_child = std::move(*child);
  }
  const auto go_on = [&] { return !stop.stop_requested(); };
  if (m_child->wire().send(question.tag, question.bytes, go_on)) return wait(question, stop);
  if (stop.stop_requested()) return Reply{Reply::Ending::cancelled, ""};
  return gone("before it had taken the launch");
}

Result<RemoteGpu::Reply> RemoteGpu::wait(const Question& question, const std::stop_token& stop) {
  const auto pass_limit = std::chrono::milliseconds(question.time_limit_ms);
  auto deadline = Clock::now() + start_limit;
  bool started = false;
  Wire::Message message;
  while (true) {
    if (stop.stop_requested()) return Reply{Reply::Ending::cancelled, ""};
    if (Clock::now() > deadline) {
      if (started) return Reply{Reply::Ending::too_long, ""};
      return gone("because the driver was not ready after a minute");
    }
    const Wire::State state = m_child->wire().receive(message, look_again);
    if (state == Wire::State::closed) return gone("while it ran the launch");
    if (state == Wire::State::nothing) continue;
    if (message.tag == question.answer) return Reply{Reply::Ending::answered, std::move(message.bytes)};
    started = true;
    deadline = Clock::now() + pass_limit;
  }
}

Result<RunResult> RemoteGpu::run(std::shared_ptr<const LaunchRequest> request, std::stop_token stop,
                                 Progress*) {
  if (first_launch(*request) == nullptr || !request->module)
    return bad_input("The request launches no kernel.");
  const std::scoped_lock lock(m_mutex);
  const Result<Reply> reply =
      ask({tag::request, encode(*request), tag::result, request->time_limit_ms}, stop);
  Result<RunResult> result =
      !reply ? Result<RunResult>(reply.error())
      : reply->ending == Reply::Ending::cancelled
          ? Result<RunResult>(ended(*request, RunStatus::cancelled, "The run was cancelled."))
      : reply->ending == Reply::Ending::too_long ? Result<RunResult>(out_of_time(*request))
                                                 : decode_result(reply->bytes);
  // After a half-sent request, a kernel that still runs, or a fault of the device, only a new process has a
  // clean state. A new process also looks again for a driver that was missing.
  const bool spoilt = result ? result->status == RunStatus::fault || result->status == RunStatus::cancelled
                             : leaves_spoilt(result.error());
  if (spoilt) m_child.reset();
  if (result) result->request = std::move(request);
  return result;
}

Result<LibraryRun> RemoteGpu::run_libraries(const Device&, const LibraryWork& work, std::stop_token stop) {
  const std::scoped_lock lock(m_mutex);
  const Result<Reply> reply = ask({tag::work, encode(work), tag::times, work.time_limit_ms}, stop);
  Result<LibraryRun> run =
      !reply ? Result<LibraryRun>(reply.error())
      : reply->ending == Reply::Ending::cancelled
          ? Result<LibraryRun>(Error{ErrorKind::cancelled, "The run was cancelled."})
      : reply->ending == Reply::Ending::too_long
          ? Result<LibraryRun>(failed(fmt::format("A library had not answered after {} s, so it was stopped.",
                                                  work.time_limit_ms / 1000.0)))
          : decode_times(reply->bytes);
  if (!run && leaves_spoilt(run.error())) m_child.reset();
  return run;
}

}  // namespace warplens::cuda
