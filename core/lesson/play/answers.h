// Answers to questions: read from text, judged, and the right ones as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/lesson/format/question.h"
#include "core/lesson/goals/facts.h"

namespace warplens::lesson {

// The answer as ```solution and ```wrong write it. An error says what to write.
Result<Answer> answer_in(std::string_view text, const Question& question);
// The syntax of a click, without numbers, since these could be the answer to a question: "line n".
std::string click_form(Target::Kind kind);
std::string text_of(const Answer& answer,
                    const Question& question);  // for people: "B", "thread (1, 0, 0) of …"

// The unit of a number: "block" of "block | blocks" for 1 and -1, else "blocks"; a unit without | is always
// the same.
std::string unit_for(double value, std::string_view unit);
std::string with_unit(double value, std::string_view unit);  // "1 block"; without a unit "1"

// Adds what was clicked, under the names that a click's condition can use.
void add_click(Facts& facts, const Target& clicked, const RunResult* result);

struct Verdict {
  bool known = true;  // false until the run that decides is there
  bool right = false;
  std::string because;                // feedback for a wrong answer; may be empty
  std::optional<double> truth;        // of numbers and markers
  std::string truth_text;             // for people: "4 blocks"
  std::vector<uint32_t> wrong_parts;  // clicks, items or boxes that are wrong, if that can be told
  uint32_t found = 0, wanted = 0;     // clicks
};

// An error is a mistake of the lesson.
Result<Verdict> judge_answer(const Question& question, const Answer& answer, const Facts& facts,
                             const RunResult* result);

// The order in which items are shown: different from the right one, and the same for each seed.
std::vector<uint32_t> offered_order(const Question& question, uint64_t seed);
// The ends of a marker's scale.
Result<std::optional<std::pair<double, double>>> scale_of(const Question& question, const Facts& facts);

}  // namespace warplens::lesson
