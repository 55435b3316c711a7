// The variables of a program by name, from its debug information: in which scopes they are, where their
// values are, and what each instruction means for them. Computed once.
//
// A variable moves from register to register: a list gives its place for each range of labels. The program
// counter is not enough to choose an entry, since the range may include a branch that was not taken. So an
// entry counts for a lane only after that lane has passed its first label. docs/stepping.md has the rules.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/gpu/stepping/program/program_table.h"
#include "core/program/layout.h"
#include "core/ptx/debug/debug_info.h"

namespace warplens::stepping {

struct VariablePlace {
  enum class Kind : uint8_t {
    none,
    reg,
    local,
    shared,
    global,     // and constant memory
    parameter,  // of the kernel
    constant,
    pointed,    // at the address in a register
    unreadable  // in a way that is not supported
  } kind = Kind::none;
  uint32_t reg = 0;                 // number in the program's table
  uint64_t address = 0;             // in its space; pointed: the offset that is added to the register
  uint32_t base_slot = UINT32_MAX;  // local: where the function's variables begin, if they are on the stack
  uint64_t value = 0;               // constant
};

// The number of a place of a variable. It is `no_place_yet` in a lane whose variable has no place yet, and
// `place_lost` in a lane where the last place has become invalid.
using PlaceNumber = uint16_t;
constexpr PlaceNumber no_place_yet = 0, place_lost = UINT16_MAX - 1;

struct NamedVariable {
  const debug::Variable* from = nullptr;
  uint32_t scope = 0;  // index in VariableTable::scopes
  uint64_t bytes = 0;
  std::vector<VariablePlace> places;  // by PlaceNumber; the first is `none`
  // Place 1 holds from the beginning to the end of the scope. For other variables, the place of each lane is
  // tracked.
  bool always = false;
  // For a parameter of the kernel: where its initial value is, for lanes that have not loaded it yet.
  VariablePlace first_value = {};
};

// A variable that all lanes share: of the module, or of the block's shared memory.
struct CommonVariable {
  const debug::Variable* from = nullptr;
  VariablePlace place;
  const char* space = "";  // "__device__", "__constant__" or "__shared__"
};

struct CodeScope {
  uint32_t function = 0;  // index in Program::functions
  uint32_t parent = UINT32_MAX;
  std::vector<std::pair<uint32_t, uint32_t>> code;  // instructions, from and to
  uint32_t first_variable = 0, variables = 0;
  const debug::Scope* from = nullptr;

  bool has(uint32_t instruction) const;
};

// Sets a variable's place in lanes that now have the place `from`.
struct PlaceChange {
  uint32_t variable = 0;
  PlaceNumber from = 0, to = 0;
  static constexpr PlaceNumber any = UINT16_MAX;
};

struct SharedArray;

class VariableTable {
 public:
  VariableTable() = default;
  // Reads the debug sections of the program's module. Errors in them are in reason(). `source` is the text of
  // the file `source_name`, if it is known: compilers leave out some assignments, see forget_assigned().
  VariableTable(const ProgramTable& table, std::string_view source, std::string_view source_name);

  const debug::DebugInfo& info() const { return m_info; }
  bool empty() const { return m_variables.empty(); }
  // Why no variables are shown, as a sentence; empty if there are some.
  const std::string& reason() const { return m_reason; }

  const std::vector<NamedVariable>& variables() const { return m_variables; }
  // Adds the shared arrays that the compiler left out, as declared in the source.
  void add_declared(const std::vector<SharedArray>& arrays);

  const std::vector<CodeScope>& scopes() const { return m_scopes; }
  const std::vector<CommonVariable>& common() const { return m_common; }
  // The scopes that contain an instruction, outermost first, starting with the function.
  std::vector<uint32_t> scopes_at(uint32_t instruction, uint32_t function) const;
  // The variables of a function, in all of its scopes: from and to.
  std::pair<uint32_t, uint32_t> of_function(uint32_t function) const { return m_of_function[function]; }
  // The name of the function in the source; empty if it is not known.
  std::string_view function_name(uint32_t function) const { return m_function_names[function]; }
  const std::vector<program::Layout>& layouts() const { return m_layouts; }

  // Whether arriving at an instruction, or having run it, changes any place. For most it does not.
  bool acts_before(uint32_t instruction) const { return (m_acts[instruction] & 1) != 0; }
  bool acts_behind(uint32_t instruction) const { return (m_acts[instruction] & 2) != 0; }
  // The changes in lanes that arrive at an instruction, by the labels before it.
  std::span<const PlaceChange> arriving(uint32_t instruction) const { return of(m_arriving, instruction); }
  // The changes by the labels before those that are branch targets: only for lanes that arrive from the
  // instruction before.
  std::span<const PlaceChange> falling(uint32_t instruction) const { return of(m_falling, instruction); }
  // The changes in lanes in which the instruction has written its registers.
  std::span<const PlaceChange> writing(uint32_t instruction) const { return of(m_writing, instruction); }
  // The changes in lanes that have run the instruction, before they arrive at the next one.
  std::span<const PlaceChange> leaving(uint32_t instruction) const { return of(m_leaving, instruction); }
  // Variables in local memory whose scope begins before an instruction: their contents are not set yet.
  std::span<const uint32_t> beginning(uint32_t instruction) const;

 private:
  struct Changes {
    std::vector<std::pair<uint32_t, PlaceChange>> pending;  // by instruction
    std::vector<uint32_t> first;
    std::vector<PlaceChange> all;
  };
  friend class VariableBuilder;
  static std::span<const PlaceChange> of(const Changes& changes, uint32_t instruction);

  debug::DebugInfo m_info;
  std::string m_reason;
  std::vector<NamedVariable> m_variables;
  std::vector<CodeScope> m_scopes;
  std::vector<CommonVariable> m_common;
  std::deque<debug::Variable> m_declared;  // variables from the source that m_common refers to
  std::vector<std::pair<uint32_t, uint32_t>> m_of_function, m_scopes_of;
  std::vector<std::string_view> m_function_names;
  std::vector<program::Layout> m_layouts;
  Changes m_arriving, m_falling, m_writing, m_leaving;
  std::vector<std::pair<uint32_t, uint32_t>> m_beginning;  // instruction, variable
  std::vector<uint32_t> m_first_beginning, m_beginning_variables;
  std::vector<uint8_t> m_acts;  // by instruction
};

}  // namespace warplens::stepping
