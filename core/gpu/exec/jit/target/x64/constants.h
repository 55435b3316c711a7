// Vectors of numbers that stand behind the code and are read from there.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "core/gpu/exec/jit/target/x64/assembler.h"

namespace warplens::exec::jit::x64 {

class Constants {
 public:
  explicit Constants(Assembler& code) : m_code(&code) {}

  // For 32 lanes of this width: lane × step, in vectors one behind the other.
  x86::Mem steps(int64_t step, uint32_t lane_bytes, uint32_t vector);
  // Behind all code.
  void write();

 private:
  Assembler* m_code;
  std::map<std::pair<int64_t, uint32_t>, asmjit::Label> m_steps;
};

}  // namespace warplens::exec::jit::x64
