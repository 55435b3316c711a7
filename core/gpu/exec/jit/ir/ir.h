// The IR of the compiled tier: what a warp does from one op of a program on until it leaves, as a list of
// instructions. A value is made by one instruction and holds something for each of the 32 lanes. It knows
// nothing of a processor; ir/opcodes.def has the instructions. See docs/adr/0093-an-ir-above-the-targets.md.
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
// Of a lane; a predicate is a bit of one word.
constexpr uint32_t bytes_of(Type type) {
  return type == Type::b16 ? 2 : type == Type::b32 ? 4 : type == Type::b64 ? 8 : 0;
}
// Of a register of the frame.
constexpr uint32_t row_bytes(Type type) { return type == Type::pred ? 4 : 32 * bytes_of(type); }

enum class Opcode : uint8_t {
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

// What setp asks; behind ge of floats alone, true too where one is NaN.
enum class Condition : uint8_t { none, eq, ne, lt, le, gt, ge, num, nan, equ, neu, ltu, leu, gtu, geu };
std::string_view name_of(Condition condition);
std::optional<Condition> condition_of(std::string_view text);

// A value is a number that its instruction gives.
constexpr uint32_t no_value = 0xffffffff;

// A register of the frame that is to have this value.
struct Put {
  Type type = Type::none;
  uint32_t slot = no_slot;
  uint32_t value = no_value;
  bool canonical = false;  // a NaN becomes the one that a GPU makes
  bool operator==(const Put&) const = default;
};

// Of a load or store; the register is Instruction::slot.
struct Access {
  bool is_shared = false;  // else global memory
  bool is_signed = false;
  uint8_t bytes = 0, register_bytes = 0;  // of a lane
  uint32_t counter = 0;
  bool operator==(const Access&) const = default;
};

struct Instruction {
  Opcode opcode{};
  uint32_t result = no_value;
  std::array<uint32_t, 3> sources{no_value, no_value, no_value};
  uint32_t at = 0;          // the program's op that it belongs to
  uint32_t slot = no_slot;  // of the frame, that it reads or writes
  // A constant; of a put that is forgotten, the last op that may read it, where that is known; the table of
  // lop3; the place of a special; the offset of an address; the steps of a basic block; the op where a branch
  // or jump goes, or that is behind a call.
  uint64_t number = 0;
  Condition condition = Condition::none;
  bool negated = false;    // of a branch: taken where the predicate is false
  bool forgotten = false;  // of a put: nobody reads it behind the basic block
  Access access = {};
  // The value grows by this number from lane to lane of a row. Of a predicate, 0: it follows from such
  // values.
  std::optional<int64_t> step = {};
  RowShape rows = {};
  // What the frame lacks here, where others than the code go on.
  std::vector<Put> state = {};
  // Of `again`: what registers have when the next round starts. Each is `carried` in front of the loop.
  std::vector<Put> carries = {};

  bool operator==(const Instruction&) const = default;
};

// Begins with nothing but the frame.
struct Unit {
  uint32_t start = 0;  // op
  Mode mode = program::all_lanes;
  std::vector<Instruction> code = {};
  uint32_t values = 0;  // numbers that are in use are below

  bool operator==(const Unit&) const = default;
};

inline bool is_get(Opcode o) { return o >= Opcode::get_b16 && o <= Opcode::get_pred; }
inline bool is_carried(Opcode o) { return o >= Opcode::carried_b16 && o <= Opcode::carried_pred; }
inline bool is_constant(Opcode o) { return o == Opcode::constant_b32 || o == Opcode::constant_b64; }
// Reads what stays as it is.
inline bool is_fixed(Opcode o) { return o >= Opcode::fixed_b32 && o <= Opcode::special_b64; }
// One number says what all lanes are.
inline bool is_same_in_all_lanes(const Instruction& i) {
  return is_constant(i.opcode) || (i.step == 0 && i.rows.is_whole());
}
inline bool is_put(Opcode o) { return o >= Opcode::put_b16 && o <= Opcode::put_pred; }
inline bool is_ascends(Opcode o) { return o >= Opcode::ascends_s32 && o <= Opcode::ascends_u64; }
inline bool is_load(Opcode o) { return o >= Opcode::load_b32 && o <= Opcode::load_known; }
inline bool is_store(Opcode o) { return o >= Opcode::store_b32 && o <= Opcode::store_known; }
inline bool is_access(Opcode o) { return is_load(o) || is_store(o); }
// Concerns the warp as a whole: others than the code may run here. What is between two such instructions is a
// region, whose lanes know nothing of each other.
inline bool ends_region(Opcode o) { return o >= Opcode::ascends_s32; }
// Has a predicate as its source, or where that has no value in its slot; `again` and `note` may have neither.
inline bool is_branch(Opcode o) { return o == Opcode::branch || o == Opcode::again || o == Opcode::note; }
// Nothing comes behind it.
inline bool ends_unit(const Instruction& i) {
  if (i.opcode == Opcode::again) return i.sources[0] == no_value;
  return i.opcode == Opcode::jump || i.opcode >= Opcode::barrier;
}
// Behind it is what only the frame knows.
inline bool needs_whole_frame(Opcode o) {
  return o == Opcode::call || o == Opcode::barrier || o == Opcode::leave;
}

// Of a load that gives a value: by the register's width.
Type result_of(const Instruction& i);
// The lanes that a store has as a source, and not in the frame.
inline uint32_t stored_value(const Instruction& i) { return is_store(i.opcode) ? i.sources[2] : no_value; }

Opcode get_of(Type type);
Opcode carried_of(Type type);
Opcode put_of(Type type);

std::string print(const Instruction& instruction);
std::string print(const Unit& unit);
// What print() writes. Errors name the line.
Result<Unit> parse(std::string_view text);

// An empty text, or what is wrong with the unit, and where.
std::string verify(const Unit& unit);

}  // namespace warplens::exec::jit
