// Constant vectors that are stored after the code and read from there.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "core/gpu/exec/jit/target/x64/assembler.h"

namespace warplens::exec::jit::x64 {

class Constants {
 public:
  explicit Constants(Assembler& code) : m_code(&code) {}

  // The numbers lane × step for 32 lanes of this width, in consecutive vectors.
  x86::Mem steps(int64_t step, uint32_t lane_bytes, uint32_t vector);
  // Writes all of them. Call it after all other code.
  void write();

 private:
  Assembler* m_code;
  std::map<std::pair<int64_t, uint32_t>, asmjit::Label> m_steps;
};

}  // namespace warplens::exec::jit::x64
