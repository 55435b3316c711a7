// Predict, then reveal, outside of lessons.
#include "app/state/parts/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/format.h"
#include "app/state/reducers/learn.h"

namespace warplens {
namespace {

constexpr std::array<PredictedFigure, 6> all_predicted = {{
    {"launch.blocks", "How many blocks will there be?", "blocks", false},
    {"occupancy.percent", "What will the occupancy be?", "%", false},
    {"time.kernel", "How long will the kernel take?", "µs", true},
    {"launch.threads", "How many threads will there be?", "threads", false},
    {"counters.sectors", "How many 32-byte sectors will it move?", "sectors", true},
    {"occupancy.waves", "In how many waves will the blocks run?", "waves", false},
}};

std::optional<double> sectors_of(const RunResult& result) {
  if (!result.counters) return std::nullopt;
  return double(result.counters->global_load_sectors + result.counters->global_store_sectors);
}

// A different one of the changed figures each time. Those of the run are asked about where nothing else
// changed.
std::string figure_to_ask(const PredictState& own, const std::map<std::string, double>& now) {
  std::vector<const PredictedFigure*> changed;
  for (const PredictedFigure& figure : all_predicted) {
    if (figure.of_run) {
      changed.push_back(&figure);
      continue;
    }
    const auto before = own.before.find(figure.name), after = now.find(figure.name);
    if (after != now.end() && (before == own.before.end() || before->second != after->second))
      changed.push_back(&figure);
  }
  return changed.empty() ? std::string() : changed[own.asked % changed.size()]->name;
}

}  // namespace

const PredictedFigure* predicted_figure(const std::string& name) {
  const auto found =
      std::ranges::find_if(all_predicted, [&](const auto& figure) { return figure.name == name; });
  return found == all_predicted.end() ? nullptr : &*found;
}

std::map<std::string, double> predicted_figures(const AppState& state) {
  std::map<std::string, double> known;
  const LaunchOutlook& outlook = state.setup.outlook;
  if (outlook.error.empty()) {
    known["launch.blocks"] = double(outlook.shape.grid.count());
    known["launch.threads"] = double(outlook.shape.grid.count()) * double(outlook.shape.block.count());
  }
  if (outlook.occupancy) {
    known["occupancy.percent"] = outlook.occupancy->theoretical_percent;
    known["occupancy.waves"] = outlook.occupancy->waves;
  }
  const bool of_now = state.runs.now.wanted == 0 && state.runs.now.stale_because.empty() && state.runs.result;
  if (!of_now) return known;
  if (state.runs.result->time.kernel) known["time.kernel"] = *state.runs.result->time.kernel;
  if (const auto sectors = sectors_of(*state.runs.result)) known["counters.sectors"] = *sectors;
  return known;
}

std::string formula_of_prediction(const AppState& state, const std::string& figure) {
  const LaunchShape& shape = state.setup.outlook.shape;
  if (figure == "launch.blocks")
    return fmt::format("{} × {} × {} blocks of the grid", shape.grid.x, shape.grid.y, shape.grid.z);
  if (figure == "launch.threads")
    return fmt::format("{} blocks × {} threads", with_separators(shape.grid.count()),
                       with_separators(shape.block.count()));
  if (const auto& occupancy = state.setup.outlook.occupancy; occupancy && figure == "occupancy.percent")
    return fmt::format("{} warps that fit on an SM / {} that it holds", occupancy->active_warps_per_sm,
                       state.setup.device.limits.max_warps_per_sm);
  if (const auto& occupancy = state.setup.outlook.occupancy; occupancy && figure == "occupancy.waves")
    return fmt::format("{} blocks / ({} on an SM × {} SMs)", with_separators(shape.grid.count()),
                       occupancy->active_blocks_per_sm, state.setup.device.sms);
  if (figure == "counters.sectors")
    return "counted: the 32-byte sectors of all loads and stores of global memory";
  if (figure == "time.kernel") return "modelled from what was counted, for this device";
  return "";
}

bool is_near(double guess, double truth) { return std::abs(guess - truth) <= 0.1 * std::abs(truth) + 1e-12; }

namespace detail {

void apply(AppState& state, const SetPredict& action) {
  const uint64_t asked = state.predict.asked;
  state.predict = {};
  state.predict.asked = asked;
  state.predict.on = action.on && !state.lesson.is_open();
  state.predict.before = predicted_figures(state);
}

void predict_change(AppState& state, const std::string& why) {
  PredictState& own = state.predict;
  if (!own.on || state.lesson.is_open() || state.challenge.is_open()) return;
  const std::map<std::string, double> now = predicted_figures(state);
  if (own.phase == PredictPhase::asking && predicted_figure(own.figure)->of_run)
    return;  // the change goes on
  const std::string figure = figure_to_ask(own, now);
  if (figure.empty()) return;
  if (own.phase != PredictPhase::asking) ++own.asked;
  own.phase = PredictPhase::asking;
  own.change = why;
  own.figure = figure;
  own.guess.reset();
  own.truth.reset();
}

void apply(AppState& state, const Guess& action) {
  PredictState& own = state.predict;
  if (own.phase != PredictPhase::asking) return;
  if (action.value && !std::isfinite(*action.value)) return;
  own.guess = action.value;
  own.phase = PredictPhase::waiting;
  settle_prediction(state);
}

void settle_prediction(AppState& state) {
  PredictState& own = state.predict;
  const std::map<std::string, double> now = predicted_figures(state);
  const bool complete = state.runs.now.wanted == 0 && state.runs.now.stale_because.empty();
  if (own.on && own.phase == PredictPhase::idle && complete) own.before = now;
  if (own.phase != PredictPhase::waiting) return;
  const auto truth = now.find(own.figure);
  if (truth == now.end()) {
    if (complete) own.phase = PredictPhase::idle;  // this run does not have it
    return;
  }
  own.truth = truth->second;
  own.phase = PredictPhase::known;
  own.before = now;
  own.right = own.guess && is_near(*own.guess, *own.truth);
  if (own.guess) note_prediction(state.progress, own.right, *own.guess, *own.truth);
}

}  // namespace detail
}  // namespace warplens
