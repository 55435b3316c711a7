// In place of the compilers where the build has no AsmJit, or is for another processor: all runs by handlers.
#include "core/gpu/exec/jit/target/avx2/compile.h"
#include "core/gpu/exec/tier/compiled.h"

namespace warplens::exec::tier {

bool can_compile() { return false; }

Compiled compile_blocks(const program::Program&, const Op*, const std::vector<uint32_t>&, Mode,
                        const Lookers&, bool, const std::atomic<const void*>*, StepsOfShapes&) {
  return {};
}

}  // namespace warplens::exec::tier

namespace warplens::exec::jit::avx2 {

Made compile(const CompileRequest&) { return {}; }

}  // namespace warplens::exec::jit::avx2
