// Compiles units of the IR to machine code for processors with AVX2, BMI2 and FMA.
#pragma once

#include "core/gpu/exec/jit/runtime/target.h"

namespace warplens::exec::jit::avx2 {

Made compile(const CompileRequest& request);

}  // namespace warplens::exec::jit::avx2
