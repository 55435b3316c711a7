#include "core/job/findings_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/figures.h"

namespace warplens {
namespace {

uint64_t accesses_of(const Counters& c) {
  return global_requests(c) + shared_counts(c).requests + c.atomic_requests +
         accesses_per_texture_request * c.texture_requests;
}

uint64_t bytes_of(const LaunchRequest& request) {
  uint64_t bytes = 0;
  for (const BufferSpec& buffer : request.buffers) bytes += buffer.bytes;
  return bytes;
}

// Why the pass would take too long. Empty if it would not.
std::string too_large(const RunResult& result) {
  const auto text = [](const char* what, uint64_t amount, uint64_t limit) {
    return fmt::format("the run has {} {}, and by itself it is done for up to {}", thousands(amount), what,
                       thousands(limit));
  };
  const Counters& c = *result.counters;
  if (c.warp_instructions > affordable_findings_instructions)
    return text("warp instructions", c.warp_instructions, affordable_findings_instructions);
  if (accesses_of(c) > affordable_findings_accesses)
    return text(c.texture_requests == 0 ? "memory requests"
                                        : "memory requests, where one of a texture counts as eight",
                accesses_of(c), affordable_findings_accesses);
  if (bytes_of(*result.request) > affordable_findings_bytes)
    return text("bytes of buffers", bytes_of(*result.request), affordable_findings_bytes);
  return "";
}

std::shared_ptr<const LaunchRequest> watched_request(const LaunchRequest& request, bool of_any_size) {
  auto watched = std::make_shared<LaunchRequest>(request);  // shares the data of the buffers
  watched->sanitize = Sanitize::all;
  watched->device.is_virtual = true;  // a real GPU does not detect anything
  watched->observe = Observe::none;
  watched->model_caches = false;
  watched->trace_limit = 0;
  watched->record_writers = false;
  watched->record_blocks = false;
  watched->repeat = 1;
  // The pass runs with another schedule, in which a kernel may wait forever.
  if (!of_any_size)
    watched->step_budget = std::min(request.step_budget, 32 * affordable_findings_instructions);
  return watched;
}

}  // namespace

bool wants_findings(const RunResult& result) {
  const bool ran = result.status != RunStatus::refused && result.status != RunStatus::cancelled;
  return ran && result.request && result.counters && result.request->sanitize == Sanitize::memory &&
         result.looked_for != Sanitize::all;
}

Result<RunResult> with_findings(const Job& job, const RunResult& result, Backend& backend,
                                std::stop_token stop) {
  RunResult whole = result;
  if (!wants_findings(result)) return whole;
  if (!job.findings_of_any_size) whole.not_looked_for = too_large(result);
  if (!whole.not_looked_for.empty()) return whole;
  Result<RunResult> watched =
      backend.run(watched_request(*result.request, job.findings_of_any_size), std::move(stop), nullptr);
  if (!watched) {
    if (watched.error().kind == ErrorKind::cancelled) return watched.error();
    whole.not_looked_for = watched.error().message;
    return whole;
  }
  if (watched->status == RunStatus::cancelled)
    return Error{ErrorKind::cancelled, "The search for mistakes was stopped."};
  whole.findings = std::move(watched->findings);
  whole.looked_for = Sanitize::all;
  return whole;
}

}  // namespace warplens
