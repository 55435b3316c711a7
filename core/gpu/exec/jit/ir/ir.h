// The IR of the compiled tier: what a warp does from one op of a program until it leaves the compiled code,
// as a list of instructions. Each value is made by one instruction and has a number for each of the 32 lanes.
// The IR does not depend on a processor; ir/opcodes.def lists the instructions. See
// docs/adr/0093-an-ir-above-the-targets.md.
#pragma once

#include <array>
#include <cstddef>
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

enum class Kind : uint8_t {
  // Each lane's result depends on the lane's own sources, or on the lanes of a shuffle.
  lanes,
  shift,
  lop3,
  setp,
  setp_floats,
  function,  // the lanes are computed by a handler, also in machine code
  // Registers of the frame.
  get,
  carried,   // from round to round of a loop
  fixed,     // never changes
  constant,  // the same, and known
  special,   // the same in all lanes of a block
  put,
  // Of the whole warp: a handler may take over here.
  ascends,
  load,
  store,
  vote,
  gather,    // makes one word of all lanes
  exchange,  // lanes read one another in the frame
  part,      // changes which lanes are active
  end,       // always the last of a unit
  other,
};

// What Instruction::number says, and the word in front of it in a text.
enum class Number : uint8_t {
  none,
  value,    // of a constant
  table,    // of lop3
  shuffle,  // KnownShuffle::number (ir/shuffle.h)
  place,    // in BlockContext::special_values
  last,     // the last op that may read a register that is dead at the block's end; 0: not known
  offset,   // of an address, in bytes
  steps,    // how many a basic block takes, or both sides of a branch at most
  depth,    // how many such branches are around it
  run,      // NotedRun: consecutive instructions
  target,   // the op where the warp goes on
};

struct OpcodeInfo {
  Opcode opcode;
  std::string_view text;
  Type result;
  std::array<Type, 3> sources;
  Kind kind;
  Number number;
  bool is_lane;  // has a functor
  Nan nan;
};
inline constexpr auto k_opcodes = std::to_array<OpcodeInfo>({
#define IR_LANE(name, text, result, first, second, third, kind, nan, ...) \
  {Opcode::name, text,                                                    \
   Type::result, {Type::first, Type::second, Type::third},                \
   Kind::kind,   Kind::kind == Kind::lop3 ? Number::table : Number::none, \
   true,         Nan::nan},
#define IR_WARP(name, text, result, first, second, third, kind, number)                  \
  {Opcode::name, text,           Type::result, {Type::first, Type::second, Type::third}, \
   Kind::kind,   Number::number, false,        Nan::exact},
#include "core/gpu/exec/jit/ir/opcodes.def"
});
constexpr size_t opcode_count = k_opcodes.size();
constexpr const OpcodeInfo& info_of(Opcode opcode) { return k_opcodes[static_cast<size_t>(opcode)]; }
constexpr Kind kind_of(Opcode opcode) { return info_of(opcode).kind; }
std::optional<Opcode> opcode_of(std::string_view text);
std::string_view name_of(Number number);

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
  uint64_t number = 0;      // as its opcode's Number says
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
inline bool is_function(Opcode o) { return kind_of(o) == Kind::function; }
inline bool is_setp(Opcode o) { return kind_of(o) == Kind::setp || kind_of(o) == Kind::setp_floats; }
inline bool is_get(Opcode o) { return kind_of(o) == Kind::get; }
inline bool is_carried(Opcode o) { return kind_of(o) == Kind::carried; }
inline bool is_constant(Opcode o) { return kind_of(o) == Kind::constant; }
// Whether the opcode reads a register that never changes, and that is in the frame.
inline bool is_fixed_in_frame(Opcode o) { return kind_of(o) == Kind::fixed || is_constant(o); }
// Whether the opcode reads a register that never changes.
inline bool is_fixed(Opcode o) { return is_fixed_in_frame(o) || kind_of(o) == Kind::special; }
// Whether the value is the same in all lanes.
inline bool is_same_in_all_lanes(const Instruction& i) {
  return is_constant(i.opcode) || (i.step == 0 && i.rows.is_whole());
}
inline bool is_put(Opcode o) { return kind_of(o) == Kind::put; }
inline bool is_ascends(Opcode o) { return kind_of(o) == Kind::ascends; }
inline bool is_load(Opcode o) { return kind_of(o) == Kind::load; }
inline bool is_store(Opcode o) { return kind_of(o) == Kind::store; }
inline bool is_access(Opcode o) { return is_load(o) || is_store(o); }
inline bool is_vote(Opcode o) { return kind_of(o) == Kind::vote; }
inline bool is_match_all(Opcode o) { return o == Opcode::match_all_b32 || o == Opcode::match_all_b64; }
// Whether the opcode makes one word from all lanes.
inline bool is_gathering(Opcode o) { return is_vote(o) || kind_of(o) == Kind::gather; }
inline bool is_exchange_in_frame(Opcode o) { return kind_of(o) == Kind::exchange; }
// Whether lanes read one another in it. No handler runs there.
inline bool is_exchange(Opcode o) { return is_gathering(o) || is_exchange_in_frame(o); }
// Whether the instruction is one of the whole warp, where a handler may run. The instructions between two of
// these are a region; its lanes do not depend on each other.
inline bool ends_region(Opcode o) {
  switch (kind_of(o)) {
    case Kind::ascends:
    case Kind::load:
    case Kind::store:
    case Kind::vote:
    case Kind::gather:
    case Kind::exchange:
    case Kind::part:
    case Kind::end:
    case Kind::other:
      return true;
    default:
      return false;
  }
}
// Whether the opcode takes a predicate: its source, or its slot if it has no source. `again` and `note` may
// have neither.
inline bool is_branch(Opcode o) {
  return o == Opcode::branch || o == Opcode::again || o == Opcode::note || o == Opcode::part_pred;
}
// Whether other lanes are active after it.
inline bool changes_lanes(Opcode o) { return kind_of(o) == Kind::part; }
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
  return kind_of(i.opcode) == Kind::end;
}
// Whether code after it depends on the whole frame.
inline bool needs_whole_frame(Opcode o) {
  return o == Opcode::call || o == Opcode::barrier || o == Opcode::leave;
}

// The instructions of a note: `first` and those after it.
struct NotedRun {
  uint32_t first = 0, count = 0;
  static NotedRun of(const Instruction& note) {
    return {static_cast<uint32_t>(note.number), static_cast<uint32_t>(note.number >> 32)};
  }
  uint64_t number() const { return first | uint64_t{count} << 32; }
};
// The op where a branch, a jump or a call goes on.
inline uint32_t target_of(const Instruction& i) { return static_cast<uint32_t>(i.number); }
inline int64_t steps_of(const Instruction& i) { return static_cast<int64_t>(i.number); }
inline uint32_t depth_of(const Instruction& i) { return static_cast<uint32_t>(i.number); }
inline int64_t offset_of(const Instruction& i) { return static_cast<int64_t>(i.number); }
inline uint8_t table_of(const Instruction& i) { return static_cast<uint8_t>(i.number); }

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
