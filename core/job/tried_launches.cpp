#include "core/job/tried_launches.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/gpu/timing/time_model.h"
#include "core/job/cache_pass.h"
#include "core/job/sweep.h"
#include "core/job/tried_fixes.h"
#include "core/job/warnings/warning_rules.h"
#include "core/kernels/make_request_again.h"
#include "core/launch/steps.h"

namespace warplens {
namespace {

constexpr size_t most_near_blocks = 6;

bool is_any_block(const KernelDescription* kernel) {
  return kernel == nullptr || kernel->required_block == Dim3{0, 0, 0};
}

WarningInput input_of(const Job& job, const RunResult& result) {
  return {.device = result.request->device,
          .shape = result.shape,
          .problem = job.problem,
          .resources = result.resources ? &*result.resources : nullptr,
          .occupancy = result.occupancy ? &*result.occupancy : nullptr,
          .block_is_bound = job.kernel && is_block_bound(*job.kernel)};
}

// As many blocks as are needed for the current number of threads.
std::optional<Dim3> grid_for_as_many(const LaunchShape& shape, Dim3 block) {
  const auto fit = [](uint64_t threads, uint32_t extent) { return (threads + extent - 1) / extent; };
  const uint64_t x = fit(uint64_t{shape.grid.x} * shape.block.x, block.x);
  const uint64_t y = fit(uint64_t{shape.grid.y} * shape.block.y, block.y);
  const uint64_t z = fit(uint64_t{shape.grid.z} * shape.block.z, block.z);
  if (std::max({x, y, z}) > UINT32_MAX) return std::nullopt;
  return Dim3{static_cast<uint32_t>(x), static_cast<uint32_t>(y), static_cast<uint32_t>(z)};
}

// A request of the catalogue's kernel. It shares the arrays of the current one if they cannot differ.
std::optional<LaunchRequest> request_of_kernel(const Job& job, const RunResult& result, Dim3 block) {
  KernelSetup setup = *job.setup;
  setup.block = block;
  if (job.problem) {
    setup.fit_grid = true;
  } else if (!setup.fit_grid) {
    const auto grid = grid_for_as_many(result.shape, block);
    if (!grid) return std::nullopt;
    setup.grid = *grid;
  }
  if (result.status == RunStatus::refused)
    setup.shared_dynamic_bytes = default_setup(*job.kernel).shared_dynamic_bytes;
  const Before today{result.request.get(), job.setup.get()};
  auto request = make_request_again(*job.kernel, setup, result.request->device, &today);
  if (!request) return std::nullopt;
  return std::move(*request);
}

// A request of a launch file: the same one, with another shape of its only launch.
std::optional<LaunchRequest> request_of_file(const RunResult& result, Dim3 block) {
  LaunchRequest request = *result.request;
  LaunchStep* only = nullptr;
  for (Step& step : request.steps) {
    auto* launch = std::get_if<LaunchStep>(&step);
    if (launch != nullptr && std::exchange(only, launch) != nullptr) return std::nullopt;
  }
  if (only == nullptr) return std::nullopt;
  const auto grid = grid_for_as_many(result.shape, block);
  if (!grid) return std::nullopt;
  only->grid = *grid;
  only->block = block;
  return request;
}

bool same_outputs(const RunResult& a, const RunResult& b) {
  return std::ranges::equal(a.outputs, b.outputs, [](const OutputBuffer& x, const OutputBuffer& y) {
    return x.index == y.index && x.bytes && y.bytes && *x.bytes == *y.bytes;
  });
}

// The results must equal the current ones, bit for bit, or pass the check against the CPU.
bool is_right(const Job& job, const RunResult& today, const RunResult& tried) {
  if (tried.status != RunStatus::ok) return false;
  if (today.status == RunStatus::ok && same_outputs(today, tried)) return true;
  if (!job.kernel) return false;
  const auto checks = check_against_cpu(*job.kernel, *tried.request, tried).checks;
  const bool is_known = !checks.empty() || today.status == RunStatus::refused;
  return is_known && std::ranges::all_of(checks, &Check::equal);
}

// The cost of the tried launches so far, and its limit.
class Budget {
 public:
  Budget(uint64_t instructions, uint64_t sectors)
      : m_most_instructions(instructions), m_most_sectors(sectors) {}

  bool holds(const Counters& one) const {
    return m_instructions + one.warp_instructions <= m_most_instructions &&
           m_sectors + sectors_of(one) <= m_most_sectors;
  }
  void take(const Counters& one) {
    m_instructions += one.warp_instructions;
    m_sectors += sectors_of(one);
  }

 private:
  static uint64_t sectors_of(const Counters& c) {
    return sectors_asked_for(c) + sectors_per_texture_request * c.texture_requests;
  }
  uint64_t m_most_instructions, m_most_sectors, m_instructions = 0, m_sectors = 0;
};

// One run. Empty if it was stopped.
std::optional<TriedLaunch> try_one(const Job& job, const RunResult& today, const Job& tried, Backend& backend,
                                   const std::stop_token& stop) {
  TriedLaunch launch;
  Result<RunResult> ran = run_job(tried, backend, stop, nullptr);
  if (stop.stop_requested()) return std::nullopt;
  if (!ran || ran->status == RunStatus::cancelled) return launch;
  launch.shape = ran->shape;
  launch.right = is_right(job, today, *ran);
  launch.cached = ran->counters && ran->counters->l1_hit_sectors;
  launch.us = modelled_kernel_us(*ran, launch.cached);
  launch.result = std::move(*ran);
  launch.result.outputs.clear();  // they may be large
  return launch;
}

// Whether the launches are run with the cache model: a time with it is only compared with another one that
// has it too.
bool wants_caches(const RunResult& result) {
  return result.status == RunStatus::refused || (result.counters && result.counters->l1_hit_sectors);
}

Budget budget_for(const RunResult& result) {
  return {affordable_tried_instructions,
          wants_caches(result) ? affordable_tried_sectors : 2 * affordable_tried_sectors};
}

bool knows_problem_along_y(const std::vector<Dim3>& blocks) {
  return std::ranges::any_of(blocks, [](const Dim3& block) { return block.y > 1; });
}

// The likeliest first, since the limits may not allow all: those with about 192 threads, and not single rows
// or columns of a plane.
std::vector<Dim3> likeliest_first(std::vector<Dim3> blocks) {
  constexpr double usual_threads = 192;
  const bool plane = knows_problem_along_y(blocks);
  std::ranges::stable_sort(blocks, {}, [&](const Dim3& block) {
    const bool line = plane && (block.x == 1 || (block.y == 1 && block.z == 1));
    return (line ? 100 : 0) + std::abs(std::log2(static_cast<double>(block.count()) / usual_threads));
  });
  return blocks;
}

}  // namespace

std::optional<double> modelled_kernel_us(const RunResult& result, bool with_caches) {
  const RunTimes times =
      model_times(with_caches ? result : without_caches(result), default_time_parameters());
  const KernelTime kernel = together(times);
  return kernel.us ? std::optional(kernel.us->value) : std::nullopt;
}

std::vector<Dim3> blocks_to_try(const Job& job, const RunResult& result) {
  std::vector<Dim3> blocks;
  const auto add = [&](Dim3 block) {
    if (std::ranges::find(blocks, block) == blocks.end()) blocks.push_back(block);
  };
  const KernelDescription* kernel = job.kernel.get();
  if (kernel != nullptr && is_block_bound(*kernel)) return {kernel->default_block};
  const bool refused = result.status == RunStatus::refused;
  add(refused && kernel != nullptr ? kernel->default_block : result.shape.block);
  if (const auto followed = following_rule_of_thumb(job, result)) add(followed->block);
  if (kernel != nullptr)
    for (const Dim3& block : likeliest_first(usual_blocks(*kernel, result.request->device))) add(block);
  if (!is_any_block(kernel)) return blocks;
  const LaunchFacts facts = facts_of(input_of(job, result));
  for (const LaunchRule& rule : launch_rules()) {
    if (refused || !rule.applies(facts)) continue;
    if (const auto shape = mend(facts, rule)) add(shape->block);
  }
  const std::vector<Dim3> near = near_blocks(facts);
  for (size_t i = 0; i < std::min(most_near_blocks, near.size()); ++i) add(near[i]);
  return blocks;
}

std::optional<LaunchShape> following_rule_of_thumb(const Job& job, const RunResult& result) {
  if (!is_any_block(job.kernel.get()) || result.status == RunStatus::refused) return std::nullopt;
  const LaunchFacts facts = facts_of(input_of(job, result));
  for (const LaunchRule& rule : launch_rules())
    if (rule.id == WarningId::low_occupancy_grid && rule.applies(facts)) return mend(facts, rule);
  return std::nullopt;
}

std::optional<Job> job_with_block(const Job& job, const RunResult& result, Dim3 block) {
  std::optional<LaunchRequest> request = job.kernel && job.setup ? request_of_kernel(job, result, block)
                                         : job.kernel            ? std::nullopt
                                                                 : request_of_file(result, block);
  if (!request) return std::nullopt;
  const LaunchStep* launch = first_launch(*request);
  if (launch == nullptr) return std::nullopt;
  if (launch->block == result.shape.block && launch->grid == result.shape.grid) return std::nullopt;
  Job tried;
  Device device = result.request->device;
  device.is_virtual = true;
  RunOptions options;
  options.sanitize = Sanitize::off;
  options.workers = result.request->workers;
  options.step_budget = std::min(result.request->step_budget, affordable_tried_instructions);
  LaunchRequest with = with_options(std::move(*request), device, options);
  with.model_caches = wants_caches(result);
  tried.request = std::make_shared<const LaunchRequest>(std::move(with));
  tried.kernel = job.kernel;
  tried.setup = job.setup;
  tried.problem = job.problem;
  tried.check = false;  // see is_right
  return tried;
}

bool can_afford_to_try(const RunResult& result) {
  return !result.counters || budget_for(result).holds(*result.counters);
}

Result<std::vector<TriedLaunch>> try_launches(const Job& job, const RunResult& result, Backend& backend,
                                              const std::stop_token& stop) {
  const Error stopped{ErrorKind::cancelled, "The search for better launches was stopped."};
  std::vector<TriedLaunch> tried;
  Budget budget = budget_for(result);
  Counters expected = result.counters.value_or(Counters{});
  for (const Dim3 block : blocks_to_try(job, result)) {
    if (tried.size() >= most_tried_launches || !budget.holds(expected)) break;
    const std::optional<Job> other = job_with_block(job, result, block);
    if (!other) continue;
    auto launch = try_one(job, result, *other, backend, stop);
    if (!launch) return Error{ErrorKind::cancelled, "The search for better launches was stopped."};
    if (launch->result.counters) budget.take(*launch->result.counters);
    if (!result.counters && launch->result.counters) expected = *launch->result.counters;
    if (launch->right) tried.push_back(std::move(*launch));
  }
  return tried;
}

}  // namespace warplens
