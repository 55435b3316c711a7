// A program of the user's that the window runs in another process, and what the user is asked before that.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/device/device.h"

namespace warplens {

struct ProgramRunChoices {
  std::string arguments;       // as typed (app/user_program/words.h)
  bool looks_for_all = false;  // also races and uninitialised reads
  bool variables = false;      // a file in CUDA C++ is compiled for the debugger: Step has variables by name
  bool again_on_save = false;  // off whenever a program is opened
  bool operator==(const ProgramRunChoices&) const = default;
};

struct ProgramOutput {
  std::vector<std::string> lines;  // the last ones
  uint64_t left_out = 0;           // lines before them
  std::string printed;             // standard output alone, from its beginning
};

struct ProgramRun {
  enum class Phase : uint8_t {
    none,
    asking,  // nothing has been started: the user is asked
    running,
    stopping,  // it was asked to end
    ended,
  };
  Phase phase = Phase::none;
  std::string path;    // absolute
  bool given = false;  // of a lesson or challenge: its text is that of the editor, and `path` only its name
  ProgramRunChoices choices;
  Device device;         // the window's when the user said yes; a run again has the same
  std::string problem;   // with what was typed, or why it could not be started
  bool has_run = false;  // since it was opened
  bool again = false;    // starts again once it has ended
  uint64_t serial = 0;   // of the newest start; only its news count

  // State of the newest start.
  std::vector<std::string> arguments;  // the choices' as words
  std::string text;                    // that was run, if it is given
  double seconds = 0;
  uint64_t launches = 0;
  ProgramOutput output;
  int status = 0, signal = 0;
  bool stopped = false;
  bool compiles = true;
  bool used_device = false;
  std::vector<Diagnostic> mistakes;  // compile_mistakes()

  // What the same program prints when the work of its streams is done in another order (--stream-order late);
  // empty: it was not run so since that start.
  std::optional<ProgramOutput> other_order;
  bool is_other_order = false;  // that run is under way; of it only the output counts

  bool is_busy() const { return phase == Phase::running || phase == Phase::stopping; }
};

// The compiler's messages about the program's own file, out of what the run has written. Empty if it was
// compiled, or is not CUDA C++.
std::vector<Diagnostic> compile_mistakes(const ProgramRun& run);

}  // namespace warplens
