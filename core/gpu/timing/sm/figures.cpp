#include "core/gpu/timing/sm/figures.h"

#include <algorithm>
#include <string>

#include "core/gpu/observe/coalescing.h"
#include "core/gpu/timing/calibrated_time.h"

namespace warplens::sm {

namespace {

// Of div.rn.f32 and sqrt.rn.f32, without the slow path: by ptxas 12.9 for sm_90.
constexpr double float_divide_instructions = 10;

}  // namespace

Figures figures_of(const Device& device, const Calibration& c, uint64_t blocks, uint64_t threads) {
  Figures f;
  f.schedulers = std::max(1u, device.limits.sub_partitions);
  const double parts = f.schedulers, sms = std::max(1u, device.sms);
  const auto rate = [&](IssueUnit unit) { return issue_rate(c, unit); };
  for (size_t i = 0; i < issue_units; ++i) {
    const auto unit = static_cast<IssueUnit>(i);
    const double latency = c.value(std::string("latency_") + to_string(unit));
    f.latency[i] = latency > 0 ? latency : c.value("latency_integer");
    f.slots[i] = 1;
  }
  // Sequences of instructions occupy the scheduler for as long as they take.
  for (const IssueUnit unit : {IssueUnit::divide, IssueUnit::wide_divide, IssueUnit::wide_multiply})
    f.slots[size_t(unit)] = parts / rate(unit);
  // Divisions and roots of floats wait for the special functions in them.
  f.slots[size_t(IssueUnit::float_divide)] = float_divide_instructions;
  f.sequence_interval[size_t(IssueUnit::float_divide)] =
      parts / rate(IssueUnit::float_divide) / float_divide_instructions;
  f.slots[size_t(IssueUnit::wide_integer)] = 2;
  const auto interval = [&](Pipe pipe) -> double& { return f.interval[size_t(pipe)]; };
  // 16 lanes for comparisons, logic and shifts (CUDA C++ Programming Guide, arithmetic instructions: 64
  // results a clock and SM since 7.0).
  interval(Pipe::alu) = 2;
  interval(Pipe::fma) = std::max(1.0, parts / rate(IssueUnit::multiply));
  const double both = rate(IssueUnit::fp32) / parts, heavy = 1 / interval(Pipe::fma);
  interval(Pipe::fma_lite) = both - heavy > 0.1 ? 1 / (both - heavy) : 0;
  interval(Pipe::fp64) = parts / rate(IssueUnit::fp64);
  interval(Pipe::fp16) = 2;
  interval(Pipe::tensor) = parts / rate(IssueUnit::tensor);
  interval(Pipe::special) = parts / std::max(rate(IssueUnit::special), rate(IssueUnit::convert));
  const double busy = std::min<double>(sms, double(std::max<uint64_t>(blocks, 1)));
  f.clock_mhz = c.value("clock_mhz");
  f.shared_latency = c.value("latency_shared");
  f.l1_latency = c.value("l1_latency");
  f.l2_latency = c.value("l2_latency");
  f.memory_latency = c.value("memory_latency");
  f.l1_lines = c.value("l1_lines");
  f.l1_sectors = c.value("l1_sectors");
  f.l2_load_sectors = c.value("l2_load_sectors");
  f.l2_store_sectors = c.value("l2_store_sectors");
  f.l2_partial_sectors = c.value("l2_partial_sectors");
  f.l2_scattered_sectors = c.value("l2_scattered_sectors");
  const auto of_memory = [&](const char* figure) {
    return c.value(figure) * 1e3 / f.clock_mhz / double(observe::sector_bytes) / busy;
  };
  f.memory_load_sectors = of_memory("memory_load_gb_s");
  f.memory_store_sectors = of_memory("memory_store_gb_s");
  f.barrier = c.value("barrier_cycles");
  f.barrier_interval = c.value("barrier_cycles_per_warp");
  f.block_interval = busy * f.clock_mhz / block_starts_per_us(c, double(threads));
  return f;
}

}  // namespace warplens::sm
