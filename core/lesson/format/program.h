// A program in CUDA C++ that a step or a challenge has, and what it did when it was run. Nothing in core runs
// programs: who plays a lesson or judges an answer passes a function that does (app/user_program).
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/recording/recording.h"

namespace warplens::lesson {

// More standard output than this ends a program: nobody reads it.
constexpr size_t most_printed_bytes = size_t{64} << 10;

struct ProgramTry {
  std::vector<std::string> arguments = {};
  std::string stream_order = {};  // "late" or a seed; empty: the order of the calls
};

// One text, which is compiled once and run as often as is asked for.
struct ProgramOrder {
  std::string name, source;  // of the file: "early.cu"
  std::string device;        // its id; a virtual one
  std::vector<ProgramTry> runs = {{}};
  std::chrono::milliseconds time{10'000};  // for each run
};

struct ProgramOutcome {
  bool compiles = true;
  std::vector<Diagnostic> mistakes = {};  // the compiler's, if it does not
  int status = 0, signal = 0;
  bool timed_out = false, prints_too_much = false;
  std::string printed = {};                                    // its standard output
  std::shared_ptr<const recording::Recording> recording = {};  // null: it did not use the device
};

// An outcome for each run, or only one if the text does not compile. An error says why this machine cannot
// run programs: kind missing if a compiler or the driver is not there.
using RunsProgram = std::function<Result<std::vector<ProgramOutcome>>(const ProgramOrder& order,
                                                                      const std::stop_token& stop)>;

}  // namespace warplens::lesson
