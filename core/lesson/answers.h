// Answers to questions: from text, whether they are right, and what belongs there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/lesson/facts.h"
#include "core/lesson/question.h"

namespace warplens::lesson {

// The answer as ```solution and ```wrong write it. An error says what to write.
Result<Answer> answer_in(std::string_view text, const Question& question);
// How a click is written, without numbers: with one, it would be the answer to some question. "line n".
std::string click_form(Target::Kind kind);
std::string text_of(const Answer& answer,
                    const Question& question);  // for people: "B", "thread (1, 0, 0) of …"

// The unit of a number: "turn" of "turn | turns" for 1 and -1, else "turns"; a unit without | is always the
// same.
std::string unit_for(double value, std::string_view unit);
std::string with_unit(double value, std::string_view unit);  // "1 turn"; without a unit "1"

// What was clicked, as the names that a click's condition knows.
void add_click(Facts& facts, const Target& clicked, const RunResult* result);

struct Verdict {
  bool known = true;  // false while the run that decides is not there
  bool right = false;
  std::string because;                // what to say to a wrong answer; may be empty
  std::optional<double> truth;        // of numbers and markers
  std::string truth_text;             // for people: "4 blocks"
  std::vector<uint32_t> wrong_parts;  // clicks, items or boxes that are wrong, where that can be told
  uint32_t found = 0, wanted = 0;     // clicks
};

// An error is a mistake of the lesson.
Result<Verdict> judge_answer(const Question& question, const Answer& answer, const Facts& facts,
                             const RunResult* result);

// The order in which items are offered: another one than the right one, the same for each seed.
std::vector<uint32_t> offered_order(const Question& question, uint64_t seed);
// The ends of a marker's scale.
Result<std::optional<std::pair<double, double>>> scale_of(const Question& question, const Facts& facts);

}  // namespace warplens::lesson
