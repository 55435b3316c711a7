// The history of runs, and the comparison of two runs, figure by figure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/state/state.h"
#include "core/base/provenance.h"

namespace warplens {

struct RunFigure {
  std::string name;
  std::string a, b;             // with units; "–" if not known
  std::optional<double> ratio;  // b / a
  std::string ratio_text;       // "2.4 ×", "="; empty if not known
  int better = 0;               // 1 if b is better, −1 if it is worse, otherwise 0
  Provenance source = Provenance::counted;
};

struct RunComparison {
  uint64_t a_serial = 0, b_serial = 0;
  std::string a, b;  // "A · grayscale · 16 × 16"
  std::vector<RunFigure> figures;
  std::string sentence;  // compares the kernels' times, and says what else changed most
};

// "A · grayscale · 16 × 16". With what tells it apart from the other runs (run_differences.h): "A · grayscale
// · 16 × 16 · chelsea.png".
std::string run_words(const RunRecord& run, const std::string& difference = "");

// ", better", ", worse", or empty.
std::string verdict_words(const RunFigure& figure);

RunComparison compare_runs(const RunRecord& a, const RunRecord& b);

// The source of the times of a list: measured if at least one of them is. Modelled times in such a list are
// marked, as in "~ 12 µs".
Provenance source_of_times(const std::vector<RunRecord>& runs);
std::string time_words(const RunRecord& run, Provenance of_list);

// The shown run, and the run with which it is compared: the pinned baseline, or else the previous one. Null
// if there is none.
const RunRecord* shown_run(const AppState& state);
const RunRecord* compared_run(const AppState& state);

// What undo and redo would change: "block 16 × 16 → 32 × 8". Empty if there is nothing.
std::string undo_words(const AppState& state);
std::string redo_words(const AppState& state);

}  // namespace warplens
