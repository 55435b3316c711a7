// AsmJit's assembler for x86-64, as the tier uses it: if it refuses an instruction, finish() gives no code.
// AsmJit's names are used unchanged: an instruction is a member function, or an Inst::kId… if a table chooses
// it.
#pragma once

#include <asmjit/x86.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warplens::exec::jit::x64 {

namespace x86 = asmjit::x86;
namespace Inst = x86::Inst;
// The id of an instruction, for emit().
using Id = asmjit::InstId;

// A base of its own, so that it is constructed before the assembler, which is attached to it.
class CodeAndError : public asmjit::ErrorHandler {
 protected:
  CodeAndError();
  CodeAndError(const CodeAndError&) = delete;
  CodeAndError& operator=(const CodeAndError&) = delete;
  ~CodeAndError() override = default;

  void handleError(asmjit::Error error, const char* message, asmjit::BaseEmitter* origin) override;

  asmjit::CodeHolder m_holder;
  bool m_refused = false;
};

class Assembler : private CodeAndError, public x86::Assembler {
 public:
  // checks: check that each instruction allows its operands, which takes as long as encoding it.
  explicit Assembler(bool checks);

  // Position-independent code; empty if an instruction was refused. All labels must be bound.
  std::vector<uint8_t> finish();
  // The offset of a bound label from the start of the code.
  size_t offset_of(const asmjit::Label& label) const;
};

}  // namespace warplens::exec::jit::x64
