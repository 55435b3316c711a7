// Makes the sentence about a sweep. Its reason is taken from the points: the part of the modelled time that
// differs most, and the count or the occupancy that causes it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/figures.h"
#include "core/base/text.h"
#include "core/job/least_gain.h"
#include "core/job/sweep.h"

namespace warplens {
namespace {

// Below this factor, a difference of two counts or times is not mentioned.
constexpr double worth_a_word = 1.05;

constexpr const char* untold_words = "which the time model cannot tell apart";

std::string block_words(Dim3 block) {
  if (block.y == 1 && block.z == 1) return fmt::format("blocks of {} threads", thousands(block.x));
  std::string words = fmt::format("blocks of {} × {}", thousands(block.x), thousands(block.y));
  if (block.z != 1) words += fmt::format(" × {}", thousands(block.z));
  return words;
}

std::string us_words(double us) { return duration_text(us * 1e-6); }

// "10 %" for 1.1, "2.4 times"
std::string longer_words(double ratio) {
  return ratio < 2 ? fmt::format("{} % longer", three_digits(100 * (ratio - 1)))
                   : fmt::format("{} times as long", three_digits(ratio));
}

double ratio_of(double a, double b) { return b > 0 ? a / b : a > 0 ? 1e9 : 1; }

double warps_of(const SweepPoint& point) {
  return double(point.shape.grid.count()) * double(ceil_div(point.shape.block.count(), warp_lanes));
}

std::string limiter_words(const Occupancy& occupancy) {
  if (occupancy.limiters.empty()) return "";
  std::string words = to_string(occupancy.limiters.front());
  std::ranges::replace(words, '_', ' ');
  return words;
}

// The warps that an SM really has. With a small grid there are fewer than the occupancy says.
double resident_warps(const SweepPoint& point) {
  const double blocks =
      std::min<double>(point.occupancy->active_blocks_per_sm, double(point.kernel.blocks_on_busiest_sm));
  return blocks * double(ceil_div(point.shape.block.count(), warp_lanes));
}

std::string more_sectors(const SweepPoint& best, const SweepPoint& worst) {
  if (!best.sectors || !worst.sectors) return "";
  const double ratio = ratio_of(double(*worst.sectors), double(*best.sectors));
  if (ratio < worth_a_word) return "";
  return fmt::format("its threads reach for memory so far apart that it touches {} sectors instead of {}",
                     thousands(*worst.sectors), thousands(*best.sectors));
}

std::string idle_lanes(const SweepPoint& best, const SweepPoint& worst) {
  const uint64_t threads = worst.shape.block.count();
  const uint64_t lanes = ceil_div(threads, warp_lanes) * warp_lanes;
  if (lanes == threads || warps_of(worst) < worth_a_word * warps_of(best)) return "";
  return fmt::format("{} of the {} lanes of each block idle, so {} warps do the work of {}", lanes - threads,
                     lanes, three_digits(warps_of(worst)), three_digits(warps_of(best)));
}

std::string more_instructions(const SweepPoint& best, const SweepPoint& worst) {
  if (!best.counters || !worst.counters) return "";
  const double ratio =
      ratio_of(double(worst.counters->warp_instructions), double(best.counters->warp_instructions));
  if (ratio < worth_a_word) return "";
  return fmt::format("its warps issue {} times as many instructions", three_digits(ratio));
}

std::string idle_sms(const Sweep& sweep, const SweepPoint& best, const SweepPoint& worst) {
  const uint64_t blocks = worst.shape.grid.count();
  if (blocks >= sweep.sms || best.shape.grid.count() <= blocks) return "";
  return fmt::format("its {} blocks leave {} of {} SMs without work", blocks, sweep.sms - blocks, sweep.sms);
}

std::string uneven_share(const Sweep& sweep, const SweepPoint& best, const SweepPoint& worst) {
  const auto overload = [&](const SweepPoint& p) {
    return double(p.kernel.blocks_on_busiest_sm) * sweep.sms / double(p.shape.grid.count());
  };
  if (overload(worst) < worth_a_word * overload(best)) return "";
  return fmt::format("{} blocks do not divide evenly, and the busiest SM has {} times its share",
                     thousands(worst.shape.grid.count()), three_digits(overload(worst)));
}

std::string fewer_warps(const Sweep& sweep, const SweepPoint& best, const SweepPoint& worst) {
  if (!best.occupancy || !worst.occupancy) return "";
  if (best.kernel.blocks_on_busiest_sm == 0 || worst.kernel.blocks_on_busiest_sm == 0) return "";
  if (resident_warps(worst) * worth_a_word >= resident_warps(best)) return "";
  const bool limited = worst.occupancy->theoretical_percent < best.occupancy->theoretical_percent;
  return fmt::format("only {} of {} warps are resident on an SM{}, and fewer hide less of the waiting",
                     three_digits(resident_warps(worst)), sweep.max_warps_per_sm,
                     limited ? fmt::format(" ({} limit it)", limiter_words(*worst.occupancy)) : "");
}

std::string more_rounds(const SweepPoint& best, const SweepPoint& worst) {
  if (worst.kernel.rounds <= best.kernel.rounds) return "";
  return fmt::format("an SM is filled {} times instead of {}", thousands(worst.kernel.rounds),
                     thousands(best.kernel.rounds));
}

// Blocks are given to SMs one after the other. Small blocks end before the next ones start: an H200 started
// at most 1,640 blocks a microsecond, whatever they did.
std::string many_blocks(const SweepPoint& best, const SweepPoint& worst) {
  constexpr double near_the_limit = 1000;  // blocks a microsecond
  const auto blocks = double(worst.shape.grid.count());
  if (!worst.us() || blocks < 2 * double(best.shape.grid.count())) return "";
  const TimePart* start = part_of(worst.kernel, TimePartKind::start);
  const double rate = blocks / worst.us()->value;
  const bool held_up =
      worst.measured_us ? rate >= near_the_limit : start != nullptr && bound_of(worst.kernel) == start;
  if (!held_up) return "";
  return fmt::format("its {} blocks start at {} a microsecond, and starting them takes as long as their work",
                     thousands(worst.shape.grid.count()), three_digits(rate));
}

// The part whose time differs most.
TimePartKind what_differs(const SweepPoint& best, const SweepPoint& worst) {
  TimePartKind kind = TimePartKind::issue;
  double most = -1;
  for (const TimePart& part : worst.kernel.parts) {
    const TimePart* other = part_of(best.kernel, part.kind);
    const double more = part.us.value - (other ? other->us.value : 0);
    if (more > most) {
      most = more;
      kind = part.kind;
    }
  }
  return kind;
}

std::string reason(const Sweep& sweep, const SweepPoint& best, const SweepPoint& worst) {
  const TimePartKind kind = what_differs(best, worst);
  if (std::string blocks = many_blocks(best, worst); !blocks.empty()) return blocks;
  std::vector<std::string> reasons;
  if (kind == TimePartKind::dram || kind == TimePartKind::l2 || kind == TimePartKind::l1)
    reasons = {more_sectors(best, worst), idle_sms(sweep, best, worst), uneven_share(sweep, best, worst)};
  else if (kind == TimePartKind::latency)
    reasons = {idle_sms(sweep, best, worst), fewer_warps(sweep, best, worst), idle_lanes(best, worst),
               more_rounds(best, worst)};
  else
    reasons = {idle_lanes(best, worst), idle_sms(sweep, best, worst), more_instructions(best, worst),
               fewer_warps(sweep, best, worst), uneven_share(sweep, best, worst)};
  for (const std::string& found : reasons)
    if (!found.empty()) return found;
  if (sweep.measured) return "";
  return fmt::format("{} takes longer there", words_of(kind));
}

void find_best(Sweep& sweep) {
  sweep.best.reset();
  sweep.worst.reset();
  for (size_t i = 0; i < sweep.points.size(); ++i) {
    const SweepPoint& point = sweep.points[i];
    if (!point.counts()) continue;
    if (!sweep.best || point.us()->value < sweep.points[*sweep.best].us()->value) sweep.best = i;
    if (!sweep.worst || point.us()->value > sweep.points[*sweep.worst].us()->value) sweep.worst = i;
  }
}

const SweepPoint* first_failure(const Sweep& sweep) {
  const auto failed = [](const SweepPoint& p) { return p.status != RunStatus::ok; };
  const auto found = std::ranges::find_if(sweep.points, failed);
  return found == sweep.points.end() ? nullptr : &*found;
}

// Why no point has a time to compare. It quotes the first failure, since often all points fail alike.
std::string why_none(const Sweep& sweep, const char* what) {
  if (sweep.points.empty()) return "";
  if (const SweepPoint* failed = first_failure(sweep)) {
    const std::string why = failed->message.empty() ? failed->cuda_error : failed->message;
    return fmt::format("None of the {} {} ran to a right result. The first one, {}: {}", sweep.points.size(),
                       what,
                       sweep.kind == SweepKind::blocks ? block_words(failed->block) : thousands(failed->size),
                       why.empty() ? to_string(failed->status) : why);
  }
  if (!sweep.measured && !sweep.points.front().kernel.unknown.empty())
    return fmt::format("No time can be modelled: {}.", sweep.points.front().kernel.unknown);
  return fmt::format("None of the {} {} has a time.", sweep.points.size(), what);
}

std::string span_words(double low, double high) {
  const std::string from = us_words(low), to = us_words(high);
  return from == to ? from : fmt::format("{} to {}", from, to);
}

std::string band_words(const Band& us) {
  return fmt::format("8 of 10 runs of the best ({})", span_words(us.low, us.high));
}

// "64, 96 and 128 threads"; only their number if there are many.
std::string tie_words(const Sweep& sweep) {
  constexpr size_t most_named = 4;
  const size_t ties = count_ties(sweep);
  if (ties > most_named) return fmt::format("{} of {} shapes", ties, sweep.points.size());
  std::string words;
  size_t left = ties;
  for (const SweepPoint& point : sweep.points) {
    if (!ties_with_best(sweep, point)) continue;
    --left;
    words += block_words(point.block) + (left == 0 ? "" : left == 1 ? " and " : ", ");
  }
  return words;
}

double slowest_tie(const Sweep& sweep) {
  double us = 0;
  for (const SweepPoint& point : sweep.points)
    if (ties_with_best(sweep, point)) us = std::max(us, point.us()->value);
  return us;
}

std::string all_tie(const Sweep& sweep, const SweepPoint& best, const SweepPoint& worst) {
  const TimePart* bound = bound_of(best.kernel);
  return fmt::format("The block hardly matters here: all shapes take {}, {}{}.",
                     span_words(best.us()->value, worst.us()->value),
                     sweep.measured ? "and " + band_words(*best.us()) + " is wider than that" : untold_words,
                     bound == nullptr ? ""
                     : sweep.measured
                         ? fmt::format("; by the time model, {} takes the time", words_of(bound->kind))
                         : fmt::format(". {} takes the time in each", capitalised(words_of(bound->kind))));
}

// What the schedulers do meanwhile, by the model of an SM. Empty where it explains nothing: the slower shape
// issues as often.
std::string meanwhile(const SweepPoint& best, const SweepPoint& worst) {
  if (!best.sm || !worst.sm || best.sm->issue_slots < worth_a_word * worst.sm->issue_slots) return "";
  const auto of_100 = [](const SmStates& sm) { return three_digits(100 * sm.issue_slots); };
  return fmt::format(
      " Of 100 cycles, a scheduler issues an instruction in {} with {}, and {} of its {} warps are ready; "
      "with {} in {}, and "
      "most often a warp {} (≈ modelled).",
      of_100(*best.sm), block_words(best.block), three_digits(best.sm->eligible_warps),
      three_digits(best.sm->active_warps), block_words(worst.block), of_100(*worst.sm),
      text_of(largest_stall(*worst.sm)).meaning);
}

std::string about_blocks(const Sweep& sweep) {
  if (!sweep.best) return why_none(sweep, "shapes");
  const SweepPoint &best = sweep.points[*sweep.best], &worst = sweep.points[*sweep.worst];
  const bool alone = count_ties(sweep) == 1;
  const std::string fastest =
      alone ? fmt::format("Best: {} take {}", block_words(best.block), us_words(best.us()->value))
            : fmt::format("A tie: {} take {}, {}", tie_words(sweep),
                          span_words(best.us()->value, slowest_tie(sweep)),
                          sweep.measured ? "all within " + band_words(*best.us()) : untold_words);
  if (sweep.best == sweep.worst) return fastest + ".";
  if (ties_with_best(sweep, worst)) return all_tie(sweep, best, worst);
  const double ratio = worst.us()->value / best.us()->value;
  const std::string slowest = fmt::format("{} take {}", block_words(worst.block), longer_words(ratio));
  const std::string why = reason(sweep, best, worst);
  const std::string states = meanwhile(best, worst);
  if (!sweep.measured) return fmt::format("{}; {}, because {}.{}", fastest, slowest, why, states);
  // The counted or derived number is a fact; only the model says that it is the cause.
  return fmt::format("{}; {}{}.{}", fastest, slowest,
                     why.empty() ? ", and nothing that was counted explains it" : ": " + why, states);
}

// The number of elements at which two curves cross between neighbouring points. They are straight lines on
// logarithmic axes.
std::optional<double> meeting(const Sweep& sweep, double Band::*end, bool& ever_below, bool& ever_above) {
  const SweepPoint* before = nullptr;
  std::optional<double> at;
  ever_below = ever_above = false;
  for (const SweepPoint& point : sweep.points) {
    if (point.status != RunStatus::ok || !point.total_us || !point.cpu_ms || *point.cpu_ms <= 0) continue;
    const auto gap = [&](const SweepPoint& p) { return std::log((*p.total_us).*end / (*p.cpu_ms * 1e3)); };
    const double now = gap(point);
    (now < 0 ? ever_below : ever_above) = true;
    if (before != nullptr && now < 0 && gap(*before) >= 0 && before->elements > 0) {
      const double share = gap(*before) / (gap(*before) - now);
      at = std::exp(std::log(before->elements) + share * std::log(point.elements / before->elements));
    }
    if (now >= 0) at.reset();  // the GPU is slower again
    before = &point;
  }
  return at;
}

Crossover crossover_of(const Sweep& sweep) {
  Crossover crossover;
  bool below = false, above = false;
  const auto at = meeting(sweep, &Band::value, below, above);
  if (!below && !above) return crossover;
  using Where = Crossover::Where;
  crossover.where = at ? Where::between : above ? Where::never : Where::from_the_start;
  crossover.elements = at.value_or(0);
  bool ignored = false;
  crossover.low = meeting(sweep, &Band::low, ignored, ignored);
  crossover.high = meeting(sweep, &Band::high, ignored, ignored);
  return crossover;
}

std::string about_sizes(const Sweep& sweep) {
  using Where = Crossover::Where;
  const Crossover& c = sweep.crossover;
  const char* how = sweep.measured ? " (GPU with copies and launch, CPU on one core, both measured here)"
                                   : " (GPU modelled with copies and launch, CPU measured here on one core)";
  switch (c.where) {
    case Where::unknown:
      if (std::ranges::none_of(sweep.points, &SweepPoint::counts)) return why_none(sweep, "sizes");
      return "There is no CPU time or no GPU time to compare.";
    case Where::from_the_start:
      return fmt::format("The GPU pays at every size that was tried{}.", how);
    case Where::never:
      return fmt::format(
          "The GPU does not pay up to {} elements{}: copying takes longer than the CPU's whole "
          "loop.",
          three_digits(sweep.points.back().elements), how);
    case Where::between:
      return fmt::format(
          "From about {} elements on the GPU pays{}; below, copying and launching cost more than "
          "the CPU's whole loop.",
          three_digits(c.elements), how);
  }
  return "";
}

}  // namespace

// A modelled time ties unless the best one is clearly faster, by the same rule as for the fixes of warnings.
bool ties_with_best(const Sweep& sweep, const SweepPoint& point) {
  if (!sweep.best || !point.counts()) return false;
  const SweepPoint& best = sweep.points[*sweep.best];
  const double us = point.us()->value;
  if (sweep.measured) return us <= best.us()->high;
  const bool is_clear =
      us >= least_gain * best.us()->value && best.sectors.value_or(0) <= point.sectors.value_or(0);
  return !is_clear && us <= best.us()->high;
}

size_t count_ties(const Sweep& sweep) {
  return static_cast<size_t>(
      std::ranges::count_if(sweep.points, [&](const SweepPoint& p) { return ties_with_best(sweep, p); }));
}

void conclude(Sweep& sweep) {
  find_best(sweep);
  if (sweep.kind == SweepKind::blocks) {
    sweep.sentence = about_blocks(sweep);
    return;
  }
  sweep.crossover = crossover_of(sweep);
  sweep.sentence = about_sizes(sweep);
}

}  // namespace warplens
