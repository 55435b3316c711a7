// AsmJit's assembler for x86-64, as the tier uses it: what it refuses is remembered, and then there is no
// code. Its names are used as they are: an instruction is a member function, or an Inst::kId… where a table
// picks it.
#pragma once

#include <asmjit/x86.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warplens::exec::jit::x64 {

namespace x86 = asmjit::x86;
namespace Inst = x86::Inst;
// Of an instruction, for emit().
using Id = asmjit::InstId;

// Comes before the assembler, which is attached to it.
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
  // checks: that each instruction has the operands it is given, which takes as long as encoding it.
  explicit Assembler(bool checks);

  // Position-independent code, or nothing where an instruction was refused. All labels are bound.
  std::vector<uint8_t> finish();
  // Of a bound label, from the start of the code.
  size_t offset_of(const asmjit::Label& label) const;
};

}  // namespace warplens::exec::jit::x64
