// Judges an answer in a process of its own, with limits of time and memory, and isolated: in bubblewrap, with
// no network, no home and no files except the compiler's, or as a separate user. Whatever the answer does
// becomes a reason.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>

#include "core/lesson/judge/hand_in.h"
#include "core/lesson/judge/judge.h"
#include "core/lesson/judge/sandbox.h"

namespace warplens::lesson {

struct JudgeLimits {
  std::chrono::milliseconds time{60'000};     // of the whole answer: compiling, also by Python, and running
  uint64_t memory_bytes = uint64_t{4} << 30;  // address space of the process
  // Judge CUDA C++ even without isolation: for users who judge their own answers.
  bool trusts_author = false;
};

struct JudgedApart {
  Judged judged;
  double milliseconds = 0;  // of the whole process, measured
  uint64_t peak_bytes = 0;
};

// `program` is the running program; its main() calls run_as_judge(). Never fails because of the answer.
JudgedApart judge_apart(const std::string& program, const Folder& folder, const HandIn& hand_in,
                        const std::string& name, const JudgeOptions& options, const JudgeLimits& limits);

// To be called in main(): whether this process was started to judge, and its exit status.
std::optional<int> run_as_judge(int argc, char** argv, RunsProgram runs_program = {});

// Numba's PTX of an answer, made by Python in the sandbox until `deadline`. Errors of the kind missing say
// what is not installed; other errors are the answer's.
using Deadline = std::chrono::steady_clock::time_point;
std::chrono::milliseconds time_until(Deadline deadline);  // at least 1 ms
struct NumbaMade {
  std::string ptx, entry;
};
Result<NumbaMade> compile_numba(const std::string& source, const Challenge& challenge,
                                const KernelDescription& reference, const Device& device,
                                const JudgeLimits& limits, Deadline deadline, const std::stop_token& stop,
                                Reason& reason);

}  // namespace warplens::lesson
