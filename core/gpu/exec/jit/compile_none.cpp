// In place of the compilers where the build has no AsmJit, or is for another processor: all runs by handlers.
#include "core/gpu/exec/jit/target/avx2/compile.h"
#include "core/gpu/exec/tier/compile.h"

namespace warplens::exec::tier {

bool can_compile() { return false; }

jit::Made compile_for_avx512(const jit::CompileRequest&) { return {}; }

}  // namespace warplens::exec::tier

namespace warplens::exec::jit::avx2 {

Made compile(const CompileRequest&) { return {}; }

}  // namespace warplens::exec::jit::avx2
