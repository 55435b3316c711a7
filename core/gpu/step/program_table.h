// What stepping wants to know of a program's instructions and registers, looked up once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/program.h"

namespace warplens::stepping {

// Where an instruction stands. Line 0: not known.
struct CodePlace {
  uint32_t instruction = 0;  // numbered through, function after function
  uint32_t ptx_line = 0, line = 0;
  std::string_view file;      // of the kernel source
  std::string_view function;  // its name in the PTX
};

struct InstructionInfo {
  uint32_t function = 0;  // in Program::functions
  uint32_t ptx_line = 0, line = 0;
  uint32_t file = 0;             // in ProgramTable::files
  std::vector<uint32_t> writes;  // registers of the function
  uint32_t guard = UINT32_MAX;   // a register of the function
  bool guard_negated = false;
  bool calls = false;       // a function of the module: its results are there when that returns
  bool returns = false;     // from one
  bool collective = false;  // may wait for other lanes of its warp
  bool barrier = false;     // of the block
};

struct RegisterInfo {
  std::string_view name;
  ptx::Modifier type{};  // as it is used: what is declared .b32 is often a float
  uint8_t vector = 1;
  uint32_t slot = 0;
  uint32_t lane_bytes = 4;  // of a component; 0: a predicate
};

class ProgramTable {
 public:
  // The program was decoded for stepping.
  explicit ProgramTable(std::shared_ptr<const program::Program> program);

  const program::Program& program() const { return *m_program; }
  std::shared_ptr<const program::Program> shared() const { return m_program; }
  const std::vector<bool>& starts() const { return m_starts; }
  const InstructionInfo& instruction(uint32_t number) const { return m_instructions[number]; }
  uint32_t instructions() const { return static_cast<uint32_t>(m_instructions.size()); }
  CodePlace place(uint32_t instruction) const;
  const std::vector<std::string>& files() const { return m_files; }

  // All registers of the program are numbered through, those of a function from first_register(function) on.
  uint32_t registers() const { return static_cast<uint32_t>(m_registers.size()); }
  uint32_t first_register(uint32_t function) const { return m_first_register[function]; }
  uint32_t end_register(uint32_t function) const;
  const RegisterInfo& reg(uint32_t number) const { return m_registers[number]; }
  // "%r7" or "r7" of a function; UINT32_MAX: it has none of the name.
  uint32_t find_register(uint32_t function, std::string_view name) const;
  // Of those that a call fills or reads (.func takes registers): the function's first ones.
  uint32_t passed_registers(uint32_t function) const;

 private:
  void add_instructions(uint32_t function);
  void add_registers(uint32_t function);

  std::shared_ptr<const program::Program> m_program;
  std::vector<bool> m_starts;
  std::vector<InstructionInfo> m_instructions;
  std::vector<std::string> m_files;
  std::vector<RegisterInfo> m_registers;
  std::vector<uint32_t> m_first_register;
};

// How each register of a function is used: integers are signed where an instruction says so.
std::vector<ptx::Modifier> used_types(const ptx::Function& function);

}  // namespace warplens::stepping
