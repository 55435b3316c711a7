#include "core/job/cache_pass.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/figures.h"
#include "core/gpu/engine/cache_recorder.h"
#include "core/gpu/engine/cache_sample.h"
#include "core/gpu/timing/time_model.h"

namespace warplens {
namespace {

std::string too_long(const char* what, uint64_t amount, uint64_t limit) {
  return fmt::format("the run has {} {}, and the model runs by itself up to {}", thousands(amount), what,
                     thousands(limit));
}

// Why neither the cache model nor a sample of blocks gives anything for a run: an error or missing data.
std::string why_nothing(const RunResult& result) {
  if (result.status != RunStatus::ok && result.status != RunStatus::check_failed)
    return "the kernel did not run to its end";
  if (!result.request || !result.counters) return "nothing was counted";
  if (result.counters->l1_hit_sectors) return "they are known";
  const LaunchRequest& request = *result.request;
  if (!CacheRecorder::knows(request.device))
    return fmt::format("the device file of {} does not state the sizes of its caches", request.device.name);
  if (sectors_asked_for(*result.counters) == 0) return "the run touched neither global nor local memory";
  return "";
}

uint64_t bytes_of_buffers(const LaunchRequest& request) {
  uint64_t bytes = 0;
  for (const BufferSpec& buffer : request.buffers) bytes += buffer.bytes;
  return bytes;
}

void forget(std::optional<Counters>& counters) {
  if (!counters) return;
  counters->l1_hit_sectors.reset();
  counters->l2_read_sectors.reset();
  counters->dram_read_bytes.reset();
  counters->dram_write_bytes.reset();
}

// The request of the second pass, which records only the traffic. It is for the virtual GPU even if a real
// one ran the kernel.
std::shared_ptr<const LaunchRequest> traffic_request(const LaunchRequest& request) {
  auto traffic = std::make_shared<LaunchRequest>(request);  // shares the data of the buffers
  traffic->model_caches = true;
  traffic->device.is_virtual = true;
  traffic->record_writers = false;
  traffic->record_blocks = false;
  traffic->repeat = 1;
  return traffic;
}

void take_traffic(const std::optional<Counters>& from, std::optional<Counters>& to) {
  if (!from || !to) return;
  to->l1_hit_sectors = from->l1_hit_sectors;
  to->l2_read_sectors = from->l2_read_sectors;
  to->dram_read_bytes = from->dram_read_bytes;
  to->dram_write_bytes = from->dram_write_bytes;
}

}  // namespace

std::string why_no_caches(const RunResult& result) {
  if (std::string why = why_nothing(result); !why.empty()) return why;
  const Counters& c = *result.counters;
  if (sectors_asked_for(c) > affordable_cache_sectors)
    return too_long("sectors", sectors_asked_for(c), affordable_cache_sectors);
  if (c.warp_instructions > affordable_cache_instructions)
    return too_long("warp instructions", c.warp_instructions, affordable_cache_instructions);
  const uint64_t bytes = bytes_of_buffers(*result.request);
  if (bytes > affordable_cache_bytes) return too_long("bytes of buffers", bytes, affordable_cache_bytes);
  return "";
}

uint64_t affordable_sample(const RunResult& result) {
  if (!why_nothing(result).empty() || why_no_caches(result).empty()) return 0;
  if (result.launches.size() != 1 || result.launches.front().cache_sample) return 0;
  if (bytes_of_buffers(*result.request) > affordable_cache_bytes) return 0;
  const Counters& c = *result.counters;
  const double blocks = double(result.shape.grid.count());
  const double by_sectors = double(affordable_sample_sectors) / double(sectors_asked_for(c));
  const double by_instructions =
      double(affordable_sample_instructions) / double(std::max<uint64_t>(c.warp_instructions, 1));
  const double wanted = blocks * std::min({by_sectors, by_instructions, 1.0});
  // One block may at most be as long as the whole limit.
  return wanted < 1 ? 0 : static_cast<uint64_t>(std::min(wanted, double(most_sampled_blocks)));
}

namespace {

// If the sample fails, the result stays as it is: the sample only improves a modelled time.
Result<RunResult> with_sample(const RunResult& result, std::stop_token stop) {
  const uint64_t wanted = affordable_sample(result);
  if (wanted == 0) return result;
  const auto sample = sample_caches(*traffic_request(*result.request), wanted, affordable_sample_instructions,
                                    std::move(stop));
  if (!sample && sample.error().kind == ErrorKind::cancelled) return sample.error();
  if (!sample || !*sample) return result;
  RunResult whole = result;
  whole.launches.front().cache_sample = **sample;
  if (whole.time.source == Provenance::modelled)  // measured times stay
    whole.time = times_of(model_times(whole, default_time_parameters()));
  return whole;
}

}  // namespace

Result<RunResult> with_caches(const Job& job, const RunResult& result, Backend& backend,
                              std::stop_token stop) {
  if (!why_no_caches(result).empty()) return with_sample(result, std::move(stop));
  Job traffic = job;
  traffic.request = traffic_request(*result.request);
  traffic.check = traffic.caches = traffic.findings = traffic.fixes = false;
  traffic.expectations.clear();
  if (result.time.compile) traffic.compile_ms = *result.time.compile / 1000;
  Result<RunResult> ran = run_job(traffic, backend, std::move(stop), nullptr);
  if (!ran) return ran;
  if (ran->status == RunStatus::cancelled)
    return Error{ErrorKind::cancelled, "The model of the caches was stopped."};
  // If the blocks of a kernel race, running them in order may give another outcome. Then the result stays as
  // it is.
  if (ran->status != RunStatus::ok || !ran->counters || ran->launches.size() != result.launches.size())
    return result;
  RunResult whole = result;
  take_traffic(ran->counters, whole.counters);
  for (size_t i = 0; i < whole.launches.size(); ++i)
    take_traffic(ran->launches[i].counters, whole.launches[i].counters);
  if (whole.time.source == Provenance::measured) return whole;  // measured times and their warnings stay
  whole.time = ran->time;
  whole.warnings = ran->warnings;
  return whole;
}

uint64_t sectors_through_l1(const Counters& counters) {
  return sectors_loaded(counters) + counters.texture_sectors;
}

std::optional<double> l1_hit_percent(const Counters& counters) {
  const uint64_t asked = sectors_through_l1(counters);
  if (!counters.l1_hit_sectors || asked == 0) return std::nullopt;
  return 100.0 * static_cast<double>(*counters.l1_hit_sectors) / static_cast<double>(asked);
}

RunResult without_caches(const RunResult& result) {
  RunResult plain = result;
  forget(plain.counters);
  for (LaunchRecord& launch : plain.launches) {
    forget(launch.counters);
    launch.cache_sample.reset();
  }
  return plain;
}

}  // namespace warplens
