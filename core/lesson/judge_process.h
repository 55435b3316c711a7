// Judges an answer in a process of its own, with limits of time and memory, and kept apart from all else:
// in bubblewrap, with no network, no home and no files but the compiler's, or as a user of its own. Whatever
// the answer does becomes a reason.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>

#include "core/lesson/hand_in.h"
#include "core/lesson/judge.h"
#include "core/system/other_user.h"

namespace warplens::lesson {

struct JudgeLimits {
  std::chrono::milliseconds time{60'000};
  uint64_t memory_bytes = uint64_t{4} << 30;  // address space of the process
  // Where nothing keeps it apart, CUDA C++ is judged all the same: of who judges an answer of their own.
  bool trusts_author = false;
};

struct JudgedApart {
  Judged judged;
  double milliseconds = 0;  // of the whole, measured
  uint64_t peak_bytes = 0;
};

// `program` is the running program; its main() calls run_as_judge(). Never fails because of the answer.
JudgedApart judge_apart(const std::string& program, const Folder& folder, const HandIn& hand_in,
                        const std::string& name, const JudgeOptions& options, const JudgeLimits& limits);

// In main(): whether this process was started to judge, and its exit status.
std::optional<int> run_as_judge(int argc, char** argv);

// Whether bubblewrap is installed and works; else why not.
Result<void> sandbox_works();
// Where it does not, the user as whom answers run: WARPLENS_JUDGE_USER, else warplens-judge; else why none.
Result<OtherUser> judge_user();
// Why answers of strangers are not run on this machine: neither of both works. Empty if they are.
std::string why_not_apart();
// The words that start `words` in bubblewrap. `readable` are paths that it may read besides the system's.
std::vector<std::string> in_sandbox(const std::vector<std::string>& words,
                                    const std::vector<std::string>& readable);

// Numba's PTX of an answer, made by Python in the sandbox. Errors of the kind missing say what is not there;
// others are the answer's.
struct NumbaMade {
  std::string ptx, entry;
};
Result<NumbaMade> compile_numba(const std::string& source, const Challenge& challenge,
                                const KernelDescription& reference, const Device& device,
                                const JudgeLimits& limits, const std::stop_token& stop, Reason& reason);

}  // namespace warplens::lesson
