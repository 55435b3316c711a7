#include "core/gpu/exec/jit/target/avx512/compile.h"

#include "core/gpu/exec/jit/lower/units.h"
#include "core/gpu/exec/jit/target/avx512/code.h"

namespace warplens::exec::jit::avx512 {

Made compile(const CompileRequest& request) {
  return x64::compile(units_of(request, LanesAt::registers),
                      [&] { return std::make_unique<WarpCode>(request); });
}

}  // namespace warplens::exec::jit::avx512
