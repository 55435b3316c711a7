// A slow, plain interpreter of PTX to compare the virtual GPU with. It walks the syntax tree, one thread at a
// time, each with its own program counter and call stack: its control flow has no warps, paths or joins. At
// an instruction in which threads work together, it stops until all threads that the instruction names have
// reached one like it. It shares only the parser with the virtual GPU. It covers what random kernels use
// (random_kernel.h) and answers not_covered for everything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/dim3.h"
#include "core/ptx/tree.h"

namespace warplens::reference {

// Global memory of the launch; nothing else can be read or written.
struct Buffer {
  uint64_t address = 0;
  std::span<std::byte> bytes;
};

struct Launch {
  const ptx::Module* module = nullptr;
  std::string_view entry;
  Dim3 grid, block;
  std::vector<uint64_t> arguments;  // one for each parameter
  std::vector<Buffer> buffers;
  uint64_t most_instructions = 100'000'000;  // limit for all threads together
};

enum class End : uint8_t {
  finished,
  deadlock,     // no thread can continue
  fault,        // an access outside of all memory
  too_long,     // most_instructions was reached
  not_covered,  // see reason
};

struct Outcome {
  End end = End::finished;
  uint32_t line = 0;  // line of the PTX, for deadlock, fault and not_covered
  std::string reason;
  uint64_t instructions = 0;
  // A shfl read from a lane that takes no part. The manual leaves its value undefined; here and in the
  // virtual GPU it is 0.
  bool read_absent_lane = false;
};

// Runs the blocks one after the other.
Outcome run(const Launch& launch);

}  // namespace warplens::reference
