// The output of the printf calls of a block or a launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace warplens::exec {

// CUDA's buffer for printf holds 1 MiB by default (cudaLimitPrintfFifoSize). The oldest text is overwritten
// first.
constexpr size_t console_bytes = size_t{1} << 20;

struct Console {
  std::string text;
  uint64_t dropped = 0;  // bytes before this text that were overwritten

  void append(std::string_view more) {
    text.append(more);
    if (text.size() > 2 * console_bytes) trim();
  }
  // Keeps the last mebibyte, beginning at the start of a line if there is one.
  void trim();
};

// Puts the blocks' texts in block order, although blocks end in any order, and keeps no more than can be
// shown.
class ConsoleOrder {
 public:
  void add(uint64_t block, Console&& console);
  Console take();

 private:
  std::map<uint64_t, Console> m_blocks;
  size_t m_bytes = 0;
  uint64_t m_dropped = 0;
};

}  // namespace warplens::exec
