// Breakpoints as an editor asks for them: with conditions, counts of hits and messages.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/stepping/block_stepper.h"
#include "core/gpu/stepping/stops/block_filter.h"

namespace warplens::dap {

// "5" or "== 5", "> 5", ">= 5", "% 5": in which of its hits a breakpoint stops. A hit is that a warp comes to
// it with lanes for which the condition holds; they are counted from the block's start.
class HitRule {
 public:
  static Result<HitRule> parse(std::string_view text);  // empty: in all
  bool stops(uint64_t hits) const;
  bool counts() const { return m_kind != Kind::all; }

 private:
  enum class Kind : uint8_t { all, equal, above, from, each } m_kind = Kind::all;
  uint64_t m_number = 0;
};

struct WantedStop {
  uint32_t id = 0;             // the protocol's number
  stepping::Breakpoint place;  // with the condition
  std::string hit_rule, message;

  // In the block in focus.
  uint32_t number = 0;  // of the stepper; 0 if it cannot stop there
  std::string problem;  // why
  uint32_t line = 0;    // where it stops, if it is a line
  HitRule hits;
  std::set<uint64_t> passed;                    // the positions of its hits; only kept if they count
  std::optional<stepping::BlockFilter> filter;  // none if it does not depend on the block
};

// Adds the breakpoint to the stepper, or says in `problem` why it cannot stop. A line without code moves to
// the next one that has some.
void add_stop(stepping::BlockStepper& stepper, WantedStop& wanted);
// The lines of the file that have code, sorted. With an empty name, those of any file.
std::vector<uint32_t> lines_with_code(const stepping::BlockStepper& stepper, std::string_view file);

// The parts of a message: "i = {i} of {n}" has "i = ", "i", " of ", "n"; texts and expressions alternate. An
// error if a brace is not closed.
Result<std::vector<std::string>> message_parts(std::string_view message);

// Values of lanes in one text: one value, if they are equal; "0 … 31", if they grow by one; else a list.
std::string folded(const std::vector<std::string>& values);

}  // namespace warplens::dap
