// Looks for races and other mistakes (docs/findings.md) in the launches of a program, after it has ended: in
// those that were recorded so that they can be run again, each only if it is small by the rule for a single
// kernel (core/job/findings_pass.h). So the program itself runs as fast as without the search.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/launch/backend.h"
#include "core/recording/recording.h"

namespace warplens {

struct ProgramSearch {
  struct Found {
    uint64_t launch = 0;
    Incident incident;
  };
  std::vector<Found> found;  // in the order of the launches
  uint64_t searched = 0;     // launches
  uint64_t left_out = 0;     // launches that can be run again, but are too large, or failed
  std::string why;           // of the first of those
};

// Launches that ended in a fault are not run again: their fault is known. With `of_any_size` all others are
// searched.
Result<ProgramSearch> search_program(const recording::Recording& recording, const std::string& name,
                                     bool of_any_size, Backend& backend, const std::stop_token& stop);

}  // namespace warplens
