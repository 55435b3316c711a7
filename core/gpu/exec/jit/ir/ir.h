// The IR of the compiled tier: what a warp does from one op of a program until it leaves the compiled code,
// as a list of instructions. Each value is made by one instruction and has a number for each of the 32 lanes.
// The IR does not depend on a processor; ir/opcodes.def lists the instructions. See
// docs/adr/0093-an-ir-above-the-targets.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/exec/jit/runtime/row_shape.h"
#include "core/program/op/op.h"

namespace warplens::exec::jit {

using program::Mode;
using program::no_slot;

enum class Type : uint8_t { none, b16, b32, b64, pred };
// The bytes of one lane. (A predicate is a bit of one word.)
constexpr uint32_t bytes_of(Type type) {
  return type == Type::b16 ? 2 : type == Type::b32 ? 4 : type == Type::b64 ? 8 : 0;
}
// The bytes of a register of the frame.
constexpr uint32_t row_bytes(Type type) { return type == Type::pred ? 4 : 32 * bytes_of(type); }

enum class Opcode : uint16_t {
#define IR_LANE(name, ...) name,
#define IR_WARP(name, ...) name,
#include "core/gpu/exec/jit/ir/opcodes.def"
};

enum class Nan : uint8_t { exact, blind, raw };

struct OpcodeInfo {
  Opcode opcode;
  std::string_view text;
  Type result;
  std::array<Type, 3> sources;
  bool is_lane;  // has a functor
  Nan nan;
};
const OpcodeInfo& info_of(Opcode opcode);
std::optional<Opcode> opcode_of(std::string_view text);
constexpr size_t opcode_count =
    std::array{
#define IR_LANE(name, ...) Opcode::name,
#define IR_WARP(name, ...) Opcode::name,
#include "core/gpu/exec/jit/ir/opcodes.def"
    }
        .size();

// The comparison of setp. Those after ge are for floats only; the ones that end in u are also true if an
// operand is NaN.
enum class Condition : uint8_t { none, eq, ne, lt, le, gt, ge, num, nan, equ, neu, ltu, leu, gtu, geu };
std::string_view name_of(Condition condition);
std::optional<Condition> condition_of(std::string_view text);

// Values are numbered; an instruction without a result has this one.
constexpr uint32_t no_value = 0xffffffff;

// A write of this value to a register of the frame.
struct Put {
  Type type = Type::none;
  uint32_t slot = no_slot;
  uint32_t value = no_value;
  bool canonical = false;  // a NaN becomes the one that a GPU makes
  bool operator==(const Put&) const = default;
};

// The access of a load or store. Its register is Instruction::slot.
struct Access {
  bool is_shared = false;  // else global memory
  bool is_signed = false;
  uint8_t bytes = 0, register_bytes = 0;  // of a lane
  uint32_t counter = 0;
  bool is_constant = false;  // of global memory: its constants
  bool operator==(const Access&) const = default;

  // Whether addresses have 32 bits (program::address_at).
  bool is_in_short_space() const { return is_shared || is_constant; }
};

struct Instruction {
  Opcode opcode{};
  uint32_t result = no_value;
  std::array<uint32_t, 3> sources{no_value, no_value, no_value};
  uint32_t at = 0;          // the program's op that it belongs to
  uint32_t slot = no_slot;  // of the frame, that it reads or writes
  // Depends on the opcode. A constant: its value. A put that is dead at the block's end: the last op that may
  // read it, if known. lop3: the table. A special: its place. An address: its offset. The start of a basic
  // block: its steps. A branch or jump: the op that it goes to. A call: the op after it.
  uint64_t number = 0;
  Condition condition = Condition::none;
  bool negated = false;    // of a branch or a vote: the lanes whose predicate is false take it, or say yes
  bool forgotten = false;  // of a put: not read after the basic block
  Access access = {};
  // The value grows by this number from lane to lane of a row. 0 for a predicate that is computed from such
  // values.
  std::optional<int64_t> step = {};
  RowShape rows = {};
  // What must be written to the frame here if a handler takes over.
  std::vector<Put> state = {};
  // For `again`: the registers' values when the next round starts. Each is `carried` before the loop.
  std::vector<Put> carries = {};

  bool operator==(const Instruction&) const = default;
};

// A unit of code. When it begins, all values are in the frame.
struct Unit {
  uint32_t start = 0;  // op
  Mode mode = program::all_lanes;
  std::vector<Instruction> code = {};
  uint32_t values = 0;  // all values have smaller numbers

  bool operator==(const Unit&) const = default;
};

// Whether the unit begins at a branch, where lanes have diverged.
inline bool is_divergent(const Unit& unit) { return unit.code.front().opcode == Opcode::divergent; }
// Whether the opcode's lanes are computed by a handler, also in machine code.
inline bool is_function(Opcode o) { return o >= Opcode::mul_hi_u64 && o <= Opcode::rsqrt_approx_ftz_f64; }
inline bool is_get(Opcode o) { return o >= Opcode::get_b16 && o <= Opcode::get_pred; }
inline bool is_carried(Opcode o) { return o >= Opcode::carried_b16 && o <= Opcode::carried_pred; }
inline bool is_constant(Opcode o) { return o == Opcode::constant_b32 || o == Opcode::constant_b64; }
// Whether the opcode reads a register that never changes.
inline bool is_fixed(Opcode o) { return o >= Opcode::fixed_b32 && o <= Opcode::special_b64; }
// Whether the value is the same in all lanes.
inline bool is_same_in_all_lanes(const Instruction& i) {
  return is_constant(i.opcode) || (i.step == 0 && i.rows.is_whole());
}
inline bool is_put(Opcode o) { return o >= Opcode::put_b16 && o <= Opcode::put_pred; }
inline bool is_ascends(Opcode o) { return o >= Opcode::ascends_s32 && o <= Opcode::ascends_u64; }
inline bool is_load(Opcode o) { return o >= Opcode::load_b32 && o <= Opcode::load_known; }
inline bool is_store(Opcode o) { return o >= Opcode::store_b32 && o <= Opcode::store_known; }
inline bool is_access(Opcode o) { return is_load(o) || is_store(o); }
inline bool is_vote(Opcode o) { return o >= Opcode::vote_all_pred && o <= Opcode::ballot_b32; }
inline bool is_match_all(Opcode o) { return o == Opcode::match_all_b32 || o == Opcode::match_all_b64; }
// Whether the opcode makes one word from all lanes.
inline bool is_gathering(Opcode o) { return o >= Opcode::vote_all_pred && o <= Opcode::shuffle_inside_b32; }
inline bool is_exchange_in_frame(Opcode o) {
  return o >= Opcode::shuffle_frame_b32 && o <= Opcode::match_any_frame_b32;
}
// Whether lanes read one another in it. No handler runs there.
inline bool is_exchange(Opcode o) { return is_gathering(o) || is_exchange_in_frame(o); }
// Whether the instruction is one of the whole warp, where a handler may run. The instructions between two of
// these are a region; its lanes do not depend on each other.
inline bool ends_region(Opcode o) { return o >= Opcode::ascends_s32; }
// Whether the opcode takes a predicate: its source, or its slot if it has no source. `again` and `note` may
// have neither.
inline bool is_branch(Opcode o) {
  return o == Opcode::branch || o == Opcode::again || o == Opcode::note || o == Opcode::part_pred;
}
// Whether other lanes are active after it.
inline bool changes_lanes(Opcode o) { return o >= Opcode::part_pred && o <= Opcode::rejoin; }
// Whether only some of the lanes are active after the instruction, if they were before it or not.
inline bool leaves_part(const Instruction& i, bool before) {
  return changes_lanes(i.opcode) ? i.opcode != Opcode::rejoin || i.number != 0 : before;
}
// Whether its result is a word that the whole warp knows.
inline bool makes_word(Opcode o) {
  return is_gathering(o) || o == Opcode::part_pred || o == Opcode::other_pred;
}
// Whether it is always the last instruction of a unit.
inline bool ends_unit(const Instruction& i) {
  if (i.opcode == Opcode::again) return i.sources[0] == no_value;
  return i.opcode == Opcode::jump || i.opcode >= Opcode::barrier;
}
// Whether code after it depends on the whole frame.
inline bool needs_whole_frame(Opcode o) {
  return o == Opcode::call || o == Opcode::barrier || o == Opcode::leave;
}

// The type of a load's value, by the register's width.
Type result_of(const Instruction& i);
// The value that a store writes, or no_value if its lanes are in the frame.
inline uint32_t stored_value(const Instruction& i) { return is_store(i.opcode) ? i.sources[2] : no_value; }

Opcode get_of(Type type);
Opcode carried_of(Type type);
Opcode put_of(Type type);

std::string print(const Instruction& instruction);
std::string print(const Unit& unit);
// Reads what print() writes. Errors name the line.
Result<Unit> parse(std::string_view text);

// An empty text if the unit is valid, else what is wrong, and where.
std::string verify(const Unit& unit);

}  // namespace warplens::exec::jit
