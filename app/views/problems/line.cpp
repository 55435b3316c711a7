#include "app/views/problems/line.h"

#include <algorithm>
#include <array>

#include "app/base/format.h"

namespace warplens {
namespace {

struct LevelWords {
  ProblemLevel level;
  const char *singular, *plural;
};
constexpr std::array<LevelWords, 5> level_words = {{
    {ProblemLevel::fault, "fault", "faults"},
    {ProblemLevel::finding, "finding", "findings"},
    {ProblemLevel::error, "error", "errors"},
    {ProblemLevel::warning, "warning", "warnings"},
    {ProblemLevel::note, "message", "messages"},
}};

}  // namespace

ProblemsLine problems_line(const ProblemsState& problems) {
  ProblemsLine line;
  if (problems.all.empty()) return line;
  for (const LevelWords& words : level_words) {
    const auto count = std::ranges::count(problems.all, words.level, &Problem::level);
    if (count == 0) continue;
    if (!line.counts.empty()) line.counts += " · ";
    line.counts += count_text(static_cast<uint64_t>(count), words.singular, words.plural);
  }
  const Problem& worst = problems.all.front();
  line.level = worst.level;
  line.worst = worst.title;
  if (const std::string place = place_text(worst); !place.empty()) line.worst += ", " + place;
  for (const Problem& problem : problems.all)
    if (problem.fix && !line.fix) line.fix = problem.fix;
  return line;
}

}  // namespace warplens
