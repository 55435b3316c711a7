// The result of a run: an immutable value that views, the command line and exports read. Its fields have the
// names of the report's keys.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/provenance.h"
#include "core/device/launch_limits.h"
#include "core/launch/instruction_mix.h"
#include "core/launch/launch_request.h"
#include "core/launch/warp_states.h"

namespace warplens {

enum class RunStatus : uint8_t { ok, fault, check_failed, refused, cancelled };
const char* to_string(RunStatus status);

// Exact counts, with the same meaning as in Nsight Compute. A count that is not known is empty, never 0.
struct Counters {
  static constexpr Provenance source = Provenance::counted;
  uint64_t warp_instructions = 0, thread_instructions = 0;
  uint64_t branches = 0, divergent_branches = 0, barriers = 0;
  uint64_t global_load_requests = 0, global_load_sectors = 0;
  uint64_t global_store_requests = 0, global_store_sectors = 0;
  uint64_t shared_load_requests = 0, shared_load_wavefronts = 0, shared_load_bank_conflicts = 0;
  // As in Nsight Compute, atomics on shared memory are not counted as stores, and a background copy
  // (cp.async) is counted neither as a load nor as a store.
  uint64_t shared_store_requests = 0, shared_store_wavefronts = 0, shared_store_bank_conflicts = 0;
  uint64_t shared_atomic_requests = 0, shared_atomic_wavefronts = 0, shared_atomic_bank_conflicts = 0;
  uint64_t async_copy_requests = 0, async_copy_global_sectors = 0, async_copy_shared_wavefronts = 0,
           async_copy_bank_conflicts = 0;
  uint64_t local_load_sectors = 0, local_store_sectors = 0;
  uint64_t constant_load_requests = 0, texture_requests = 0, texture_sectors = 0;
  uint64_t atomic_requests = 0, atomic_sectors = 0;
  std::optional<uint64_t> l1_hit_sectors, l2_read_sectors, dram_read_bytes, dram_write_bytes;
  bool operator==(const Counters&) const = default;
};

// Sums over the kinds of access: loads, stores, atomics and background copies.
struct SharedCounts {
  uint64_t requests = 0, wavefronts = 0, bank_conflicts = 0;
};
SharedCounts shared_counts(const Counters& counters);
// Of global and local memory: all requested sectors, and those that are read by loads and copies.
uint64_t sectors_asked_for(const Counters& counters);
uint64_t sectors_loaded(const Counters& counters);
// The sectors of global memory without those of atomics.
uint64_t global_sectors(const Counters& counters);
uint64_t global_requests(const Counters& counters);

// The counts since `before`, an earlier copy of the same counters. They are the counters of one launch of
// several.
Counters since(const Counters& before, const Counters& now);

struct LineCounters {
  std::string file;
  uint32_t line = 0;
  uint64_t warp_instructions = 0;
  uint64_t thread_instructions = 0;  // sum of the active lanes of all warp instructions
  uint64_t global_sectors = 0, global_sectors_ideal = 0, global_requests = 0;
  uint64_t bank_conflicts = 0;
  uint64_t local_requests = 0, local_sectors = 0, constant_requests = 0, texture_requests = 0;
  uint64_t divergent_branches = 0;
  double active_lane_percent() const {
    return warp_instructions == 0 ? 0.0
                                  : 100.0 * double(thread_instructions) / (32.0 * double(warp_instructions));
  }
};

// The kinds of faults and findings. The report has the same names.
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
  device_fault,  // of a real GPU that gives no further information
  unknown
};
const char* to_string(IncidentKind kind);

// A fault or a finding. A fault ends the launch; after a finding, the launch continues.
struct Incident {
  IncidentKind kind = IncidentKind::unknown;
  std::string message;
  std::string file;
  uint32_t line = 0;      // of the kernel source; 0 if not known
  uint32_t ptx_line = 0;  // of the PTX text
  Dim3 block{0, 0, 0}, thread{0, 0, 0};
  uint64_t address = 0;
  uint32_t bytes = 0;
  std::shared_ptr<const Incident> other;  // the other access of a race
  // The allocation that contains the address, and the offset from its start. A refused access is past its
  // end: then it is the allocation below the address. Empty if there is none, or none that has a name.
  std::string allocation;
  std::optional<uint64_t> offset;
  std::string value;   // value that was read, written or divided by, as its type prints it; empty if unknown
  uint64_t count = 1;  // how often it happened here; the other fields describe the first thread
  // The calls through which the function of this line was inlined, the innermost first.
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
  std::string message;                     // "out[17] is 3, the CPU reference says 4"; empty if equal
};

// Which warning it is. The report has the same names.
enum class WarningId : uint8_t {
  // About the launch.
  uncovered_elements,
  too_many_threads,
  block_not_multiple_of_warp,
  shared_needs_opt_in,
  grid_smaller_than_sms,
  low_occupancy_grid,
  tail_wave,
  registers_limit_occupancy,
  shared_limits_occupancy,
  // About the counts of a run.
  uncoalesced,
  bank_conflicts,
  divergence,
  copies_dominate,
  // The input cannot fill the device, whatever the block. Replaces warnings that matter only for large
  // inputs.
  small_input,
  // The launch is refused, but another one was tried and runs.
  launch_refused,
  // The registers and the shared memory are not known.
  resources_unknown
};
const char* to_string(WarningId id);

struct Warning {
  WarningId id = WarningId::resources_unknown;
  std::string title;
  std::string message;  // what is wrong and why it costs time
  // "Try 12 × 16 threads a block (80 × 40 blocks): 44.9 → 31.1 µs ≈". Empty if there is no fix.
  std::string fix_label;
  std::optional<Dim3> fix_block, fix_grid;
  std::optional<uint32_t> fix_shared_bytes;
  // The modelled times of the kernel before and with the fix. Empty if the model does not know them.
  std::optional<double> fix_from_us, fix_to_us;
  // Roughly the share of the kernel's time that it costs. From 1 on, the result is wrong.
  double weight = 0;
  bool quiet = false;  // a note: it teaches, but there is nothing to fix
  bool minor = false;  // quiet unless another launch is found that fixes it
};

// The thread that wrote each element last: its index in the launch (linear block · threads per block +
// linear thread) + 1, or 0 if no thread wrote it.
struct WriterMap {
  uint32_t element_bytes = 1;
  Dim3 grid, block;
  std::vector<uint64_t> writer;
};

struct OutputBuffer {
  uint32_t index = 0;  // index in LaunchRequest::buffers
  std::shared_ptr<const Bytes> bytes;
  std::shared_ptr<const WriterMap> writers;  // null if not recorded
};

// Heat maps over the blocks of the grid. There are at most about a million bins. Each covers
// `blocks_per_bin` consecutive blocks (linear order, x fastest).
struct BlockStats {
  Dim3 grid;
  uint64_t blocks_per_bin = 1;
  std::vector<uint64_t> warp_instructions, divergent_branches, global_sectors;
};

// Times on a device in microseconds. A time that is not known is empty. `low` and `high` bound the kernel's
// time.
struct TimesUs {
  std::optional<double> compile, copy_in, launch, kernel, copy_out, low, high;
  Provenance source = Provenance::modelled;
  std::string unknown;  // why the kernel's time is not known; empty if it is known
};

// Times in microseconds that were measured on a real GPU over several runs.
struct Spread {
  double median = 0, minimum = 0, p10 = 0, p90 = 0;
  std::vector<double> samples;  // in the order of the runs
};
// Percentiles are interpolated linearly between samples. Empty if there are no samples.
std::optional<Spread> spread_of(std::vector<double> samples);

// What a real GPU and its driver report about a run. Events on the device time the copies and the kernels;
// each time is the sum over the steps of one run. The L2 cache is overwritten before each run.
struct DeviceRun {
  static constexpr Provenance source = Provenance::measured;
  std::optional<Spread> copy_in_us, kernel_us, copy_out_us;         // page-locked host memory
  std::optional<Spread> copy_in_pageable_us, copy_out_pageable_us;  // plain host memory, by the host's clock
  std::optional<Spread> launch_us;                                  // the host's call of the launch
  std::vector<Spread> launches_us;                   // each kernel launch of the run on its own
  std::optional<uint32_t> max_active_blocks_per_sm;  // from the driver
  std::optional<double> sm_clock_mhz, memory_clock_mhz, temperature_c;  // right after the runs
  std::string throttled;  // why the clocks are lowered; empty if they are not, or if it is not known
  std::string code;       // the loaded code: "machine code, made by ptxas", "PTX by the driver"
  std::string beside;     // why nothing was counted; empty if the virtual GPU ran the same launch
};

// An output of the real GPU compared with the same output of the virtual GPU, element by element.
struct Comparison {
  std::string buffer;
  bool equal = false;  // within the tolerance
  std::string tolerance;
  uint64_t elements = 0;
  uint64_t different = 0;            // elements with different bits; NaNs are compared by their bits too
  uint64_t beyond = 0;               // elements outside the tolerance
  std::optional<uint64_t> max_ulps;  // for floats: the distance in representable numbers
  double max_abs = 0;
  std::optional<uint64_t> first;      // the first outside the tolerance, or the first that differs
  std::optional<Dim3> block, thread;  // the thread that wrote it last on the virtual GPU
  std::string message;                // empty if all bits are the same
};

// One row of the comparison with libraries: a library that does the kernel's work, or the kernel itself. If
// it could not run, `missing` says why and there are no times.
struct LibraryRow {
  std::string who;  // "this kernel", "cuBLAS 12.9.1", "Eigen 3.4.0 on one core"
  std::string how;  // "matmul_tiled", "cublasSgemm"
  std::string missing;
  Provenance source = Provenance::measured;
  std::optional<Spread> time_us, copy_in_us, copy_out_us;
  bool right = true;
  std::string check;  // what its result was compared with, and how far it is off
};

// The time that this machine takes to run the kernel on the virtual GPU: execution only, median of the
// repeats.
struct HostTimes {
  static constexpr Provenance source = Provenance::measured;
  double execute_ms = 0;
  std::optional<double> cpu_ms;  // of the CPU reference, if there is one
  uint32_t workers = 1, repeats = 1;
};

// For a launch that is too long for the cache model: what L1 held for a sample of its blocks.
struct CacheSample {
  uint64_t blocks = 0;        // blocks in the sample
  uint64_t load_sectors = 0;  // of their loads, from global and local memory
  uint64_t hit_sectors = 0;   // of those, in L1
  bool operator==(const CacheSample&) const = default;
};

// Warp instructions of the blocks, in their order. With more than 16,384 blocks, a cell holds several
// consecutive blocks.
struct BlockWork {
  uint64_t blocks_per_cell = 1;
  std::vector<uint64_t> cells;
  bool empty() const { return cells.empty(); }
};

// One launch of the request, in the order in which they ran.
struct LaunchRecord {
  std::string entry;
  LaunchShape shape;
  std::optional<Resources> resources;
  std::optional<Occupancy> occupancy;
  std::optional<Counters> counters;
  InstructionMix mix;  // of the same instructions as `counters`; all zeros if that is empty
  std::optional<CacheSample> cache_sample;
  // For kernels with loops, whose blocks may differ in the amount of work. Empty if all have the same, or if
  // it is not known.
  BlockWork block_work;
  double execute_ms = 0;  // measured on this machine's virtual GPU
};

struct Trace;  // core/gpu/stepping/trace/trace.h

// The groups of a result. Those that cross to the process of a real GPU are described in
// core/launch/fields.h.

// How the run ended.
struct RunOutcome {
  RunStatus status = RunStatus::ok;
  std::optional<std::string> cuda_error;
  std::string message;      // one sentence for the statuses fault, refused and cancelled
  std::string consequence;  // refused: what a program that does not check errors would have shown
  std::vector<Incident> faults;
  std::vector<OutputBuffer> outputs;
  std::string console;  // what printf wrote
};

// What was run.
struct RunSubject {
  std::string entry;
  LaunchShape shape;
  std::optional<Resources> resources;
  std::optional<Occupancy> occupancy;
  std::vector<LaunchRecord> launches;  // launches that ran
};

// The counts of the virtual GPU, also if it ran before a real GPU.
struct RunCounts {
  std::optional<Counters> counters;  // the sum over the launches; empty if nothing was to be counted or ran
  std::vector<LineCounters> lines;   // empty without `counters`
  std::vector<Incident> findings;
  Sanitize looked_for = Sanitize::off;  // mistakes that were looked for, with or without a finding
  std::string not_looked_for;           // why not for all kinds; empty if for all, or if the user chose so
  std::shared_ptr<const BlockStats> blocks;
  std::shared_ptr<const Trace> trace;  // null if none was requested
  std::shared_ptr<const SmStates> sm;  // of the first launch; null if it was not modelled
  HostTimes host;
};

// Times of the device, modelled or measured.
struct RunTiming {
  TimesUs time;
  std::optional<DeviceRun> measured;  // of a real GPU
};

// Comparisons of the result with references, and the warnings about it.
struct RunChecks {
  std::vector<Check> checks;
  std::vector<Comparison> comparisons;  // of the two engines, if requested
  std::vector<LibraryRow> libraries;    // compared with the kernel, if requested
  std::vector<Warning> warnings;
};

struct RunResult : RunOutcome, RunSubject, RunCounts, RunTiming, RunChecks {
  std::shared_ptr<const LaunchRequest> request;  // what was run
};

// Whether the virtual GPU ran it, by itself or before a real one. Otherwise `host` has no meaning.
bool virtual_gpu_ran(const RunResult& result);

}  // namespace warplens
