// The challenge that is open, and what the judge said (docs/challenges.md).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/format/challenge.h"

namespace warplens {

struct LoadedChallenge {
  lesson::Folder folder;
  lesson::Challenge challenge;
  std::vector<Diagnostic> diagnostics;
};

struct JudgedAnswer;  // app/state/parts/judged_answer.h

struct ChallengeState {
  std::shared_ptr<const LoadedChallenge> open;  // null if none is
  std::vector<Diagnostic> mistakes;             // of the folder that was read last
  size_t hints = 0;                             // that are shown
  uint64_t serial = 0;                          // of the last answer that was given to the judge
  bool judging = false;
  std::string file;            // path of the answer that is judged, such as one in Python; empty for the code
  bool steps_to_case = false;  // Step opens as soon as the failing case has run
  std::shared_ptr<const JudgedAnswer> judged;  // of the last answer; null if none was judged
  double opened_s = 0;                         // window's clock
  double spent_before_s = 0;                   // in earlier openings

  bool is_open() const { return open != nullptr; }
};

struct AppState;
// The judge's input: the code; for a launch, the chosen launch, as the comment of a kernel.
std::string answer_source(const AppState& state);
// With the challenge open, in all.
double seconds_spent(const AppState& state);

}  // namespace warplens
