// Any bytes are a lesson, a challenge, a translation of either, an answer, an expression: each reader must
// answer, and say where and why.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/lesson/format/challenge.h"
#include "core/lesson/format/texts.h"
#include "core/lesson/judge/hand_in.h"
#include "core/lesson/play/answers.h"
#include "core/lesson/read/read_cases.h"

namespace {

using namespace warplens;

void check(const std::vector<Diagnostic>& diagnostics, std::string_view text) {
  uint32_t lines = 1;
  for (const char c : text) lines += c == '\n' ? 1 : 0;
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.message.empty() || diagnostic.file.empty() || diagnostic.line > lines + 1) std::abort();
}

void answer_all(const lesson::Lesson& lesson, std::string_view text) {
  lesson::Facts facts = lesson::facts_of({});
  for (const lesson::LessonStep& step : lesson.steps)
    for (const lesson::Question& question : step.questions)
      if (const auto answer = lesson::answer_in(text.substr(0, 200), question)) {
        lesson::text_of(*answer, question);
        lesson::offered_order(question, 1);
        static_cast<void>(lesson::judge_answer(question, *answer, facts, nullptr));
      }
}

// A second text, after a line of =, may be a translation of the first. With its marks it must be up to date,
// and its contents unchanged.
void translate(lesson::Folder folder, const std::string& stem) {
  const std::string name = stem + ".de.md";
  const auto read = [&] {
    return stem == "lesson" ? lesson::load_lesson(folder, "de").diagnostics
                            : lesson::load_challenge(folder, "de").diagnostics;
  };
  const std::vector<Diagnostic> before = read();
  for (const Diagnostic& diagnostic : before)
    if (diagnostic.message.empty() || diagnostic.file.empty()) std::abort();
  static_cast<void>(lesson::outdated_parts(folder, "de"));
  const Result<std::string> marked = lesson::with_new_marks(folder, "de", "all");
  const bool broken = std::ranges::any_of(
      before, [&](const Diagnostic& d) { return d.severity == Severity::error && d.file.starts_with(stem); });
  if (!marked || broken) return;
  folder.files[name] = *marked;
  if (!lesson::outdated_parts(folder, "de").empty()) std::abort();
  const Result<std::string> again = lesson::with_new_marks(folder, "de", "all");
  if (!again || *again != *marked) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  const std::string text(reinterpret_cast<const char*>(bytes), count);
  if (text.size() > 20'000) return 0;
  lesson::Folder folder;
  folder.name = "fuzz";
  folder.files["lesson.md"] = text;
  folder.files["lesson.de.md"] = text;
  folder.files["challenge.md"] = text;
  const lesson::LoadedLesson read = lesson::load_lesson(folder, "de");
  check(read.diagnostics, text);
  answer_all(read.lesson, text);
  const lesson::LoadedChallenge challenge = lesson::load_challenge(folder, "de");
  check(challenge.diagnostics, text);
  if (challenge.ok()) lesson::all_cases(challenge.challenge, 1);
  if (const size_t line = text.find("\n=\n"); line != text.npos)
    for (const char* stem : {"lesson", "challenge"}) {
      lesson::Folder two;
      two.name = "fuzz";
      two.files[std::string(stem) + ".md"] = text.substr(0, line + 1);
      two.files[std::string(stem) + ".de.md"] = text.substr(line + 3);
      translate(std::move(two), stem);
    }
  const lesson::Facts facts = lesson::facts_of({});
  lesson::filled_in(text, facts);
  static_cast<void>(lesson::value_of(text, facts));
  static_cast<void>(lesson::read_hand_in(text, "a.json"));
  static_cast<void>(lesson::similarity(text, text, text.substr(0, text.size() / 2)));
  return 0;
}
