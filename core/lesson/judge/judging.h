// Private to the judge: the state of an answer while it is judged.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/compile/compiler.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/lesson/judge/runnable.h"

namespace warplens::lesson {

// A challenge with its reference, compiled.
struct Judge::State {
  // The outputs of the reference for a case.
  struct Truth {
    std::vector<OutputBuffer> outputs;
    uint64_t warp_instructions = 0, thread_instructions = 0;
  };

  Folder folder;
  Challenge challenge;
  Device device;
  std::string reference_ptx, reference_source;
  Runnable reference;
  std::unique_ptr<Backend> backend = make_virtual_gpu();
  RunsProgram runs_program;
  std::map<std::string, std::string> printed;  // by a program that is the reference, by its arguments
  std::map<std::string, std::shared_ptr<const Truth>> truths;  // of the reference, by case and data
  // The answer that was compiled last. If it is judged again with other seeds, it is not compiled again.
  struct Compiled {
    std::string source, name;
    Compilation made;
  };
  std::optional<Compiled> compiled;

  Result<Runnable> runnable(const Chosen& chosen, std::shared_ptr<const KernelDescription> kernel,
                            bool numba) const;
  // The expected outputs do not depend on the launch of the answer, only on numbers and data.
  Result<std::shared_ptr<const Truth>> truth(const RunAt& run, const KernelDescription& like,
                                             const std::stop_token& stop);
};

struct Judging {
  Judge::State& state;
  const Submission& answer;
  const JudgeOptions& options;
  Judged judged = {};
  Chosen chosen = {};
  Runnable kernel = {};
  JudgedCase at = {};  // the one that runs now
};

Result<Compilation> compile_for(const Device& device, const std::string& source, const std::string& name,
                                const std::stop_token& stop);

// These write the reason into `judged` and return false.
bool fail(Judging& j, Reason reason, std::string message);
bool fail(Judging& j, const Error& error);
bool fail_case(Judging& j, Reason reason, std::string kind, std::string_view what, const RunResult* result);

// The steps of the judge. Each returns false if the answer has failed.
bool make_kernel(Judging& j);
bool judge_cases(Judging& j);
// All of them for a challenge of the kind `program`.
void judge_program(Judging& j);
Result<Specification> specification_of_program(Judge::State& state, const std::stop_token& stop);
// Adds the goals with these facts, and gives the stars or the reason.
void judge_goals(Judging& j, const Challenge& worded, const Facts& facts);
// The challenge with the words that the student reads.
Challenge worded(const Judging& j);
// Whether a goal of the challenge uses such a name.
bool goals_use(const Challenge& challenge, std::string_view word);
// For a challenge in which a launch must demonstrate a mistake.
void judge_loss(Judging& j);
void count_stars(Judging& j);

}  // namespace warplens::lesson
