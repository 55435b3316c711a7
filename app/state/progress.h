// What a person has done: steps of lessons, stars of challenges, predictions. One small file keeps it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace warplens {

struct ChallengeProgress {
  uint32_t stars = 0;  // 0 to 3
  uint64_t tries = 0;  // judged answers
  double seconds = 0;  // with the challenge open
};

struct ProgressState {
  std::map<std::string, std::set<std::string>>
      lessons;  // ids of the steps that are done, by the lesson's name
  std::map<std::string, ChallengeProgress> challenges;
  uint64_t predictions = 0, right = 0;
  // Of the numbers that were guessed: how far off, as the sum of |log2(guess / truth)|. Guesses of another
  // sign or of zero do not count here.
  uint64_t numbers = 0;
  double doublings = 0;
  uint64_t revision = 0;  // counts changes, so that the file is written when there is one

  bool empty() const { return lessons.empty() && challenges.empty() && predictions == 0; }
};

void note_prediction(ProgressState& progress, bool right, double guess, double truth);
// "7 of 12 predictions right · numbers usually off by a factor of 1.4". Empty if there are none.
std::string calibration_text(const ProgressState& progress);

std::string progress_text(const ProgressState& progress);  // JSON
Result<ProgressState> parse_progress(std::string_view text, const std::string& name);

}  // namespace warplens
