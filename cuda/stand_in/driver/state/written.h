// What is known of the bytes of an array of the device since it was allocated: which ones the program and
// which ones kernels have written. It is for warnings alone, and ends where it would cost much.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/exec/state/memory.h"
#include "core/recording/journal.h"
#include "core/recording/unwritten.h"

namespace warplens::driver {

// Ranges of offsets; those that touch are one.
class ByteRanges {
 public:
  void add(uint64_t begin, uint64_t end);
  bool holds(uint64_t begin, uint64_t end) const;
  const std::map<uint64_t, uint64_t>& all() const { return m_ends; }

 private:
  std::map<uint64_t, uint64_t> m_ends;  // by their begin
};

struct WrittenBytes {
  WrittenBytes(exec::Allocation& of, uint64_t its_bytes) : allocation(&of), bytes(its_bytes) {}

  exec::Allocation* allocation = nullptr;  // null: it was freed, or is no longer followed
  uint64_t bytes = 0;
  bool is_known = true;  // false: kernels may have written any of it
  ByteRanges by_host;    // by copies and memsets
  std::unique_ptr<uint8_t, void (*)(void*)> notes{nullptr, std::free};  // Allocation::stored
  uint8_t read_unwritten = 0;
  uint64_t first_unwritten = 0;  // kernels have written all bytes before
  std::optional<recording::ArrayWriter> writer;
  bool has_one_writer = true;
  bool was_given = false;
  uint32_t element_bytes = 0;  // of the type that a kernel's argument points to; 0: not known
  const recording::HostPlace* host_place = nullptr;  // the last copy or memset to it
  bool was_set = false;                              // that one was a memset
  uint64_t searched_at = 0, searches = 0;            // the launches then; how often

  // Nothing more is learnt about what kernels do with it.
  void stop(bool complete);
};

// The arrays that are followed from their first launch on.
struct FollowedArrays {
  static constexpr size_t most_arrays = 64;
  std::vector<std::shared_ptr<WrittenBytes>> fresh, followed;  // no launch has seen the first ones
  uint64_t bytes_left = uint64_t{64} << 20;                    // of notes
  uint64_t threads_left = uint64_t{1} << 18;  // of launches: stores to a followed array are slower
};

}  // namespace warplens::driver
