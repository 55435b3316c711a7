// The compiler's messages about a program in CUDA C++, at the lines of its source.
#pragma once

#include <vector>

#include "core/base/diagnostic.h"
#include "core/recording/launch_source.h"

namespace warplens {

// `source` is all of the file, as it is now.
void draw_compile_mistakes(const std::vector<Diagnostic>& mistakes, const recording::SourceText& source);

}  // namespace warplens
