// All problems in one list, the worst first: faults and refused launches, findings, errors, warnings by their
// weight, notes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/dim3.h"

namespace warplens {

struct AppState;
struct Incident;
struct KernelDescription;
struct Warning;

enum class ProblemLevel : uint8_t { fault, finding, warning, error, note };

// The subject of a message of the program itself. The next message of its kind replaces it.
enum class NoticeKind : uint8_t { other, opening, saving, run };

// The change that the button of a warning or problem makes.
struct Fix {
  std::string label;  // "Try 64 threads a block (157 blocks): 3.1 → 2.2 µs ≈"
  std::optional<Dim3> block, grid;
  std::optional<uint32_t> shared_bytes;
  std::string kernel;  // "vector_add": switch to this kernel; empty to stay
  bool fit_grid = false;
};

// A problem is a line of the Problems panel and a card of the Launch panel.
struct Problem {
  ProblemLevel level = ProblemLevel::error;
  std::string id;     // "out_of_bounds", "tail_wave"; stable
  std::string title;  // a few words
  std::string message;
  std::string consequence;  // refused launches: what a program that does not check errors would show
  std::string file;         // of the kernel source
  uint32_t line = 0;        // 0 if not known
  std::optional<Dim3> block, thread;
  std::optional<Fix> fix;
  bool in_code = false;  // of the text that is edited: its place is there
  uint64_t notice = 0;   // not 0: a message of the program itself, which a click dismisses
  NoticeKind notice_kind = NoticeKind::other;
  double weight = 0;              // of a warning: roughly the share of the time that it costs
  uint64_t launch = 0;            // not 0: of this launch of the program that is shown
  std::optional<size_t> finding;  // index in RunResult::findings: a race of two warps of one block
  bool quiet = false;             // a note that asks for nothing; short lists leave it out
};

struct ProblemsState {
  std::vector<Problem> all;      // from problems_of()
  std::vector<Problem> notices;  // messages of the program itself
  uint64_t next_notice = 1;
};

std::vector<Problem> problems_of(const AppState& state);

// The contents of a short list: the three heaviest warnings, no quiet notes, and all other problems.
constexpr size_t most_standing_warnings = 3;
std::vector<const Problem*> standing(const std::vector<Problem>& problems);

Problem problem_of(const Incident& incident, bool fault, const KernelDescription* kernel);
Problem problem_of(const Warning& warning);
// The action of its button. Only a warning with a fix has one.
Fix fix_of(const Warning& warning);

// "add_unchecked.cu:4". Empty if the place is not known.
std::string place_text(const Problem& problem);
// "block (39, 0, 0) thread (16, 0, 0)". Empty if it does not concern a single thread.
std::string thread_text(const Problem& problem);
// "out_of_bounds" → "Out of bounds".
std::string title_of_kind(const std::string& kind);

struct ProblemCounts {
  size_t faults = 0, warnings = 0, others = 0;
};
ProblemCounts count_problems(const std::vector<Problem>& problems);

}  // namespace warplens
