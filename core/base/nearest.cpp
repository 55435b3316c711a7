#include "core/base/nearest.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"

namespace warplens {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> edits(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        edits[i][j] = i + j;
        continue;
      }
      const size_t replaced = edits[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      edits[i][j] = std::min({replaced, edits[i - 1][j] + 1, edits[i][j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
    }
  }
  return edits[a.size()][b.size()];
}

std::vector<std::string> nearest_names(std::string_view typed, std::span<const std::string> names,
                                       size_t most) {
  // What the user typed may be long, and the distance takes time proportional to the product of both lengths.
  constexpr size_t longest = 200;
  const std::string wanted = lower_case(typed.substr(0, longest));
  using Rank = std::pair<bool, size_t>;  // does not contain it; edits
  std::vector<std::pair<Rank, std::string>> ranked;
  for (const std::string& name : names) {
    const std::string lower = lower_case(name);
    const bool contains = lower.find(wanted) != std::string::npos;
    ranked.push_back({{!contains, edit_distance(wanted, lower)}, name});
  }
  std::ranges::stable_sort(ranked, {}, &std::pair<Rank, std::string>::first);
  std::vector<std::string> nearest;
  for (size_t i = 0; i < std::min(most, ranked.size()); ++i) nearest.push_back(ranked[i].second);
  return nearest;
}

}  // namespace warplens
