// Runs the IR one instruction after the other, by the functors of the interpreter: the slow reference that
// the targets are compared with, on every machine. It also checks what the passes claim of a value's lanes.
#pragma once

#include "core/gpu/exec/jit/runtime/target.h"

namespace warplens::exec::jit {

// For units of each kind.
Made compile_for_executor(const CompileRequest& request);
Made compile_for_executor_of_registers(const CompileRequest& request);

}  // namespace warplens::exec::jit
