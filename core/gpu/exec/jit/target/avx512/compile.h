// The target for processors with AVX-512.
#pragma once

#include "core/gpu/exec/jit/runtime/target.h"

namespace warplens::exec::jit::avx512 {

Made compile(const CompileRequest& request);

}  // namespace warplens::exec::jit::avx512
