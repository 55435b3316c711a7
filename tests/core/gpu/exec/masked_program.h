// Random kernels of what real ones do under masks: nested conditions by position, lane and data, loops of
// different length for each lane, guards, loads and stores of all widths side by side, in rows, strided, in
// one place and scattered, in global and shared memory, with barriers between the phases.
#pragma once

#include <cstdint>
#include <string>

namespace warplens::exec::test {

struct MaskedProgram {
  static constexpr uint32_t in_bytes = 1 << 16;         // of the buffer that it reads
  static constexpr uint32_t out_bytes_of_thread = 128;  // of the buffer that it writes
  // A kernel "test" with the parameters .u64 in and .u64 out, for blocks of at most 256 threads. Each thread
  // writes its own bytes only.
  std::string ptx;
};

MaskedProgram masked_program(uint32_t seed);

}  // namespace warplens::exec::test
