// Loads a challenge with its folder, and checks that its files exist and that its sizes and goals use names
// that its kernel has.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/device/device.h"
#include "core/kernels/own/annotation.h"
#include "core/lesson/format/challenge.h"
#include "core/lesson/format/glyphs.h"
#include "core/lesson/format/texts.h"
#include "core/lesson/goals/facts.h"
#include "core/lesson/goals/program_facts.h"
#include "core/lesson/read/field_readers.h"

namespace warplens::lesson {
namespace {

class ChallengeChecker {
 public:
  ChallengeChecker(const Folder& folder, const Challenge& challenge, Mistakes& mistakes)
      : m_folder(folder), m_challenge(challenge), m_mistakes(mistakes) {}

  void check() {
    check_data();
    check_device();
    check_case(m_challenge.specification, "the specification");
    for (const Case& at : m_challenge.cases) check_case(at, "a case");
    check_case(m_challenge.stars_at, "at:");
    for (const HiddenCases& hidden : m_challenge.hidden)
      for (const Draw& draw : hidden.draws) check_number(draw.name, draw.numbers, draw.range, hidden.line);
    for (const Change& change : m_challenge.change) check_change(change);
    check_files();
    check_conditions(true);
    check_diff();
  }

  // For a translation: the expressions in its sentences, the words of its goals, the lines of its last hint.
  void check_words() {
    read_names();
    check_conditions(false);
    check_diff();
    for (const auto* goals : {&m_challenge.goal, &m_challenge.two, &m_challenge.three})
      for (const Condition& goal : *goals)
        if (!goal.words.empty()) check_goal_words(goal, m_mistakes);
  }

 private:
  // The names of the kernel, without reporting mistakes in it.
  void read_names() {
    const std::string text = "// warplens: " + m_challenge.annotation;
    for (const AnnotatedArgument& argument : parse_annotation(text, "", 0, text.size()).arguments)
      (argument.is_buffer ? m_arrays : m_numbers).insert(argument.name);
  }

  void check_data() {
    const std::string text = "// warplens: " + m_challenge.annotation;
    const Annotation annotation = parse_annotation(text, "", 0, text.size());
    for (const Diagnostic& diagnostic : annotation.diagnostics)
      if (diagnostic.severity == Severity::error)
        m_mistakes.error(m_challenge.data_line, "in ```data: " + diagnostic.message);
    bool output = false;
    for (const AnnotatedArgument& argument : annotation.arguments) {
      if (argument.is_buffer) {
        m_arrays.insert(argument.name);
        output = output || argument.output.value_or(false);
      } else {
        m_numbers.insert(argument.name);
        if (argument.range) m_ranges[argument.name] = *argument.range;
      }
    }
    if (m_challenge.is_program() && !m_arrays.empty())
      m_mistakes.error(m_challenge.data_line, "a program has no arrays here: its numbers are its arguments");
    if (!output && !m_challenge.is_program())
      m_mistakes.error(m_challenge.data_line, "no array is marked \"output\": nothing could be compared");
    for (const auto& [name, rtol] : m_challenge.tolerances)
      if (!m_arrays.contains(name))
        m_mistakes.error(m_challenge.data_line, fmt::format("rtol: {} is no array", name));
  }

  void check_device() {
    std::vector<std::string_view> ids;
    for (const Device& device : built_in_devices()) ids.push_back(device.id);
    if (std::ranges::find(ids, m_challenge.device) == ids.end())
      m_mistakes.error(1, fmt::format("there is no device {}{}", m_challenge.device,
                                      did_you_mean(m_challenge.device, ids)));
  }

  void check_number(const std::string& name, const std::vector<double>& values,
                    const std::optional<std::pair<double, double>>& range, uint32_t line) {
    if (name == "block" || name == "grid") return;
    if (!m_numbers.contains(name))
      return m_mistakes.error(line, fmt::format("there is no number {} in ```data", name));
    const auto allowed = m_ranges.find(name);
    if (allowed == m_ranges.end()) return;
    std::vector<double> all = values;
    if (range) all.insert(all.end(), {range->first, range->second});
    for (const double value : all)
      if (value < allowed->second.first || value > allowed->second.second)
        m_mistakes.error(line, fmt::format("{} = {} is outside of {} to {}, which ```data says", name, value,
                                           allowed->second.first, allowed->second.second));
  }

  void check_case(const Case& at, std::string_view what) {
    for (const auto& [name, value] : at.values) {
      if (!m_numbers.contains(name))
        m_mistakes.error(m_challenge.data_line,
                         fmt::format("{}: there is no number {} in ```data", what, name));
      else
        check_number(name, {value}, std::nullopt, m_challenge.data_line);
    }
  }

  void check_change(const Change& change) {
    constexpr std::string_view things[] = {"block", "grid", "shared", "order", "max_registers", "device"};
    if (std::ranges::find(things, change.name) == std::end(things) && !m_numbers.contains(change.name))
      m_mistakes.error(change.line, fmt::format("change: \"{}\" is none of {} and no number of ```data",
                                                change.name, fmt::join(things, ", ")));
  }

  void check_files() {
    for (const ChallengeFile& file : m_challenge.files) {
      if (!m_folder.files.contains(file.name))
        m_mistakes.error(file.line, fmt::format("the file {} is not in the folder", file.name));
      if (!file.name.ends_with(".cu") && !file.name.ends_with(".py"))
        m_mistakes.error(file.line, fmt::format("{} is neither CUDA C++ (.cu) nor Python (.py)", file.name));
      if (file.expected.at)
        for (const auto& [name, value] : file.expected.at->values)
          if (!m_numbers.contains(name))
            m_mistakes.error(file.line, fmt::format("there is no number {} in ```data", name));
    }
    for (const auto& [name, text] : m_folder.files) {
      const bool code = name.ends_with(".cu") || name.ends_with(".py");
      if (code && std::ranges::find(m_challenge.files, name, &ChallengeFile::name) == m_challenge.files.end())
        m_mistakes.warning(0, fmt::format("{} is in the folder, but ```files does not list it", name));
    }
  }

  void check_expression(const Placed& expression, const Facts& facts) {
    if (const std::string mistake = mistake_in(expression.text, facts); !mistake.empty())
      m_mistakes.error(expression.line, mistake);
  }

  // Checks the expressions in the sentences of conditions, and with `whole` the conditions too.
  void check_conditions(bool whole) {
    Facts facts;
    add_answer(facts, "");
    for (const std::string& name : m_numbers) facts.set(name, {});
    for (const char* name : {"order", "device.sms"}) facts.set(name, {});
    facts.arrays.insert(m_arrays.begin(), m_arrays.end());
    const auto check = [&](const std::vector<Condition>& conditions) {
      for (const Condition& condition : conditions) {
        if (whole) check_expression(condition.expression, facts);
        for (const Placed& one : expressions_in(condition.otherwise)) check_expression(one, facts);
      }
    };
    add_answer(facts, "start.");
    check(m_challenge.goal);
    add_answer(facts, "reference.");
    check(m_challenge.two);
    check(m_challenge.three);
  }

  void add_answer(Facts& facts, const std::string& prefix) const {
    if (m_challenge.is_program()) return add_program(facts, prefix, nullptr);
    add_run(facts, prefix, nullptr);
    add_launch(facts, prefix, std::nullopt);
  }

  // Lines that the last hint removes must be lines of the starter.
  void check_diff() {
    const ChallengeFile* starter = m_challenge.starter(".cu");
    if (!starter || m_challenge.hints.size() != 3 || !m_folder.files.contains(starter->name)) return;
    std::set<std::string, std::less<>> lines;
    const std::string& source = m_folder.files.at(starter->name);
    for (size_t at = 0; at < source.size();) {
      const size_t end = std::min(source.find('\n', at), source.size());
      lines.emplace(trimmed(std::string_view(source).substr(at, end - at)));
      at = end + 1;
    }
    const std::string_view hint = m_challenge.hints[2].text;
    size_t at = hint.find("```diff");
    if (at == hint.npos) return;
    for (at = hint.find('\n', at) + 1; at < hint.size() && at > 0;) {
      const size_t end = std::min(hint.find('\n', at), hint.size());
      const std::string_view line = hint.substr(at, end - at);
      if (line.starts_with("```")) return;
      if (line.starts_with('-') && !lines.contains(trimmed(line.substr(1))))
        m_mistakes.error(
            m_challenge.hints[2].line,
            fmt::format("the starter has no line \"{}\", which the hint removes", trimmed(line.substr(1))));
      at = end + 1;
    }
  }

  const Folder& m_folder;
  const Challenge& m_challenge;
  Mistakes& m_mistakes;
  std::set<std::string, std::less<>> m_numbers, m_arrays;
  std::map<std::string, std::pair<double, double>> m_ranges;
};

void put_translation(const Folder& folder, Challenge& challenge, Challenge translation, Mistakes& mistakes) {
  // Only the translation's words, each at its place in the challenge: what they name must exist.
  Challenge words_alone = challenge;
  std::vector<TextPart> places = texts_of(words_alone);
  for (TextPart& part : places)
    for (Text& text : part.texts) text.text->clear();
  Mistakes said_below("");
  put_texts(std::move(places), texts_of(translation), "challenge.md", said_below);
  if (!challenge.annotation.empty()) ChallengeChecker(folder, words_alone, mistakes).check_words();
  const bool has_diff = translation.hints.size() == 3 && !translation.hints[2].empty();
  if (has_diff && translation.hints[2].text.find("```diff") == std::string::npos)
    mistakes.error(translation.hints[2].line,
                   "the third hint shows a change of the starter, as challenge.md does: a block ```diff");
  put_texts(texts_of(challenge), texts_of(translation), "challenge.md", mistakes);
  challenge.language = translation.language;
}

}  // namespace

LoadedChallenge load_challenge(const Folder& folder, std::string_view language) {
  LoadedChallenge read;
  const auto file = folder.files.find("challenge.md");
  if (file == folder.files.end()) {
    read.diagnostics.push_back(
        {Severity::error, "challenge.md", 0, 0, "there is no such file in the folder"});
    return read;
  }
  read = parse_challenge(file->second, "challenge.md");
  read.challenge.name = folder.name;
  Mistakes mistakes("challenge.md");
  if (!read.challenge.annotation.empty()) ChallengeChecker(folder, read.challenge, mistakes).check();
  const std::vector<Diagnostic> more = mistakes.take();
  read.diagnostics.insert(read.diagnostics.end(), more.begin(), more.end());
  std::ranges::stable_sort(read.diagnostics, {}, &Diagnostic::line);
  for (Diagnostic& one : undrawn_in(folder, language)) read.diagnostics.push_back(std::move(one));
  const std::string name = fmt::format("challenge.{}.md", language);
  const auto words = folder.files.find(name);
  if (language.empty() || language == read.challenge.language || words == folder.files.end()) return read;
  const LoadedChallenge translation = parse_challenge(words->second, name);
  Mistakes in_translation(name);
  put_translation(folder, read.challenge, translation.challenge, in_translation);
  std::vector<Diagnostic> all = in_translation.take();
  all.insert(all.end(), translation.diagnostics.begin(), translation.diagnostics.end());
  std::ranges::stable_sort(all, {}, &Diagnostic::line);
  read.diagnostics.insert(read.diagnostics.end(), all.begin(), all.end());
  return read;
}

}  // namespace warplens::lesson
