#include "core/job/warnings/warning_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/device/number_text.h"

namespace warplens {
namespace {

// Numba warns below it (numba.cuda, NumbaPerformanceWarning: "will likely result in GPU under-utilization").
constexpr uint64_t numba_smallest_grid = 128;
// Some idle threads are normal, because the grid is rounded up. There is a warning if they are more than a
// quarter of all.
constexpr double idle_share_worth_a_word = 0.25;
// There is a warning about the last wave if a fifth of the block slots of all waves stay empty.
constexpr double empty_slots_worth_a_word = 0.20;

struct AxisFacts {
  char name;
  uint64_t grid, block, problem;
  uint64_t threads() const { return grid * block; }
};

std::array<AxisFacts, 3> axes_of(const LaunchFacts& facts) {
  const Dim3 grid = facts.shape.grid, block = facts.shape.block;
  const Dim3 problem = facts.problem.value_or(Dim3{});
  return {AxisFacts{'x', grid.x, block.x, problem.x}, AxisFacts{'y', grid.y, block.y, problem.y},
          AxisFacts{'z', grid.z, block.z, problem.z}};
}

double threads_of(const LaunchFacts& facts) {
  return static_cast<double>(facts.shape.grid.count()) * static_cast<double>(facts.shape.block.count());
}

// The number of threads that have an element.
double busy_threads(const LaunchFacts& facts) {
  double busy = 1;
  for (const AxisFacts& axis : axes_of(facts))
    busy *= static_cast<double>(std::min(axis.threads(), axis.problem));
  return busy;
}
double elements_of(const LaunchFacts& facts) {
  double elements = 1;
  for (const AxisFacts& axis : axes_of(facts)) elements *= static_cast<double>(axis.problem);
  return elements;
}

// A product of extents may not fit in 64 bits. Then the text says "about".
std::string count_words(double value) {
  return value < 1e18 ? thousands(static_cast<uint64_t>(value)) : "about " + three_digits(value);
}

std::string element_words(double value) {
  return count_words(value) + (value == 1 ? " element" : " elements");
}

std::string percent(double share) { return three_digits(100 * share) + " %"; }

// --- Elements and threads
// -----------------------------------------------------------------------------------

bool leaves_elements(const LaunchFacts& facts) {
  if (!facts.problem) return false;
  const auto axes = axes_of(facts);
  return std::any_of(axes.begin(), axes.end(), [](const AxisFacts& a) { return a.threads() < a.problem; });
}

std::string explain_uncovered(const LaunchFacts& facts) {
  const auto axes = axes_of(facts);
  const AxisFacts& axis =
      *std::find_if(axes.begin(), axes.end(), [](const AxisFacts& a) { return a.threads() < a.problem; });
  return fmt::format(
      "{} of {} elements have no thread and keep their old value: in {}, {} × {} = {} threads are fewer than "
      "{} elements. Round the number of blocks up: ceil({} / {}) = {}.",
      count_words(elements_of(facts) - busy_threads(facts)), count_words(elements_of(facts)), axis.name,
      counted(axis.grid, "block"), thousands(axis.block), thousands(axis.threads()), thousands(axis.problem),
      thousands(axis.problem), thousands(axis.block), thousands(ceil_div(axis.problem, axis.block)));
}

bool has_idle_threads(const LaunchFacts& facts) {
  if (!facts.problem) return false;
  const auto axes = axes_of(facts);
  const bool idle_blocks = std::any_of(axes.begin(), axes.end(), [](const AxisFacts& axis) {
    return (axis.grid - 1) * axis.block >= axis.problem;
  });
  if (idle_blocks) return true;
  const double threads = threads_of(facts);
  return threads > warp_lanes && threads - busy_threads(facts) > idle_share_worth_a_word * threads;
}

std::string explain_idle_threads(const LaunchFacts& facts) {
  const double threads = threads_of(facts), idle = threads - busy_threads(facts);
  return fmt::format(
      "{} threads for {}: {} threads beyond the problem ({}) have nothing to work on. They still take their "
      "place on the device, test their index and end.",
      count_words(threads), element_words(elements_of(facts)), count_words(idle), percent(idle / threads));
}

// --- Warps and blocks
// ---------------------------------------------------------------------------------------

bool has_partial_warp(const LaunchFacts& facts) { return facts.shape.block.count() % warp_lanes != 0; }

double empty_lane_share(const LaunchFacts& facts) {
  const uint64_t threads = facts.shape.block.count(), lanes = ceil_div(threads, warp_lanes) * warp_lanes;
  return 1 - static_cast<double>(threads) / static_cast<double>(lanes);
}

std::string explain_partial_warp(const LaunchFacts& facts) {
  const uint64_t threads = facts.shape.block.count();
  const uint64_t warps = ceil_div(threads, warp_lanes), idle = warps * warp_lanes - threads;
  return fmt::format(
      "A block of {} takes {} of 32 lanes, and {} of the last one's lanes {} no thread: {} of all lanes. The "
      "hardware issues whole warps, so a lane without a thread costs as much as a busy one.",
      counted(threads, "thread"), counted(warps, "warp"), idle, idle == 1 ? "has" : "have",
      percent(empty_lane_share(facts)));
}

bool leaves_sms(const LaunchFacts& facts) { return facts.shape.grid.count() < facts.device.sms; }

std::string explain_idle_sms(const LaunchFacts& facts) {
  const uint64_t blocks = facts.shape.grid.count(), sms = facts.device.sms;
  return fmt::format(
      "The grid has {}, the device {} SMs. A block runs on one SM, so {} do nothing and the launch uses at "
      "most {} of the device.",
      counted(blocks, "block"), thousands(sms), counted(sms - blocks, "SM"),
      percent(static_cast<double>(blocks) / static_cast<double>(sms)));
}

bool is_small_grid(const LaunchFacts& facts) { return facts.shape.grid.count() < numba_smallest_grid; }

std::string explain_small_grid(const LaunchFacts& facts) {
  return fmt::format(
      "A rule of thumb, Numba's: the grid has {}, and it asks for at least {}, so that each SM has several "
      "blocks, of which some compute while others wait for memory.",
      counted(facts.shape.grid.count(), "block"), numba_smallest_grid);
}

bool has_tail(const LaunchFacts& facts) {
  if (!facts.occupancy || facts.occupancy->waves <= 1) return false;
  const double waves = facts.occupancy->waves, rounded = std::ceil(waves);
  return (rounded - waves) / rounded >= empty_slots_worth_a_word;
}

std::string explain_tail(const LaunchFacts& facts) {
  const uint64_t active = facts.occupancy->active_blocks_per_sm, at_once = active * facts.device.sms;
  const uint64_t blocks = facts.shape.grid.count(), waves = ceil_div(blocks, at_once);
  const uint64_t last = blocks - (waves - 1) * at_once;
  return fmt::format(
      "{} run at a time ({} SMs × {}). {} need {} waves, and the last one holds {}: {} full. It takes about "
      "as long as a full one.",
      counted(at_once, "block"), thousands(facts.device.sms), active, counted(blocks, "block"),
      thousands(waves), thousands(last), percent(static_cast<double>(last) / static_cast<double>(at_once)));
}

// --- Resources
// ----------------------------------------------------------------------------------------------

// The blocks that would fit if only warp slots and block slots limited them.
uint32_t slots_of(const Occupancy& occupancy) {
  return std::min(occupancy.limit_warps, occupancy.limit_blocks);
}

bool limited_by(const LaunchFacts& facts, Limiter limiter) {
  if (!facts.occupancy) return false;
  const Occupancy& occupancy = *facts.occupancy;
  const auto& limiters = occupancy.limiters;
  return occupancy.active_blocks_per_sm < slots_of(occupancy) && occupancy.theoretical_percent < 100 &&
         std::find(limiters.begin(), limiters.end(), limiter) != limiters.end();
}

bool registers_limit(const LaunchFacts& facts) { return limited_by(facts, Limiter::registers); }
bool shared_limits(const LaunchFacts& facts) { return limited_by(facts, Limiter::shared_memory); }

Occupancy occupancy_with(const LaunchFacts& facts, uint32_t registers) {
  return occupancy_of(facts.device, {static_cast<uint32_t>(facts.shape.block.count()), registers,
                                     facts.resources->shared_static_bytes, facts.shape.shared_dynamic_bytes,
                                     facts.shape.grid.count()});
}

std::string resident_words(const LaunchFacts& facts) {
  const Occupancy& occupancy = *facts.occupancy;
  return fmt::format("{} an SM where there is room for {}: {} of the warps are resident",
                     counted(occupancy.active_blocks_per_sm, "block"), slots_of(occupancy),
                     percent(occupancy.theoretical_percent / 100));
}

constexpr const char* why_occupancy = "With fewer warps, an SM has less to do while others wait for memory.";

std::string explain_registers(const LaunchFacts& facts) {
  std::string cap;
  if (facts.resources) {
    uint32_t most = facts.resources->registers_per_thread;
    while (most > 0 && occupancy_with(facts, most).limit_registers < slots_of(*facts.occupancy)) --most;
    if (most > 0) cap = fmt::format(" At most {} registers a thread would make room for all.", most);
  }
  const std::string what = facts.resources
                               ? fmt::format("{} registers a thread", facts.resources->registers_per_thread)
                               : std::string("The registers");
  return fmt::format("{} leave {}. {}{}", what, resident_words(facts), why_occupancy, cap);
}

std::string explain_shared(const LaunchFacts& facts) {
  const uint64_t bytes =
      facts.shape.shared_dynamic_bytes + (facts.resources ? facts.resources->shared_static_bytes : 0);
  const uint64_t reserved = facts.device.limits.shared_reserved_bytes_per_block;
  const std::string extra =
      reserved == 0 ? "" : fmt::format(", and {} that CUDA reserves,", thousands(reserved));
  return fmt::format("{} bytes of shared memory a block{} leave {}. {}", thousands(bytes), extra,
                     resident_words(facts), why_occupancy);
}

bool needs_opt_in(const LaunchFacts& facts) {
  const uint64_t bytes = uint64_t{facts.shape.shared_dynamic_bytes} +
                         (facts.resources ? facts.resources->shared_static_bytes : 0);
  return bytes > facts.device.limits.shared_bytes_per_block;
}

std::string explain_opt_in(const LaunchFacts& facts) {
  return fmt::format(
      "More than {} bytes a block need a call before the launch: set "
      "cudaFuncAttributeMaxDynamicSharedMemorySize to {}. WarpLens does; a program that does not gets "
      "cudaErrorInvalidValue.",
      thousands(facts.device.limits.shared_bytes_per_block), thousands(facts.shape.shared_dynamic_bytes));
}

// --- Weights: the share of the kernel's time that may be lost, if the time model was not used
// -----------

double wrong_result(const LaunchFacts& facts) { return 2 - busy_threads(facts) / elements_of(facts); }
double fails_elsewhere(const LaunchFacts&) { return 1; }
// Threads beyond the problem exit at once.
double of_idle_threads(const LaunchFacts& facts) {
  return 0.25 * (1 - busy_threads(facts) / threads_of(facts));
}
double of_idle_sms(const LaunchFacts& facts) {
  return 1 - static_cast<double>(facts.shape.grid.count()) / static_cast<double>(facts.device.sms);
}
double of_small_grid(const LaunchFacts&) { return 0.1; }
double of_tail(const LaunchFacts& facts) {
  const double waves = facts.occupancy->waves, rounded = std::ceil(waves);
  return (rounded - waves) / rounded;
}
// Half of what is missing, since fewer warps often hide the latency as well.
double of_occupancy(const LaunchFacts& facts) {
  return 0.5 * (1 - facts.occupancy->theoretical_percent / 100);
}

constexpr std::array rules{
    LaunchRule{WarningId::uncovered_elements, "Elements without a thread", Remedy::grid, leaves_elements,
               explain_uncovered, wrong_result},
    LaunchRule{WarningId::too_many_threads, "More threads than elements", Remedy::grid, has_idle_threads,
               explain_idle_threads, of_idle_threads},
    LaunchRule{WarningId::block_not_multiple_of_warp, "Block is not a multiple of 32", Remedy::block,
               has_partial_warp, explain_partial_warp, empty_lane_share},
    LaunchRule{WarningId::shared_needs_opt_in, "Shared memory needs opting in", Remedy::none, needs_opt_in,
               explain_opt_in, fails_elsewhere},
    LaunchRule{WarningId::grid_smaller_than_sms, "Fewer blocks than SMs", Remedy::block, leaves_sms,
               explain_idle_sms, of_idle_sms},
    LaunchRule{WarningId::low_occupancy_grid, "Small grid", Remedy::block, is_small_grid, explain_small_grid,
               of_small_grid},
    LaunchRule{WarningId::tail_wave, "Last wave mostly empty", Remedy::block, has_tail, explain_tail,
               of_tail},
    LaunchRule{WarningId::registers_limit_occupancy, "Registers limit occupancy", Remedy::better_occupancy,
               registers_limit, explain_registers, of_occupancy},
    LaunchRule{WarningId::shared_limits_occupancy, "Shared memory limits occupancy", Remedy::better_occupancy,
               shared_limits, explain_shared, of_occupancy},
};

}  // namespace

std::span<const LaunchRule> launch_rules() { return rules; }

bool is_small_input(const LaunchFacts& facts) {
  if (!facts.problem) return false;
  const uint64_t fewest = std::max<uint64_t>(numba_smallest_grid, facts.device.sms);
  return elements_of(facts) <= static_cast<double>((fewest - 1) * warp_lanes);
}

Warning small_input_note(const LaunchFacts& facts) {
  const uint64_t at_once = uint64_t{facts.device.sms} * facts.device.limits.max_warps_per_sm * warp_lanes;
  Warning note;
  note.id = WarningId::small_input;
  note.title = "A small input";
  note.message = fmt::format(
      "This input is too small to fill the GPU, whatever the block: {}, where {} hold {} threads at once. "
      "Its "
      "times say little about larger ones.",
      element_words(elements_of(facts)), counted(facts.device.sms, "SM"), thousands(at_once));
  note.quiet = true;
  return note;
}

LaunchFacts facts_of(const WarningInput& input) {
  LaunchFacts facts{.device = input.device,
                    .shape = input.shape,
                    .problem = input.problem,
                    .resources = input.resources,
                    .occupancy = std::nullopt,
                    .block_is_bound = input.block_is_bound};
  if (facts.problem) {
    facts.problem =
        Dim3{std::max(1u, facts.problem->x), std::max(1u, facts.problem->y), std::max(1u, facts.problem->z)};
  }
  if (input.occupancy) facts.occupancy = *input.occupancy;
  return input.resources ? with_shape(facts, input.shape) : facts;
}

LaunchFacts with_shape(const LaunchFacts& facts, const LaunchShape& shape) {
  LaunchFacts changed = facts;
  changed.shape = shape;
  changed.occupancy.reset();
  if (facts.resources) changed.occupancy = occupancy_with(changed, facts.resources->registers_per_thread);
  return changed;
}

}  // namespace warplens
