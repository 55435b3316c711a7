// Finds the bytes that a program copies back to the host although no kernel and no copy has written them, and
// tells whether the grid was too small for the array.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/dim3.h"

namespace warplens::recording {

// Bits of the notes for each byte of an array.
constexpr uint8_t written_by_kernel = 1, written_by_host = 2;

// The launch that wrote to an array, if only one did.
struct ArrayWriter {
  Dim3 grid, block;
  std::vector<uint64_t> numbers;  // that the kernel was given: sizes are among them
};

struct UnwrittenQuery {
  std::span<const uint8_t> written;  // the notes, from the start of the array
  uint64_t begin = 0;                // the copied rows: the first one's offset in the array,
  uint64_t width = 0, rows = 1;      // their bytes, their number,
  uint64_t pitch = 0;                // and the bytes from one to the next
  uint32_t element_bytes = 0;        // 0 if the type is not known
  const ArrayWriter* writer = nullptr;
  bool was_given = false;  // some kernel had the array as an argument
  bool tell_all = false;   // also bytes that a right program may leave out, such as a border
  uint32_t line = 0;       // of the copy; 0 if not known
};
struct UnwrittenText {
  std::string what, advice;
};
// Empty if there are none, or if a right program may well leave them out: a kernel that filters writes only
// the first part of its output.
std::optional<UnwrittenText> unwritten_text(const UnwrittenQuery& query);

}  // namespace warplens::recording
