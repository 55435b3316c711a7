#include "core/gpu/exec/jit/target/x64/assembler.h"

#include <cstdio>
#include <cstdlib>

namespace warplens::exec::jit::x64 {

CodeAndError::CodeAndError() {
  m_refused = m_holder.init(asmjit::Environment::host()) != asmjit::kErrorOk;
  m_holder.setErrorHandler(this);
}

void CodeAndError::handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) { m_refused = true; }

Assembler::Assembler(bool checks) {
  if (m_refused) return;
  m_refused = m_holder.attach(this) != asmjit::kErrorOk;
  if (checks) addDiagnosticOptions(asmjit::DiagnosticOptions::kValidateAssembler);
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

}  // namespace warplens::exec::jit::x64

// AsmJit's own three functions of this kind name stderr, and Debian's archive is not compiled for shared
// libraries, which may not refer to another library's data so. With these here that part of the archive is
// left out, and the rest of it can be in the driver. An assertion is a mistake of ours or of AsmJit's.
namespace asmjit::DebugUtils {

const char* errorAsString(Error) noexcept { return "an error of AsmJit"; }

void debugOutput(const char* text) noexcept { std::fputs(text, stderr); }

void assertionFailed(const char* file, int line, const char* message) noexcept {
  std::fprintf(stderr, "%s:%d: AsmJit expected: %s\n", file, line, message);
  std::abort();
}

}  // namespace asmjit::DebugUtils
