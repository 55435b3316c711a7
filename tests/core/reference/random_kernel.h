// Random kernels of everything that the reference interpreter covers: arithmetic of all widths, predicates
// and guards, branches, loops, tables, calls, memory of every space, atomics, barriers and instructions of
// whole warps. All are valid, end, and leave the same memory for every order of their warps. In contrast to
// random_program.h, their jumps are structured, except exits.
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

// A module with the kernel "test", which has three buffers: out, sums and scratch. Each byte makes one
// decision; missing bytes count as zeros.
std::string random_kernel(std::span<const uint8_t> bytes);
std::string random_kernel(uint32_t seed);

// The sizes of the three buffers for so many threads; all are zero at first. A block has at most 64 threads
// in one row.
struct KernelMemory {
  explicit KernelMemory(uint32_t threads);
  std::vector<std::byte> out, sums, scratch;
};

// Runs the kernel with the reference; the memory then has the kernel's results.
Outcome run_reference(const ptx::Module& module, Dim3 grid, Dim3 block, KernelMemory& memory);

}  // namespace warplens::reference
