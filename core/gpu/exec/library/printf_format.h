// printf as CUDA does it: the format and its arguments are in the kernel's memory, and the host formats them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace warplens::exec {

// Reads the arguments. They are packed as in a C structure, each aligned to its size (4 or 8 bytes).
struct PrintfArguments {
  // Reads `bytes` (4 or 8) at this offset of the buffer. False if there are none.
  std::function<bool(uint64_t offset, uint32_t bytes, uint64_t& value)> read;
  // Reads the text at this address of the kernel's memory. False if there is none.
  std::function<bool(uint64_t address, std::string& text)> read_string;
};

struct PrintfResult {
  std::string text;
  int32_t parsed = 0;  // number of arguments used, which is what printf returns
  bool readable = true;
  uint64_t bad_address = 0;  // address of a string that cannot be read
};

PrintfResult format_printf(std::string_view format, const PrintfArguments& arguments);

}  // namespace warplens::exec
