#include "core/gpu/exec/tier/assembler.h"

namespace warplens::exec::tier {

CodeAndError::CodeAndError() {
  m_refused = m_holder.init(asmjit::Environment::host()) != asmjit::kErrorOk;
  m_holder.setErrorHandler(this);
}

void CodeAndError::handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) { m_refused = true; }

Assembler::Assembler() {
  if (m_refused) return;
  m_refused = m_holder.attach(this) != asmjit::kErrorOk;
  // Operands that an instruction does not have are an error, and never other code.
  addDiagnosticOptions(asmjit::DiagnosticOptions::kValidateAssembler);
}

std::vector<uint8_t> Assembler::finish() {
  // Jumps to places of the code itself are relative; nothing else may ask for an address.
  if (m_refused || m_holder.hasUnresolvedLinks() || m_holder.hasRelocEntries()) return {};
  if (m_holder.flatten() != asmjit::kErrorOk) return {};
  std::vector<uint8_t> bytes(m_holder.codeSize());
  if (m_holder.copyFlattenedData(bytes.data(), bytes.size()) != asmjit::kErrorOk) return {};
  return bytes;
}

size_t Assembler::offset_of(const asmjit::Label& label) const {
  return static_cast<size_t>(m_holder.labelOffset(label));
}

}  // namespace warplens::exec::tier
