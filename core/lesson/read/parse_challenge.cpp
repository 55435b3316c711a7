// challenge.md → Challenge: the parts of the file, without what depends on its folder (load_challenge.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/lesson/format/challenge.h"
#include "core/lesson/format/texts.h"
#include "core/lesson/read/field_readers.h"
#include "core/lesson/read/read_cases.h"

namespace warplens::lesson {
namespace {

constexpr std::string_view challenge_keyed[] = {"data", "files"};
constexpr std::string_view challenge_plain[] = {"specification", "cases", "stars", "goal"};
constexpr std::string_view challenge_head_keys[] = {"challenge", "title",    "about",  "level",
                                                    "kind",      "entry",    "change", "moves",
                                                    "device",    "language", "author", "mark"};
constexpr std::string_view translated_head_keys[] = {"title", "about", "author", "language", "mark"};
constexpr std::string_view reasons[] = {"none",    "compile",  "signature",  "refused",    "fault",  "steps",
                                        "finding", "mismatch", "order",      "input",      "choice", "goal",
                                        "time",    "memory",   "unreadable", "no_compiler"};

class ChallengeParser {
 public:
  ChallengeParser(std::string_view file, Mistakes& mistakes)
      : m_mistakes(mistakes), m_translation(language_in(file)) {
    if (is_translation()) m_challenge.language = m_translation;
  }

  Challenge parse(const Document& document) {
    for (const Entry& entry : document.head) read_head_entry(entry);
    need_in_head({"title", "about"});
    if (!is_translation()) need_in_head({"level"});
    if (!is_translation() && !m_challenge.is_program()) need_in_head({"entry"});
    for (const Section& section : document.sections) read_section(section);
    if (!is_translation()) check();
    return std::move(m_challenge);
  }

 private:
  bool is_translation() const { return !m_translation.empty(); }

  void need_in_head(std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys)
      if (!m_seen.contains(key))
        m_mistakes.error(1, fmt::format("the head has no {}: write {}: and its value", key, key));
  }

  void read_head_entry(const Entry& entry) {
    const std::string_view key = entry.key;
    const std::string& value = entry.value;
    const bool known = std::ranges::find(challenge_head_keys, key) != std::end(challenge_head_keys);
    if (is_translation() && known &&
        std::ranges::find(translated_head_keys, key) == std::end(translated_head_keys))
      return m_mistakes.error(entry.line,
                              fmt::format("{}: belongs into challenge.md, not into a translation", key));
    if (is_translation() && key == "language" && value != m_translation)
      m_mistakes.error(entry.line,
                       fmt::format("language: says {}, the file's name says {}", value, m_translation));
    if (!m_seen.insert(entry.key).second)
      m_mistakes.error(entry.line, fmt::format("{}: is here a second time", key));
    if (value.empty()) return m_mistakes.error(entry.line, fmt::format("{}: is empty", key));
    const auto number = [&](uint64_t most) -> std::optional<uint32_t> {
      const std::optional<uint64_t> read = whole_number_in(value, most);
      if (read && *read > 0) return static_cast<uint32_t>(*read);
      m_mistakes.error(entry.line,
                       fmt::format("{}: \"{}\" is no whole number from 1 to {}", key, value, most));
      return std::nullopt;
    };
    if (key == "challenge") m_challenge.number = number(999).value_or(0);
    if (key == "level") m_challenge.level = number(5).value_or(1);
    if (key == "moves") m_challenge.moves = number(100);
    if (key == "title") m_challenge.title = value;
    if (key == "about") m_challenge.about = value;
    if (key == "entry") m_challenge.entry = value;
    if (key == "device") m_challenge.device = value;
    if (key == "language") m_challenge.language = value;
    if (key == "author") m_challenge.author = value;
    if (key == "change") m_challenge.change = read_changes(entry, m_mistakes);
    if (key == "kind") read_kind(entry);
    if (key == "mark") m_challenge.marks["head"] = mark_in(entry, is_translation(), m_mistakes);
    if (!known)
      m_mistakes.error(entry.line, fmt::format("\"{}\" is no key of the head{}", key,
                                               did_you_mean(key, challenge_head_keys)));
  }

  void read_kind(const Entry& entry) {
    if (entry.value == "kernel")
      m_challenge.kind = ChallengeKind::kernel;
    else if (entry.value == "launch")
      m_challenge.kind = ChallengeKind::launch;
    else if (entry.value == "both")
      m_challenge.kind = ChallengeKind::both;
    else if (entry.value == "program")
      m_challenge.kind = ChallengeKind::program;
    else
      m_mistakes.error(entry.line, fmt::format("kind: \"{}\" is none: write kernel, launch, both or program",
                                               entry.value));
  }

  void read_section(const Section& section) {
    for (const Block& block : section.blocks) read_block(block);
    if (section.text.text.size() > max_text)
      m_mistakes.error(section.text.line, fmt::format("this text has more than {} characters", max_text));
    if (section.level == 0) {
      if (!section.text.empty()) m_mistakes.error(section.text.line, "this is before ## Task: put it below");
      return;
    }
    check_mark(section, is_translation(), m_mistakes);
    const auto marked = [&](const std::string& id) { m_challenge.marks[id] = {section.mark, section.line}; };
    const auto once = [&](Placed& into) {
      if (section.text.empty())
        m_mistakes.error(section.line, fmt::format("\"{}\" has no text", section.title));
      if (!into.empty())
        m_mistakes.error(section.line, fmt::format("\"{}\" is here a second time", section.title));
      into = section.text;
    };
    if (section.level == 2 && section.title == "Task") return marked("task"), once(m_challenge.task);
    if (section.level == 3 && section.title == "Then") return marked("then"), once(m_challenge.then);
    if (section.level == 3 && section.title == "Notes") return marked("notes"), once(m_challenge.notes);
    if (section.level == 3 && section.title == "Hint") {
      marked(fmt::format("hint_{}", m_challenge.hints.size() + 1));
      if (section.text.empty()) m_mistakes.error(section.line, "the hint has no text");
      m_challenge.hints.push_back({section.text.text, section.line});
      return;
    }
    m_mistakes.error(
        section.line,
        fmt::format("there is no part \"{}\": there are ## Task, ### Hint, ### Then and ### Notes",
                    section.title));
  }

  void read_block(const Block& block) {
    if (is_translation() && block.name != "stars" && block.name != "goal")
      return m_mistakes.error(
          block.line, fmt::format("```{} belongs into challenge.md, not into a translation", block.name));
    if (!m_blocks.insert(block.name).second)
      return m_mistakes.error(block.line, fmt::format("there is a second ```{}", block.name));
    if (block.name == "data") read_data(block);
    if (block.name == "files")
      for (const Entry& entry : block.entries) read_file(entry);
    if (block.name == "specification") {
      const std::vector<Case> cases =
          block.lines.empty() ? std::vector<Case>{} : cases_in(block.lines[0], m_mistakes);
      if (cases.size() != 1 || block.lines.size() != 1)
        m_mistakes.error(
            block.line,
            "the specification is one line with one value for each number, as in n = 10, block = 4");
      else
        m_challenge.specification = cases[0];
    }
    if (block.name == "cases")
      for (const Placed& line : block.lines) read_case_line(line, m_challenge, m_mistakes);
    if (block.name == "stars")
      for (const Placed& line : block.lines) read_star_line(line);
    if (block.name == "goal")
      for (const Placed& line : block.lines) read_goal_line(line);
  }

  // "x: float32[n] random(1) rtol 1e-5" → "x=float32[n] random(1)" and a tolerance.
  void read_data(const Block& block) {
    m_challenge.data_line = block.line;
    for (const Entry& entry : block.entries) {
      std::string value = entry.value;
      if (const size_t at = value.rfind(" rtol "); at != value.npos) {
        const std::optional<double> rtol = number_in(std::string_view(value).substr(at + 6));
        if (!rtol || *rtol < 0 || *rtol > 1)
          m_mistakes.error(entry.line,
                           "rtol is a number from 0 to 1 at the end of the line, as in rtol 1e-5");
        else
          m_challenge.tolerances.emplace_back(entry.key, *rtol);
        value.resize(at);
      }
      if (value.ends_with(" inout")) {
        value.replace(value.size() - 5, 5, "output");
        m_challenge.inout.push_back(entry.key);
      }
      m_challenge.annotation += (m_challenge.annotation.empty() ? "" : ", ") + entry.key + "=" + value;
    }
    if (block.entries.empty())
      m_mistakes.error(block.line, "```data is empty: a line for each parameter of the kernel");
  }

  void read_file(const Entry& entry) {
    ChallengeFile file;
    file.name = entry.key;
    file.line = entry.line;
    if (!is_file_name(file.name))
      m_mistakes.error(entry.line, fmt::format("\"{}\" is no file of this folder", file.name));
    for (const ChallengeFile& other : m_challenge.files)
      if (other.name == file.name)
        m_mistakes.error(entry.line, fmt::format("{} is here a second time", file.name));
    std::string_view value = entry.value;
    if (const size_t at = value.find(" at "); at != value.npos) {
      const std::vector<Case> cases = cases_in({std::string(value.substr(at + 4)), entry.line}, m_mistakes);
      if (cases.size() == 1)
        file.expected.at = cases[0];
      else
        m_mistakes.error(entry.line, "write one case after \"at\", as in at n = 33");
      value = trimmed(value.substr(0, at));
    }
    read_expected(entry, value, file);
    m_challenge.files.push_back(std::move(file));
  }

  void read_expected(const Entry& entry, std::string_view value, ChallengeFile& file) {
    if (value == "starter") {
      file.starter = true;
    } else if (value == "right" || value == "right two" || value == "right one") {
      file.expected.stars = value == "right" ? 3 : value == "right two" ? 2 : 1;
    } else {
      read_reasons(entry, value, file.expected);
    }
  }

  // "mismatch", "fault out_of_bounds", "mismatch or finding race".
  void read_reasons(const Entry& entry, std::string_view value, Expected& expected) {
    const size_t parted = value.find(" or ");
    read_reason(entry, trimmed(value.substr(0, parted)), expected);
    if (parted == value.npos) return;
    if (expected.at)
      m_mistakes.error(entry.line, "\"at\" gives the case of one reason: write one reason before it");
    for (std::string_view rest = value.substr(parted + 4);;) {
      const size_t next = rest.find(" or ");
      read_reason(entry, trimmed(rest.substr(0, next)), expected.others.emplace_back());
      if (next == rest.npos) return;
      rest.remove_prefix(next + 4);
    }
  }

  void read_reason(const Entry& entry, std::string_view value, Expected& expected) {
    const size_t blank = std::min(value.find(' '), value.size());
    const auto reason = std::ranges::find(reasons, value.substr(0, blank));
    const auto number = reason - std::begin(reasons);
    if (number == 0 || number > long(Reason::memory)) {
      m_mistakes.error(entry.line,
                       fmt::format("\"{}\" is not starter, right, or a reason: write {}", value,
                                   fmt::join(std::begin(reasons) + 1, std::end(reasons) - 2, ", ")));
      return;
    }
    expected.reason = Reason(number);
    expected.kind = std::string(trimmed(value.substr(blank)));
    const bool kinds = expected.reason == Reason::fault || expected.reason == Reason::finding;
    if (!kinds && !expected.kind.empty())
      m_mistakes.error(entry.line, fmt::format("\"{}\" follows a reason that has no kinds", expected.kind));
    // A program's findings are also those of its calls, such as missing_wait.
    if (kinds && !expected.kind.empty() && !m_challenge.is_program() && !is_incident_kind(expected.kind))
      m_mistakes.error(entry.line,
                       fmt::format("there is no {} \"{}\"", value.substr(0, blank), expected.kind));
  }

  void read_star_line(const Placed& line) {
    const size_t colon = line.text.find(':');
    const std::string_view key = std::string_view(line.text).substr(0, std::min(colon, line.text.size()));
    const Placed rest{
        colon == std::string::npos ? "" : std::string(trimmed(std::string_view(line.text).substr(colon + 1))),
        line.line};
    if (is_translation() && key == "at") {
      m_mistakes.error(line.line, "at: belongs into challenge.md, not into a translation");
    } else if (key == "at") {
      const std::vector<Case> cases = cases_in(rest, m_mistakes);
      if (cases.size() == 1)
        m_challenge.stars_at = cases[0];
      else
        m_mistakes.error(line.line, "at: is one case, as in at: n = 4096, block = 256");
    } else if (key == "two" || key == "three") {
      (key == "two" ? m_challenge.two : m_challenge.three).push_back(read_goal(rest));
    } else {
      m_mistakes.error(line.line, "write at:, two: or three:");
    }
  }

  Condition read_goal(const Placed& line) {
    return is_translation() ? translated_goal(line, m_mistakes) : goal_of(line, m_mistakes);
  }

  void read_goal_line(const Placed& line) {
    if (line.text == "expects: wrong" && is_translation())
      m_mistakes.error(line.line, "expects: belongs into challenge.md, not into a translation");
    else if (line.text == "expects: wrong")
      m_challenge.expects_wrong = true;
    else
      m_challenge.goal.push_back(read_goal(line));
  }

  void check() {
    Challenge& c = m_challenge;
    for (const std::string_view block : {"data", "specification", "cases", "files"})
      if (!m_blocks.contains(block)) m_mistakes.error(0, fmt::format("there is no block ```{}", block));
    if (c.task.empty()) m_mistakes.error(0, "there is no ## Task");
    if (c.hints.size() != 3)
      m_mistakes.error(c.hints.empty() ? 0 : c.hints.back().line,
                       fmt::format("there are {} hints, three are needed", c.hints.size()));
    else if (c.hints[2].text.find("```diff") == std::string::npos)
      m_mistakes.error(c.hints[2].line, "the third hint shows a change of the starter: a block ```diff");
    if (c.is_program() && std::ranges::find(c.orders, 0u) == c.orders.end())
      m_mistakes.error(0,
                       "orders: of a program has 0, the order of the calls, in which the goals are counted");
    if (c.is_program() && !c.entry.empty())
      m_mistakes.error(1, "entry: is for kernels: a program begins with its main()");
    const bool chooses = c.kind == ChallengeKind::launch || c.kind == ChallengeKind::both;
    if (!chooses && (!c.change.empty() || c.moves || c.expects_wrong))
      m_mistakes.error(1, "change:, moves: and expects: wrong are for the kinds launch and both");
    if (c.moves && c.kind != ChallengeKind::launch) m_mistakes.error(1, "moves: is for the kind launch");
    if (chooses && c.change.empty()) c.change = {{"block", std::nullopt, 0}, {"grid", std::nullopt, 0}};
    const auto has = [&](auto test) { return std::ranges::any_of(c.files, test); };
    if (m_blocks.contains("files")) {
      if (!has([](const ChallengeFile& f) { return f.starter; }))
        m_mistakes.error(0, "```files names no starter");
      if (!has([](const ChallengeFile& f) { return f.expected.stars == 3; }))
        m_mistakes.error(0, "```files names no right answer");
    }
  }

  Mistakes& m_mistakes;
  std::string m_translation;  // "de"; empty for challenge.md
  Challenge m_challenge;
  std::set<std::string, std::less<>> m_seen, m_blocks;
};

}  // namespace

const char* to_string(Reason reason) { return reasons[size_t(reason)].data(); }

std::string Challenge::as_own_kernel(std::string_view code) const {
  return fmt::format("// warplens: {}\n{}", annotation, code);
}

const ChallengeFile* Challenge::starter(std::string_view ending) const {
  for (const ChallengeFile& file : files)
    if (file.starter && file.name.ends_with(ending)) return &file;
  return nullptr;
}

const ChallengeFile* Challenge::reference(std::string_view ending) const {
  for (const ChallengeFile& file : files)
    if (file.expected.stars == 3 && file.name.ends_with(ending)) return &file;
  return nullptr;
}

bool LoadedChallenge::ok() const {
  return std::ranges::none_of(diagnostics, [](const Diagnostic& d) { return d.severity == Severity::error; });
}

LoadedChallenge parse_challenge(std::string_view text, std::string_view file) {
  Mistakes mistakes{std::string(file)};
  LoadedChallenge read;
  if (text.size() > max_lesson_bytes)
    mistakes.error(0, fmt::format("the file has more than {} bytes", max_lesson_bytes));
  else
    read.challenge = ChallengeParser(file, mistakes)
                         .parse(read_markdown(text, {challenge_keyed, challenge_plain}, mistakes));
  read.diagnostics = mistakes.take();
  return read;
}

}  // namespace warplens::lesson
