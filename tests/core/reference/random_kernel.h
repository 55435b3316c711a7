// Random kernels of everything that the reference interpreter covers: arithmetic of all widths, predicates
// and guards, branches, loops, tables, calls, memory of every space, atomics, barriers and what the lanes of
// a warp do together. All are valid, end, and leave the same in memory in whatever order their warps run. In
// contrast to random_program.h their jumps are structured, but for exits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/dim3.h"
#include "core/ptx/tree.h"
#include "tests/core/reference/interpreter.h"

namespace warplens::reference {

// A module with the kernel "test" of three buffers: out, sums and scratch. Every decision by a byte; zeros
// where they run out.
std::string random_kernel(std::span<const uint8_t> bytes);
std::string random_kernel(uint32_t seed);

// Bytes of the three buffers for so many threads; all begin as zeros. A block has at most 64 threads in one
// row.
struct KernelMemory {
  explicit KernelMemory(uint32_t threads);
  std::vector<std::byte> out, sums, scratch;
};

// Runs it by the reference; the memory is left as the kernel leaves it.
Outcome run_reference(const ptx::Module& module, Dim3 grid, Dim3 block, KernelMemory& memory);

}  // namespace warplens::reference
