// Any bytes are a lesson, a translation, a challenge, an answer, an expression: each reader must answer, and
// say where and why.
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/lesson/answers.h"
#include "core/lesson/challenge.h"
#include "core/lesson/hand_in.h"
#include "core/lesson/read_cases.h"

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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  const std::string text(reinterpret_cast<const char*>(bytes), count);
  if (text.size() > 20'000) return 0;
  lesson::Folder folder;
  folder.name = "fuzz";
  folder.files["lesson.md"] = text;
  folder.files["lesson.de.md"] = text;
  folder.files["challenge.md"] = text;
  const lesson::ReadLesson read = lesson::read_lesson(folder, "de");
  check(read.diagnostics, text);
  answer_all(read.lesson, text);
  const lesson::ReadChallenge challenge = lesson::read_challenge(folder);
  check(challenge.diagnostics, text);
  if (challenge.ok()) lesson::all_cases(challenge.challenge, 1);
  const lesson::Facts facts = lesson::facts_of({});
  lesson::filled_in(text, facts);
  static_cast<void>(lesson::value_of(text, facts));
  static_cast<void>(lesson::read_hand_in(text, "a.json"));
  static_cast<void>(lesson::similarity(text, text, text.substr(0, text.size() / 2)));
  return 0;
}
