// In place of the compilers where the build has no AsmJit, or is for another processor: all runs by handlers.
#include "core/gpu/exec/jit/target/avx2/compile.h"
#include "core/gpu/exec/jit/target/avx512/compile.h"

namespace warplens::exec::jit {

bool can_compile() { return false; }

}  // namespace warplens::exec::jit

namespace warplens::exec::jit::avx512 {

Made compile(const CompileRequest&) { return {}; }

}  // namespace warplens::exec::jit::avx512

namespace warplens::exec::jit::avx2 {

Made compile(const CompileRequest&) { return {}; }

}  // namespace warplens::exec::jit::avx2
