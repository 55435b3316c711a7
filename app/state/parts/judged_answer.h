// The judge's verdict on an answer to a challenge, and what its specification draws.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/lesson/judge/judge.h"

namespace warplens {

struct JudgedAnswer {
  std::optional<lesson::Judged> judged;  // empty if only the specification was asked for
  std::shared_ptr<const lesson::Specification> specification;
  std::string error;   // why it could not be judged: a mistake of the challenge, or no compiler
  std::string source;  // that was judged
  std::string file;    // its name if it is a file of the student's; empty for the code in the window
};

}  // namespace warplens
