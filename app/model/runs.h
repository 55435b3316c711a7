// The history of runs: two of them held against each other, figure by figure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/state/state.h"
#include "core/base/source.h"

namespace warplens {

struct RunFigure {
  std::string name;
  std::string a, b;             // with units; "–": not known
  std::optional<double> ratio;  // b / a
  std::string ratio_text;       // "2.4 ×", "="; empty where not known
  int better = 0;               // 1: b is better, −1: worse, 0: neither or the same
  Source source = Source::counted;
};

struct RunComparison {
  uint64_t a_serial = 0, b_serial = 0;
  std::string a, b;  // "A · grayscale · 16 × 16"
  std::vector<RunFigure> figures;
  std::string sentence;  // the kernels' times against each other, and what else changed most
};

std::string run_words(const RunRecord& run);  // "A · grayscale · 16 × 16"

RunComparison compare_runs(const RunRecord& a, const RunRecord& b);

// What the times of a list are: measured as soon as one of them is. The modelled ones among them are then
// written with the sign of modelled numbers, "~ 12 µs".
Source source_of_times(const std::vector<RunRecord>& runs);
std::string time_words(const RunRecord& run, Source of_list);

// The run that is shown, and the one that it is held against: the chosen one, else the one before it. Null
// where there is none.
const RunRecord* shown_run(const AppState& state);
const RunRecord* compared_run(const AppState& state);

// What undo and redo would change: "block 16 × 16 → 32 × 8". Empty where there is nothing.
std::string undo_words(const AppState& state);
std::string redo_words(const AppState& state);

}  // namespace warplens
