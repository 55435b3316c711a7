// The state that a step of a lesson sets the window to, as an author writes it (docs/lessons.md).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/dim3.h"

namespace warplens::lesson {

// A text of a file, and the line in which it begins, counted from 1; 0 if it is in no file.
struct Placed {
  std::string text;
  uint32_t line = 0;
  bool empty() const { return text.empty(); }
};

// What is pinned, or was clicked.
struct Target {
  enum class Kind : uint8_t { nothing, thread, block, warp, lane, bank, element, line };
  Kind kind = Kind::nothing;
  Dim3 block{0, 0, 0}, thread{0, 0, 0};
  std::string array;   // of an element; may be empty in an answer
  uint64_t index = 0;  // of the element; number of the warp, lane, bank or line
  bool operator==(const Target&) const = default;
};

// Something that the student may change. Without a range, any value that the kernel allows.
struct Change {
  std::string
      name;  // of a number of the kernel, or block, grid, shared, seed, order, image, device, kernel, …
  std::optional<std::pair<double, double>> range;
  uint32_t line = 0;
};

// The position in the Step view.
struct StepPlace {
  enum class Kind : uint8_t { line, position, barrier, divergence, conflict, end };
  Kind kind = Kind::line;
  uint64_t value = 0;            // line or position
  std::optional<uint32_t> warp;  // with a line
  bool operator==(const StepPlace&) const = default;
};

// Each member is empty if the block does not name it. `show` of a step is complete after inherited().
struct Show {
  std::optional<std::string> kernel, code, entry, image, device, view, part;
  std::optional<std::string> program, prints;  // a file with a main(), and the lines that it must print
  std::map<std::string, double> values;
  std::optional<Dim3> block, grid;
  std::optional<bool> fit_grid;
  std::optional<uint32_t> shared_bytes;
  std::optional<uint64_t> seed, order;
  std::optional<std::vector<Target>> pins;
  std::optional<StepPlace> step;
  std::optional<uint32_t> lane;
  std::optional<uint32_t> text_percent;
  std::optional<std::vector<std::string>> hide, warnings;
  std::optional<std::vector<Change>> change;
  std::map<uint32_t, std::string> edits;  // lines of the code, in solutions
  std::vector<Show> baseline;             // none or one
  bool keep = false;
  std::map<std::string, uint32_t> lines;  // of each key in its file, for messages

  bool names_kernel() const { return kernel || code || program; }  // what runs
};

// What a step shows: `own` applied to what the step before declared.
Show inherited(const Show& before, const Show& own);
// `changes` applied to `base`: those of the student's moves, or of a reveal.
Show with_changes(Show base, const Show& changes);

}  // namespace warplens::lesson
