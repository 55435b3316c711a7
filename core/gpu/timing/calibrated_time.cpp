// The time of one kernel on a device that was measured by micro-kernels. Each part is a count divided by a
// measured rate; docs/time-model.md has the formulas and their limits.
#include "core/gpu/timing/calibrated_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/figures.h"
#include "core/gpu/observe/coalescing.h"

namespace warplens {

namespace {

// Data stay in L2 from one launch to the next if they fill less than the first share of it, and not at all
// from the second on: the replacement is not that of a ring.
constexpr double all_stays = 0.75, none_stays = 1.1;
constexpr double threads_of_large_blocks = 513;

}  // namespace

namespace calibrated {
namespace {

// How times are combined: with 1 they are added; the larger the number, the closer the result is to the
// longest time. Units of an SM work in parallel. Data that pass L1 then pass L2. Blocks are started, and
// wait, while others work.
constexpr double units_together = 8, caches_together = 2, blocks_together = 3;

struct Scene {
  const Device& device;
  const KernelWork& work;
  const Calibration& c;
  double sms = 0, busy_sms = 0, blocks = 0, threads = 0, warps_per_block = 0, warps = 0;
  double busiest = 0, rounds = 0, resident_warps = 0;
  double share = 0;    // of all work: that of the SM that ends last
  double longest = 1;  // the work of the longest block, relative to the mean
  double cycles_per_us = 0;
};

Scene scene_of(const Device& device, const KernelWork& work, const Calibration& calibration) {
  Scene s{device, work, calibration};
  const double active = work.occupancy->active_blocks_per_sm;
  s.sms = device.sms;
  s.blocks = double(work.shape.grid.count());
  s.threads = double(work.shape.block.count());
  s.warps_per_block = double(ceil_div(work.shape.block.count(), warp_lanes));
  s.warps = s.blocks * s.warps_per_block;
  s.busy_sms = std::min(s.sms, s.blocks);
  s.busiest = std::ceil(s.blocks / s.sms);
  s.rounds = std::ceil(s.busiest / active);
  s.resident_warps = std::min(active, s.busiest) * s.warps_per_block;
  s.share = work.spread ? work.spread->busiest_share : s.busiest / s.blocks;
  s.longest = work.spread ? work.spread->longest : 1;
  s.cycles_per_us = calibration.value("clock_mhz");
  return s;
}

TimePart part(const Scene& s, TimePartKind kind, double us, const std::string& formula) {
  return {kind, Band{us / s.c.band, us, us * s.c.band}, formula + " = " + duration_text(us * 1e-6), us};
}

// For a unit that each SM has: from the cycles that the work of all SMs takes in total.
TimePart part_of_sms(const Scene& s, TimePartKind kind, double cycles, double idle,
                     const std::string& formula) {
  TimePart of_busiest = part(s, kind, cycles * s.share * idle / s.cycles_per_us, formula);
  of_busiest.mean_us = cycles / s.sms / s.cycles_per_us;
  return of_busiest;
}

bool is_sequence(IssueUnit unit) {
  return unit == IssueUnit::divide || unit == IssueUnit::wide_divide || unit == IssueUnit::float_divide ||
         unit == IssueUnit::wide_multiply;
}

// Cycles of the schedulers of one SM for an instruction. A sequence occupies them for its whole duration. A
// 64-bit instruction is one for each half: it occupies its unit for longer than the schedulers.
double slot_cycles(const Scene& s, IssueUnit unit) {
  if (is_sequence(unit)) return 1 / issue_rate(s.c, unit);
  return (unit == IssueUnit::wide_integer ? 2 : 1) / s.c.value("issue_slots");
}

TimePart issue_part(const Scene& s) {
  double slots = 0, longest = 0;
  std::string by = "the schedulers";
  for (size_t i = 0; i < issue_units; ++i) {
    const auto unit = static_cast<IssueUnit>(i);
    const double count = double(s.work.mix.warp_instructions[i]);
    if (unit == IssueUnit::removed || count == 0) continue;
    slots += count * slot_cycles(s, unit);
    const double cycles = count / issue_rate(s.c, unit);
    if (cycles > longest) {
      longest = cycles;
      by = std::string("the units for ") + to_string(unit);
    }
  }
  if (slots >= longest) by = "the schedulers";
  const double schedulers = std::min<double>(s.device.limits.sub_partitions, s.resident_warps);
  const double idle = double(s.device.limits.sub_partitions) / std::max(1.0, schedulers);
  const double cycles = std::max(slots, longest);
  return part_of_sms(s, TimePartKind::issue, cycles, idle,
                     fmt::format("{} cycles of {} on the busiest SM / {} MHz",
                                 three_digits(cycles * s.share * idle), by, three_digits(s.cycles_per_us)));
}

TimePart shared_part(const Scene& s) {
  const double wavefronts = double(shared_counts(s.work.counters).wavefronts);
  const double rate = s.c.value("shared_wavefronts");
  return part_of_sms(
      s, TimePartKind::shared, wavefronts / rate, 1,
      fmt::format("{} wavefronts on the busiest SM / {} a cycle / {} MHz", three_digits(s.share * wavefronts),
                  three_digits(rate), three_digits(s.cycles_per_us)));
}

TimePart l1_part(const Scene& s) {
  const Counters& c = s.work.counters;
  const double local = double(c.local_load_sectors + c.local_store_sectors);
  const double lines = double(s.work.mix.load_lines + s.work.mix.store_lines) + local / 4;
  const double sectors = double(sectors_asked_for(c));
  const double by_lines = lines / s.c.value("l1_lines"), by_sectors = sectors / s.c.value("l1_sectors");
  const double cycles = std::max(by_lines, by_sectors);
  return part_of_sms(
      s, TimePartKind::l1, cycles, 1,
      by_lines >= by_sectors
          ? fmt::format("{} lines looked up on the busiest SM / {} a cycle / {} MHz",
                        three_digits(s.share * lines), three_digits(s.c.value("l1_lines")),
                        three_digits(s.cycles_per_us))
          : fmt::format("{} sectors on the busiest SM / {} a cycle / {} MHz", three_digits(s.share * sectors),
                        three_digits(s.c.value("l1_sectors")), three_digits(s.cycles_per_us)));
}

// --- Behind L1 --------------------------------------------------------------------------------------------

// Where the sectors that miss L1 come from.
std::string origin_of(const Scene& s, const Traffic& t) {
  if (s.work.counters.l1_hit_sectors) return "the model of the caches";
  if (const auto& sample = s.work.cache_sample; sample && sample->load_sectors > 0)
    return fmt::format("a sample of {} of {} blocks, {} % of whose loads L1 held", thousands(sample->blocks),
                       thousands(static_cast<uint64_t>(s.blocks)),
                       three_digits(100 * double(sample->hit_sectors) / double(sample->load_sectors)));
  return t.loaded < double(sectors_loaded(s.work.counters)) ? "the mean of each byte once and every sector"
                                                            : "every sector";
}

TimePart l2_part(const Scene& s, const Traffic& t) {
  const double cycles =
      (t.loaded / s.c.value("l2_load_sectors") + t.whole / s.c.value("l2_store_sectors") +
       t.partial / s.c.value("l2_partial_sectors") + t.scattered / s.c.value("l2_scattered_sectors")) /
      s.busy_sms;
  TimePart l2 = part(
      s, TimePartKind::l2, cycles / s.cycles_per_us,
      fmt::format("({} sectors loaded (by {}) / {} + {} stored whole / {} + {} in part / {} + {} alone in "
                  "their line / {} a cycle) / {} SMs / {} MHz",
                  three_digits(t.loaded), origin_of(s, t), three_digits(s.c.value("l2_load_sectors")),
                  three_digits(t.whole), three_digits(s.c.value("l2_store_sectors")), three_digits(t.partial),
                  three_digits(s.c.value("l2_partial_sectors")), three_digits(t.scattered),
                  three_digits(s.c.value("l2_scattered_sectors")), three_digits(s.busy_sms),
                  three_digits(s.cycles_per_us)));
  l2.mean_us *= s.busy_sms / s.sms;
  return l2;
}

TimePart dram_part(const Scene& s, const Traffic& t) {
  const double us =
      (1 - t.stays) *
      (t.read_bytes / s.c.value("memory_load_gb_s") + t.written_bytes / s.c.value("memory_store_gb_s")) *
      1e-3;
  return part(s, TimePartKind::dram, us,
              fmt::format("({} read / {} GB/s + {} written / {} GB/s) × {} that L2 does not hold from before",
                          byte_size_text(static_cast<uint64_t>(t.read_bytes)),
                          three_digits(s.c.value("memory_load_gb_s")),
                          byte_size_text(static_cast<uint64_t>(t.written_bytes)),
                          three_digits(s.c.value("memory_store_gb_s")), three_digits(1 - t.stays)));
}

// How many of a warp's 32 lanes share a sector if each accesses a random one of this many words.
double lanes_by_chance(double words) {
  const double sectors = std::max(1.0, words / 8);
  return 32 / (sectors * (1 - std::pow(1 - 1 / sectors, 32)));
}
constexpr double most_lanes = 7.9;  // practically all eight words of a sector: the same as rows

TimePart atomics_part(const Scene& s) {
  const InstructionMix& mix = s.work.mix;
  if (mix.atomic_updates == 0) return part(s, TimePartKind::atomics, 0, "no atomics on global memory");
  const double updates = double(mix.atomic_updates);
  const double words = std::max(1.0, updates / std::max(1.0, double(mix.atomic_hottest_lanes)));
  // Interpolates between lanes at random words, for which the random rates were measured, and rows of eight
  // lanes a sector.
  const double lanes = updates / std::max(1.0, double(s.work.counters.atomic_sectors));
  const double chance = lanes_by_chance(words);
  const double row =
      chance < most_lanes ? std::clamp(std::log(lanes / chance) / std::log(8 / chance), 0.0, 1.0) : 0;
  const double rate =
      std::pow(s.c.atomics_per_us(words, true), row) * std::pow(s.c.atomics_per_us(words, false), 1 - row);
  return part(s, TimePartKind::atomics, updates / rate,
              fmt::format("{} updates that meet as at {} words, {} a sector / {} a µs", three_digits(updates),
                          three_digits(words), three_digits(lanes), three_digits(rate)));
}

// --- Waiting ----------------------------------------------------------------------------------------------

double link_cycles(const Scene& s, ChainLink link, double load_cycles) {
  const auto of = [&](const char* unit) { return s.c.value(std::string("latency_") + unit); };
  switch (link) {
    case ChainLink::arithmetic:
      return of("integer");
    case ChainLink::wide:
      return of("wide_integer");
    case ChainLink::global:
      return load_cycles;
    case ChainLink::barrier:
      return s.c.value("barrier_cycles") + s.c.value("barrier_cycles_per_warp") * (s.warps_per_block - 1);
    case ChainLink::shared_atomic:
      return 2 * of("shared");
    case ChainLink::tensor:
      return of("shared");  // not measured: about as long on the measured devices
    default:
      return of(to_string(link));
  }
}

// The time that a warp waits for its own results, from its first to its last instruction.
double chain_us(const Scene& s, const Traffic& t) {
  const double asked = double(sectors_loaded(s.work.counters));
  const double hits = asked > 0 ? std::clamp(1 - t.loaded / asked, 0.0, 1.0) : 0;
  const double behind = t.stays * s.c.value("l2_latency") + (1 - t.stays) * s.c.value("memory_latency");
  const double load_cycles = hits * s.c.value("l1_latency") + (1 - hits) * behind;
  double cycles = 0;
  for (size_t i = 0; i < chain_links; ++i)
    if (s.work.mix.chain[i] != 0)
      cycles += double(s.work.mix.chain[i]) * link_cycles(s, static_cast<ChainLink>(i), load_cycles);
  return cycles / s.warps / s.cycles_per_us;
}

double start_us(const Scene& s) { return s.blocks / block_starts_per_us(s.c, s.threads); }

double norm(double a, double b, double power) {
  return std::pow(std::pow(a, power) + std::pow(b, power), 1 / power);
}

}  // namespace

KernelTime time_of_kernel(const Device& device, const KernelWork& work, const Calibration& calibration) {
  const Scene s = scene_of(device, work, calibration);
  const Traffic t = traffic_of(device, work);
  KernelTime time;
  time.blocks_on_busiest_sm = static_cast<uint64_t>(s.busiest);
  time.rounds = static_cast<uint64_t>(s.rounds);
  // A buffer that L2 still holds from the launch before is not moved again.
  const double dram = t.read_bytes + t.written_bytes;
  time.dram_bytes = {(1 - t.stays) * dram, dram, dram};
  time.parts = {issue_part(s), shared_part(s), l1_part(s), l2_part(s, t), dram_part(s, t), atomics_part(s)};
  double through = 0, caches = 0;
  for (const TimePart& one : time.parts) {
    const bool is_cache = one.kind == TimePartKind::l1 || one.kind == TimePartKind::l2;
    double& together = is_cache ? caches : through;
    together = norm(together, one.us.value, is_cache ? caches_together : units_together);
  }
  through = norm(through, caches, units_together);

  // The last store must reach L2 before the kernel ends.
  const Counters& c = work.counters;
  const bool writes = c.global_store_requests + c.atomic_requests > 0;
  const double drain = writes ? s.c.value("l2_latency") / s.cycles_per_us : 0;
  const double chain = chain_us(s, t) + drain, start = start_us(s), floor = s.c.value("floor_us");
  // A block is replaced only when all its warps have ended, so each later round waits for its own results and
  // until the units have served its block: the larger the block, the less other work there is meanwhile.
  const double waiting = (s.rounds - 1) * (chain + through / s.busiest);
  time.parts.push_back(part(s, TimePartKind::latency, s.rounds * chain,
                            fmt::format("{} rounds of blocks × {} that a warp waits for its own results",
                                        three_digits(s.rounds), duration_text(chain * 1e-6))));
  time.parts.push_back(
      part(s, TimePartKind::start, start,
           fmt::format("{} blocks, {} started a µs", thousands(static_cast<uint64_t>(s.blocks)),
                       three_digits(s.blocks / std::max(start, 1e-9)))));
  time.parts.push_back(part(s, TimePartKind::floor, floor, "an empty kernel"));
  // The last block to end may be the longest, whose warps wait more often than others.
  const double us =
      floor + chain * s.longest + norm(norm(through, waiting, blocks_together), start, blocks_together);
  time.events_us = s.c.value("events_us");
  time.us = Band{us / calibration.band, us, us * calibration.band};
  const TimePart* bound = bound_of(time);
  time.formula = fmt::format(
      "an empty kernel {} + the wait of the longest warp {} + the longest of work, starting blocks and "
      "waiting of later rounds, and some of the others, since they overlap; the longest part of the work is "
      "{} with {}",
      duration_text(floor * 1e-6), duration_text(chain * s.longest * 1e-6), words_of(bound->kind),
      duration_text(bound->us.value * 1e-6));
  if (!calibration.scaled_from.empty())
    time.formula += fmt::format("; figures measured on an {}, scaled by what is published of both",
                                calibration.scaled_from);
  return time;
}

}  // namespace calibrated

double issue_rate(const Calibration& calibration, IssueUnit unit) {
  const double rate = calibration.value(std::string("issue_") + to_string(unit));
  return rate > 0 ? rate : calibration.value("issue_slots");
}

double block_starts_per_us(const Calibration& calibration, double threads) {
  return calibration.value(threads >= threads_of_large_blocks ? "large_block_starts_per_us"
                                                              : "block_starts_per_us");
}

Traffic traffic_of(const Device& device, const KernelWork& work) {
  const Counters& c = work.counters;
  Traffic t;
  const double asked = double(sectors_loaded(c)), bytes = double(work.buffer_bytes);
  const double once = bytes / double(observe::sector_bytes);
  if (const auto behind = sectors_behind_l1(work))
    t.loaded = *behind;
  else
    t.loaded = asked > once && once > 0 ? std::sqrt(once * asked) : asked;
  const double stored = double(c.global_store_sectors);
  const double local = double(c.local_store_sectors);
  const double local_whole = std::min(local, double(work.mix.local_store_sectors_ideal));
  t.whole = std::min(stored, double(work.mix.store_sectors_ideal)) + local_whole;
  const double rest = std::max(0.0, stored - double(work.mix.store_sectors_ideal));
  // Lines with one sector each are scattered; lines with four are not.
  const double lines = double(work.mix.store_lines);
  const double apart = stored > 0 ? std::clamp((4 * lines / stored - 1) / 3, 0.0, 1.0) : 0;
  t.scattered = rest * apart;
  t.partial = rest * (1 - apart) + (local - local_whole);
  const double l2 = device.l2_bytes ? double(*device.l2_bytes) : 0;
  if (l2 > 0 && !work.l2_is_empty)
    t.stays = std::clamp((none_stays - bytes / l2) / (none_stays - all_stays), 0.0, 1.0);
  t.read_bytes = c.dram_read_bytes ? double(*c.dram_read_bytes)
                                   : std::min(t.loaded * double(observe::sector_bytes), bytes);
  t.written_bytes = c.dram_write_bytes ? double(*c.dram_write_bytes)
                                       : std::min(stored * double(observe::sector_bytes), bytes);
  return t;
}

KernelTime calibrated_time(const Device& device, const KernelWork& work, const Calibration& calibration) {
  return calibrated::time_of_kernel(device, work, calibration);
}

}  // namespace warplens
