// What a run did: an immutable value that views, the command line and exports read. Field names follow the
// report.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/source.h"
#include "core/device/launch_limits.h"
#include "core/launch/instruction_mix.h"
#include "core/launch/launch_request.h"

namespace warplens {

enum class RunStatus : uint8_t { ok, fault, check_failed, refused, cancelled };
const char* to_string(RunStatus status);

// Exact counts; Nsight Compute's meaning. Empty: not known, never 0.
struct Counters {
  static constexpr Source source = Source::counted;
  uint64_t warp_instructions = 0, thread_instructions = 0;
  uint64_t branches = 0, divergent_branches = 0, barriers = 0;
  uint64_t global_load_requests = 0, global_load_sectors = 0;
  uint64_t global_store_requests = 0, global_store_sectors = 0;
  uint64_t shared_load_requests = 0, shared_load_wavefronts = 0, shared_load_bank_conflicts = 0;
  uint64_t shared_store_requests = 0, shared_store_wavefronts = 0, shared_store_bank_conflicts = 0;
  uint64_t local_load_sectors = 0, local_store_sectors = 0;
  uint64_t constant_load_requests = 0, texture_requests = 0, texture_sectors = 0;
  uint64_t atomic_requests = 0, atomic_sectors = 0;
  std::optional<uint64_t> l1_hit_sectors, l2_read_sectors, dram_read_bytes, dram_write_bytes;
  bool operator==(const Counters&) const = default;
};

// What was counted since `before`, a copy of the same counters of earlier on: one launch of several.
Counters since(const Counters& before, const Counters& now);

struct LineCounters {
  std::string file;
  uint32_t line = 0;
  uint64_t warp_instructions = 0;
  uint64_t thread_instructions = 0;  // active lanes over all of them
  uint64_t global_sectors = 0, global_sectors_ideal = 0, global_requests = 0;
  uint64_t bank_conflicts = 0;
  uint64_t local_requests = 0, local_sectors = 0, constant_requests = 0, texture_requests = 0;
  uint64_t divergent_branches = 0;
  double active_lane_percent() const {
    return warp_instructions == 0 ? 0.0
                                  : 100.0 * double(thread_instructions) / (32.0 * double(warp_instructions));
  }
};

// What went wrong. The report has the same names.
enum class IncidentKind : uint8_t {
  // Findings. A mask is a fault where a GPU stops at it.
  race,
  uninitialized,
  division_by_zero,
  mask,
  shuffle,
  wrong_allocation,
  leak,
  // Faults.
  out_of_bounds,
  misaligned,
  read_only,
  barrier_divergence,
  invalid_barrier,
  invalid_texture,
  deadlock,
  incomplete_warp,
  step_limit,
  trap,
  stack_overflow,
  assertion,
  invalid_pc,
  invalid_free,
  unsupported,
  time_limit,    // of a real GPU
  device_fault,  // of a real GPU that says no more
  unknown
};
const char* to_string(IncidentKind kind);

// Where it happened. A fault ends the launch, a finding is recorded and the launch goes on.
struct Incident {
  IncidentKind kind = IncidentKind::unknown;
  std::string message;
  std::string file;
  uint32_t line = 0;      // of the kernel source; 0: not known
  uint32_t ptx_line = 0;  // of the PTX text
  Dim3 block{0, 0, 0}, thread{0, 0, 0};
  uint64_t address = 0;
  uint32_t bytes = 0;
  std::shared_ptr<const Incident> other;  // a race's other side
  // Findings. What the address is in, and how far from its start; empty: nothing that has a name.
  std::string allocation;
  std::optional<uint64_t> offset;
  std::string value;   // that was read, written or divided by, as its type prints it; empty: not known
  uint64_t count = 1;  // how often it happened here; the rest tells of the first thread
  // Where the function was inlined that the line belongs to, the innermost call first.
  struct Caller {
    std::string file;
    uint32_t line = 0;
  };
  std::vector<Caller> inlined_at;
};

struct Check {
  std::string buffer;
  bool equal = false;
  uint64_t elements = 0, mismatches = 0;
  double max_abs = 0, max_rel = 0;
  std::optional<uint64_t> first_mismatch;  // element index
  std::string message;                     // "out[17] is 3, the CPU reference says 4", empty where equal
};

struct Warning {
  std::string id;  // low_occupancy_grid, block_not_multiple_of_warp, …
  std::string title;
  std::string message;    // what is wrong and why it costs
  std::string fix_label;  // "Use 64 threads a block"; empty: no fix
  std::optional<Dim3> fix_block, fix_grid;
  std::optional<uint32_t> fix_shared_bytes;
};

// Who wrote each element last: thread index in the launch (linear block · threads per block + linear thread)
// + 1; 0: nobody.
struct WriterMap {
  uint32_t element_bytes = 1;
  Dim3 grid, block;
  std::vector<uint64_t> writer;
};

struct OutputBuffer {
  uint32_t index = 0;  // in LaunchRequest::buffers
  std::shared_ptr<const Bytes> bytes;
  std::shared_ptr<const WriterMap> writers;  // null where not recorded
};

// Heat maps over blocks. At most about a million bins, each of `blocks_per_bin` consecutive blocks (linear, x
// fastest).
struct BlockStats {
  Dim3 grid;
  uint64_t blocks_per_bin = 1;
  std::vector<uint32_t> warp_instructions, divergent_branches, global_sectors;
};

// Microseconds of a device; empty where not known. Low and high are the band of the kernel's time.
struct TimesUs {
  std::optional<double> compile, copy_in, launch, kernel, copy_out, low, high;
  Source source = Source::modelled;
  std::string unknown;  // why the kernel's time is not known; empty where it is
};

// What a clock of a real GPU gave over several runs, microseconds.
struct Spread {
  double median = 0, minimum = 0, p10 = 0, p90 = 0;
  std::vector<double> samples;  // in the order of the runs
};
// Percentiles lie between samples, linearly. Empty for no samples.
std::optional<Spread> spread_of(std::vector<double> samples);

// What a real GPU and its driver said of a run. Copies and kernels are timed by events on the device, each
// sum over the steps of one run; before each run the L2 cache was overwritten.
struct DeviceRun {
  static constexpr Source source = Source::measured;
  std::optional<Spread> copy_in_us, kernel_us, copy_out_us;         // page-locked host memory
  std::optional<Spread> copy_in_pageable_us, copy_out_pageable_us;  // plain host memory, by the host's clock
  std::optional<Spread> launch_us;                                  // the host's call until it returns
  std::vector<Spread> launches_us;                                  // each kernel of the run for itself
  std::optional<uint32_t> max_active_blocks_per_sm;                 // as the driver says
  std::optional<double> sm_clock_mhz, memory_clock_mhz, temperature_c;  // right after the runs
  std::string throttled;  // why the clocks are held back; empty: they are not, or it is not known
  std::string code;       // what was loaded: "machine code by nvJitLink", "PTX by the driver"
  std::string beside;     // why nothing was counted; empty: the virtual GPU ran the same launch
};

// An output of the real GPU beside the virtual one's, element by element.
struct Comparison {
  std::string buffer;
  bool equal = false;  // within the tolerance
  std::string tolerance;
  uint64_t elements = 0;
  uint64_t different = 0;            // elements with other bits; a NaN is like any other
  uint64_t beyond = 0;               // elements that the tolerance does not cover
  std::optional<uint64_t> max_ulps;  // of floats: representable numbers in between
  double max_abs = 0;
  std::optional<uint64_t> first;      // the first element beyond the tolerance, else the first that differs
  std::optional<Dim3> block, thread;  // who wrote it last on the virtual GPU
  std::string message;                // empty where all bits are the same
};

// Somebody who does the kernel's work, the kernel itself among them. Where `missing` says why, there are no
// times.
struct LibraryRow {
  std::string who;  // "this kernel", "cuBLAS 12.9.1", "Eigen 3.4.0 on one core"
  std::string how;  // "matmul_tiled", "cublasSgemm"
  std::string missing;
  Source source = Source::measured;
  std::optional<Spread> time_us, copy_in_us, copy_out_us;
  bool right = true;
  std::string check;  // what its answer was held against, and how far it is off
};

// This machine's own cost of running the kernel on the virtual GPU: execution only, medians over the repeats.
struct HostTimes {
  static constexpr Source source = Source::measured;
  double execute_ms = 0;
  std::optional<double> cpu_ms;  // the CPU reference, where there is one
  uint32_t workers = 1, repeats = 1;
};

// One launch of the request, in the order in which they ran.
struct LaunchRecord {
  std::string entry;
  LaunchShape shape;
  std::optional<Resources> resources;
  std::optional<Occupancy> occupancy;
  std::optional<Counters> counters;
  InstructionMix mix;     // of what `counters` counted; all zeros where they are empty
  double execute_ms = 0;  // of the virtual GPU on this machine, measured
};

struct Trace;  // core/gpu/step/trace.h

// The groups of a result. Those that cross to the process of a real GPU are described in
// core/launch/fields.h.

// How it ended.
struct RunOutcome {
  RunStatus status = RunStatus::ok;
  std::optional<std::string> cuda_error;
  std::string message;      // one sentence for the statuses fault, refused and cancelled
  std::string consequence;  // refused: what a program that does not check errors would have shown
  std::vector<Incident> faults;
  std::vector<OutputBuffer> outputs;
  std::string console;  // what printf wrote
};

// What ran.
struct RunSubject {
  std::string entry;
  LaunchShape shape;
  std::optional<Resources> resources;
  std::optional<Occupancy> occupancy;
  std::vector<LaunchRecord> launches;  // those that ran
};

// What the virtual GPU counted, also where it ran ahead of a real GPU.
struct RunCounts {
  std::optional<Counters> counters;  // the sum over the launches; empty if nothing was to be counted or ran
  std::vector<LineCounters> lines;   // empty without `counters`
  std::vector<Incident> findings;
  std::shared_ptr<const BlockStats> blocks;
  std::shared_ptr<const Trace> trace;  // null if none was asked for
  HostTimes host;
};

// Times of the device, modelled or measured.
struct RunTiming {
  TimesUs time;
  std::optional<DeviceRun> measured;  // of a real GPU
};

// What the result is held against, and what is said of it.
struct RunChecks {
  std::vector<Check> checks;
  std::vector<Comparison> comparisons;  // of the two engines, where that was asked for
  std::vector<LibraryRow> libraries;    // beside the kernel, where that was asked for
  std::vector<Warning> warnings;
};

struct RunResult : RunOutcome, RunSubject, RunCounts, RunTiming, RunChecks {
  std::shared_ptr<const LaunchRequest> request;  // what was run
};

// Did the virtual GPU run it, alone or ahead of a real one? Else `host` says nothing.
bool virtual_gpu_ran(const RunResult& result);

}  // namespace warplens
