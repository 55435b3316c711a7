// lesson.md → Lesson: the parts of a file, without what depends on its folder (load_lesson.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/lesson/format/texts.h"
#include "core/lesson/read/field_readers.h"

namespace warplens::lesson {
namespace {

constexpr std::string_view keyed_blocks[] = {"show", "ask", "reveal", "solution", "wrong"};
constexpr std::string_view plain_blocks[] = {"done"};
constexpr std::string_view lesson_head_keys[] = {"lesson", "title", "about",  "minutes", "language",
                                                 "device", "after", "author", "mark"};
constexpr std::string_view step_parts[] = {"Hint", "Then", "Notes"};

class LessonParser {
 public:
  LessonParser(std::string_view file, Mistakes& mistakes) : m_mistakes(mistakes) {
    m_translation = language_in(file);
    m_lesson.language = m_translation.empty() ? "en" : m_translation;
  }

  Lesson parse(const Document& document) {
    read_head(document.head);
    bool before = true;
    for (const Section& section : document.sections) {
      if (section.level == 2) {
        begin_step(section);
        before = false;
      } else if (section.level == 3) {
        add_part(section);
      } else if (!section.text.empty() || !section.blocks.empty()) {
        const uint32_t line = section.text.empty() ? section.blocks[0].line : section.text.line;
        m_mistakes.error(line, "this is before the first step: begin a step with ## Title {#id}");
      }
    }
    if (before) m_mistakes.error(0, "there is no step in it: begin one with ## Title {#id}");
    if (m_translation.empty()) finish();
    return std::move(m_lesson);
  }

 private:
  void read_head(const std::vector<Entry>& head) {
    std::set<std::string, std::less<>> seen;
    for (const Entry& entry : head) {
      if (!seen.insert(entry.key).second)
        m_mistakes.error(entry.line, fmt::format("{}: is here a second time", entry.key));
      read_head_entry(entry);
    }
    const auto need = [&](std::string_view key) {
      if (!seen.contains(key))
        m_mistakes.error(1, fmt::format("the head has no {}: write {}: and its value", key, key));
    };
    need("title");
    need("about");
    if (m_translation.empty()) need("minutes");
  }

  void read_head_entry(const Entry& entry) {
    const std::string& value = entry.value;
    const auto number = [&](uint32_t& into, uint32_t most) {
      const std::optional<uint64_t> read = whole_number_in(value, most);
      if (!read || *read == 0)
        m_mistakes.error(entry.line,
                         fmt::format("{}: \"{}\" is no whole number from 1 to {}", entry.key, value, most));
      else
        into = static_cast<uint32_t>(*read);
    };
    const std::string_view key = entry.key;
    if (value.empty()) return m_mistakes.error(entry.line, fmt::format("{}: is empty", key));
    if (key == "title") {
      m_lesson.title = value;
    } else if (key == "about") {
      m_lesson.about = value;
    } else if (key == "author") {
      m_lesson.author = value;
    } else if (std::ranges::find(lesson_head_keys, key) == std::end(lesson_head_keys)) {
      m_mistakes.error(entry.line, fmt::format("\"{}\" is no key of the head{}", key,
                                               did_you_mean(key, lesson_head_keys)));
    } else if (key == "mark") {
      m_lesson.mark = mark_in(entry, !m_translation.empty(), m_mistakes);
    } else if (!m_translation.empty() && key != "language") {
      m_mistakes.error(entry.line, fmt::format("{}: belongs into lesson.md, not into a translation", key));
    } else if (key == "lesson") {
      number(m_lesson.number, 999);
    } else if (key == "minutes") {
      number(m_lesson.minutes, 600);
    } else if (key == "device") {
      m_lesson.device = value;
    } else if (key == "language") {
      if (!m_translation.empty() && value != m_translation)
        m_mistakes.error(entry.line,
                         fmt::format("language: says {}, the file's name says {}", value, m_translation));
      m_lesson.language = value;
    } else {
      for (const std::string_view name : parts_of(value, ',')) m_lesson.after.emplace_back(name);
    }
  }

  void begin_step(const Section& section) {
    if (m_lesson.steps.size() == max_steps)
      m_mistakes.error(section.line, fmt::format("a lesson has {} steps at most", max_steps));
    LessonStep step;
    step.line = section.line;
    step.title = {section.title, section.line};
    step.id = section.id;
    step.text = section.text;
    step.mark = section.mark;
    check_mark(section, !m_translation.empty(), m_mistakes);
    if (!is_id(step.id))
      m_mistakes.error(section.line,
                       "the step needs an id of small letters, digits, _ and -: ## Title {#id}");
    if (step.title.empty()) m_mistakes.error(section.line, "the step has no title: ## Title {#id}");
    for (const LessonStep& other : m_lesson.steps)
      if (!step.id.empty() && other.id == step.id)
        m_mistakes.error(section.line,
                         fmt::format("the id {} is that of the step in line {}", step.id, other.line));
    limit(step.text);
    m_lesson.steps.push_back(std::move(step));
    m_blocks.clear();
    for (const Block& block : section.blocks) add_block(block);
  }

  void limit(const Placed& text) {
    if (text.text.size() > max_text)
      m_mistakes.error(text.line, fmt::format("this text has more than {} characters", max_text));
  }

  void add_part(const Section& section) {
    if (m_lesson.steps.empty())
      return m_mistakes.error(section.line,
                              "this is before the first step: begin a step with ## Title {#id}");
    LessonStep& step = m_lesson.steps.back();
    limit(section.text);
    for (const Block& block : section.blocks) add_block(block);
    if (!section.mark.empty())
      m_mistakes.error(section.line, "a mark is written only after the step's id: {#id mark}");
    if (section.text.empty())
      return m_mistakes.error(section.line, fmt::format("### {} has no text", section.title));
    const auto once = [&](Placed& into) {
      if (!into.empty())
        m_mistakes.error(section.line, fmt::format("### {} is here a second time", section.title));
      into = section.text;
    };
    if (section.title == "Hint") {
      if (step.hints.size() == max_hints)
        m_mistakes.error(section.line, fmt::format("a step has {} hints at most", max_hints));
      step.hints.push_back(section.text);
    } else if (section.title == "Then") {
      once(step.then);
    } else if (section.title == "Notes") {
      once(step.notes);
    } else {
      m_mistakes.error(section.line,
                       fmt::format("there is no part \"{}\": ### Hint, ### Then and ### Notes are{}",
                                   section.title, did_you_mean(section.title, step_parts)));
    }
  }

  void add_block(const Block& block) {
    LessonStep& step = m_lesson.steps.back();
    const bool asks = block.name == "ask";
    if (!m_translation.empty() && !asks && block.name != "done")
      return m_mistakes.error(
          block.line, fmt::format("```{} belongs into lesson.md, not into a translation", block.name));
    if (!asks && std::ranges::find(m_blocks, block.name) != m_blocks.end())
      return m_mistakes.error(block.line, fmt::format("the step has a second ```{}", block.name));
    m_blocks.push_back(block.name);
    if (block.name == "show") step.own = read_show(block, m_mistakes);
    if (block.name == "reveal") {
      step.reveal = read_show(block, m_mistakes);
      step.has_reveal = true;
    }
    if (asks) {
      if (step.questions.size() == max_questions)
        m_mistakes.error(block.line, fmt::format("a step has {} questions at most", max_questions));
      step.questions.push_back(read_question(block, !m_translation.empty(), m_mistakes));
    }
    if (block.name == "done") step.done = read_conditions(block, m_mistakes);
    if (block.name == "solution") step.solution = read_moves(block, m_mistakes);
    if (block.name == "wrong") step.wrong = read_moves(block, m_mistakes);
  }

  void finish() {
    Show before;
    bool first = true;
    for (LessonStep& step : m_lesson.steps) {
      if (first && !step.own.names_kernel())
        m_mistakes.error(step.line, "the first step needs a block ```show with kernel:, code: or program:");
      first = false;
      if (step.questions.empty() && step.done.empty())
        m_mistakes.error(step.line, "nothing is asked in this step: it needs an ```ask or a ```done");
      if (step.solution.line == 0)
        m_mistakes.error(
            step.line, "the step needs a block ```solution: the actions of a student whose answer is right");
      if (step.wrong.line == 0)
        m_mistakes.error(step.line,
                         "the step needs a block ```wrong: the actions of a student whose answer is wrong");
      if (step.has_reveal && step.questions.empty())
        m_mistakes.error(step.line, "```reveal comes after the questions, and the step has none");
      step.show = inherited(before, step.own);
      before = step.show;
    }
  }

  Mistakes& m_mistakes;
  std::string m_translation;  // "de"; empty for lesson.md
  Lesson m_lesson;
  std::vector<std::string> m_blocks;  // of the step
};

}  // namespace

bool LoadedLesson::ok() const {
  return std::ranges::none_of(diagnostics, [](const Diagnostic& d) { return d.severity == Severity::error; });
}

LoadedLesson parse_lesson(std::string_view text, std::string_view file) {
  Mistakes mistakes{std::string(file)};
  LoadedLesson read;
  if (text.size() > max_lesson_bytes)
    mistakes.error(0, fmt::format("the file has more than {} bytes", max_lesson_bytes));
  else
    read.lesson =
        LessonParser(file, mistakes).parse(read_markdown(text, {keyed_blocks, plain_blocks}, mistakes));
  read.diagnostics = mistakes.take();
  return read;
}

}  // namespace warplens::lesson
