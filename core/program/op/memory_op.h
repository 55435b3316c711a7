// The ops of loads, stores and atomics, and of other ops with an address.
#pragma once

#include <cstdint>

#include "core/launch/footprint.h"
#include "core/program/op/op.h"

namespace warplens::program {

// The address of an access: a register and an offset, or an address that is known at decoding.
inline bool has_known_address(const Op& op) { return (op.flags & flag_constant) != 0; }
inline bool has_narrow_address(const Op& op) { return (op.flags & flag_address32) != 0; }
inline uint32_t address_base(const Op& op) { return op.a; }
inline bool is_in_short_space(const Op& op) { return (op.flags & flag_short_space) != 0; }
inline uint64_t address_offset(const Op& op) { return static_cast<uint64_t>(op.immediate); }

// The sum of a register's value and an address_offset(). Addresses of shared, local, constant and parameter
// space have 32 bits, also in a register of 64: PTX ISA 6.4.1 truncates them, and an H200 lets the sum wrap
// around. The upper half of the offset is then the start of the space's window, 0 except for constants.
inline uint64_t in_short_space(uint64_t base, uint64_t offset) {
  return (offset >> 32 << 32) | static_cast<uint32_t>(base + offset);
}
inline uint64_t address_at(const Op& op, uint64_t base) {
  const uint64_t offset = address_offset(op);
  return is_in_short_space(op) ? in_short_space(base, offset) : base + offset;
}

struct AddressOp {
  bool is_known = false;   // there is no register
  bool is_narrow = false;  // the register has 32 bits
  uint32_t base = 0;       // slot of the register
  uint64_t offset = 0;
  bool is_in_short_space = false;  // not of a known address, which is complete

  static AddressOp of(const Op& op) {
    return {has_known_address(op), has_narrow_address(op), address_base(op), address_offset(op),
            program::is_in_short_space(op)};
  }
  void write(Op& op) const {
    if (is_known) op.flags |= flag_constant;
    if (is_narrow) op.flags |= flag_address32;
    if (is_in_short_space) op.flags |= flag_short_space;
    op.a = base;
    op.immediate = static_cast<int64_t>(offset);
  }
};

// For every access, including both of cp.async, and ldmatrix.
inline AccessKind access_kind(const Op& op) {
  return op.flags & flag_atomic  ? AccessKind::atomic
         : op.flags & flag_store ? AccessKind::store
                                 : AccessKind::load;
}
inline bool is_store(const Op& op) { return (op.flags & flag_store) != 0; }
inline bool writes_memory(const Op& op) { return (op.flags & (flag_store | flag_atomic)) != 0; }
inline uint32_t atomic_elements(const Op& op) { return op.extra; }
inline uint32_t access_counter(const Op& op) { return op.state; }  // the first, in Program::counted

// A load, store or atomic, without its address. The registers of a vector are d b c e; for an atomic, d is
// the old value, b the operand and c the new value of cas.
struct AccessOp {
  AccessKind kind = AccessKind::load;
  uint8_t bytes = 0;           // of a lane, all elements together
  uint8_t register_bytes = 0;  // of loads and stores: of a register's lane
  uint8_t elements = 1;        // of atomics
  uint32_t counter = 0;        // the first, in Program::counted

  static AccessOp of(const Op& op) {
    const AccessKind kind = access_kind(op);
    const bool atomic = kind == AccessKind::atomic;
    return {kind, op.bytes, atomic ? uint8_t{0} : op.extra, atomic ? op.extra : uint8_t{1}, op.state};
  }
  void write(Op& op) const {
    if (kind == AccessKind::store) op.flags |= flag_store;
    if (kind == AccessKind::atomic) op.flags |= flag_atomic;
    op.bytes = bytes;
    op.extra = kind == AccessKind::atomic ? elements : register_bytes;
    op.state = counter;
  }
};

// isspacep: whether an address is in a window of the generic address space.
struct SpaceTestOp {
  uint32_t result = 0;   // slot of a predicate
  uint32_t address = 0;  // slot, 64 bits a lane
  uint64_t window = 0;   // its start; 0 for global memory, which is outside of all windows

  static SpaceTestOp of(const Op& op) { return {op.d, op.a, static_cast<uint64_t>(op.immediate)}; }
  void write(Op& op) const {
    op.d = result;
    op.a = address;
    op.immediate = static_cast<int64_t>(window);
  }
};

}  // namespace warplens::program
