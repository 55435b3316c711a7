#include "app/views/sm/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/base/format.h"
#include "app/views/model/code_lines.h"
#include "core/launch/steps.h"

namespace warplens {
namespace {

constexpr uint64_t most_instructions_of_other = 3 * sm_view_instructions;
constexpr double least_more = 1.25;  // of the warps, for another number of them to say something
constexpr uint64_t fewer = 4;        // as many times, where more do not fit

// The first free row for each warp, scheduler by scheduler, in the order in which they start.
std::vector<size_t> rows_of(const SmModel& model, SmView& view) {
  const std::vector<sm::WarpLife>& warps = model.run.warps;
  std::vector<std::vector<uint64_t>> free(view.schedulers.size());
  std::vector<size_t> place(warps.size());
  for (size_t w = 0; w < warps.size(); ++w) {
    auto& rows = free[warps[w].scheduler];
    const auto first = std::ranges::find_if(rows, [&](uint64_t end) { return end <= warps[w].begin; });
    place[w] = static_cast<size_t>(first - rows.begin());
    if (first == rows.end()) rows.push_back(0);
    rows[place[w]] = warps[w].end;
  }
  size_t first_row = 0;
  for (size_t s = 0; s < free.size(); ++s) {
    view.schedulers[s].first_row = first_row;
    view.schedulers[s].rows = free[s].size();
    first_row += free[s].size();
  }
  view.rows.resize(first_row);
  for (size_t w = 0; w < warps.size(); ++w) {
    place[w] += view.schedulers[warps[w].scheduler].first_row;
    view.rows[place[w]].scheduler = warps[w].scheduler;
  }
  return place;
}

void add_spans(const SmModel& model, SmView& view) {
  const sm::Run& run = model.run;
  const std::vector<size_t> place = rows_of(model, view);
  std::vector<std::vector<size_t>> of_warp(run.warps.size());
  for (size_t i = 0; i < run.spans.size(); ++i) of_warp[run.spans[i].warp].push_back(i);
  for (size_t w = 0; w < run.warps.size(); ++w) {
    if (of_warp[w].empty()) continue;
    const sm::WarpLife& warp = run.warps[w];
    SmRow& row = view.rows[place[w]];
    SmLife life{.block = warp.block,
                .warp = warp.warp,
                .scheduler = warp.scheduler,
                .first_span = row.spans.size(),
                .spans = of_warp[w].size()};
    for (const size_t i : of_warp[w]) {
      const sm::Span& span = run.spans[i];
      row.spans.push_back({double(span.begin), double(span.end), i});
      row.ends.push_back(double(span.end));
      if (span.state != WarpState::selected) continue;
      for (uint64_t cycle = span.begin; cycle < span.end; ++cycle)
        view.schedulers[warp.scheduler].issues.push_back(cycle);
    }
    life.begin = row.spans[life.first_span].begin;
    life.end = row.spans.back().end;
    row.lives.push_back(life);
  }
  for (SmScheduler& scheduler : view.schedulers) std::ranges::sort(scheduler.issues);
}

void add_residents(SmView& view) {
  std::map<double, int> changes;
  for (const SmRow& row : view.rows)
    for (const SmLife& life : row.lives) {
      ++changes[life.begin];
      --changes[life.end];
    }
  int now = 0;
  for (const auto& [cycle, by] : changes) view.resident.emplace_back(cycle, static_cast<uint32_t>(now += by));
}

void add_lines(const RunResult& result, const SmModel& model, SmView& view) {
  const ModuleText& module = *result.request->module;
  for (const sm::Place& place : model.work->places)
    view.line_of.push_back(place.file == module.source_name ? place.line : 0);
  for (const std::string_view line : lines_of(module.source)) view.lines.push_back(without_tabs(line));
}

void add_shares(SmView& view) {
  const ByState<uint64_t>& cycles = view.model->run.warp_cycles;
  double all = 0;
  for (const uint64_t of : cycles.of) all += double(of);
  for (size_t s = 0; s < warp_states; ++s) view.shares[s] = all > 0 ? double(cycles.of[s]) / all : 0;
  view.stall = largest_stall(*view.model->states);
}

// The same warps in blocks that are so many times as large.
std::shared_ptr<const sm::Work> with_larger_blocks(const sm::Work& work, uint32_t times) {
  auto larger = std::make_shared<sm::Work>(work);
  larger->blocks.clear();
  for (size_t i = 0; i < work.blocks.size(); i += times) {
    sm::SampledBlock block = work.blocks[i];
    for (size_t k = i + 1; k < std::min(i + times, work.blocks.size()); ++k)
      block.warps += work.blocks[k].warps;
    larger->blocks.push_back(block);
  }
  return larger;
}

struct Plan {
  std::shared_ptr<const sm::Work> work;
  uint64_t resident_blocks = 0, blocks = 0, warps = 0;
};

// Another number of warps on the SM. Where the grid is too small, as many blocks as have room; where an SM
// takes no more blocks, larger ones; else fewer of them.
std::optional<Plan> other_plan(const RunResult& result, const SmView& view) {
  const SmModel& model = *view.model;
  const Occupancy& occupancy = *result.launches.front().occupancy;
  const uint64_t resident = model.settings.resident_blocks, now = std::min(resident, model.blocks_of_sm);
  const uint64_t each = view.warps / now;
  if (double(resident) >= least_more * double(now))
    return Plan{model.work, resident, resident, resident * each};
  const uint64_t fit = std::min({occupancy.limit_warps, occupancy.limit_registers, occupancy.limit_shared});
  const auto times = static_cast<uint32_t>(fit / now);
  if (occupancy.limit_blocks <= now && times > 1 && model.work->blocks.size() >= times)
    return Plan{with_larger_blocks(*model.work, times), now, ceil_div(model.run.blocks, times),
                view.warps * times};
  if (now == 1) return std::nullopt;
  const uint64_t few = std::max<uint64_t>(1, now / fewer);
  return Plan{model.work, few, model.run.blocks, few * each};
}

void add_other(const RunResult& result, SmView& view, const std::stop_token& stop) {
  const SmModel& model = *view.model;
  const auto plan = other_plan(result, view);
  if (!plan) return;
  const uint64_t each = model.run.instructions / std::max<uint64_t>(1, model.run.warps.size());  // of a warp
  const uint64_t warps = std::max(plan->warps, plan->blocks * (plan->warps / plan->resident_blocks));
  if (each * warps > most_instructions_of_other) return;  // it takes too long
  sm::Settings settings = model.settings;
  settings.keep_spans = false;
  settings.resident_blocks = static_cast<uint32_t>(plan->resident_blocks);
  settings.blocks = plan->blocks;
  const sm::Run run = simulate(*plan->work, settings, stop);
  if (run.instructions != 0) view.other = SmOther{plan->warps, run.issue_slots()};
}

// A block is modelled whole, and the sample keeps at most four times as much as is asked for.
constexpr std::string_view too_long = "one of its blocks executes too many instructions for this picture";
bool is_too_long(const RunResult& result) {
  const LaunchRecord& launch = result.launches.front();
  return launch.counters->warp_instructions / std::max<uint64_t>(1, launch.shape.grid.count()) >
         4 * sm_view_instructions;
}

std::string advice_for(const std::string& message) {
  if (message == too_long) return "Make the problem smaller, or its loops shorter.";
  if (message.starts_with("registers"))
    return "Choose a compiler that knows the registers (Code view), or another device.";
  if (message.starts_with("nothing is published")) return "Choose another device above.";
  if (message == "nothing was counted") return "Choose a virtual GPU above: a real one counts nothing.";
  if (message.starts_with("the kernel did not run")) return "Problems says why, and what to do.";
  return "";
}

}  // namespace

const SmStateWords& words_of(WarpState state) {
  static constexpr std::array<SmStateWords, warp_states> words = {{
      {'I', "issues an instruction", "issues", "issue an instruction"},
      {'r', "is ready, but another warp is chosen", "ready", "are ready, but another warp is chosen"},
      {'a', "waits for an arithmetic result", "arithmetic", "wait for an arithmetic result"},
      {'M', "waits for memory", "memory", "wait for memory"},
      {'S', "waits for shared memory or a special unit", "shared memory",
       "wait for shared memory or a special unit"},
      {'P', "waits until an arithmetic unit is free", "unit is busy",
       "wait until an arithmetic unit is free"},
      {'s', "waits for room in the queue to shared memory", "shared queue",
       "wait for room in the queue to shared memory"},
      {'m', "waits for room in the queue to memory", "memory queue", "wait for room in the queue to memory"},
      {'B', "waits at a barrier", "barrier", "wait at a barrier"},
      {'E', "has ended, and its stores are on their way", "has ended",
       "have ended, and their stores are on their way"},
      {'J', "waits for the target of a branch", "branch", "wait for the target of a branch"},
  }};
  return words[static_cast<size_t>(state)];
}

const SmLife* SmRow::life_at(double cycle) const {
  const auto after = std::ranges::upper_bound(lives, cycle, {}, &SmLife::begin);
  if (after == lives.begin() || std::prev(after)->end <= cycle) return nullptr;
  return &*std::prev(after);
}

const SmLife& SmRow::life_of(size_t span) const {
  return *std::prev(std::ranges::upper_bound(lives, span, {}, &SmLife::first_span));
}

size_t SmScheduler::issued(double from, double to) const {
  const auto number = [&](double cycle) {
    return std::ranges::lower_bound(issues, static_cast<uint64_t>(std::ceil(std::max(cycle, 0.0)))) -
           issues.begin();
  };
  return static_cast<size_t>(std::max<std::ptrdiff_t>(0, number(to) - number(from)));
}

SmView view_sm(const RunResult& result, std::stop_token stop) {
  SmView view;
  view.launches = result.launches.size();
  view.grid = result.shape.grid;
  view.block = result.shape.block;
  view.message = why_no_sm(result, 0);
  if (view.message.empty() && is_too_long(result)) view.message = too_long;
  if (view.message.empty()) {
    auto model = model_sm(result, sm_view_instructions, true, stop);
    if (!model)
      view.message = model.error().message;
    else if ((*model)->run.instructions == 0)
      view.message = "no instruction was issued";
    else
      view.model = *std::move(model);
  }
  view.stopped = stop.stop_requested();
  if (!view.model) {
    view.advice = advice_for(view.message);
    return view;
  }
  const SmModel& model = *view.model;
  view.cycles = double(model.run.cycles);
  view.schedulers.resize(model.settings.figures.schedulers);
  add_spans(model, view);
  add_residents(view);
  add_lines(result, model, view);
  add_shares(view);
  view.warps = std::min<uint64_t>(model.settings.resident_blocks, model.blocks_of_sm) *
               ceil_div(result.shape.block.count(), warp_lanes);
  add_other(result, view, stop);
  view.stopped = stop.stop_requested();
  return view;
}

std::string sm_hundredths(double share) {
  const double of_100 = 100 * share;
  return of_100 > 0 && of_100 < 0.5 ? "less than 1" : std::to_string(std::lround(of_100));
}

std::string sm_sentence(const SmView& view) {
  const std::string slots = sm_hundredths(view.issue_slots());
  const std::string issue = slots == "1" || slots == "less than 1" ? "issues" : "issue";
  if (view.issue_slots() >= 0.9)
    return fmt::format("Of 100 cycles {} {} an instruction: the schedulers are busy.", slots, issue);
  return fmt::format("Of 100 cycles {} {} an instruction; in the others the warps mostly {}.", slots, issue,
                     words_of(view.stall).many);
}

std::string sm_other_sentence(const SmView& view) {
  if (!view.other) return "";
  return fmt::format("With {} on the SM instead of {} it would be {}.",
                     count_text(view.other->warps, "warp", "warps"), with_separators(view.warps),
                     sm_hundredths(view.other->issue_slots));
}

std::string sm_sample_text(const SmView& view) {
  const uint64_t shown = view.model->run.blocks, all = view.model->blocks_of_sm;
  const std::string launch =
      view.launches > 1 ? fmt::format("launch 1 of {} · ", view.launches) : std::string();
  if (all == 1) return launch + "the only block of one SM";
  if (shown == all) return fmt::format("{}all {} blocks of one SM", launch, with_separators(all));
  return fmt::format("{}{} of the {} of one SM", launch, with_separators(shown),
                     count_text(all, "block", "blocks"));
}

std::optional<size_t> span_at_cycle(const SmRow& row, double cycle) {
  const auto after = std::ranges::upper_bound(row.spans, cycle, {}, &TimeSpan::begin);
  if (after == row.spans.begin() || std::prev(after)->end <= cycle) return std::nullopt;
  return static_cast<size_t>(std::prev(after) - row.spans.begin());
}

Table sm_table(const SmView& view) {
  Table table{{"scheduler", "block", "warp", "from_cycle", "to_cycle", "state", "line"}, {}};
  if (!view.model) return table;
  for (const SmRow& row : view.rows)
    for (size_t i = 0; i < row.spans.size(); ++i) {
      const sm::Span& span = view.span(row, i);
      const SmLife& life = row.life_of(i);
      const uint32_t line = view.line(span);
      table.rows.push_back({std::to_string(row.scheduler), std::to_string(life.block),
                            std::to_string(life.warp), std::to_string(span.begin), std::to_string(span.end),
                            text_of(span.state).name, line == 0 ? std::string() : std::to_string(line)});
    }
  return table;
}

}  // namespace warplens
