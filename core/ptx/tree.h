// The syntax tree of one PTX module. Names are resolved, but nothing is decoded. Texts are views into the
// module's own copy of the source, so a tree is cheap to build and is valid as long as its Module.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/dim3.h"
#include "core/ptx/modifier.h"
#include "core/ptx/opcode.h"

namespace warplens::ptx {

enum class StateSpace : uint8_t { reg, sreg, global, constant, shared, local, param };

// A declared register (PTX ISA 5.1). From a range such as %r<40>, only the registers that the text uses are
// listed, so a huge range costs nothing. A vector register (.v2, .v4) is one Register.
struct Register {
  std::string_view name;
  Modifier type = Modifier::b32;  // a type modifier
  uint8_t vector = 1;             // 1, 2, 4
};

// A relocation in an initialiser: the address of `symbol` plus `addend` is stored at `offset`.
struct Relocation {
  uint64_t offset = 0;
  std::string_view symbol;
  int64_t addend = 0;
  uint8_t bytes = 8;
  bool generic = false;  // generic(symbol)
  // The bits of the address to store, moved down to bit 0, as in 0xFF00(symbol). 0 for the whole address.
  uint64_t mask = 0;
};

enum class Linkage : uint8_t { none, visible, external, weak, common };

// A variable in .global, .const, .shared, .local or .param. `bytes` is the size of all elements of an array.
struct Variable {
  std::string_view name;
  StateSpace space = StateSpace::global;
  Modifier type = Modifier::b8;
  uint8_t vector = 1;
  uint32_t alignment = 1;
  uint64_t bytes = 0;
  bool unsized = false;  // extern .shared x[]
  bool managed = false;  // .attribute(.managed): the host can access it too
  Linkage linkage = Linkage::none;
  std::vector<uint8_t> initial;  // the first bytes; the rest are zeros
  std::vector<Relocation> relocations;
  uint32_t line = 0;
};

// The table that a name other than a register refers to: module.variables, function.variables,
// function.parameters, module.functions or function.returns (a .param that st.param fills).
enum class SymbolKind : uint8_t { module_variable, function_variable, parameter, function, return_value };

enum class OperandKind : uint8_t {
  none,
  reg,        // index: function.registers; component: 0…3 for %v.x, else 255
  special,    // special: which special register; component for .x .y .z .w, else 255
  immediate,  // bits; integers as 64-bit two's complement; immediate_type: s64, u64, f32 or f64. A float has
              // the width of the instruction's type: 1.0 in add.f32 is stored as f32
  symbol,     // symbol + offset: an address as a value
  address,    // [register + offset], [symbol + offset], [immediate]
  label,      // index: function.labels
  vector,     // {a, b, …}: children
  pair,       // p|q: two children
  list,       // (a, b) of a call: children, perhaps none
  sink,       // _
};

struct Operand {
  OperandKind kind = OperandKind::none;
  bool negated = false;  // !p
  uint8_t component = 255;
  Modifier immediate_type = Modifier::s64;
  SymbolKind symbol_kind = SymbolKind::module_variable;
  OperandKind base = OperandKind::none;  // of an address: reg, symbol or immediate
  uint32_t index = 0;  // register, label, symbol, or special register (SpecialRegister as a number)
  uint32_t first_child = 0, children = 0;  // in function.operands
  int64_t offset = 0;                      // of an address or a symbol
  uint64_t bits = 0;                       // of an immediate
  uint32_t part = 0;                       // of a video instruction: see part_of
};

// The bytes or half-words of a register that a video instruction takes, .b0 … .h32 (PTX ISA 9.7.18): their
// number and their indices, the lowest first.
struct Part {
  bool halves = false;
  uint32_t count = 0;  // 0 for the whole register
  uint32_t index(uint32_t i) const { return indices >> (4 * i) & 15; }
  uint32_t indices = 0;  // four bits each
};
Part part_of(const Operand& operand);
uint32_t encoded(const Part& part);

// One instruction (PTX ISA 9.7). Its operands are function.operands[first_operand … + operands), in the
// order of the text. A call always has three operands: results (list), callee (symbol of a function, or
// register) and arguments (list). An indirect call has a fourth: the label of its .callprototype or
// .calltargets.
struct Instruction {
  Opcode opcode{};
  uint16_t form = 0;      // index of the row in opcodes.def that it matched
  uint8_t modifiers = 0;  // count
  uint8_t operands = 0;   // top-level count
  bool guarded = false, guard_negated = false;
  uint32_t guard = 0;           // register
  uint32_t first_modifier = 0;  // in function.modifiers, in the order of the text
  uint32_t first_operand = 0;
  uint32_t line = 0;      // of the PTX text, counted from 1
  uint32_t location = 0;  // index in module.locations; 0 if there is none
};

// A place in the code, or the name of a .branchtargets, .calltargets or .callprototype.
struct Label {
  std::string_view name;
  uint32_t instruction = 0;              // index of the instruction that follows it
  std::vector<uint32_t> branch_targets;  // .branchtargets: label indices
  std::vector<uint32_t> call_targets;    // .calltargets: indices in module.functions
  std::optional<uint32_t> prototype;     // .callprototype: index in function.prototypes
  uint32_t line = 0;
};

// The parameters and results of an indirect call: .callprototype, PTX ISA 11.3.3.
struct Prototype {
  std::vector<Variable> returns, parameters;
};

// A place in the source: .loc, PTX ISA 11.5. Inlined code also has the function and the place of the call.
struct Location {
  uint32_t file = 0;  // number of the .file directive
  uint32_t line = 0, column = 0;
  uint32_t inlined_at = 0;    // index in module.locations; 0 if not inlined
  std::string_view function;  // the inlined function, mangled; empty if not inlined
};

struct SourceFile {
  uint32_t number = 0;
  std::string name;
};

struct Function {
  std::string_view name;
  bool is_entry = false;
  bool has_body = false;
  Linkage linkage = Linkage::none;
  // If a .func takes registers, its returns and parameters have the space `reg`. `registers` then starts
  // with one register for each of them, results first.
  std::vector<Variable> returns, parameters, variables;
  std::vector<Register> registers;
  std::vector<Instruction> instructions;
  std::vector<Operand> operands;    // pool
  std::vector<Modifier> modifiers;  // pool
  std::vector<Label> labels;
  std::vector<Prototype> prototypes;
  bool no_return = false;                             // .noreturn
  std::optional<Dim3> max_threads, required_threads;  // .maxntid, .reqntid
  std::optional<uint32_t> min_blocks_per_sm, max_registers;
  uint32_t line = 0;

  std::span<const Operand> operands_of(const Instruction& i) const {
    return {operands.data() + i.first_operand, i.operands};
  }
  std::span<const Operand> children_of(const Operand& o) const {
    return {operands.data() + o.first_child, o.children};
  }
  std::span<const Modifier> modifiers_of(const Instruction& i) const {
    return {modifiers.data() + i.first_modifier, i.modifiers};
  }
};

struct Module {
  std::shared_ptr<const std::string> text;  // what every view points into
  std::string name;                         // what messages call it
  uint32_t version_major = 0, version_minor = 0;
  std::string_view target;     // "sm_50"
  uint32_t target_number = 0;  // 50
  uint32_t address_bits = 64;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<Location> locations;  // [0] is "none"
  std::vector<SourceFile> files;
  std::shared_ptr<const std::vector<std::string>> strings;  // names that the text gives as bytes (.debug_str)

  const Function* find_entry(std::string_view entry) const;
  const SourceFile* find_file(uint32_t number) const;
};

}  // namespace warplens::ptx
