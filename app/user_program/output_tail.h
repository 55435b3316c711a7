// The last lines of what a program writes, as a terminal would show them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::program_run {

// The last lines of a program's output, added in pieces of any size. After a carriage return the line is
// written again, as progress bars do. Escape sequences of a terminal (ECMA-48: colours, moves) and other
// control characters are left out. The memory is bounded by lines × bytes of a line.
class OutputTail {
 public:
  static constexpr size_t most_lines = 200, most_line_bytes = 500;

  void add(std::string_view piece);
  // The oldest first; the last one may not be ended yet.
  std::vector<std::string> lines() const;
  uint64_t left_out() const { return m_left_out; }  // lines before them

 private:
  enum class State : uint8_t { text, escape, control, string };
  void take(char c);
  void end_line();

  std::deque<std::string> m_lines;
  std::string m_line;
  bool m_begins_anew = false;  // after a carriage return: the next character replaces the line
  State m_state = State::text;
  uint64_t m_left_out = 0;
};

}  // namespace warplens::program_run
