// The facts about a program's instructions and registers that stepping needs, computed once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/program.h"

namespace warplens::stepping {

// The place of an instruction. A line is 0 if it is not known.
struct CodePlace {
  uint32_t instruction = 0;  // number in the program, function after function
  uint32_t ptx_line = 0, line = 0;
  std::string_view file;      // of the kernel source
  std::string_view function;  // its name in the PTX
  bool operator==(const CodePlace&) const = default;
};

struct InstructionInfo {
  uint32_t function = 0;  // index in Program::functions
  uint32_t ptx_line = 0, line = 0;
  uint32_t file = 0;             // index in ProgramTable::files
  std::vector<uint32_t> writes;  // registers of the function
  uint32_t guard = UINT32_MAX;   // a register of the function
  bool guard_negated = false;
  bool calls = false;       // calls a function of the module, which gives the results when it returns
  bool returns = false;     // from such a function
  bool collective = false;  // may wait for other lanes of its warp
  bool barrier = false;     // of the block
  bool prepares = false;    // at the start of a kernel: sets up its stack, or loads a parameter
};

struct RegisterInfo {
  std::string_view name;
  ptx::Modifier type{};  // by its use: a .b32 register often has a float
  uint8_t vector = 1;
  uint32_t slot = 0;
  uint32_t lane_bytes = 4;  // of a component; 0 for a predicate
};

class ProgramTable {
 public:
  // The program must be decoded for stepping.
  explicit ProgramTable(std::shared_ptr<const program::Program> program);

  const program::Program& program() const { return *m_program; }
  std::shared_ptr<const program::Program> shared() const { return m_program; }
  const std::vector<bool>& starts() const { return m_starts; }
  const InstructionInfo& instruction(uint32_t number) const { return m_instructions[number]; }
  uint32_t instructions() const { return static_cast<uint32_t>(m_instructions.size()); }
  CodePlace place(uint32_t instruction) const;
  const std::vector<std::string>& files() const { return m_files; }

  // Registers are numbered over the whole program. Those of a function start at first_register(function).
  uint32_t registers() const { return static_cast<uint32_t>(m_registers.size()); }
  uint32_t first_register(uint32_t function) const { return m_first_register[function]; }
  uint32_t end_register(uint32_t function) const;
  const RegisterInfo& reg(uint32_t number) const { return m_registers[number]; }
  // The register "%r7" or "r7" of a function. UINT32_MAX if there is none.
  uint32_t find_register(uint32_t function, std::string_view name) const;
  // The number of registers that a call fills or reads (if .func takes registers). They are the function's
  // first ones.
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

// The type by which each register of a function is used. An integer is signed if an instruction says so.
std::vector<ptx::Modifier> used_types(const ptx::Function& function);

}  // namespace warplens::stepping
