// Loads a lesson with its folder, and checks that what it names exists and that its expressions can be
// evaluated.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/compile/cuda_source/host_code.h"
#include "core/compile/cuda_source/source_signature.h"
#include "core/device/device.h"
#include "core/kernels/catalogue.h"
#include "core/kernels/own/annotation.h"
#include "core/lesson/format/glyphs.h"
#include "core/lesson/format/texts.h"
#include "core/lesson/format/words.h"
#include "core/lesson/goals/facts.h"
#include "core/lesson/play/answers.h"
#include "core/lesson/read/field_readers.h"

namespace warplens::lesson {
namespace {

// The names of a step's kernel, as far as they are known without compiling it.
struct KernelNames {
  std::vector<std::string> numbers, arrays;
  std::map<std::string, std::pair<double, double>> ranges;
  size_t lines = 0;  // of its source; 0 if not known
};

KernelNames names_of(const KernelDescription& kernel) {
  KernelNames names;
  for (const auto* list : {&kernel.settings, &kernel.arguments, &kernel.buffers})
    for (const KernelArgument& argument : *list) {
      (argument.is_buffer ? names.arrays : names.numbers).push_back(argument.name);
      if (!argument.is_buffer && argument.expression.empty())
        names.ranges[argument.name] = {argument.minimum, argument.maximum};
    }
  names.lines = size_t(std::ranges::count(kernel.source, '\n')) + 1;
  return names;
}

KernelNames names_of_source(const std::string& source) {
  KernelNames names;
  const Annotation annotation = parse_annotation(source, "", 0, source.size());
  for (const AnnotatedArgument& argument : annotation.arguments)
    (argument.is_buffer ? names.arrays : names.numbers).push_back(argument.name);
  for (const SourceKernel& kernel : kernels_of_source(source))
    for (const SourceParameter& parameter : kernel.parameters)
      (parameter.pointer ? names.arrays : names.numbers).push_back(parameter.name);
  names.numbers.emplace_back("n");  // if a text has no size, this one is added
  names.lines = size_t(std::ranges::count(source, '\n')) + 1;
  return names;
}

class LessonChecker {
 public:
  LessonChecker(const Folder& folder, Lesson& lesson, Mistakes& mistakes)
      : m_folder(folder), m_lesson(lesson), m_mistakes(mistakes) {}

  void check() {
    if (!m_lesson.device.empty()) check_device(m_lesson.device, 1);
    for (LessonStep& step : m_lesson.steps) {
      find_kernel_of(step);
      make_facts();
      check_show(step.own, step);
      check_show(step.reveal, step);
      check_show(step.solution.changes, step);
      check_show(step.wrong.changes, step);
      check_part(step);
      check_texts(step);
      for (const Condition& condition : step.done)
        check_expression(condition.expression, m_facts, "the condition");
      for (const Question& question : step.questions) check_question(question);
      check_answers(step.solution, step, true);
      check_answers(step.wrong, step, false);
    }
  }

  // Checks only the expressions and pictures in its texts.
  void check_words() {
    for (const LessonStep& step : m_lesson.steps) {
      find_kernel_of(step);
      make_facts();
      check_texts(step);
    }
  }

 private:
  void find_kernel_of(const LessonStep& step) {
    if (step.own.kernel) {
      const Result<const KernelDescription*> kernel = find_kernel(*step.own.kernel);
      m_names = kernel ? names_of(**kernel) : KernelNames{};
      m_known = kernel.ok();
    } else if (step.own.code) {
      const auto file = m_folder.files.find(*step.own.code);
      m_known = file != m_folder.files.end();
      m_names = m_known ? names_of_source(file->second) : KernelNames{};
    } else if (step.own.program) {
      const auto file = m_folder.files.find(*step.own.program);
      m_known = file != m_folder.files.end();
      m_names = {};
      if (m_known) m_names.lines = size_t(std::ranges::count(file->second, '\n')) + 1;
    }
  }

  void make_facts() {
    m_facts = facts_of({});
    m_facts.element = nullptr;
    for (const std::string& name : m_names.numbers) m_facts.set(name, {});
    for (const char* name : {"block_x", "block_y", "block_z"}) m_facts.set(name, {});
    m_facts.arrays.insert(m_names.arrays.begin(), m_names.arrays.end());
    m_facts.set("tries", {});
    m_facts.set("answer", {});
    for (size_t i = 2; i <= max_questions; ++i) m_facts.set(fmt::format("answer.{}", i), {});
    m_click_facts = m_facts;
    add_click(m_click_facts, {}, nullptr);
  }

  void check_expression(const Placed& expression, const Facts& facts, std::string_view what) {
    if (!m_known) return;  // without the kernel, every name of it would be a mistake
    if (const std::string mistake = mistake_in(expression.text, facts); !mistake.empty())
      m_mistakes.error(expression.line, fmt::format("{}: {}", what, mistake));
  }

  uint32_t line_of(const Show& show, const std::string& key, const LessonStep& step) {
    const auto line = show.lines.find(key);
    return line == show.lines.end() ? step.line : line->second;
  }

  void check_device(const std::string& id, uint32_t line) {
    std::vector<std::string_view> ids;
    for (const Device& device : built_in_devices()) ids.push_back(device.id);
    if (std::ranges::find(ids, id) == ids.end())
      m_mistakes.error(line, fmt::format("there is no device {}{}", id, did_you_mean(id, ids)));
  }

  void check_kernel(const Show& show, const LessonStep& step) {
    if (show.kernel && !find_kernel(*show.kernel)) {
      std::vector<std::string_view> names;
      for (const KernelDescription& kernel : built_in_kernels()) names.push_back(kernel.name);
      m_mistakes.error(line_of(show, "kernel", step), fmt::format("there is no kernel {}{}", *show.kernel,
                                                                  did_you_mean(*show.kernel, names)));
    }
    if (show.code) {
      const uint32_t line = line_of(show, "code", step);
      if (!is_file_name(*show.code) || !show.code->ends_with(".cu"))
        m_mistakes.error(line, fmt::format("code: \"{}\" is no .cu file of this folder", *show.code));
      else if (!m_folder.files.contains(*show.code))
        m_mistakes.error(line, fmt::format("the file {} is not in the folder", *show.code));
    }
  }

  // A program is compiled and run as it is, so it needs a main().
  void check_program(const Show& show, const LessonStep& step) {
    if (show.prints && !show.program && !step.show.program)
      m_mistakes.error(line_of(show, "prints", step), "prints: is for a step with program:");
    if (!show.program) return;
    const uint32_t line = line_of(show, "program", step);
    if (show.keep || !show.baseline.empty())
      m_mistakes.error(line, "keep: and baseline: are for kernels, and this step has a program");
    const auto file = m_folder.files.find(*show.program);
    if (!is_file_name(*show.program) || !show.program->ends_with(".cu"))
      m_mistakes.error(line, fmt::format("program: \"{}\" is no .cu file of this folder", *show.program));
    else if (file == m_folder.files.end())
      m_mistakes.error(line, fmt::format("the file {} is not in the folder", *show.program));
    else if (!main_line(file->second))
      m_mistakes.error(line,
                       fmt::format("{} has no main(): name a file with kernels by code:", *show.program));
  }

  void check_show(const Show& show, const LessonStep& step) {
    check_kernel(show, step);
    check_program(show, step);
    if (show.device) check_device(*show.device, line_of(show, "device", step));
    if (show.view && find_view(*show.view) == nullptr)
      m_mistakes.error(line_of(show, "view", step), fmt::format("there is no view {}{}", *show.view,
                                                                did_you_mean(*show.view, view_names())));
    if (show.image && show.image->find('.') != std::string::npos && !m_folder.files.contains(*show.image))
      m_mistakes.error(line_of(show, "image", step),
                       fmt::format("the picture {} is not in the folder", *show.image));
    if (show.hide) check_hidden(show, step);
    if (show.warnings) check_warnings(show, step);
    if (show.kernel && *show.kernel != step.show.kernel) return;  // if the kernel changes, it has other names
    if (m_known) check_names(show, step);
  }

  void check_names(const Show& show, const LessonStep& step) {
    const uint32_t line = line_of(show, "values", step);
    for (const auto& [name, value] : show.values) check_number(name, value, line);
    for (const Change& change : show.change.value_or(std::vector<Change>{})) check_change(change);
    for (const Target& pin : show.pins.value_or(std::vector<Target>{}))
      if (pin.kind == Target::Kind::element && !m_facts.arrays.contains(pin.array))
        m_mistakes.error(line_of(show, "pin", step), fmt::format("the kernel has no array {}", pin.array));
    for (const auto& [number, text] : show.edits)
      if (m_names.lines > 0 && number > m_names.lines)
        m_mistakes.error(line_of(show, "edit", step),
                         fmt::format("the code has {} lines, and no line {}", m_names.lines, number));
  }

  std::string number_names() const { return fmt::format("{}", fmt::join(m_names.numbers, ", ")); }

  void check_number(const std::string& name, double value, uint32_t line) {
    if (std::ranges::find(m_names.numbers, name) == m_names.numbers.end())
      return m_mistakes.error(line,
                              fmt::format("the kernel has no number {}: it has {}", name, number_names()));
    const auto range = m_names.ranges.find(name);
    if (range != m_names.ranges.end() && (value < range->second.first || value > range->second.second))
      m_mistakes.error(line, fmt::format("{} = {} is outside of {} to {}", name, value, range->second.first,
                                         range->second.second));
  }

  void check_change(const Change& change) {
    const std::span<const std::string_view> things = changeable_things();
    const bool number = std::ranges::find(m_names.numbers, change.name) != m_names.numbers.end();
    if (!number && std::ranges::find(things, change.name) == things.end())
      return m_mistakes.error(change.line,
                              fmt::format("change: \"{}\" is no number of the kernel ({}) and none of {}",
                                          change.name, number_names(), fmt::join(things, ", ")));
    constexpr std::string_view without_range[] = {"image", "device", "kernel", "view"};
    if (change.range && std::ranges::find(without_range, change.name) != std::end(without_range))
      m_mistakes.error(change.line, fmt::format("change: {} has no range", change.name));
    const auto range = m_names.ranges.find(change.name);
    if (change.range && range != m_names.ranges.end() &&
        (change.range->first < range->second.first || change.range->second > range->second.second))
      m_mistakes.error(change.line, fmt::format("change: the kernel takes {} from {} to {}", change.name,
                                                range->second.first, range->second.second));
  }

  void check_hidden(const Show& show, const LessonStep& step) {
    for (const std::string& name : *show.hide) {
      const std::span<const std::string_view> things = hidden_things();
      const bool known = std::ranges::find(things, name) != things.end() || m_facts.has(name) ||
                         std::ranges::any_of(m_facts.unknown, [&](const std::string& fact) {
                           return fact.starts_with(name + ".");
                         });
      if (known || !m_known) continue;
      const std::vector<std::string_view> names = m_facts.names();
      m_mistakes.error(line_of(show, "hide", step),
                       fmt::format("hide: there is nothing called {}{}", name, did_you_mean(name, names)));
    }
  }

  void check_warnings(const Show& show, const LessonStep& step) {
    for (const std::string& name : *show.warnings)
      if (name != "quiet" && name != "all" && !m_facts.has("warning." + name))
        m_mistakes.error(line_of(show, "warnings", step), fmt::format("there is no warning {}", name));
  }

  // A part belongs to a view, which an earlier step may have named.
  void check_part(const LessonStep& step) {
    const auto check = [&](const Show& whole, const Show& own) {
      if (!own.part) return;
      const ViewWords* view = find_view(whole.view.value_or("grid"));
      if (view && std::ranges::find(view->parts, *own.part) == view->parts.end())
        m_mistakes.error(line_of(own, "part", step),
                         fmt::format("the view {} has no part {}: it has {}", view->name, *own.part,
                                     fmt::join(view->parts, ", ")));
    };
    check(step.show, step.own);
    check(with_changes(step.show, step.reveal), step.reveal);
    check(with_changes(step.show, step.solution.changes), step.solution.changes);
    check(with_changes(step.show, step.wrong.changes), step.wrong.changes);
  }

  void check_text(const Placed& text) {
    for (const Placed& expression : expressions_in(text)) check_expression(expression, m_facts, "{{…}}");
    uint32_t line = text.line;
    std::string_view rest = text.text;
    while (!rest.empty()) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      check_pictures(rest.substr(0, end), line++);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  void check_pictures(std::string_view line, uint32_t number) {
    for (size_t at = line.find("!["); at != line.npos; at = line.find("![", at + 2)) {
      const size_t open = line.find("](", at), close = line.find(')', open);
      if (open == line.npos || close == line.npos) return;
      const std::string name(line.substr(open + 2, close - open - 2));
      if (!m_folder.files.contains(name))
        m_mistakes.error(number, fmt::format("the picture {} is not in the folder", name));
    }
  }

  void check_texts(const LessonStep& step) {
    check_text(step.text);
    for (const Placed& hint : step.hints) check_text(hint);
    check_text(step.then);
    check_text(step.notes);
    for (const Condition& condition : step.done) check_text(condition.otherwise);
    for (const Question& question : step.questions) {
      check_text(question.text);
      check_text(question.unit);
      check_text(question.shows);
      for (const Choice& choice : question.choices) {
        check_text(choice.text);
        check_text(choice.because);
      }
      // The sentence for a wrong click can use the names of what was clicked.
      for (const Placed& expression : expressions_in(question.otherwise))
        check_expression(expression, question.kind == QuestionKind::click ? m_click_facts : m_facts, "{{…}}");
    }
  }

  void check_question(const Question& question) {
    const bool numeric = question.kind == QuestionKind::number || question.kind == QuestionKind::marker;
    if (numeric && !question.right.empty()) check_expression(question.right, m_facts, "right");
    if (question.kind == QuestionKind::click && !question.right.empty())
      check_expression(question.right, m_click_facts, "right");
    if (!question.find.empty()) check_expression(question.find, m_facts, "find");
    if (!question.from.empty()) check_expression(question.from, m_facts, "from");
    if (!question.to.empty()) check_expression(question.to, m_facts, "to");
    for (const OrderItem& item : question.items)
      if (!item.value.empty()) check_expression(item.value, m_facts, "item");
    if (!question.array.empty() && m_known && !m_facts.arrays.contains(question.array))
      m_mistakes.error(question.line, fmt::format("array: the kernel has no array {}", question.array));
    if (question.kind == QuestionKind::formula && question.tiles.empty())
      for (const FormulaPart& part : question.formula)
        if (part.box) check_expression({part.text, question.formula_text.line}, m_facts, "the box");
  }

  void check_answers(const Moves& moves, const LessonStep& step, bool all) {
    if (moves.line == 0) return;
    if (moves.answers.size() > step.questions.size() || (all && moves.answers.size() < step.questions.size()))
      m_mistakes.error(moves.line, fmt::format("there are {} answers here, and the step asks {} questions",
                                               moves.answers.size(), step.questions.size()));
    for (size_t i = 0; i < std::min(moves.answers.size(), step.questions.size()); ++i)
      if (const Result<Answer> answer = answer_in(moves.answers[i].text, step.questions[i]); !answer)
        m_mistakes.error(moves.answers[i].line, answer.error().message);
  }

  const Folder& m_folder;
  Lesson& m_lesson;
  Mistakes& m_mistakes;
  KernelNames m_names;
  bool m_known = false;  // the kernel of the step exists
  Facts m_facts, m_click_facts;
};

// Questions and items are identified only by their positions: if some were missing, the others would be mixed
// up.
void check_counts(const LessonStep& step, const LessonStep& words, Mistakes& mistakes) {
  if (!words.questions.empty() && words.questions.size() != step.questions.size())
    mistakes.error(words.line, fmt::format("there are {} questions here, lesson.md has {}",
                                           words.questions.size(), step.questions.size()));
  for (size_t i = 0; i < std::min(step.questions.size(), words.questions.size()); ++i) {
    const size_t items = step.questions[i].items.size(), worded = words.questions[i].items.size();
    if (worded > 0 && worded != items)
      mistakes.error(words.questions[i].line,
                     fmt::format("there are {} items here, lesson.md has {}", worded, items));
  }
  for (const Condition& condition : words.done)
    if (!condition.expression.empty())
      mistakes.error(condition.expression.line,
                     "a translation has lines else SENTENCE here and no conditions");
}

void put_translation(const Folder& folder, Lesson& lesson, Lesson translation, Mistakes& mistakes) {
  for (const LessonStep& words : translation.steps)
    if (const auto step = std::ranges::find(lesson.steps, words.id, &LessonStep::id);
        step != lesson.steps.end())
      check_counts(*step, words, mistakes);
  // Only the translation's words, each at its place in the lesson: what they name must exist.
  Lesson words_alone = lesson;
  std::vector<TextPart> places = texts_of(words_alone);
  for (TextPart& part : places)
    for (Text& text : part.texts) text.text->clear();
  Mistakes said_below("");
  put_texts(std::move(places), texts_of(translation), "lesson.md", said_below);
  LessonChecker(folder, words_alone, mistakes).check_words();
  put_texts(texts_of(lesson), texts_of(translation), "lesson.md", mistakes);
  lesson.language = translation.language;
}

}  // namespace

LoadedLesson load_lesson(const Folder& folder, std::string_view language) {
  LoadedLesson read;
  const auto file = folder.files.find("lesson.md");
  if (file == folder.files.end()) {
    read.diagnostics.push_back({Severity::error, "lesson.md", 0, 0, "there is no such file in the folder"});
    return read;
  }
  read = parse_lesson(file->second, "lesson.md");
  read.lesson.name = folder.name;
  Mistakes mistakes("lesson.md");
  LessonChecker(folder, read.lesson, mistakes).check();
  const std::vector<Diagnostic> more = mistakes.take();
  read.diagnostics.insert(read.diagnostics.end(), more.begin(), more.end());
  std::ranges::stable_sort(read.diagnostics, {}, &Diagnostic::line);
  for (Diagnostic& one : undrawn_in(folder, language)) read.diagnostics.push_back(std::move(one));
  const std::string name = fmt::format("lesson.{}.md", language);
  const auto words = folder.files.find(name);
  if (language.empty() || language == read.lesson.language || words == folder.files.end()) return read;
  const LoadedLesson translation = parse_lesson(words->second, name);
  Mistakes in_translation(name);
  put_translation(folder, read.lesson, translation.lesson, in_translation);
  std::vector<Diagnostic> all = in_translation.take();
  all.insert(all.end(), translation.diagnostics.begin(), translation.diagnostics.end());
  std::ranges::stable_sort(all, {}, &Diagnostic::line);
  read.diagnostics.insert(read.diagnostics.end(), all.begin(), all.end());
  return read;
}

}  // namespace warplens::lesson
