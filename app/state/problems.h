// All that is wrong, in one list: refused launch, faults, findings, failed checks, the program's own
// messages, warnings. The worst first.
#pragma once

#include <vector>

#include "app/state/state.h"

namespace warplens {

std::vector<Problem> problems_of(const AppState& state);

Problem problem_of(const Incident& incident, bool fault, const KernelDescription* kernel);
Problem problem_of(const Warning& warning);

// "add_unchecked.cu:4"; empty where no place is known.
std::string place_text(const Problem& problem);
// "block (39, 0, 0) thread (16, 0, 0)"; empty where it is not about one thread.
std::string thread_text(const Problem& problem);
// "out_of_bounds" → "Out of bounds".
std::string title_of_kind(const std::string& kind);

struct ProblemCounts {
  size_t faults = 0, warnings = 0, others = 0;
};
ProblemCounts count_problems(const std::vector<Problem>& problems);

}  // namespace warplens
