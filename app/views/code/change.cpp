#include "app/views/code/change.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "app/base/format.h"
#include "app/views/code/links.h"
#include "core/base/text.h"

namespace warplens {

namespace {

struct CodeLine {
  uint32_t line = 0;
  std::string text, key;  // as it is shown; as it is compared
};

std::vector<CodeLine> code_lines(const KernelDescription& kernel) {
  std::vector<CodeLine> lines;
  uint32_t number = 0;
  for (const std::string_view line : lines_of(kernel.source)) {
    ++number;
    const std::string_view code = trimmed(line.substr(0, line.find("//")));
    if (code.empty()) continue;
    lines.push_back(
        {number, std::string(trimmed(line)), replace_all(std::string(code), kernel.entry, "the kernel")});
  }
  return lines;
}

// Lengths of the longest common subsequences of the ends of both texts: [i][j] from line i and line j on.
class CommonLengths {
 public:
  CommonLengths(const std::vector<CodeLine>& from, const std::vector<CodeLine>& to)
      : m_columns(to.size() + 1), m_lengths((from.size() + 1) * m_columns) {
    for (size_t i = from.size(); i-- > 0;)
      for (size_t j = to.size(); j-- > 0;)
        at(i, j) = from[i].key == to[j].key ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  }
  uint32_t& at(size_t i, size_t j) { return m_lengths[i * m_columns + j]; }

 private:
  size_t m_columns;
  std::vector<uint32_t> m_lengths;
};

// A run of deleted lines that is followed by as many new ones counts as changed lines.
void count_changes(SourceChange& change) {
  for (size_t i = 0; i < change.lines.size();) {
    uint32_t gone = 0, fresh = 0;
    for (; i < change.lines.size() && !change.lines[i].added; ++i) ++gone;
    for (; i < change.lines.size() && change.lines[i].added; ++i) ++fresh;
    const uint32_t both = std::min(gone, fresh);
    change.changed += both;
    change.removed += gone - both;
    change.added += fresh - both;
  }
}

std::string sentence_of_change(const SourceChange& change, const std::string& from, const std::string& to) {
  std::string counts;
  const auto add = [&](uint32_t count, const char* what) {
    if (count == 0) return;
    counts += (counts.empty() ? "" : ", ") + count_text(count, "line", "lines") + " " + what;
  };
  add(change.changed, "changed");
  add(change.added, "new");
  add(change.removed, "gone");
  return fmt::format("{} in place of {}: {}", to, from, counts.empty() ? "the same code" : counts);
}

}  // namespace

SourceChange source_change(const KernelDescription& from, const KernelDescription& to) {
  constexpr size_t most = 2000;  // lines of a text that is compared
  SourceChange change;
  std::vector<CodeLine> before = code_lines(from), after = code_lines(to);
  if (before.size() > most || after.size() > most) {
    change.sentence = fmt::format("{} in place of {}", to.name, from.name);
    return change;
  }
  CommonLengths common(before, after);
  std::vector<LineChange> fresh;  // after the deleted lines of the same place
  const auto flush = [&] {
    change.lines.insert(change.lines.end(), fresh.begin(), fresh.end());
    fresh.clear();
  };
  for (size_t i = 0, j = 0; i < before.size() || j < after.size();) {
    if (i < before.size() && j < after.size() && before[i].key == after[j].key) {
      flush();
      ++i;
      ++j;
    } else if (j == after.size() || (i < before.size() && common.at(i + 1, j) >= common.at(i, j + 1))) {
      change.lines.push_back({false, before[i].line, before[i].text});
      ++i;
    } else {
      fresh.push_back({true, after[j].line, after[j].text});
      ++j;
    }
  }
  flush();
  count_changes(change);
  change.sentence = sentence_of_change(change, from.name, to.name);
  return change;
}

}  // namespace warplens
