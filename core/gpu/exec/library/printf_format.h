// printf as CUDA does it: the format and its arguments come from the kernel, the host formats them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace warplens::exec {

// Where the arguments are: packed as in a C structure, each at a multiple of its size (4 or 8 bytes).
struct PrintfArguments {
  // The `bytes` (4 or 8) at this offset of the buffer; false: there are none.
  std::function<bool(uint64_t offset, uint32_t bytes, uint64_t& value)> read;
  // The text at this address of the kernel's memory; false: there is none.
  std::function<bool(uint64_t address, std::string& text)> read_string;
};

struct PrintfResult {
  std::string text;
  int32_t parsed = 0;  // arguments that were taken, which is what printf returns
  bool readable = true;
  uint64_t bad_address = 0;  // of a string that cannot be read
};

PrintfResult format_printf(std::string_view format, const PrintfArguments& arguments);

}  // namespace warplens::exec
