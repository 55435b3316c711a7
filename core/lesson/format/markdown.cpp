#include "core/lesson/format/markdown.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace warplens::lesson {
namespace {

constexpr size_t most_mistakes = 200, most_sections = 1000;

// Names after a fence that mean code or plain text.
constexpr std::string_view languages[] = {"",     "text", "cpp",    "c++",  "c",    "cuda",    "cu",
                                          "ptx",  "sh",   "python", "py",   "json", "diff",    "bash",
                                          "math", "csv",  "xml",    "html", "md",   "markdown"};

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Bytes that are not UTF-8, or control characters.
std::optional<size_t> first_bad_byte(std::string_view line) {
  for (size_t i = 0; i < line.size();) {
    const auto byte = static_cast<unsigned char>(line[i]);
    if (byte < 0x20 && byte != '\t') return i;
    const size_t length = byte < 0x80 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    if (byte >= 0x80 && (byte < 0xc2 || byte > 0xf4)) return i;
    if (i + length > line.size()) return i;
    for (size_t k = 1; k < length; ++k)
      if ((static_cast<unsigned char>(line[i + k]) & 0xc0) != 0x80) return i;
    i += length;
  }
  return std::nullopt;
}

// The mark of a translated part: mark_of() in texts.h.
bool is_mark(std::string_view text) {
  return text.size() == 4 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

size_t fence_length(std::string_view line) {
  const size_t ticks = std::min(line.find_first_not_of('`'), line.size());
  return ticks >= 3 && line.find('`', ticks) == line.npos ? ticks : 0;
}

class Reader {
 public:
  Reader(std::string_view text, const BlockNames& names, Mistakes& mistakes)
      : m_names(names), m_mistakes(mistakes) {
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      std::string_view line = text.substr(at, end - at);
      if (line.ends_with('\r')) line.remove_suffix(1);
      m_lines.push_back(line);
      at = end + 1;
    }
  }

  Document read() {
    check_bytes();
    read_head();
    m_document.sections.push_back({});
    while (m_at < m_lines.size()) read_line();
    finish_text();
    return std::move(m_document);
  }

 private:
  uint32_t number() const { return static_cast<uint32_t>(m_at + 1); }
  Section& section() { return m_document.sections.back(); }

  void check_bytes() {
    for (size_t i = 0; i < m_lines.size(); ++i)
      if (const std::optional<size_t> bad = first_bad_byte(m_lines[i]))
        m_mistakes.error(uint32_t(i + 1),
                         fmt::format("the byte in column {} is no text: save the file as UTF-8", *bad + 1));
  }

  void read_head() {
    while (m_at < m_lines.size() && trimmed(m_lines[m_at]).empty()) ++m_at;
    if (m_at == m_lines.size() || trimmed(m_lines[m_at]) != "---")
      return m_mistakes.error(number(),
                              "the head is missing: begin with a line ---, then title: and the rest, "
                              "then --- again");
    const uint32_t begin = number();
    for (++m_at; m_at < m_lines.size(); ++m_at) {
      const std::string_view line = trimmed(m_lines[m_at]);
      if (line == "---") {
        ++m_at;
        return;
      }
      if (line.starts_with('#') && m_lines[m_at].starts_with("## ")) break;
      if (!line.empty() && !line.starts_with('#')) add_entry(m_document.head, line);
    }
    m_mistakes.error(begin, "the head is not closed: write --- after its last line");
  }

  void add_entry(std::vector<Entry>& entries, std::string_view line) {
    const size_t colon = line.find(':');
    if (colon == line.npos || colon == 0)
      return m_mistakes.error(number(), fmt::format("\"{}\" is no \"key: value\"", line.substr(0, 60)));
    entries.push_back({std::string(trimmed(line.substr(0, colon))),
                       std::string(trimmed(line.substr(colon + 1))), number()});
  }

  void read_line() {
    const std::string_view line = m_lines[m_at];
    if (const size_t ticks = fence_length(trimmed(line))) return read_fence(ticks);
    if (line.starts_with("## ") || line.starts_with("### ")) return begin_section();
    if (line.starts_with("# "))
      m_mistakes.error(number(),
                       "a heading has ## for a step or part, and ### for a hint, notes and the rest");
    add_text(line);
    ++m_at;
  }

  void add_text(std::string_view line) {
    if (m_text.empty() && trimmed(line).empty()) return;
    if (m_text.empty()) section().text.line = number();
    m_text.append(line).push_back('\n');
  }

  void finish_text() {
    while (!m_text.empty() && (m_text.back() == '\n' || m_text.back() == ' ')) m_text.pop_back();
    section().text.text = std::move(m_text);
    m_text.clear();
  }

  void begin_section() {
    finish_text();
    if (m_document.sections.size() >= most_sections) {
      m_mistakes.error(number(), fmt::format("there are more than {} headings", most_sections));
      m_at = m_lines.size();
      return;
    }
    Section next;
    next.line = number();
    std::string_view title = m_lines[m_at];
    next.level = title.starts_with("### ") ? 3 : 2;
    const Heading heading = heading_in(title.substr(next.level));
    next.title = std::string(heading.words);
    next.id = std::string(heading.id);
    next.mark = std::string(heading.mark);
    m_document.sections.push_back(std::move(next));
    ++m_at;
  }

  void read_fence(size_t ticks) {
    const std::string_view name = trimmed(trimmed(m_lines[m_at]).substr(ticks));
    const bool keyed = contains(m_names.keyed, name);
    if (keyed || contains(m_names.plain, name)) return read_block(ticks, name, keyed);
    if (!contains(languages, name)) {
      std::vector<std::string_view> all(m_names.keyed.begin(), m_names.keyed.end());
      all.insert(all.end(), m_names.plain.begin(), m_names.plain.end());
      m_mistakes.error(number(), fmt::format("there is no block ```{}{}", name, did_you_mean(name, all)));
    }
    const uint32_t begin = number();
    add_text(m_lines[m_at++]);
    for (; m_at < m_lines.size(); ++m_at) {
      add_text(m_lines[m_at]);
      if (fence_length(trimmed(m_lines[m_at])) >= ticks) {
        ++m_at;
        return;
      }
    }
    m_mistakes.error(begin, "the code that begins here is not closed: write ``` after it");
  }

  void read_block(size_t ticks, std::string_view name, bool keyed) {
    Block block;
    block.name = std::string(name);
    block.line = number();
    bool closed = false;
    for (++m_at; m_at < m_lines.size() && !closed; ++m_at) {
      const std::string_view line = m_lines[m_at];
      if (begins_another(line)) break;
      if (fence_length(trimmed(line)) >= ticks)
        closed = true;
      else
        read_block_line(block, line);
    }
    if (!closed)
      m_mistakes.error(block.line, fmt::format("the block ```{} is not closed: write ``` after it", name));
    for (const Placed& line : keyed ? block.lines : std::vector<Placed>{}) {
      const size_t colon = line.text.find(':');
      if (colon == line.text.npos || colon == 0)
        m_mistakes.error(line.line, fmt::format("\"{}\" is no \"key: value\"", line.text.substr(0, 60)));
      else
        block.entries.push_back({std::string(trimmed(std::string_view(line.text).substr(0, colon))),
                                 std::string(trimmed(std::string_view(line.text).substr(colon + 1))),
                                 line.line});
    }
    section().blocks.push_back(std::move(block));
  }

  // A fence with a name, or a heading. A block cannot contain these lines, so the block before was not
  // closed.
  static bool begins_another(std::string_view line) {
    const size_t ticks = fence_length(trimmed(line));
    const bool named = ticks > 0 && !trimmed(trimmed(line).substr(ticks)).empty();
    return named || line.starts_with("## ") || line.starts_with("### ");
  }

  void read_block_line(Block& block, std::string_view line) {
    const std::string_view words = trimmed(line);
    if (words.empty() || words.starts_with('#')) return;
    if (line.starts_with("  ") && !block.lines.empty()) {
      block.lines.back().text.append(" ").append(words);
    } else {
      block.lines.push_back({std::string(words), number()});
    }
  }

  BlockNames m_names;
  Mistakes& m_mistakes;
  std::vector<std::string_view> m_lines;
  size_t m_at = 0;
  std::string m_text;
  Document m_document;
};

// How many letters must change to turn one word into the other.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t k = 0; k < b.size(); ++k) {
      const size_t change = diagonal + (a[i] != b[k] ? 1 : 0);
      diagonal = row[k + 1];
      row[k + 1] = std::min({change, row[k] + 1, row[k + 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

void Mistakes::add(Severity severity, uint32_t line, std::string message) {
  if (m_all.size() == most_mistakes) message = "there are more mistakes; correct these first";
  if (m_all.size() <= most_mistakes) m_all.push_back({severity, m_file, line, 0, std::move(message)});
}
void Mistakes::error(uint32_t line, std::string message) { add(Severity::error, line, std::move(message)); }
void Mistakes::warning(uint32_t line, std::string message) {
  add(Severity::warning, line, std::move(message));
}

std::vector<Diagnostic> Mistakes::take() {
  std::ranges::stable_sort(m_all, {}, &Diagnostic::line);
  return std::move(m_all);
}

Heading heading_in(std::string_view title) {
  title = trimmed(title);
  const size_t open = title.ends_with('}') ? title.rfind('{') : title.npos;
  if (open == title.npos) return {title, {}, {}};
  const std::string_view inside = trimmed(title.substr(open + 1, title.size() - open - 2));
  Heading heading{trimmed(title.substr(0, open)), {}, {}};
  if (!inside.starts_with('#')) {
    if (!is_mark(inside)) return {title, {}, {}};
    heading.mark = inside;
    return heading;
  }
  const size_t blank = std::min(inside.rfind(' '), inside.size());
  const bool marked = blank < inside.size() && is_mark(inside.substr(blank + 1));
  heading.id = trimmed(inside.substr(1, marked ? blank - 1 : inside.npos));
  if (marked) heading.mark = inside.substr(blank + 1);
  return heading;
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth > 0) --depth;
    if (c != separator || depth > 0) continue;
    parts.push_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  if (word.size() > 60) return {};
  std::string_view best;
  size_t smallest = std::max<size_t>(2, word.size() / 3) + 1;
  for (const std::string_view name : known)
    if (const size_t d = distance(word, name); d < smallest) {
      smallest = d;
      best = name;
    }
  return best.empty() ? std::string() : fmt::format("; did you mean \"{}\"?", best);
}

Document read_markdown(std::string_view text, const BlockNames& names, Mistakes& mistakes) {
  return Reader(text, names, mistakes).read();
}

}  // namespace warplens::lesson
