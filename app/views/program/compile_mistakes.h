// The compiler's messages about a program in CUDA C++, at the lines of its source.
#pragma once

#include <vector>

#include "app/state/parts/program.h"
#include "core/base/diagnostic.h"
#include "core/recording/launch_source.h"

namespace warplens {

struct CompileMistakes {
  std::vector<Diagnostic> all;   // errors and warnings of the file itself, as the compiler said them
  recording::SourceText source;  // all of the file, as it is now
};
// Out of what a run has written. Empty where it was compiled, or is no file in CUDA C++.
CompileMistakes compile_mistakes(const ProgramRun& run);
void draw_compile_mistakes(const CompileMistakes& mistakes);

}  // namespace warplens
