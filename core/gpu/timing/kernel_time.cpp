// The time of one kernel, from its parts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/base/figures.h"
#include "core/gpu/observe/coalescing.h"
#include "core/gpu/timing/calibrated_time.h"
#include "core/gpu/timing/scaled_calibration.h"
#include "core/gpu/timing/time_model.h"

namespace warplens {
namespace {

constexpr double sector_size = double(observe::sector_bytes);

// The inputs that both ends of the band share.
struct Scene {
  const Device& device;
  const KernelWork& work;
  const TimeParameters& p;
  double cycles_per_us = 0;
  double sms = 0, blocks = 0, warps_per_block = 0, warps = 0;
  double busiest = 0, rounds = 0, resident_warps = 0;  // blocks, refills and warps of the busiest SM
  double share = 0;                                    // of all work that the busiest SM has
};

Scene scene_of(const Device& device, const KernelWork& work, const TimeParameters& parameters) {
  Scene s{device, work, parameters};
  const double active = work.occupancy->active_blocks_per_sm;
  s.cycles_per_us = *device.boost_clock_mhz;
  s.sms = device.sms;
  s.blocks = double(work.shape.grid.count());
  s.warps_per_block = double(ceil_div(work.shape.block.count(), warp_lanes));
  s.warps = s.blocks * s.warps_per_block;
  s.busiest = std::ceil(s.blocks / s.sms);
  s.rounds = std::ceil(s.busiest / active);
  s.resident_warps = std::min(active, s.busiest) * s.warps_per_block;
  s.share = s.busiest / s.blocks;
  return s;
}

// The ends and the centre of a band. At the fast end, each parameter has its fastest value, at the slow end
// its slowest.
enum class End : uint8_t { fast, middle, slow };
Band banded(const std::function<double(End)>& value) {
  return {value(End::fast), value(End::middle), value(End::slow)};
}
// cost() is for a parameter whose higher value is slower, rate() for one whose higher value is faster.
double cost(const Parameter& p, End end) {
  return end == End::fast ? p.band.low : end == End::slow ? p.band.high : p.band.value;
}
double rate(const Parameter& p, End end) {
  return end == End::fast ? p.band.high : end == End::slow ? p.band.low : p.band.value;
}

uint64_t sectors_of(const Counters& c) { return sectors_asked_for(c); }
uint64_t requests_of(const Counters& c) { return global_requests(c) + c.atomic_requests; }

// --- Issue ------------------------------------------------------------------------------------------------

struct Issue {
  double cycles = 0;
  std::string by;  // "the schedulers", "fp32"
};

Issue issue_cycles(const Scene& s, End end) {
  const double expansion = cost(s.p.machine_instructions_per_ptx_instruction, end);
  const double schedulers = std::min<double>(s.device.limits.sub_partitions, s.resident_warps);
  const double per_clock = schedulers * rate(s.p.issues_per_scheduler_per_clock, end);
  const double mine = s.share * expansion;
  Issue issue{mine * double(s.work.counters.warp_instructions) / per_clock, "the schedulers"};
  const UnitRates rates = unit_rates(s.device, s.p);
  for (size_t i = 0; i < issue_units; ++i) {
    if (!rates[i]) continue;
    const double cycles = mine * double(s.work.mix.warp_instructions[i]) * warp_lanes / *rates[i];
    if (cycles > issue.cycles)
      issue = {cycles, std::string("the ") + to_string(static_cast<IssueUnit>(i)) + " units"};
  }
  return issue;
}

TimePart issue_part(const Scene& s) {
  const Issue middle = issue_cycles(s, End::middle);
  TimePart part{TimePartKind::issue,
                banded([&](End end) { return issue_cycles(s, end).cycles / s.cycles_per_us; }), ""};
  part.formula = fmt::format(
      "{} warp instructions × {} (machine per PTX instruction) × {} (share of the busiest SM), limited by "
      "{}: {} cycles / {} MHz = {}",
      thousands(s.work.counters.warp_instructions),
      three_digits(s.p.machine_instructions_per_ptx_instruction.band.value), three_digits(s.share), middle.by,
      three_digits(middle.cycles), three_digits(s.cycles_per_us), duration_text(part.us.value * 1e-6));
  return part;
}

// --- Paths of the data ------------------------------------------------------------------------------------

TimePart shared_part(const Scene& s) {
  const Counters& c = s.work.counters;
  const double wavefronts = s.share * double(shared_counts(c).wavefronts);
  TimePart part{TimePartKind::shared, banded([&](End end) {
                  return wavefronts / rate(s.p.shared_wavefronts_per_clock, end) / s.cycles_per_us;
                }),
                ""};
  part.formula =
      fmt::format("{} wavefronts on the busiest SM, one a cycle / {} MHz = {}", three_digits(wavefronts),
                  three_digits(s.cycles_per_us), duration_text(part.us.value * 1e-6));
  return part;
}

TimePart l1_part(const Scene& s) {
  const double bytes = s.share * double(sectors_of(s.work.counters)) * sector_size;
  const double requests = s.share * double(requests_of(s.work.counters));
  // A cycle can process four tags of four sectors each (NVIDIA developer forum, threads 49571 and 312884).
  // 32 sectors in 32 lines take eight cycles, as long as their bytes take, so the tags need no term of their
  // own.
  TimePart part{TimePartKind::l1, banded([&](End end) {
                  return std::max(bytes / rate(s.p.l1_bytes_per_clock_per_sm, end), requests) /
                         s.cycles_per_us;
                }),
                ""};
  part.formula = fmt::format("{} of sectors on the busiest SM / {} bytes a cycle / {} MHz = {}",
                             byte_size_text(static_cast<uint64_t>(bytes)),
                             three_digits(s.p.l1_bytes_per_clock_per_sm.band.value),
                             three_digits(s.cycles_per_us), duration_text(part.us.value * 1e-6));
  return part;
}

// The bytes that pass a cache, if only the limits are known: at most all requested sectors, at least each
// byte of the buffers once. The value is the geometric mean.
Band between(double least, double most) {
  least = std::min(least, most);
  return {least, std::sqrt(least * most), most};
}

Band l2_bytes(const Scene& s) {
  const Counters& c = s.work.counters;
  const double asked = double(sectors_of(c)) * sector_size;
  if (c.l2_read_sectors) {
    const double bytes =
        double(*c.l2_read_sectors + c.global_store_sectors + c.local_store_sectors) * sector_size;
    return {bytes, bytes, bytes};
  }
  if (const auto behind = sectors_behind_l1(s.work)) {
    const double bytes =
        (*behind + double(c.atomic_sectors + c.global_store_sectors + c.local_store_sectors)) * sector_size;
    return {bytes, bytes, bytes};
  }
  const double least = s.work.buffer_bytes == 0 ? asked : double(s.work.buffer_bytes);
  return between(least, asked);
}

// Data that fits into L2 moves once.
Band dram_bytes(const Scene& s, const Band& l2) {
  const Counters& c = s.work.counters;
  if (c.dram_read_bytes && c.dram_write_bytes) {
    const double bytes = double(*c.dram_read_bytes + *c.dram_write_bytes);
    return {bytes, bytes, bytes};
  }
  const bool fits =
      s.device.l2_bytes && s.work.buffer_bytes != 0 && s.work.buffer_bytes <= *s.device.l2_bytes;
  return {l2.low, fits ? l2.low : std::sqrt(l2.low * l2.value), fits ? l2.value : l2.high};
}

// Says how the number of bytes that pass a cache was obtained.
const char* origin_of(const Scene& s) {
  return s.work.counters.l2_read_sectors ? "by the model of the caches"
         : sectors_behind_l1(s.work)     ? "by a sample of blocks"
                                         : "between each byte once and every sector";
}

TimePart l2_part(const Scene& s, const Band& bytes) {
  // All SMs share the work as far as there are blocks for them.
  const double sms = std::min(s.sms, s.blocks);
  const auto us = [&](End end) {
    const double moved = end == End::fast ? bytes.low : end == End::slow ? bytes.high : bytes.value;
    return moved / (sms * rate(s.p.l2_bytes_per_clock_per_sm, end)) / s.cycles_per_us;
  };
  TimePart part{TimePartKind::l2, banded(us), ""};
  part.formula = fmt::format("{} ({}) / ({} SMs × {} bytes a cycle) / {} MHz = {}",
                             byte_size_text(static_cast<uint64_t>(bytes.value)), origin_of(s),
                             three_digits(sms), three_digits(s.p.l2_bytes_per_clock_per_sm.band.value),
                             three_digits(s.cycles_per_us), duration_text(part.us.value * 1e-6));
  return part;
}

TimePart dram_part(const Scene& s, const Band& bytes) {
  const double peak = *s.device.memory_bandwidth_gb_s * 1e3;  // bytes a microsecond
  const auto us = [&](End end) {
    const double moved = end == End::fast ? bytes.low : end == End::slow ? bytes.high : bytes.value;
    return moved / (peak * rate(s.p.memory_bandwidth_share, end));
  };
  TimePart part{TimePartKind::dram, banded(us), ""};
  part.formula = fmt::format(
      "{} ({}) / ({} GB/s × {} that kernels reach) = {}", byte_size_text(static_cast<uint64_t>(bytes.value)),
      origin_of(s), three_digits(*s.device.memory_bandwidth_gb_s),
      three_digits(s.p.memory_bandwidth_share.band.value), duration_text(part.us.value * 1e-6));
  return part;
}

// --- Latency ----------------------------------------------------------------------------------------------

// The average latency of a load after the first: from the cache model, or else between those of L2 and DRAM.
double load_cycles(const Scene& s, End end) {
  const Counters& c = s.work.counters;
  const double memory = cost(s.p.memory_latency_cycles, end), l2 = cost(s.p.l2_latency_cycles, end);
  const double asked = double(sectors_loaded(c));
  if (!c.l1_hit_sectors || !c.l2_read_sectors || !c.dram_read_bytes || asked == 0)
    return end == End::slow ? memory : end == End::fast ? l2 : (memory + l2) / 2;
  const double hits = std::min(1.0, double(*c.l1_hit_sectors) / asked);
  const double reads = double(*c.l2_read_sectors) * sector_size;
  const double from_memory = reads == 0 ? 0 : std::min(1.0, double(*c.dram_read_bytes) / reads);
  return hits * cost(s.p.l1_latency_cycles, end) +
         (1 - hits) * (from_memory * memory + (1 - from_memory) * l2);
}

// The time from the first to the last instruction of a warp that is the only one on its SM.
double chain_cycles(const Scene& s, End end) {
  const Counters& c = s.work.counters;
  const double instructions =
      double(c.warp_instructions) / s.warps * cost(s.p.machine_instructions_per_ptx_instruction, end);
  // A warp does not wait for a store.
  const double loads = double(c.global_load_requests + c.atomic_requests) / s.warps;
  const double shared = double(c.shared_load_requests + c.shared_atomic_requests) / s.warps;
  const double in_flight = rate(s.p.requests_in_flight_per_warp, end);
  const double first_touch = std::min(loads, 1.0);  // at least one load goes to memory, others may hit
  const double memory = cost(s.p.memory_latency_cycles, end);
  const double later = load_cycles(s, end);
  return instructions * cost(s.p.dependent_issue_cycles, end) + first_touch * memory +
         (loads - first_touch) * later / in_flight +
         shared * cost(s.p.shared_latency_cycles, end) / in_flight;
}

TimePart latency_part(const Scene& s) {
  TimePart part{TimePartKind::latency,
                banded([&](End end) { return s.rounds * chain_cycles(s, end) / s.cycles_per_us; }), ""};
  part.formula = fmt::format(
      "Little's law: {} rounds of {} resident warps × {} cycles that a warp waits for its own results / {} "
      "MHz = {}",
      three_digits(s.rounds), three_digits(s.resident_warps), three_digits(chain_cycles(s, End::middle)),
      three_digits(s.cycles_per_us), duration_text(part.us.value * 1e-6));
  return part;
}

// --- Starting blocks --------------------------------------------------------------------------------------

// Blocks that the whole GPU starts per clock. One unit distributes them, and each SM can accept only a
// limited number.
double start_rate(const Scene& s, End end) {
  return std::min(rate(s.p.block_starts_per_clock, end),
                  s.sms * rate(s.p.block_starts_per_clock_per_sm, end));
}

TimePart start_part(const Scene& s) {
  TimePart part{TimePartKind::start,
                banded([&](End end) { return s.blocks / start_rate(s, end) / s.cycles_per_us; }), ""};
  part.formula =
      fmt::format("{} blocks, {} started a cycle by the whole GPU / {} MHz = {}",
                  thousands(static_cast<uint64_t>(s.blocks)), three_digits(start_rate(s, End::middle)),
                  three_digits(s.cycles_per_us), duration_text(part.us.value * 1e-6));
  return part;
}

// --- Together ---------------------------------------------------------------------------------------------

double combined(const std::vector<TimePart>& parts, double Band::*end, double exponent) {
  double longest = 0, sum = 0;
  for (const TimePart& part : parts) longest = std::max(longest, part.us.*end);
  if (longest == 0) return 0;
  for (const TimePart& part : parts) sum += std::pow(part.us.*end / longest, exponent);
  return longest * std::pow(sum, 1 / exponent);
}

std::string what_is_missing(const Device& device, const KernelWork& work) {
  const auto field = [&](const char* what) {
    return fmt::format("the device file of {} has no {}", device.name, what);
  };
  if (device.sms == 0) return field("number of SMs");
  if (!device.boost_clock_mhz) return field("clock rate");
  if (!device.memory_bandwidth_gb_s) return field("memory bandwidth");
  if (!work.occupancy) return "registers, and with them the resident warps, are not known";
  if (work.occupancy->active_blocks_per_sm == 0) return "no block of this kernel fits on an SM";
  if (work.counters.warp_instructions == 0) return "no instruction was counted";
  return "";
}

}  // namespace

const char* to_string(TimePartKind kind) {
  static constexpr std::array<const char*, time_parts> names = {
      "issue", "shared", "l1", "l2", "dram", "latency", "start", "atomics", "floor"};
  return names[static_cast<size_t>(kind)];
}

const char* words_of(TimePartKind kind) {
  static constexpr std::array<const char*, time_parts> names = {
      "issuing instructions", "shared memory",           "L1 cache traffic",
      "L2 cache traffic",     "device memory bandwidth", "waiting (latency)",
      "starting blocks",      "atomics that meet",       "the kernel's start and end"};
  return names[static_cast<size_t>(kind)];
}

const TimePart* bound_of(const KernelTime& time) {
  if (!time.us || time.parts.empty()) return nullptr;
  return &*std::ranges::max_element(time.parts, {}, [](const TimePart& part) { return part.us.value; });
}

std::optional<double> sectors_behind_l1(const KernelWork& work) {
  const Counters& c = work.counters;
  const double asked = double(sectors_loaded(c));
  if (c.l1_hit_sectors) return std::max(0.0, asked - double(*c.l1_hit_sectors));
  if (!work.cache_sample || work.cache_sample->load_sectors == 0) return std::nullopt;
  return asked * (1 - double(work.cache_sample->hit_sectors) / double(work.cache_sample->load_sectors));
}

const TimePart* part_of(const KernelTime& time, TimePartKind kind) {
  const auto at = std::ranges::find(time.parts, kind, &TimePart::kind);
  return at == time.parts.end() ? nullptr : &*at;
}

KernelTime kernel_time(const Device& device, const KernelWork& work, const TimeParameters& parameters) {
  KernelTime time;
  time.unknown = what_is_missing(device, work);
  if (!time.unknown.empty()) return time;
  if (const auto calibration = calibration_for(device, parameters))
    return calibrated_time(device, work, *calibration);
  return published_time(device, work, parameters);
}

KernelTime published_time(const Device& device, const KernelWork& work, const TimeParameters& parameters) {
  KernelTime time;
  time.unknown = what_is_missing(device, work);
  if (!time.unknown.empty()) return time;
  const Scene s = scene_of(device, work, parameters);
  time.blocks_on_busiest_sm = static_cast<uint64_t>(s.busiest);
  time.rounds = static_cast<uint64_t>(s.rounds);
  const Band l2 = l2_bytes(s);
  time.dram_bytes = dram_bytes(s, l2);
  time.parts = {issue_part(s),   shared_part(s), l1_part(s), l2_part(s, l2), dram_part(s, time.dram_bytes),
                latency_part(s), start_part(s)};
  const Band p = parameters.overlap_exponent.band;
  time.us = Band{combined(time.parts, &Band::low, p.high), combined(time.parts, &Band::value, p.value),
                 combined(time.parts, &Band::high, p.low)};
  const TimePart* bound = bound_of(time);
  time.formula =
      fmt::format("the parts overlap: (Σ part^{0})^(1/{0}); longest is {1} with {2}", three_digits(p.value),
                  words_of(bound->kind), duration_text(bound->us.value * 1e-6));
  return time;
}

}  // namespace warplens
