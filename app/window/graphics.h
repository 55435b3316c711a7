// The graphics driver that draws the window on this machine.
#pragma once

#include <string>

#include "core/base/result.h"

namespace warplens {

// "OpenGL 4.5, llvmpipe (LLVM 15.0.6)". Opens a hidden window for the question; the error says why none
// opens.
Result<std::string> find_graphics();

}  // namespace warplens
