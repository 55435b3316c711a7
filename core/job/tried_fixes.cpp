#include "core/job/tried_fixes.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/figures.h"
#include "core/device/number_text.h"
#include "core/job/tried_launches.h"
#include "core/job/warnings/warning_rules.h"

namespace warplens {
namespace {

// "12 × 16 threads a block (80 × 40 blocks)", or "80 blocks" if the block does not change.
std::string launch_text(const LaunchShape& today, const LaunchShape& shape) {
  if (shape.block == today.block) return grid_words(shape.grid);
  return fmt::format("{} threads a block ({})", extent_words(shape.block), grid_words(shape.grid));
}

bool is_rule_of_thumb(WarningId id) { return id == WarningId::low_occupancy_grid; }

bool has(const std::vector<Warning>& warnings, WarningId id) {
  return std::ranges::any_of(warnings, [&](const Warning& w) { return w.id == id && !w.quiet; });
}

// Whether another launch may fix it.
bool can_mend(WarningId id) {
  const auto rules = launch_rules();
  return std::ranges::any_of(
      rules, [&](const LaunchRule& rule) { return rule.id == id && rule.remedy != Remedy::none; });
}

// Evaluates the tried launches for the warnings of a run.
class Judgement {
 public:
  Judgement(const Job& job, const RunResult& today, std::vector<TriedLaunch> tried)
      : m_job(job), m_today(today), m_tried(std::move(tried)) {
    m_cached = std::ranges::any_of(m_tried, &TriedLaunch::cached);
    m_us = modelled_kernel_us(today, m_cached);
  }

  void say(Warning& warning) const {
    if (warning.quiet && !warning.minor) return;
    if (warning.id == WarningId::uncovered_elements) return cover(warning);
    weigh(warning);
    if (is_rule_of_thumb(warning.id)) say_of_following(warning);
    const TriedLaunch* best = best_without(warning.id);
    if (best != nullptr)
      set_fix(warning, *best, "Try");
    else if (!is_rule_of_thumb(warning.id) && can_mend(warning.id) && m_us && comparable() > 1)
      warning.message += fmt::format(
          " Of {} other launches that were tried, none is clearly faster by the model.", comparable());
  }

  // The fix of a refused launch. Empty if nothing runs.
  std::optional<Warning> instead_of_refused() const {
    const TriedLaunch* best = fastest([](const TriedLaunch&) { return true; });
    if (best == nullptr && !m_tried.empty()) best = &m_tried.front();  // if the model has no times
    if (best == nullptr) return std::nullopt;
    Warning warning;
    warning.id = WarningId::launch_refused;
    warning.title = "A launch that runs";
    warning.message = "It was tried: CUDA accepts it, and the kernel runs to its end.";
    set_fix(warning, *best, "Try");
    return warning;
  }

 private:
  // Whether its time can be compared with the current one.
  bool is_comparable(const TriedLaunch& launch) const {
    return m_us && launch.us && launch.cached == m_cached;
  }
  size_t comparable() const {
    return static_cast<size_t>(
        std::ranges::count_if(m_tried, [](const TriedLaunch& launch) { return launch.us.has_value(); }));
  }

  bool keeps_occupancy(const TriedLaunch& launch) const {
    const auto &now = m_today.occupancy, &then = launch.result.occupancy;
    return !now || (then && then->theoretical_percent >= now->theoretical_percent);
  }

  // The model underestimates launches that access many sectors.
  bool keeps_sectors(const TriedLaunch& launch) const {
    const auto sectors = [](const RunResult& result) {
      return result.counters ? global_sectors(*result.counters) : 0;
    };
    return sectors(launch.result) <= sectors(m_today);
  }

  bool raises_nothing(const TriedLaunch& launch) const {
    return std::ranges::all_of(launch.result.warnings, [&](const Warning& w) {
      return w.quiet || w.id == WarningId::resources_unknown || has(m_today.warnings, w.id);
    });
  }

  // The fastest of those that `fits`, or an earlier one that is not measurably slower by the model.
  template <class Fits>
  const TriedLaunch* fastest(Fits fits) const {
    constexpr double no_slower = 1.05;
    const TriedLaunch* best = nullptr;
    for (const TriedLaunch& launch : m_tried)
      if (launch.us && fits(launch) && (best == nullptr || *launch.us < *best->us)) best = &launch;
    for (const TriedLaunch& launch : m_tried)
      if (best != nullptr && launch.us && fits(launch) && *launch.us <= no_slower * *best->us) return &launch;
    return nullptr;
  }

  const TriedLaunch* best_without(WarningId id) const {
    return fastest([&](const TriedLaunch& launch) {
      return is_comparable(launch) && *m_us >= least_gain * *launch.us && !has(launch.result.warnings, id) &&
             keeps_occupancy(launch) && keeps_sectors(launch) && raises_nothing(launch);
    });
  }

  // The current block with another grid if that covers all elements, else the fastest launch that does.
  void cover(Warning& warning) const {
    const auto covers = [&](const TriedLaunch& launch) { return !has(launch.result.warnings, warning.id); };
    const TriedLaunch* found = nullptr;
    for (const TriedLaunch& launch : m_tried)
      if (covers(launch) && launch.shape.block == m_today.shape.block) found = &launch;
    if (found == nullptr) found = fastest(covers);
    if (found != nullptr) set_fix(warning, *found, "Use");
  }

  // The cost of the warning by the model: how much faster the fastest launch is that does not cause it.
  void weigh(Warning& warning) const {
    const TriedLaunch* without = fastest([&](const TriedLaunch& launch) {
      return is_comparable(launch) && !has(launch.result.warnings, warning.id);
    });
    if (without != nullptr) warning.weight = std::clamp(1 - *without->us / *m_us, 0.0, 0.99);
  }

  // The nearest launch that follows the rule of thumb, and the model's prediction for it.
  void say_of_following(Warning& warning) const {
    const std::optional<LaunchShape> nearest = following_rule_of_thumb(m_job, m_today);
    if (!nearest) return;
    const auto at = std::ranges::find_if(
        m_tried, [&](const TriedLaunch& t) { return t.shape.block == nearest->block && is_comparable(t); });
    if (at == m_tried.end()) return;
    const double gain = *m_us / *at->us;
    warning.message +=
        fmt::format(" With {}, the model sees {}.", launch_text(m_today.shape, at->shape),
                    gain >= least_gain      ? change_of_us(*m_us, *at->us) + " ≈"
                    : gain > 1 / least_gain ? "no clear gain (" + change_of_us(*m_us, *at->us) + " ≈)"
                                            : "a loss (" + change_of_us(*m_us, *at->us) + " ≈)");
  }

  void set_fix(Warning& warning, const TriedLaunch& launch, const char* verb) const {
    const LaunchShape &now = m_today.shape, &then = launch.shape;
    warning.quiet = false;
    warning.fix_block = warning.fix_grid = std::nullopt;
    if (!(then.block == now.block)) warning.fix_block = then.block;
    if (!(then.grid == now.grid)) warning.fix_grid = then.grid;
    if (then.shared_dynamic_bytes != now.shared_dynamic_bytes)
      warning.fix_shared_bytes = then.shared_dynamic_bytes;
    warning.fix_label = fmt::format("{} {}", verb, launch_text(now, then));
    if (!launch.us) return;
    const bool compares = is_comparable(launch) && *verb == 'T' && m_today.status != RunStatus::refused;
    warning.fix_to_us = launch.us;
    if (compares) warning.fix_from_us = m_us;
    warning.fix_label +=
        ": " + (compares ? change_of_us(*m_us, *launch.us) : duration_text(*launch.us * 1e-6)) + " ≈";
  }

  const Job& m_job;
  const RunResult& m_today;
  std::vector<TriedLaunch> m_tried;
  std::optional<double> m_us;  // of the current launch, modelled
  bool m_cached = false;       // times with the cache model are compared
};

}  // namespace

bool wants_fixes(const RunResult& result) {
  if (!result.request) return false;
  if (result.status == RunStatus::refused) return true;
  const bool ended = result.status == RunStatus::ok || result.status == RunStatus::check_failed;
  return ended && result.counters && std::ranges::any_of(result.warnings, [](const Warning& w) {
           return (!w.quiet || w.minor) && w.id != WarningId::resources_unknown &&
                  w.id != WarningId::shared_needs_opt_in;
         });
}

Result<RunResult> with_fixes(const Job& job, const RunResult& result, Backend& backend,
                             std::stop_token stop) {
  if (!wants_fixes(result)) return result;
  if (!can_afford_to_try(result)) {
    RunResult whole = result;
    for (Warning& warning : whole.warnings)
      if (can_mend(warning.id) && warning.fix_label.empty())
        warning.message += " No other launch was tried: the run is too large for that. A sweep tries them.";
    return whole;
  }
  auto tried = try_launches(job, result, backend, stop);
  if (!tried) return tried.error();
  if (tried->empty()) return result;
  const Judgement judgement(job, result, std::move(*tried));
  RunResult whole = result;
  for (Warning& warning : whole.warnings) judgement.say(warning);
  if (result.status == RunStatus::refused)
    if (auto warning = judgement.instead_of_refused()) whole.warnings.push_back(std::move(*warning));
  by_weight(whole.warnings);
  return whole;
}

}  // namespace warplens
