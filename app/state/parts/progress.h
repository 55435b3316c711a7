// A user's progress: steps of lessons, stars of challenges, predictions. One small file keeps it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "core/base/json/json.h"
#include "core/base/result.h"

namespace warplens {

struct ChallengeProgress {
  uint32_t stars = 0;  // 0 to 3
  uint64_t tries = 0;  // judged answers
  double seconds = 0;  // with the challenge open
  // Answers that were not right, by the reason: "fault out_of_bounds".
  std::map<std::string, uint64_t> rejected = {};
};

// The answers to one question of a lesson.
struct AnswerTally {
  uint64_t right = 0, wrong = 0;
  std::map<std::string, uint64_t> wrongly = {};  // the first few different ones, as the question writes them
  bool operator==(const AnswerTally&) const = default;
};
constexpr size_t most_wrong_answers = 8, most_wrong_bytes = 80;

struct ProgressState {
  std::map<std::string, std::set<std::string>>
      lessons;  // ids of the steps that are done, by the lesson's name
  std::map<std::string, ChallengeProgress> challenges;
  std::map<std::string, double> lesson_seconds;  // with the lesson open
  // The answers, by the lesson's name and "step/1", the first question of a step.
  std::map<std::string, std::map<std::string, AnswerTally>> answers;
  uint64_t predictions = 0, right = 0;
  // The error of guessed numbers, as the sum of |log2(guess / truth)|. Guesses of another sign or of zero do
  // not count here.
  uint64_t numbers = 0;
  double doublings = 0;
  uint64_t revision = 0;  // counts changes, so that the file is written when there is one

  bool empty() const {
    return lessons.empty() && challenges.empty() && lesson_seconds.empty() && answers.empty() &&
           predictions == 0;
  }
};

// Adds an answer to a question, counted from 0. The text is that of a wrong answer.
void note_answer(ProgressState& progress, const std::string& lesson, const std::string& step, size_t question,
                 bool right, std::string_view text);

void note_prediction(ProgressState& progress, bool right, double guess, double truth);
// "7 of 12 predictions right · numbers usually off by a factor of 1.4". Empty if there are none.
std::string calibration_text(const ProgressState& progress);

ReportJson progress_json(const ProgressState& progress);
std::string progress_text(const ProgressState& progress);
Result<ProgressState> parse_progress(std::string_view text, const std::string& name);

}  // namespace warplens
