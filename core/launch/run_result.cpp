#include "core/launch/run_result.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warplens {
namespace {

constexpr std::array exact = {
    &Counters::warp_instructions,
    &Counters::thread_instructions,
    &Counters::branches,
    &Counters::divergent_branches,
    &Counters::barriers,
    &Counters::global_load_requests,
    &Counters::global_load_sectors,
    &Counters::global_store_requests,
    &Counters::global_store_sectors,
    &Counters::shared_load_requests,
    &Counters::shared_load_wavefronts,
    &Counters::shared_load_bank_conflicts,
    &Counters::shared_store_requests,
    &Counters::shared_store_wavefronts,
    &Counters::shared_store_bank_conflicts,
    &Counters::local_load_sectors,
    &Counters::local_store_sectors,
    &Counters::constant_load_requests,
    &Counters::texture_requests,
    &Counters::texture_sectors,
    &Counters::atomic_requests,
    &Counters::atomic_sectors,
};
constexpr std::array perhaps_unknown = {&Counters::l1_hit_sectors, &Counters::l2_read_sectors,
                                        &Counters::dram_read_bytes, &Counters::dram_write_bytes};
// A new counter belongs into one of the two lists, too.
static_assert(sizeof(Counters) ==
              exact.size() * sizeof(uint64_t) + perhaps_unknown.size() * sizeof(std::optional<uint64_t>));

}  // namespace

Counters since(const Counters& before, const Counters& now) {
  Counters launch = now;
  for (const auto counter : exact) launch.*counter -= before.*counter;
  for (const auto counter : perhaps_unknown)
    if (launch.*counter) *(launch.*counter) -= (before.*counter).value_or(0);
  return launch;
}

bool virtual_gpu_ran(const RunResult& result) {
  return result.status != RunStatus::refused && (!result.measured || result.measured->beside.empty());
}

const char* to_string(RunStatus status) {
  switch (status) {
    case RunStatus::ok:
      return "ok";
    case RunStatus::fault:
      return "fault";
    case RunStatus::check_failed:
      return "check_failed";
    case RunStatus::refused:
      return "refused";
    case RunStatus::cancelled:
      return "cancelled";
  }
  return "";
}

std::optional<Spread> spread_of(std::vector<double> samples) {
  if (samples.empty()) return std::nullopt;
  std::vector<double> sorted = samples;
  std::ranges::sort(sorted);
  const auto at = [&](double share) {
    const double place = share * double(sorted.size() - 1);
    const auto low = static_cast<size_t>(place);
    const size_t high = std::min(low + 1, sorted.size() - 1);
    return sorted[low] + (place - double(low)) * (sorted[high] - sorted[low]);
  };
  return Spread{at(0.5), sorted.front(), at(0.1), at(0.9), std::move(samples)};
}

}  // namespace warplens
