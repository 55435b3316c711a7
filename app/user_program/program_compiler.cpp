#include "app/user_program/program_compiler.h"

#include "app/user_program/environment.h"
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
    const bool for_the_host = program_run::in_path("g++").find('/') != std::string::npos;
    if (nvcc && for_the_host) return ProgramCompiler{*nvcc, std::nullopt};
    without = nvcc ? "nvcc builds programs with g++, which is not on this machine: sudo apt-get install g++."
                   : nvcc.error().message;
    if (*kind == CompilerKind::nvrtc) return missing(without);
    without += " ";
  }
  Result<Clang> clang = find_clang();
  if (!clang)
    return missing(
        "Programs with a main() are compiled by nvcc with g++, or by clang; kernels need neither. " +
        without + clang.error().message);
  return ProgramCompiler{{}, std::move(clang).value()};
}

}  // namespace warplens::nvcc
