// The problems in one line: how many there are, and the worst of them.
#pragma once

#include <optional>
#include <string>

#include "app/state/state.h"

namespace warplens {

struct ProblemsLine {
  ProblemLevel level = ProblemLevel::note;  // of the worst
  std::string counts;                       // "1 fault · 2 warnings"; empty if nothing is wrong
  std::string worst;                        // its title, and its place in the source if it is known
  std::optional<Fix> fix;                   // of the first problem that offers one
};

// The list of the state has the worst first.
ProblemsLine problems_line(const ProblemsState& problems);

}  // namespace warplens
