// A decoded instruction: the function to call and the places of its operands. Opcode, types and modifiers are
// resolved once, at decoding, so running an instruction is one indirect call and one loop over 32 lanes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warplens::exec {
struct Warp;
}

namespace warplens::program {

using exec::Warp;
struct Op;

// Runs one instruction for the warp's active lanes. Returns the next one, or null to return control to the
// scheduler (Warp::signal says why).
using Handler = const Op* (*)(const Op* op, Warp& warp);

// The handlers for a warp whose 32 lanes are all active, and for any other mask.
enum Mode : uint32_t { all_lanes, some_lanes };

// Moves the bytes of an access whose addresses have been checked, between registers and origin +
// address[lane].
using Mover = void (*)(const Op* op, Warp& warp, const uint64_t* address, uintptr_t origin, bool contiguous);

struct Handlers {
  Handler run[2] = {nullptr, nullptr};
  Mover move = nullptr;  // of loads and stores
  // How many of a, b, c, e it reads, in this order. If is_lanewise, each lane's result comes from the lane's
  // own values of these alone.
  uint8_t sources = 0;
  bool is_lanewise = false;
  explicit operator bool() const { return run[0] != nullptr; }
};

// Operand fields are byte offsets into the warp's register frame. Arithmetic has its result in d and its
// sources in a b c e. Loads: a is the address, d b c e the destinations of a vector; stores: a is the
// address, d b c e the values. The other headers of this folder say what the fields of other ops mean: they
// have a struct for each kind of op, which of() reads, and which write() writes in addition to the flags.
struct Op {
  Handlers handlers = {};
  uint32_t d = 0, a = 0, b = 0, c = 0, e = 0;
  uint32_t state = 0;     // most often an index: of a counter, of the basic block, of a call
  int64_t immediate = 0;  // accesses: the offset of the address
  int32_t jump = 0, meet = 0;
  uint32_t instruction = 0;  // numbered through all functions
  uint16_t flags = 0;
  uint8_t bytes = 0;  // accesses: bytes per lane of the whole access
  uint8_t extra = 0;
};

// Op::flags
constexpr uint16_t flag_guarded = 1;  // branch: a is the predicate
constexpr uint16_t flag_negated = 2;
constexpr uint16_t flag_address32 = 4;  // memory: the address register has 32 bits
constexpr uint16_t flag_constant = 8;   // memory: there is no address register, only the immediate
constexpr uint16_t flag_store = 16;
constexpr uint16_t flag_atomic = 32;
// For a comparison: the next op is a branch, run together with it. For a branch: a block starts at its
// target, run together with it.
constexpr uint16_t flag_chained = 64;
// The register in d is written by this instruction and not read after the basic block.
constexpr uint16_t flag_dead_out = 256;
// memory: addresses of this state space have 32 bits (address_at in memory_op.h).
constexpr uint16_t flag_short_space = 512;

// The flags of arithmetic and conversions of 16-bit floats.
constexpr uint8_t half_ftz = 1, half_sat = 2, half_relu = 4, half_oob = 8, half_nan = 16, half_xorsign = 32,
                  half_satfinite = 64;

inline uint32_t half_flags(const Op& op) { return op.extra; }
inline void set_half_flags(Op& op, uint8_t flags) { op.extra = flags; }

// For arithmetic with .cc, and for ops that add the carry: the slot of the flag.
inline uint32_t carry_slot(const Op& op) { return op.state; }
inline void set_carry_slot(Op& op, uint32_t slot) { op.state = slot; }

constexpr uint32_t no_slot = 0xffffffff;

// A predicate as the op uses it: for all lanes, inverted if the PTX has !p.
inline uint32_t taken_by(const Op& op, uint32_t predicate) {
  return op.flags & flag_negated ? ~predicate : predicate;
}

}  // namespace warplens::program
