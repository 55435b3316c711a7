// Shared by the files of the reference interpreter: the state of one block's threads.
#pragma once

#include <string>
#include <vector>

#include "tests/core/reference/interpreter.h"

namespace warplens::reference {

using Bytes = std::vector<std::byte>;

// How a run ends before all threads have ended.
struct Stop {
  Outcome outcome;
};
[[noreturn]] void stop(End end, const ptx::Instruction& at, std::string reason);

// One call of a function.
struct Frame {
  const ptx::Function* function = nullptr;
  uint32_t next = 0;  // index of the instruction
  std::vector<uint64_t> registers;
  std::vector<Bytes> parameters, returns, variables;  // .param variables; `variables` also has .local ones
  const ptx::Instruction* called_by = nullptr;

  const ptx::Instruction& instruction() const { return function->instructions[next]; }
};

struct Thread {
  Dim3 index;
  uint32_t number = 0;        // in its block
  std::vector<Frame> frames;  // empty: it has exited
  bool waits = false;         // at an instruction in which threads work together

  Frame& frame() { return frames.back(); }
  const Frame& frame() const { return frames.back(); }
  bool exited() const { return frames.empty(); }
  uint32_t lane() const { return number % 32; }
  uint32_t warp() const { return number / 32; }
};

struct Block {
  const Launch* launch = nullptr;
  Dim3 index;
  std::vector<Thread> threads;
  Bytes shared;
  uint64_t instructions_left = 0;
  bool read_absent_lane = false;
};

// Reads operands of the thread's innermost function. `type` decides how many bits of an immediate are used.
uint64_t read(const Block& block, const Thread& thread, const ptx::Instruction& at,
              const ptx::Operand& operand);
void write(Thread& thread, const ptx::Instruction& at, const ptx::Operand& operand, uint64_t value);
// The first type among an instruction's modifiers.
ptx::Modifier type_of(const Frame& frame, const ptx::Instruction& at);
bool has(const Frame& frame, const ptx::Instruction& at, ptx::Modifier wanted);

// Runs one instruction of one thread that needs no other thread; interpreter.cpp handles control flow.
// (memory.cpp, interpreter.cpp)
void access_memory(Block& block, Thread& thread, const ptx::Instruction& at);
bool is_memory_access(ptx::Opcode opcode);

// Lets every thread continue whose group is complete. False if there is none. (together.cpp)
bool is_together(ptx::Opcode opcode);
bool release(Block& block);

// The offset of a variable in shared memory; the size of all variables. (memory.cpp)
uint64_t shared_offset(const ptx::Module& module, const ptx::Variable& variable);
uint64_t shared_bytes(const ptx::Module& module);

}  // namespace warplens::reference
