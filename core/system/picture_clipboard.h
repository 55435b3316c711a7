// Copies pictures to the clipboard of the desktop. The window's toolkit (GLFW) cannot do that, so the
// desktop's own helper is used: wl-copy on Wayland and xclip on X11.
#pragma once

#include <string>

#include "core/base/result.h"

namespace warplens {

// Puts a PNG file on the clipboard; the file may be deleted afterwards. Errors: of kind missing, with the
// package that contains the helper; or failed, with the helper's message.
Result<void> copy_png(const std::string& path);

}  // namespace warplens
