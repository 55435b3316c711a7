#include "app/views/model/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/base/format.h"
#include "app/state/runs/shown_run.h"
#include "app/views/model/baseline.h"

namespace warplens {
namespace {

constexpr double same_within = 0.005;

std::string ratio_words(double ratio) {
  return std::abs(ratio - 1) < same_within ? "=" : significant(ratio) + " ×";
}

// `good` is 1 if more is better, −1 if less is better, otherwise 0.
class Figures {
 public:
  explicit Figures(std::vector<RunFigure>& figures) : m_figures(figures) {}

  void add(const char* name, std::optional<double> a, std::optional<double> b, std::string (*words)(double),
           Provenance source, int good) {
    if (!a && !b) return;
    RunFigure figure;
    figure.name = name;
    figure.a = a ? words(*a) : "–";
    figure.b = b ? words(*b) : "–";
    figure.source = source;
    if (a && b && *a == *b) {
      figure.ratio = 1;
      figure.ratio_text = "=";
    } else if (a && b && *a > 0) {
      figure.ratio = *b / *a;
      figure.ratio_text = ratio_words(*figure.ratio);
      if (std::abs(*figure.ratio - 1) >= same_within)
        figure.better = (*figure.ratio > 1) == (good > 0) ? 1 : -1;
      if (good == 0) figure.better = 0;
    }
    m_figures.push_back(std::move(figure));
  }

 private:
  std::vector<RunFigure>& m_figures;
};

std::string count_words(double value) { return with_separators(static_cast<uint64_t>(value)); }

std::optional<double> counted(const RunRecord& run, uint64_t Counters::*counter) {
  return run.counters ? std::optional(double((*run.counters).*counter)) : std::nullopt;
}

std::optional<double> copies(const RunRecord& run) {
  if (!run.time.copy_in && !run.time.copy_out) return std::nullopt;
  return run.time.copy_in.value_or(0) + run.time.copy_out.value_or(0);
}

std::optional<double> conflicts(const RunRecord& run) {
  if (!run.counters) return std::nullopt;
  return double(shared_counts(*run.counters).bank_conflicts);
}

std::string sentence_of(const RunRecord& a, const RunRecord& b, const std::vector<RunFigure>& figures) {
  if (!a.time.kernel || !b.time.kernel || *a.time.kernel <= 0)
    return "The kernels' times are not known, so only the counts can be compared.";
  const double ratio = *b.time.kernel / *a.time.kernel;
  std::string text = fmt::format("{}'s kernel takes ", b.label);
  if (std::abs(ratio - 1) < 0.01)
    text += fmt::format("as long as {}'s", a.label);
  else
    text += fmt::format("{} times as long as {}'s", significant(ratio), a.label);
  const RunFigure* most = nullptr;
  for (const RunFigure& figure : figures) {
    if (figure.source == Provenance::modelled || figure.source == Provenance::measured) continue;
    if (!figure.ratio || figure.better == 0 || *figure.ratio <= 0) continue;
    if (!most || std::abs(std::log(*figure.ratio)) > std::abs(std::log(*most->ratio))) most = &figure;
  }
  if (most != nullptr) text += fmt::format("; what changed most: {} ({} → {})", most->name, most->a, most->b);
  return text + ".";
}

std::string difference(const Choice& from, const Choice& to) {
  if (from.setup.kernel != to.setup.kernel)
    return fmt::format("kernel {} → {}", from.setup.kernel, to.setup.kernel);
  if (from.device.id != to.device.id) return fmt::format("device {} → {}", from.device.name, to.device.name);
  if (!(from.setup.block == to.setup.block))
    return fmt::format("block {} → {}", extent_text(from.setup.block), extent_text(to.setup.block));
  const bool follows = from.setup.fit_grid && to.setup.fit_grid;  // then the grid changes with something else
  if (!follows && !(from.setup.grid == to.setup.grid))
    return fmt::format("grid {} → {}", extent_text(from.setup.grid), extent_text(to.setup.grid));
  for (const auto& [name, value] : to.setup.values) {
    const auto old = from.setup.values.find(name);
    if (old == from.setup.values.end()) return fmt::format("{} → {}", name, significant(value));
    if (old->second != value)
      return fmt::format("{} {} → {}", name, significant(old->second), significant(value));
  }
  for (const auto& [name, value] : from.setup.values)
    if (!to.setup.values.contains(name)) return fmt::format("{} {} → its default", name, significant(value));
  if (from.setup.shared_dynamic_bytes != to.setup.shared_dynamic_bytes)
    return fmt::format("shared memory {} → {}", bytes_text(from.setup.shared_dynamic_bytes),
                       bytes_text(to.setup.shared_dynamic_bytes));
  if (from.setup.data_seed != to.setup.data_seed) return "seed of the data";
  if (from.setup.image_path != to.setup.image_path) return "picture";
  return "last change";
}

}  // namespace

std::string run_words(const RunRecord& run, const std::string& difference) {
  return fmt::format("{} · {} · {}{}{}", run.label, run.choice.setup.kernel, extent_text(run.block),
                     difference.empty() ? "" : " · ", difference);
}

std::string verdict_words(const RunFigure& figure) {
  return figure.better > 0 ? ", better" : figure.better < 0 ? ", worse" : "";
}

Provenance source_of_times(const std::vector<RunRecord>& runs) {
  const bool measured = std::ranges::any_of(
      runs, [](const RunRecord& run) { return run.time.kernel && run.time.source == Provenance::measured; });
  return measured ? Provenance::measured : Provenance::modelled;
}

std::string time_words(const RunRecord& run, Provenance of_list) {
  if (!run.time.kernel) return "–";
  const bool differs = of_list == Provenance::measured && run.time.source == Provenance::modelled;
  return (differs ? "≈ " : "") + microseconds_text(*run.time.kernel);
}

RunComparison compare_runs(const RunRecord& a, const RunRecord& b) {
  RunComparison comparison;
  comparison.a_serial = a.serial;
  comparison.b_serial = b.serial;
  comparison.a = run_words(a);
  comparison.b = run_words(b);
  Figures figures(comparison.figures);
  // The ratio of a measured and a modelled time counts as modelled.
  const bool measured = a.time.source == Provenance::measured && b.time.source == Provenance::measured;
  const Provenance times = measured ? Provenance::measured : Provenance::modelled;
  figures.add("kernel", a.time.kernel, b.time.kernel, microseconds_text, times, -1);
  figures.add("copies", copies(a), copies(b), microseconds_text, times, -1);
  figures.add("occupancy", a.occupancy_percent, b.occupancy_percent, percent_text, Provenance::derived, 1);
  const auto sectors = [](const RunRecord& run) {
    return run.sectors ? std::optional(double(*run.sectors)) : std::nullopt;
  };
  figures.add("global sectors", sectors(a), sectors(b), count_words, Provenance::counted, -1);
  const auto instructions = &Counters::warp_instructions;
  figures.add("warp instructions", counted(a, instructions), counted(b, instructions), count_words,
              Provenance::counted, -1);
  figures.add("divergent branches", counted(a, &Counters::divergent_branches),
              counted(b, &Counters::divergent_branches), count_words, Provenance::counted, -1);
  if (conflicts(a).value_or(0) + conflicts(b).value_or(0) > 0)
    figures.add("bank conflicts", conflicts(a), conflicts(b), count_words, Provenance::counted, -1);
  const auto blocks = [](const RunRecord& run) { return std::optional(double(run.grid.count())); };
  figures.add("blocks", blocks(a), blocks(b), count_words, Provenance::derived, 0);
  figures.add("CPU reference", a.cpu_ms, b.cpu_ms, milliseconds_text, Provenance::measured, 0);
  figures.add("interpreter", std::optional(a.execute_ms), std::optional(b.execute_ms), milliseconds_text,
              Provenance::measured, 0);
  comparison.sentence = sentence_of(a, b, comparison.figures);
  return comparison;
}

const RunRecord* shown_run(const AppState& state) {
  const auto at = std::ranges::find(state.runs.history, state.runs.now.shown, &RunRecord::serial);
  return at == state.runs.history.end() ? nullptr : &*at;
}

const RunRecord* compared_run(const AppState& state) {
  const auto shown = std::ranges::find(state.runs.history, state.runs.now.shown, &RunRecord::serial);
  if (shown == state.runs.history.end()) return nullptr;
  if (const RunRecord* baseline = baseline_of(state)) return baseline;
  // The list has the newest run first, so the previous run is the next entry. One of the same kernel goes
  // first. The first run is compared with its successor.
  const auto same = std::find_if(shown + 1, state.runs.history.end(), [&](const RunRecord& run) {
    return is_same_kernel(run.choice, shown->choice);
  });
  if (same != state.runs.history.end()) return &*same;
  if (shown + 1 != state.runs.history.end()) return &*(shown + 1);
  return shown == state.runs.history.begin() ? nullptr : &*(shown - 1);
}

std::string undo_words(const AppState& state) {
  if (state.undo.done.empty()) return "";
  return difference({state.setup.launch, state.setup.device}, state.undo.done.back());
}

std::string redo_words(const AppState& state) {
  if (state.undo.undone.empty()) return "";
  return difference({state.setup.launch, state.setup.device}, state.undo.undone.back());
}

}  // namespace warplens
