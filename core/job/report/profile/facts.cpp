#include "core/job/report/profile/facts.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/gpu/timing/achieved_occupancy.h"
#include "core/gpu/timing/time_model.h"
#include "core/job/report/profile/marks.h"
#include "core/launch/fields.h"
#include "core/launch/steps.h"

namespace warplens::profile {

namespace {

// The launch that the facts describe.
struct Subject {
  const RunResult& result;
  const LaunchRecord& record;
  const Device& device;
  const std::optional<Counters> counters;
  const KernelTime time;
  const std::optional<AchievedOccupancy> achieved;
  const bool alone;          // the run has no other launch: lines are counted per run
  const SmStates* const sm;  // null if the launch was not modelled
};

using Value = std::optional<double>;

struct FactRow {
  const char* name;
  Mark mark;
  Value (*value)(const Subject&);
};

template <auto member>
Value of_resources(const Subject& s) {
  return s.record.resources ? Value((*s.record.resources).*member) : std::nullopt;
}

template <auto member>
Value of_occupancy(const Subject& s) {
  return s.record.occupancy ? Value(double((*s.record.occupancy).*member)) : std::nullopt;
}

// A limit by a resource that the kernel does not use is not shown.
template <auto member>
Value block_limit(const Subject& s) {
  const Value limit = of_occupancy<member>(s);
  return limit && *limit == no_block_limit ? std::nullopt : limit;
}

template <auto member>
Value of_sm(const Subject& s) {
  return s.sm ? Value((*s.sm).*member) : std::nullopt;
}

template <WarpState state>
Value cycles_in(const Subject& s) {
  return s.sm ? Value(s.sm->cycles_an_instruction[state]) : std::nullopt;
}

template <IssueUnit unit>
Value pipe(const Subject& s) {
  return s.counters ? Value(double(s.record.mix.of(unit))) : std::nullopt;
}

template <TimePartKind kind>
Value seconds_of(const Subject& s) {
  const TimePart* part = s.time.us ? part_of(s.time, kind) : nullptr;
  if (part == nullptr) return std::nullopt;
  return (part->mean_us > 0 ? part->mean_us : part->us.value) * 1e-6;
}

// From 7.0 on, a thread gets at least 16 registers. The profiler prints these numbers: checked on 8.6 and
// 9.0.
uint32_t registers_allotted(const Subject& s) {
  constexpr uint32_t least = 16, since = 70;
  const uint32_t used = s.record.resources->registers_per_thread;
  return s.device.compute_capability.number() >= since ? std::max(used, least) : used;
}

Value limit_by_registers(const Subject& s) {
  if (!s.record.resources || !s.record.occupancy) return std::nullopt;
  const uint32_t allotted = registers_allotted(s);
  if (allotted == s.record.resources->registers_per_thread)
    return block_limit<&Occupancy::limit_registers>(s);
  const auto threads = static_cast<uint32_t>(s.record.shape.block.count());
  return double(
      occupancy_of(s.device, {.threads_per_block = threads, .registers_per_thread = allotted, .blocks = 1})
          .limit_registers);
}

Value line_sum(const Subject& s, uint64_t LineCounters::*member) {
  if (!s.counters || !s.alone) return std::nullopt;
  double sum = 0;
  for (const LineCounters& line : s.result.lines) sum += double(line.*member);
  return sum;
}

Value scaled(const std::optional<double>& value, double factor) {
  return value ? Value(*value * factor) : std::nullopt;
}

constexpr Mark exact = Mark::exact, modelled = Mark::modelled;

constexpr FactRow fact_rows[] = {
    // The launch, and data from its compiler.
    {"block_size", exact, [](const Subject& s) { return Value(double(s.record.shape.block.count())); }},
    {"grid_size", exact, [](const Subject& s) { return Value(double(s.record.shape.grid.count())); }},
    {"registers_per_thread", exact,
     [](const Subject& s) { return s.record.resources ? Value(registers_allotted(s)) : std::nullopt; }},
    {"shared_static_bytes", exact, of_resources<&Resources::shared_static_bytes>},
    {"shared_dynamic_bytes", exact,
     [](const Subject& s) { return Value(s.record.shape.shared_dynamic_bytes); }},
    {"shared_driver_bytes", exact,
     [](const Subject& s) { return Value(s.device.limits.shared_reserved_bytes_per_block); }},
    {"limit_blocks", exact, of_occupancy<&Occupancy::limit_blocks>},
    {"limit_registers", exact, limit_by_registers},
    {"limit_shared", modelled, block_limit<&Occupancy::limit_shared>},
    {"limit_warps", exact, of_occupancy<&Occupancy::limit_warps>},
    {"active_warps_per_sm", exact, of_occupancy<&Occupancy::active_warps_per_sm>},
    {"theoretical_percent", exact, of_occupancy<&Occupancy::theoretical_percent>},
    {"waves", exact, of_occupancy<&Occupancy::waves>},
    {"achieved_warps", modelled,
     [](const Subject& s) { return s.achieved ? Value(s.achieved->warps) : std::nullopt; }},
    {"achieved_percent", modelled,
     [](const Subject& s) { return s.achieved ? Value(s.achieved->percent) : std::nullopt; }},
    // The device.
    {"sms", exact, [](const Subject& s) { return Value(s.device.sms); }},
    {"schedulers", exact,
     [](const Subject& s) { return Value(double(s.device.sms) * s.device.limits.sub_partitions); }},
    {"memory_bytes_per_s", modelled,
     [](const Subject& s) { return scaled(s.device.memory_bandwidth_gb_s, 1e9); }},
    {"sm_hz", modelled, [](const Subject& s) { return scaled(s.device.boost_clock_mhz, 1e6); }},
    {"memory_hz", modelled, [](const Subject& s) { return scaled(s.device.memory_clock_mhz, 1e6); }},
    // Sums of counters.
    {"shared_bank_conflicts", exact,
     [](const Subject& s) {
       return s.counters ? Value(double(shared_counts(*s.counters).bank_conflicts)) : std::nullopt;
     }},
    {"zero_if_no_atomics", exact,
     [](const Subject& s) {
       return s.counters && s.counters->atomic_requests == 0 ? Value(0) : std::nullopt;
     }},
    {"load_sectors_ideal", modelled,
     [](const Subject& s) {
       return s.counters ? Value(double(s.record.mix.load_sectors_ideal)) : std::nullopt;
     }},
    {"store_sectors_ideal", modelled,
     [](const Subject& s) {
       return s.counters ? Value(double(s.record.mix.store_sectors_ideal)) : std::nullopt;
     }},
    {"line_sectors", modelled, [](const Subject& s) { return line_sum(s, &LineCounters::global_sectors); }},
    {"line_sectors_ideal", modelled,
     [](const Subject& s) { return line_sum(s, &LineCounters::global_sectors_ideal); }},
    // Instructions of the PTX by the unit that executes them.
    {"pipe_fp16", modelled, pipe<IssueUnit::fp16>},
    {"pipe_fp32", modelled, pipe<IssueUnit::fp32>},
    {"pipe_fp64", modelled, pipe<IssueUnit::fp64>},
    {"pipe_integer", modelled, pipe<IssueUnit::integer>},
    {"pipe_wide_integer", modelled, pipe<IssueUnit::wide_integer>},
    {"pipe_multiply", modelled, pipe<IssueUnit::multiply>},
    {"pipe_special", modelled, pipe<IssueUnit::special>},
    {"pipe_convert", modelled, pipe<IssueUnit::convert>},
    {"pipe_divide", modelled, pipe<IssueUnit::divide>},
    {"pipe_float_divide", modelled, pipe<IssueUnit::float_divide>},
    {"pipe_memory", modelled, pipe<IssueUnit::memory>},
    {"pipe_warp", modelled, pipe<IssueUnit::warp>},
    {"pipe_tensor", modelled, pipe<IssueUnit::tensor>},
    // The model of an SM.
    {"issue_slots", modelled, of_sm<&SmStates::issue_slots>},
    {"active_warps", modelled, of_sm<&SmStates::active_warps>},
    {"eligible_warps", modelled, of_sm<&SmStates::eligible_warps>},
    {"cycles_selected", modelled, cycles_in<WarpState::selected>},
    {"cycles_not_selected", modelled, cycles_in<WarpState::not_selected>},
    {"cycles_wait", modelled, cycles_in<WarpState::wait>},
    {"cycles_long_scoreboard", modelled, cycles_in<WarpState::long_scoreboard>},
    {"cycles_short_scoreboard", modelled, cycles_in<WarpState::short_scoreboard>},
    {"cycles_math_pipe_throttle", modelled, cycles_in<WarpState::math_pipe_throttle>},
    {"cycles_mio_throttle", modelled, cycles_in<WarpState::mio_throttle>},
    {"cycles_lg_throttle", modelled, cycles_in<WarpState::lg_throttle>},
    {"cycles_barrier", modelled, cycles_in<WarpState::barrier>},
    {"cycles_drain", modelled, cycles_in<WarpState::drain>},
    // The time model.
    // Measured by itself, not between two events.
    {"duration_s", modelled,
     [](const Subject& s) {
       return s.time.us ? Value((s.time.us->value - s.time.events_us) * 1e-6) : std::nullopt;
     }},
    // For each unit, the mean over all SMs.
    {"issue_s", modelled, seconds_of<TimePartKind::issue>},
    {"l1_s", modelled, seconds_of<TimePartKind::l1>},
    {"l2_s", modelled, seconds_of<TimePartKind::l2>},
    {"dram_bytes", modelled,
     [](const Subject& s) { return s.time.us ? Value(s.time.dram_bytes.value) : std::nullopt; }},
};

// Counters that are not exact figures of the profiler: from PTX in place of machine code, from the cache
// model, or never compared with those of a GPU.
constexpr std::array<std::string_view, 12> modelled_counters = {
    "warp_instructions", "thread_instructions", "branches",        "divergent_branches",
    "barriers",          "texture_requests",    "texture_sectors", "constant_load_requests",
    "l1_hit_sectors",    "l2_read_sectors",     "dram_read_bytes", "dram_write_bytes"};

Mark counter_mark(std::string_view name) {
  return std::ranges::find(modelled_counters, name) == modelled_counters.end() ? exact : modelled;
}

// The counts of a launch that stopped early depend on the order in which blocks ran.
bool ran_to_its_end(const RunResult& result, size_t launch) {
  const bool whole = result.status == RunStatus::ok || result.status == RunStatus::check_failed;
  return whole || (result.status != RunStatus::refused && launch + 1 < result.launches.size());
}

// The profiler empties the caches before a launch.
KernelTime time_under_a_profiler(const Device& device, KernelWork work) {
  work.l2_is_empty = true;
  return kernel_time(device, work, default_time_parameters());
}

// For a refused launch, what is known without running it.
LaunchRecord record_of(const RunResult& result, size_t launch) {
  if (launch < result.launches.size()) return result.launches[launch];
  LaunchRecord record;
  record.entry = result.entry;
  record.shape = result.shape;
  record.resources = result.resources;
  record.occupancy = result.occupancy;
  return record;
}

}  // namespace

Facts facts_of(const RunResult& result, size_t launch) {
  Facts facts;
  if (!result.request) return facts;
  const LaunchRecord record = record_of(result, launch);
  const bool whole = ran_to_its_end(result, launch) && record.counters.has_value();
  const Device& device = result.request->device;
  const Subject subject{result,
                        record,
                        device,
                        whole ? record.counters : std::nullopt,
                        whole ? time_under_a_profiler(device, work_of(result, launch)) : KernelTime(),
                        whole ? achieved_occupancy(result, launch) : std::nullopt,
                        result.launches.size() == 1,
                        whole && launch == 0 ? result.sm.get() : nullptr};
  for (const FactRow& row : fact_rows)
    if (const Value value = row.value(subject)) facts[row.name] = {*value, row.mark};
  if (subject.counters)
    each_field(*subject.counters, [&]<class T>(std::string_view name, const T& value) {
      if constexpr (std::is_same_v<T, uint64_t>)
        facts[std::string(name)] = {double(value), counter_mark(name)};
      else if (value)
        facts[std::string(name)] = {double(*value), counter_mark(name)};
    });
  const LaunchStep* step = first_launch(*result.request);
  settle_marks(record, result.request->module ? std::string_view(result.request->module->ptx) : "",
               step != nullptr && step->cooperative, facts);
  return facts;
}

std::optional<Mark> fact_mark(std::string_view name) {
  const auto row =
      std::ranges::find(fact_rows, name, [](const FactRow& r) { return std::string_view(r.name); });
  if (row != std::end(fact_rows)) return row->mark;
  std::optional<Mark> mark;
  const Counters none;
  each_field(none, [&](std::string_view counter, const auto&) {
    if (counter == name) mark = counter_mark(name);
  });
  return mark;
}

}  // namespace warplens::profile
