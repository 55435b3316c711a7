#include "app/views/launch/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/format.h"
#include "app/state/parts/problems.h"
#include "app/state/setup/outlook.h"
#include "app/views/model/baseline.h"

namespace warplens {
namespace {

// The product of launch extents. It saturates, since very large grids do not fit in 64 bits.
uint64_t times(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? ~uint64_t{0} : product;
}

uint64_t count_of(Dim3 extent) { return times(times(extent.x, extent.y), extent.z); }

std::string with_times(Dim3 extent) {
  return with_separators(extent.x) + " × " + with_separators(extent.y) + " × " + with_separators(extent.z);
}

uint64_t warps_per_block(const LaunchShape& shape) { return ceil_div(count_of(shape.block), warp_lanes); }

// Threads that have an element, as far as grid and block cover the problem.
uint64_t useful_threads(const LaunchShape& shape, const Dim3& problem) {
  const auto axis = [](uint32_t grid, uint32_t block, uint32_t needed) {
    return std::min<uint64_t>(times(grid, block), needed);
  };
  return times(
      times(axis(shape.grid.x, shape.block.x, problem.x), axis(shape.grid.y, shape.block.y, problem.y)),
      axis(shape.grid.z, shape.block.z, problem.z));
}

Figure blocks_figure(const LaunchShape& shape) {
  const uint64_t blocks = count_of(shape.grid);
  return {"blocks", with_separators(blocks), Provenance::derived,
          "blocks = gridDim.x × gridDim.y × gridDim.z = " + with_times(shape.grid) + " = " +
              with_separators(blocks)};
}

Figure threads_figure(const LaunchShape& shape) {
  const uint64_t blocks = count_of(shape.grid), each = count_of(shape.block);
  return {"threads", with_separators(times(blocks, each)), Provenance::derived,
          fmt::format("threads = blocks × threads per block = {} × ({}) = {}", with_separators(blocks),
                      with_times(shape.block), with_separators(times(blocks, each)))};
}

Figure warps_figure(const LaunchShape& shape) {
  const uint64_t blocks = count_of(shape.grid), each = warps_per_block(shape);
  return {"warps", with_separators(times(blocks, each)), Provenance::derived,
          fmt::format("warps = blocks × ⌈threads per block / 32⌉ = {} × ⌈{} / 32⌉ = {} × {} = {}",
                      with_separators(blocks), with_separators(count_of(shape.block)),
                      with_separators(blocks), with_separators(each), with_separators(times(blocks, each)))};
}

Figure idle_figure(const LaunchShape& shape, const std::optional<Dim3>& problem) {
  const uint64_t lanes = times(times(count_of(shape.grid), warps_per_block(shape)), warp_lanes);
  if (!problem) {
    const uint64_t idle = idle_lanes(shape, problem);
    return {"lanes without a thread", with_separators(idle), Provenance::derived,
            fmt::format("lanes without a thread = warps × 32 − threads = {} − {} = {}. Which threads have an "
                        "element is not known.",
                        with_separators(lanes), with_separators(lanes - std::min(lanes, idle)),
                        with_separators(idle))};
  }
  const uint64_t idle = idle_lanes(shape, problem);
  const uint64_t no_thread = lanes - std::min(lanes, times(count_of(shape.grid), count_of(shape.block)));
  return {"lanes without work", with_separators(idle), Provenance::derived,
          fmt::format(
              "lanes without work = lanes without a thread + threads beyond the problem = {} + {} = {} "
              "({} of all lanes)",
              with_separators(no_thread), with_separators(idle - std::min(idle, no_thread)),
              with_separators(idle), percent_text(lanes == 0 ? 0 : 100.0 * double(idle) / double(lanes)))};
}

const char* no_registers_yet = "Not known yet: it needs the registers of this kernel on this device.";

Figure waves_figure(const FigureInput& input) {
  const std::string label = fmt::format("waves on {} SMs", input.device.sms);
  if (!input.occupancy || input.occupancy->active_blocks_per_sm == 0) {
    return {label, "–", Provenance::derived, no_registers_yet};
  }
  const uint64_t blocks = count_of(input.shape.grid);
  return {label, significant(input.occupancy->waves), Provenance::derived,
          fmt::format("waves = blocks / (SMs × resident blocks per SM) = {} / ({} × {}) = {}",
                      with_separators(blocks), input.device.sms, input.occupancy->active_blocks_per_sm,
                      significant(input.occupancy->waves, 4))};
}

std::string limiter_words(const Occupancy& occupancy) {
  std::string words;
  for (const Limiter limiter : occupancy.limiters) {
    if (!words.empty()) words += " and ";
    switch (limiter) {
      case Limiter::registers:
        words += "registers";
        break;
      case Limiter::shared_memory:
        words += "shared memory";
        break;
      case Limiter::warps:
        words += "warps per SM";
        break;
      case Limiter::blocks:
        words += "blocks per SM";
        break;
    }
  }
  return words;
}

Figure occupancy_figure(const FigureInput& input) {
  if (!input.occupancy) return {"occupancy", "–", Provenance::derived, no_registers_yet};
  const Occupancy& occupancy = *input.occupancy;
  std::string formula =
      fmt::format("occupancy = resident warps / warps that fit on an SM = {} / {} = {}. Limited by {}.",
                  occupancy.active_warps_per_sm, input.device.limits.max_warps_per_sm,
                  percent_text(occupancy.theoretical_percent), limiter_words(occupancy));
  if (input.resources) {
    formula += fmt::format(" {} registers a thread, from {}.", input.resources->registers_per_thread,
                           to_string(input.resources->origin));
  }
  return {"occupancy", percent_text(occupancy.theoretical_percent), Provenance::derived, formula};
}

std::string picture_text(const KernelSetup& setup) {
  if (!setup.image) return "reading…";
  const std::string name = setup.image->name.empty() ? setup.image_path : setup.image->name;
  return fmt::format("{}, {} × {}", name, setup.image->width, setup.image->height);
}

ArgumentRow row_of(const KernelArgument& argument, const KernelSetup& setup) {
  ArgumentRow row;
  row.name = argument.name;
  row.title = argument.title.empty() ? argument.name : argument.title;
  row.control = argument.control;
  row.minimum = argument.minimum;
  row.maximum = argument.maximum;
  row.whole = argument.dtype != DType::f16 && argument.dtype != DType::f32 && argument.dtype != DType::f64;
  const auto chosen = setup.values.find(argument.name);
  row.value = chosen == setup.values.end() ? argument.value : chosen->second;
  if (argument.control == Control::image) row.picture = picture_text(setup);
  if (argument.control == Control::seed) row.value = static_cast<double>(setup.data_seed);
  return row;
}

// The arguments with a control. There is one seed and one picture, even if they fill several buffers.
std::vector<ArgumentRow> rows_of(const KernelDescription& kernel, const KernelSetup& setup) {
  std::vector<ArgumentRow> rows;
  bool has_seed = false, has_picture = false;
  const auto add = [&](const KernelArgument& argument) {
    Control control = argument.control;
    if (argument.is_buffer && argument.fill == Fill::image) control = Control::image;
    if (argument.is_buffer && argument.fill == Fill::random) control = Control::seed;
    if (control == Control::none) return;
    if (control == Control::seed && std::exchange(has_seed, true)) return;
    if (control == Control::image && std::exchange(has_picture, true)) return;
    KernelArgument shown = argument;
    shown.control = control;
    if (control == Control::seed) shown.title = "seed of the random data";
    rows.push_back(row_of(shown, setup));
  };
  for (const KernelArgument& setting : kernel.settings) add(setting);
  for (const KernelArgument& argument : kernel.arguments) add(argument);
  return rows;
}

std::string fit_formula(const Dim3& problem, const Dim3& block, int axes) {
  const auto part = [](uint32_t n, uint32_t b) {
    return fmt::format("⌈{} / {}⌉", with_separators(n), with_separators(b));
  };
  std::string text = part(problem.x, block.x);
  if (axes > 1) text += " × " + part(problem.y, block.y);
  if (axes > 2) text += " × " + part(problem.z, block.z);
  return text;
}

std::vector<PresetChip> presets_of(const KernelDescription& kernel, const Dim3& block) {
  std::vector<PresetChip> chips;
  for (const Dim3& preset : kernel.block_presets) {
    std::string label = fmt::format("{}", preset.x);
    if (preset.y != 1 || preset.z != 1 || kernel.default_block.y != 1) label += fmt::format("×{}", preset.y);
    if (preset.z != 1) label += fmt::format("×{}", preset.z);
    chips.push_back({label, preset, preset == block});
  }
  return chips;
}

// The numbers that launch_figures() shows, in the same order. Empty if not known.
std::array<std::optional<double>, 6> amounts_of(const FigureInput& input) {
  const uint64_t blocks = count_of(input.shape.grid);
  const auto of = [&](double Occupancy::*figure) {
    return input.occupancy ? std::optional(input.occupancy->*figure) : std::nullopt;
  };
  return {double(blocks),
          double(times(blocks, count_of(input.shape.block))),
          double(times(blocks, warps_per_block(input.shape))),
          double(idle_lanes(input.shape, input.problem)),
          of(&Occupancy::theoretical_percent),
          of(&Occupancy::waves)};
}

// More blocks, threads or waves are neither better nor worse.
bool is_better(const LaunchFigure& figure, std::optional<double> now, std::optional<double> before) {
  return figure.figure.label == "occupancy" && now && before && *now > *before;
}

// The ratio of each figure to that of the pinned baseline.
void add_ratios(const FigureInput& now, const RunRecord& baseline, std::vector<LaunchFigure>& figures) {
  if (!baseline.result) return;
  const RunResult& result = *baseline.result;
  const FigureInput then{result.shape, now.problem, result.occupancy ? &*result.occupancy : nullptr, nullptr,
                         now.device};
  const auto a = amounts_of(now), b = amounts_of(then);
  for (size_t i = 0; i < figures.size() && i < a.size(); ++i) {
    figures[i].ghost = figures[i].difference = against(a[i], b[i], baseline.label);
    figures[i].better = is_better(figures[i], a[i], b[i]);
  }
}

// "+12", "−0.9", "+16.8 M".
std::string difference_text(double now, double before) {
  const double by = std::abs(now - before);
  const bool whole = by < 1e18 && std::floor(now) == now && std::floor(before) == before;
  const std::string words = whole ? with_separators(static_cast<uint64_t>(by)) : significant(by);
  return (now < before ? "−" : "+") + brief_of(words);
}

// A recorded launch is known by its threads alone, not by what needs them.
std::optional<Dim3> known_problem(const AppState& state) {
  return state.setup.kernel->recorded ? std::nullopt : state.setup.outlook.problem;
}

// Adds the figures of the last run for comparison. If the shown run fits the current setup, they are of the
// run before it.
void add_ghosts(const AppState& state, const FigureInput& now, std::vector<LaunchFigure>& figures) {
  const bool fresh = state.runs.now.stale_because.empty();
  const RunResult* last = fresh ? state.runs.previous.get() : state.runs.result.get();
  if (!last || !last->request || last->request->kernel != state.setup.launch.kernel) return;
  const FigureInput then{last->shape, known_problem(state), last->occupancy ? &*last->occupancy : nullptr,
                         nullptr, last->request->device};
  const auto before = launch_figures(then);
  const auto a = amounts_of(now), b = amounts_of(then);
  for (size_t i = 0; i < figures.size() && i < before.size(); ++i) {
    if (before[i].value == figures[i].figure.value || before[i].value == "–") continue;
    figures[i].ghost = "was " + before[i].value;
    if (a[i] && b[i]) figures[i].difference = difference_text(*a[i], *b[i]);
    figures[i].better = is_better(figures[i], a[i], b[i]);
  }
}

// In the order of launch_figures(), as lessons name them.
constexpr std::array<const char*, 6> fact_names = {"launch.blocks",     "launch.threads",
                                                   "launch.warps",      "launch.idle_lanes",
                                                   "occupancy.percent", "occupancy.waves"};

void hide_figures(const AppState& state, std::vector<LaunchFigure>& figures) {
  for (size_t i = 0; i < figures.size() && i < fact_names.size(); ++i) {
    if (!is_hidden(state, fact_names[i])) continue;
    figures[i].figure.value = figures[i].brief = "?";
    figures[i].figure.formula = "Hidden until you have answered.";
    figures[i].ghost.clear();
    figures[i].difference.clear();
    figures[i].hidden = true;
  }
}

}  // namespace

uint64_t idle_lanes(const LaunchShape& shape, const std::optional<Dim3>& problem) {
  const uint64_t blocks = count_of(shape.grid);
  const uint64_t lanes = times(times(blocks, warps_per_block(shape)), warp_lanes);
  const uint64_t useful = problem ? useful_threads(shape, *problem) : times(blocks, count_of(shape.block));
  return lanes - std::min(lanes, useful);
}

std::vector<Figure> launch_figures(const FigureInput& input) {
  return {blocks_figure(input.shape), threads_figure(input.shape),
          warps_figure(input.shape),  idle_figure(input.shape, input.problem),
          occupancy_figure(input),    waves_figure(input)};
}

std::string brief_of(const std::string& value) {
  const std::optional<double> number = number_from(value, true);
  if (!number || *number < 1e6) return value;
  return *number < 1e9 ? significant(*number / 1e6) + " M" : significant(*number / 1e9) + " G";
}

LaunchView launch_view(const AppState& state) {
  LaunchView view;
  if (!state.setup.kernel) return view;
  const KernelDescription& kernel = *state.setup.kernel;
  const LaunchOutlook& outlook = state.setup.outlook;
  view.title = kernel.title;
  view.teaches = kernel.teaches;
  view.arguments = rows_of(kernel, state.setup.launch);
  view.presets = presets_of(kernel, state.setup.launch.block);
  view.block_is_bound = is_block_bound(kernel);
  view.max_block = state.setup.device.limits.max_block;
  view.max_grid = state.setup.device.limits.max_grid;
  view.max_shared_bytes = state.setup.device.limits.shared_bytes_per_block_optin;
  if (needs_picture(kernel)) view.subject = picture_text(state.setup.launch);
  view.problem_is_known = kernel.recorded == nullptr;
  if (outlook.problem) {
    const Dim3& problem = *outlook.problem;
    view.axes = problem.z > 1 ? 3 : problem.y > 1 ? 2 : 1;
    if (view.subject.empty()) {
      const bool one = problem.count() == 1;
      view.subject =
          extent_text(problem) + (view.problem_is_known ? one ? " thread needed" : " threads needed"
                                  : one                 ? " thread launched"
                                                        : " threads launched");
    }
    view.fit_formula = fit_formula(problem, state.setup.launch.block, view.axes);
  }
  const FigureInput input{outlook.shape, known_problem(state),
                          outlook.occupancy ? &*outlook.occupancy : nullptr,
                          outlook.resources ? &*outlook.resources : nullptr, state.setup.device};
  for (Figure& figure : launch_figures(input)) {
    const std::string brief = brief_of(figure.value);
    view.figures.push_back({.figure = std::move(figure), .ghost = {}, .brief = brief});
  }
  for (LaunchFigure& figure : view.figures) {
    const std::string& label = figure.figure.label;
    figure.key =
        label == "blocks" || label == "threads" || label == "occupancy" || label.starts_with("waves");
  }
  if (state.runs.baseline)
    add_ratios(input, *state.runs.baseline, view.figures);
  else
    add_ghosts(state, input, view.figures);
  hide_figures(state, view.figures);
  for (const Problem& problem : state.problems.all)
    if (!view.refusal && (problem.id == "refused" || problem.id == "no_launch")) view.refusal = problem;
  return view;
}

}  // namespace warplens
