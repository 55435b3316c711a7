#include "core/job/preflight.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace warplens {

namespace {

// Requests a stop after a time, unless it is destroyed before.
class Timer {
 public:
  Timer(const std::stop_source& ours, std::chrono::milliseconds limit)
      : m_thread([this, stop = std::stop_source(ours), limit](const std::stop_token& end) mutable {
          std::unique_lock lock(m_mutex);
          if (m_wake.wait_for(lock, end, limit, [] { return false; }) || end.stop_requested()) return;
          stop.request_stop();
        }) {}

 private:
  std::mutex m_mutex;
  std::condition_variable_any m_wake;
  std::jthread m_thread;  // last: it uses the others
};

// A launch that the device should not see, or why there are no counts.
struct Preflight {
  std::optional<RunResult> counted;
  std::string none;
  bool spares_the_device() const { return counted && counted->status != RunStatus::ok; }
};

class Preflighted final : public Backend {
 public:
  Preflighted(std::unique_ptr<Backend> virtual_gpu, std::unique_ptr<Backend> real,
              std::chrono::milliseconds limit)
      : m_virtual(std::move(virtual_gpu)), m_real(std::move(real)), m_limit(limit) {}

  Result<RunResult> run(std::shared_ptr<const LaunchRequest> request, std::stop_token stop,
                        Progress* progress) override {
    if (request->device.is_virtual) return m_virtual->run(std::move(request), std::move(stop), progress);
    if (m_real == nullptr)
      return missing(
          "This program was built without CUDA, so it cannot use a real GPU; choose a virtual one.");
    Preflight before = preflight(request, stop, progress);
    if (before.spares_the_device()) return std::move(*before.counted);
    Result<RunResult> ran = m_real->run(std::move(request), std::move(stop), progress);
    if (!ran) return ran;
    if (before.counted)
      add_counts(*before.counted, *ran);
    else if (ran->measured)
      ran->measured->beside = std::move(before.none);
    return ran;
  }

  Result<LibraryRun> run_libraries(const Device& device, const LibraryWork& work,
                                   std::stop_token stop) override {
    if (device.is_virtual || m_real == nullptr) return Backend::run_libraries(device, work, std::move(stop));
    return m_real->run_libraries(device, work, std::move(stop));
  }

 private:
  Preflight preflight(const std::shared_ptr<const LaunchRequest>& request, const std::stop_token& stop,
                      Progress* progress) {
    if (!request->preflight) return {std::nullopt, "the virtual GPU was not asked to run it first"};
    auto once = std::make_shared<LaunchRequest>(*request);
    once->repeat = 1;
    std::stop_source ours;
    const std::stop_callback theirs(stop, [&] { ours.request_stop(); });
    Result<RunResult> counted = [&] {
      const Timer timer(ours, m_limit);
      return m_virtual->run(once, ours.get_token(), progress);
    }();
    // The device may run PTX that the virtual GPU does not run. If the PTX is wrong, the device reports it.
    if (!counted) return {std::nullopt, counted.error().message};
    if (stop.stop_requested()) return {std::move(*counted), ""};
    if (counted->status == RunStatus::cancelled)
      return {std::nullopt, fmt::format("the virtual GPU was not done with it after {} s",
                                        std::chrono::duration<double>(m_limit).count())};
    if (counted->status == RunStatus::fault && !counted->faults.empty() &&
        counted->faults.front().kind == IncidentKind::step_limit)
      return {std::nullopt, "it takes more steps than the virtual GPU's budget"};
    if (counted->status == RunStatus::fault)
      counted->message += " The virtual GPU found this before the launch, so the real one was spared.";
    counted->request = request;
    return {std::move(*counted), ""};
  }

  std::unique_ptr<Backend> m_virtual, m_real;
  std::chrono::milliseconds m_limit;
};

}  // namespace

void add_counts(const RunResult& counted, RunResult& measured) {
  static_cast<RunCounts&>(measured) = counted;
  if (measured.launches.size() != counted.launches.size()) measured.launches = counted.launches;
  for (size_t i = 0; i < measured.launches.size(); ++i) {
    measured.launches[i].counters = counted.launches[i].counters;
    measured.launches[i].mix = counted.launches[i].mix;
    measured.launches[i].execute_ms = counted.launches[i].execute_ms;
  }
  for (OutputBuffer& output : measured.outputs) {
    const auto same = std::ranges::find(counted.outputs, output.index, &OutputBuffer::index);
    if (same != counted.outputs.end()) output.writers = same->writers;
  }
}

std::unique_ptr<Backend> make_preflighted(std::unique_ptr<Backend> virtual_gpu, std::unique_ptr<Backend> real,
                                          std::chrono::milliseconds limit) {
  return std::make_unique<Preflighted>(std::move(virtual_gpu), std::move(real), limit);
}

}  // namespace warplens
