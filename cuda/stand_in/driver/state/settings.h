// The settings that the launcher (`warplens program`) passes through the environment. Without it, everything
// has a default.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "core/launch/launch_request.h"

namespace warplens::driver {

struct Settings {
  std::string devices;                // WARPLENS_PROGRAM_DEVICE: as find_device takes them, with commas
  uint32_t target = 0;                // WARPLENS_PROGRAM_TARGET: what the compiler compiled for, as 75
  std::string journal;                // WARPLENS_PROGRAM_JOURNAL: a folder; empty: nothing is written
  bool modelled_clock = true;         // WARPLENS_PROGRAM_CLOCK=host: events tell the interpreter's time
  bool counts = true;                 // WARPLENS_PROGRAM_OBSERVE=none: accesses are not counted
  Sanitize sanitize = Sanitize::off;  // WARPLENS_PROGRAM_SANITIZE: off, memory, all
  std::string searched = "off";       // the same, as its word
  bool lines = true;                  // WARPLENS_PROGRAM_LINES=no: none of the host program are looked for
  bool finds_waits = true;            // WARPLENS_PROGRAM_WAITS=no: missing waits are not looked for
  std::string stream_order;           // WARPLENS_PROGRAM_ORDER: late, or a seed; empty: that of the calls
  bool passes_faults = false;         // WARPLENS_PROGRAM_ON_FAULT=continue: kernels go on after bad accesses
  bool quiet = false;                 // WARPLENS_PROGRAM_QUIET=1: no sentences on stderr
  std::string errors;                 // WARPLENS_PROGRAM_ERRORS: the launcher's stderr, as name_of_errors
  uint64_t step_budget = 0;           // WARPLENS_PROGRAM_STEPS: of one launch; 0: no limit
  std::chrono::seconds patience{0};   // after the budget: GridLaunch::patience
  std::string record;                 // WARPLENS_PROGRAM_RECORD: a folder; empty: nothing is recorded
  std::string launches;               // WARPLENS_PROGRAM_LAUNCHES: which, as recording::parse_selection
  uint64_t record_limit = uint64_t{256} << 20;  // WARPLENS_PROGRAM_RECORD_LIMIT: bytes
  uint32_t workers = 1;                         // all cores, unless WARPLENS_PROGRAM_WORKERS has a number
};

// Without a set limit, a kernel counts as endless if it has run this many steps and then no block ends for so
// long.
constexpr uint64_t default_program_steps = 20'000'000'000;
constexpr std::chrono::seconds default_program_patience{30};

Settings settings_from_environment();

}  // namespace warplens::driver
