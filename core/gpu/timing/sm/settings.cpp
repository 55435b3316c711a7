#include "core/gpu/timing/sm/settings.h"

#include <algorithm>

#include "core/gpu/observe/coalescing.h"
#include "core/gpu/timing/calibrated_time.h"

namespace warplens::sm {

Settings settings_of(const Device& device, const KernelWork& work, const Calibration& calibration) {
  Settings s;
  const uint64_t blocks = work.shape.grid.count(), sms = std::max(1u, device.sms);
  s.figures = figures_of(device, calibration, blocks, work.shape.block.count());
  s.resident_blocks = std::max(1u, work.occupancy->active_blocks_per_sm);
  s.blocks = ceil_div(blocks, sms);
  const Traffic traffic = traffic_of(device, work);
  const auto share = [&](double bytes, double sectors) {
    const double moved = bytes * (1 - traffic.stays) / double(observe::sector_bytes);
    return sectors > 0 ? std::clamp(moved / sectors, 0.0, 1.0) : 0;
  };
  s.memory_load_share = share(traffic.read_bytes, traffic.loaded);
  s.memory_store_share = share(traffic.written_bytes, double(work.counters.global_store_sectors));
  // All SMs share the atomic units equally.
  if (work.mix.atomic_updates > 0) {
    const KernelTime time = calibrated_time(device, work, calibration);
    if (const TimePart* atomics = part_of(time, TimePartKind::atomics))
      s.atomic_cycles = atomics->us.value * s.figures.clock_mhz / double(work.mix.atomic_updates) *
                        double(std::min(sms, blocks));
  }
  return s;
}

}  // namespace warplens::sm
