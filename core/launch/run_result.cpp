#include "core/launch/run_result.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/launch/fields.h"

namespace warplens {

SharedCounts shared_counts(const Counters& c) {
  return {c.shared_load_requests + c.shared_store_requests + c.shared_atomic_requests + c.async_copy_requests,
          c.shared_load_wavefronts + c.shared_store_wavefronts + c.shared_atomic_wavefronts +
              c.async_copy_shared_wavefronts,
          c.shared_load_bank_conflicts + c.shared_store_bank_conflicts + c.shared_atomic_bank_conflicts +
              c.async_copy_bank_conflicts};
}
uint64_t sectors_loaded(const Counters& c) {
  return c.global_load_sectors + c.async_copy_global_sectors + c.local_load_sectors;
}
uint64_t global_sectors(const Counters& c) {
  return c.global_load_sectors + c.global_store_sectors + c.async_copy_global_sectors;
}
uint64_t global_requests(const Counters& c) {
  return c.global_load_requests + c.global_store_requests + c.async_copy_requests;
}
uint64_t sectors_asked_for(const Counters& c) {
  return global_sectors(c) + c.atomic_sectors + c.local_load_sectors + c.local_store_sectors;
}

Counters since(const Counters& before, const Counters& now) {
  Counters launch = now;
  each_pair(launch, before, []<class T>(T& counter, const T& earlier) {
    if constexpr (std::is_same_v<T, uint64_t>)
      counter -= earlier;
    else if (counter)
      *counter -= earlier.value_or(0);
  });
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

const char* to_string(IncidentKind kind) {
  switch (kind) {
    case IncidentKind::race:
      return "race";
    case IncidentKind::uninitialized:
      return "uninitialized";
    case IncidentKind::division_by_zero:
      return "division_by_zero";
    case IncidentKind::mask:
      return "mask";
    case IncidentKind::shuffle:
      return "shuffle";
    case IncidentKind::wrong_allocation:
      return "wrong_allocation";
    case IncidentKind::leak:
      return "leak";
    case IncidentKind::out_of_bounds:
      return "out_of_bounds";
    case IncidentKind::misaligned:
      return "misaligned";
    case IncidentKind::read_only:
      return "read_only";
    case IncidentKind::barrier_divergence:
      return "barrier_divergence";
    case IncidentKind::invalid_barrier:
      return "invalid_barrier";
    case IncidentKind::invalid_texture:
      return "invalid_texture";
    case IncidentKind::deadlock:
      return "deadlock";
    case IncidentKind::incomplete_warp:
      return "incomplete_warp";
    case IncidentKind::step_limit:
      return "step_limit";
    case IncidentKind::trap:
      return "trap";
    case IncidentKind::stack_overflow:
      return "stack_overflow";
    case IncidentKind::assertion:
      return "assert";
    case IncidentKind::invalid_pc:
      return "invalid_pc";
    case IncidentKind::invalid_free:
      return "invalid_free";
    case IncidentKind::unsupported:
      return "unsupported";
    case IncidentKind::time_limit:
      return "time_limit";
    case IncidentKind::device_fault:
      return "device_fault";
    case IncidentKind::unknown:
      return "";
  }
  return "";
}

const char* to_string(WarningId id) {
  switch (id) {
    case WarningId::uncovered_elements:
      return "uncovered_elements";
    case WarningId::too_many_threads:
      return "too_many_threads";
    case WarningId::block_not_multiple_of_warp:
      return "block_not_multiple_of_warp";
    case WarningId::shared_needs_opt_in:
      return "shared_needs_opt_in";
    case WarningId::grid_smaller_than_sms:
      return "grid_smaller_than_sms";
    case WarningId::low_occupancy_grid:
      return "low_occupancy_grid";
    case WarningId::tail_wave:
      return "tail_wave";
    case WarningId::registers_limit_occupancy:
      return "registers_limit_occupancy";
    case WarningId::shared_limits_occupancy:
      return "shared_limits_occupancy";
    case WarningId::uncoalesced:
      return "uncoalesced";
    case WarningId::bank_conflicts:
      return "bank_conflicts";
    case WarningId::divergence:
      return "divergence";
    case WarningId::copies_dominate:
      return "copies_dominate";
    case WarningId::small_input:
      return "small_input";
    case WarningId::launch_refused:
      return "launch_refused";
    case WarningId::resources_unknown:
      return "resources_unknown";
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
