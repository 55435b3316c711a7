// A challenge as plain values (docs/challenges.md). load_challenge() reads it from a folder.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/dim3.h"
#include "core/lesson/format/lesson.h"

namespace warplens::lesson {

enum class ChallengeKind : uint8_t { kernel, launch, both, program };

// A size at which an answer is judged: numbers by name, and the block and grid if the case sets them.
struct Case {
  std::map<std::string, double> values;
  std::optional<Dim3> block, grid;
};

// A random number or block of a hidden case: from a range, or one of several values.
struct Draw {
  std::string name;
  std::optional<std::pair<double, double>> range;
  std::vector<double> numbers;
  std::vector<Dim3> sizes;  // of block and grid
};
struct HiddenCases {
  uint32_t count = 0;
  bool even = false;  // otherwise small numbers are as likely as large ones
  std::vector<Draw> draws;
  uint32_t line = 0;
};

// Why an answer is rejected, in the order of docs/challenges.md.
enum class Reason : uint8_t {
  none,  // it is right
  compile,
  signature,
  refused,
  fault,
  steps,
  finding,
  mismatch,
  order,
  input,
  choice,
  goal,
  time,
  memory,
  unreadable,  // not a valid hand-in: an empty file, or bytes that are not text
  no_compiler  // this machine cannot tell: not the student's fault
};
const char* to_string(Reason reason);  // "mismatch"

struct Expected {
  Reason reason = Reason::none;
  std::string kind;        // of fault or finding: "out_of_bounds"; may be empty
  std::optional<Case> at;  // if the case matters
  uint32_t stars = 0;      // of right answers
  // Other reasons that count as equally correct: which one comes first may depend on the random sizes.
  std::vector<Expected> others;
};

struct ChallengeFile {
  std::string name;
  bool starter = false;
  Expected expected;
  uint32_t line = 0;
};

struct Challenge {
  std::string name;  // of its folder
  uint32_t number = 0, level = 1;
  std::string title, about, entry, device = "rtx_3060", language = "en", author;
  ChallengeKind kind = ChallengeKind::kernel;
  std::vector<Change> change;
  std::optional<uint32_t> moves;
  Placed task, then, notes;
  std::vector<Placed> hints;
  std::string annotation;  // `data` as the comment of an own kernel: "x=float32[n] random(1), …"
  uint32_t data_line = 0;
  std::vector<std::pair<std::string, double>> tolerances;  // rtol by buffer
  std::vector<std::string> inout;                          // outputs whose initial contents matter
  Case specification;
  std::vector<Case> cases;
  std::vector<HiddenCases> hidden;
  std::vector<uint64_t> orders{0, 1};
  uint32_t data_sets = 1;
  Case stars_at;
  std::vector<Condition> two, three, goal;
  bool expects_wrong = false;
  std::vector<ChallengeFile> files;
  std::map<std::string, Placed> marks;  // for a translation: the marks of its parts, by their ids (texts.h)

  bool is_program() const { return kind == ChallengeKind::program; }
  // What a program is called with for this case: the numbers of `data` in their order.
  std::vector<std::string> arguments_at(const Case& at) const;

  // The code as the student's own kernel, with the challenge's data as its comment.
  std::string as_own_kernel(std::string_view code) const;

  const ChallengeFile* starter(std::string_view ending) const;    // ".cu", ".py"; null if there is none
  const ChallengeFile* reference(std::string_view ending) const;  // the first correct one
};

struct LoadedChallenge {
  Challenge challenge;
  std::vector<Diagnostic> diagnostics;
  bool ok() const;
};

LoadedChallenge parse_challenge(std::string_view text, std::string_view file);
// Also does what depends on the folder: checks that the files exist, and reads the kernel's numbers. With a
// language, the translation challenge.LANGUAGE.md is applied, if there is one.
LoadedChallenge load_challenge(const Folder& folder, std::string_view language = {});

}  // namespace warplens::lesson
