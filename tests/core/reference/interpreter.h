// A slow, plain interpreter of PTX to hold the virtual GPU against. It walks the syntax tree, one thread at a
// time, each thread with a program counter and a call stack of its own: there are no warps in its control
// flow, no paths and no joins. It stops at an instruction in which threads work together, until all that it
// names have come to one like it. What it shares with the virtual GPU is the parser alone. It covers what
// random kernels use (random_kernel.h) and answers not_covered for everything else.
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
  std::vector<uint64_t> arguments;  // one a parameter
  std::vector<Buffer> buffers;
  uint64_t most_instructions = 100'000'000;  // of all threads
};

enum class End : uint8_t {
  finished,
  deadlock,     // nobody can go on
  fault,        // an access outside of all memory
  too_long,     // most_instructions
  not_covered,  // see reason
};

struct Outcome {
  End end = End::finished;
  uint32_t line = 0;  // of the PTX, for deadlock, fault and not_covered
  std::string reason;
  uint64_t instructions = 0;
  // A shfl read a lane that takes no part. The manual leaves its value open: here and in the virtual GPU it
  // is 0.
  bool read_absent_lane = false;
};

// Blocks run one after the other.
Outcome run(const Launch& launch);

}  // namespace warplens::reference
