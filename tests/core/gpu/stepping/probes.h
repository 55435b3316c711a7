// Compares the variables that stepping shows with the output of printf calls inserted before each statement.
//
// A line of a source is probed if a statement begins on it. Before the statement, each variable that is in
// scope there is printed, with its parts. The source with the probes runs first. Then the source without them
// is stepped, and before the first instruction of each line its variables are compared, lane by lane.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "core/base/result.h"
#include "core/gpu/stepping/block_stepper.h"

namespace warplens::test {

struct ProbeResult {
  uint64_t compared = 0;  // values of a lane
  uint64_t wrong = 0;
  uint64_t not_set = 0, no_place = 0,
           unreadable = 0;  // values that printf printed and stepping does not show
  uint64_t common = 0;      // compared values of variables that all lanes share
  // Values of a caller while the callee runs, compared with the values before the line of the call.
  uint64_t of_callers = 0, wrong_of_callers = 0;
  uint64_t frames = 0;  // of call stacks, except the innermost ones
  uint64_t uneven = 0;  // probes of a lane that ran more or less often than the line's first instruction
  uint32_t lines = 0, probes = 0;
  std::set<std::string> missing;  // "line 7 ok: …"
  std::string first_wrong;
};

struct ProbeOptions {
  ComputeCapability architecture{7, 5};
  Dim3 block{0, 0, 0};
  uint64_t most_instructions = 100'000;
  // Variables that all lanes share are compared too: the program has one warp, and each line sees the same.
  bool common = false;
  bool callers_keep = false;   // no callee writes to the caller's variables
  stepping::Options stepping;  // for the source without probes
};

// `request` launches `source`, whose module it replaces. Fails if the source does not compile.
Result<ProbeResult> probe(const LaunchRequest& request, const std::string& source, const std::string& name,
                          const ProbeOptions& options);

}  // namespace warplens::test
