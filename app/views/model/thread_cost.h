// What each thread of a replayed block did, as amounts for a map: divergence as a picture.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/launch/footprint.h"

namespace warplens {

enum class ThreadColouring : uint8_t { warps, instructions, passes };
constexpr std::array<ThreadColouring, 3> all_thread_colourings = {
    ThreadColouring::warps, ThreadColouring::instructions, ThreadColouring::passes};
std::string_view name_of(ThreadColouring colouring);  // "instructions"
const char* to_string(ThreadColouring colouring);     // "instructions of a thread"
std::optional<ThreadColouring> thread_colouring_from(std::string_view name);

struct ThreadCost {
  ThreadColouring colouring = ThreadColouring::instructions;
  std::vector<uint64_t> amounts;  // by linear thread
  uint64_t low = 0, high = 0, sum = 0;
  std::string sentence;  // "Threads went 3 to 128 times through loops; …"
  // A colour of viridis, or gray if all threads did the same.
  uint32_t colour_of(size_t thread) const;
};

// Empty for warps, and if the threads were not counted.
std::optional<ThreadCost> thread_cost(const BlockFootprint& footprint, ThreadColouring colouring);

// "1,034 instructions, 128 passes through loops". Empty if it was not counted.
std::string thread_cost_words(const BlockFootprint& footprint, uint64_t thread);

}  // namespace warplens
