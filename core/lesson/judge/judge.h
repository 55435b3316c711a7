// Judges an answer to a challenge (docs/challenges.md, "What the judge does"): compiles it, runs it at sizes
// and on data that its author did not see, with all findings on, and computes the counts that its stars
// require. Everything runs in this process; core/lesson/judge/grade has the processes with limits around it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/kernels/catalogue.h"
#include "core/launch/run_result.h"
#include "core/lesson/format/challenge.h"
#include "core/lesson/format/program.h"
#include "core/lesson/goals/facts.h"
#include "core/lesson/goals/goal_words.h"

namespace warplens::lesson {

struct Submission {
  std::string name;    // of the file: "right.cu"
  std::string source;  // CUDA C++ or Python; for a launch it may be only the comment
  // The PTX of a Numba kernel, and its entry. Empty for CUDA C++.
  std::string ptx, entry;
  // The same for the challenge's first correct answer in Python, for goals that refer to the reference.
  std::string reference_ptx, reference_entry;
};

struct JudgeOptions {
  uint64_t seed = 1;       // for hidden cases and for data
  uint32_t data_sets = 0;  // for each case; 0 for as many as the challenge says
  std::stop_token stop = {};
  std::function<void()> compiled = {};  // called when the answer is compiled and will run
  // From the parent process: its Judge::reference_ptx(), so that the reference need not be compiled again.
  std::string reference_ptx = {};
  // The language of the goals' words, if the challenge is translated into it; empty for the original.
  std::string language = {};
};

// One run of an answer.
struct JudgedCase {
  Case at;
  uint64_t order = 0, data_seed = 1;
};

// An element with a wrong value.
struct WrongElement {
  std::string array;
  uint64_t index = 0;
  double got = 0, want = 0;
  std::optional<Dim3> block, thread;  // the thread that wrote it last
};

// A condition of ★★, ★★★ or the goal.
struct GoalResult {
  uint32_t stars = 0;  // 1 for a condition of ```goal
  std::string expression, otherwise;
  bool holds = false;
  std::string words;  // what it requires and what the answer reached (goal_words)
  std::optional<GoalSides> sides = {};
};

struct Judged {
  Reason reason = Reason::none;
  std::string kind;     // of fault or finding
  std::string message;  // what went wrong, in a sentence or two for the student; empty if nothing did
  uint32_t stars = 0;
  std::vector<Diagnostic> diagnostics;  // the compiler's
  // The smallest case that failed, and what the Step view needs to open it.
  std::optional<JudgedCase> failed;
  std::shared_ptr<const LaunchRequest> request;  // of this case
  std::optional<WrongElement> wrong;
  uint32_t line = 0;  // of the fault or finding in the source; 0 if not known
  std::vector<GoalResult> goals;
  std::optional<Counters> counters, reference;  // if the stars are counted
  uint32_t cases = 0, runs = 0;                 // that were judged
  double compile_ms = 0, run_ms = 0;            // measured on this machine

  bool right() const { return reason == Reason::none; }
};

// What the specification's picture shows.
struct Specification {
  struct Array {
    std::string name;
    DType dtype = DType::f32;
    uint32_t width = 0, height = 1, channels = 1;
    std::vector<double> values;  // inputs before the run, outputs after it
  };
  // Output `to` depends on input `from`.
  struct Arrow {
    uint32_t from_array = 0, to_array = 0;  // in `inputs`, `outputs`
    uint64_t from = 0, to = 0;
  };
  std::vector<Array> inputs, outputs;
  std::vector<Arrow> arrows;
  std::string arguments, printed;  // of a program: what it is called with, and what it prints then
  Dim3 grid, block;
};

class Judge {
 public:
  // Compiles the reference, unless its PTX is given. An error says what is wrong with the challenge, or that
  // there is no compiler.
  // A challenge of the kind `program` is judged and specified with `runs_program`.
  static Result<Judge> open(const Folder& folder, std::stop_token stop = {}, std::string reference_ptx = {},
                            RunsProgram runs_program = {});
  Judge(Judge&&) noexcept;
  Judge& operator=(Judge&&) noexcept;
  ~Judge();

  const Challenge& challenge() const;
  const KernelDescription& reference() const;
  const std::string& reference_ptx() const;  // of the one in CUDA C++
  // Never fails because of the answer. Reason::no_compiler means that this machine cannot judge it.
  Judged judge(const Submission& answer, const JudgeOptions& options = {});
  Result<Specification> specification();

  struct State;  // judging.h

 private:
  explicit Judge(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

// A sentence about the difference between the verdict and the expectation in ```files. Empty if they agree.
std::string differs_from(const Expected& expected, const Judged& judged);

}  // namespace warplens::lesson
