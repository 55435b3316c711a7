// The part of a block's shared memory that belongs to the system (PTX ISA, "%reserved_smem_offset_begin"):
// cooperative groups keep the barriers of tiles of several warps there. On devices since compute capability
// 8.0 it is in the first 1024 bytes, and an H100 offers 288 of them. Here it comes after the program's own
// variables, and only kernels that read its offset have it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/program/program.h"

namespace warplens::exec {

constexpr uint32_t reserved_shared_usable_bytes = 288, reserved_shared_bytes = 1024;

// Its start in a block with this much shared memory of its own.
constexpr uint32_t reserved_shared_begin(uint32_t shared_bytes) { return (shared_bytes + 127) / 128 * 128; }

// The value of a register that describes the reserved part; nothing for any other register.
inline std::optional<uint32_t> reserved_shared_value(ptx::SpecialRegister special, uint32_t shared_bytes) {
  using ptx::SpecialRegister;
  switch (special) {
    case SpecialRegister::reserved_smem_offset_begin:
    case SpecialRegister::reserved_smem_offset_0:
    case SpecialRegister::reserved_smem_offset_1:
      return reserved_shared_begin(shared_bytes);
    case SpecialRegister::reserved_smem_offset_end:
      return reserved_shared_begin(shared_bytes) + reserved_shared_usable_bytes;
    case SpecialRegister::reserved_smem_offset_cap:
      return reserved_shared_bytes;
    default:
      return {};
  }
}

// The size of a block's shared memory, including the reserved part if the program uses it.
inline uint32_t with_reserved_shared(const program::Program& program, uint32_t shared_bytes) {
  const bool asks = std::any_of(
      program.launch_specials.begin(), program.launch_specials.end(),
      [](const program::SpecialSlot& slot) { return reserved_shared_value(slot.special, 0).has_value(); });
  return asks ? reserved_shared_begin(shared_bytes) + reserved_shared_usable_bytes : shared_bytes;
}

}  // namespace warplens::exec
