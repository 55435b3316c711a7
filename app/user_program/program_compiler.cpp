#include "app/user_program/program_compiler.h"

#include "app/user_program/nvcc_found.h"
#include "core/compile/choice.h"

namespace warplens::nvcc {

// Our headers for clang are those of CUDA 12.9.
int ProgramCompiler::runtime_major() const { return clang ? 12 : nvcc::runtime_major(nvcc); }

Result<ProgramCompiler> find_program_compiler() {
  const Result<CompilerKind> kind = chosen_compiler();
  if (!kind) return kind.error();
  std::string without;  // why nvcc is not taken
  if (*kind != CompilerKind::clang) {
    const Result<std::string> nvcc = find_nvcc();
    if (nvcc) return ProgramCompiler{*nvcc, std::nullopt};
    if (*kind == CompilerKind::nvrtc) return nvcc.error();
    without = nvcc.error().message + " ";
  }
  Result<Clang> clang = find_clang();
  if (!clang) return missing(without + clang.error().message);
  return ProgramCompiler{{}, std::move(clang).value()};
}

}  // namespace warplens::nvcc
