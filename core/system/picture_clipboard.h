// Pictures on the clipboard of the desktop, which the window's toolkit (GLFW) cannot put there: the desktop's
// own helper does, wl-copy on Wayland and xclip on X11.
#pragma once

#include <string>

#include "core/base/result.h"

namespace warplens {

// Puts a PNG file on the clipboard; the file may go afterwards. Errors: of kind missing, with the package
// that brings the helper; failed, with what the helper said.
Result<void> copy_png(const std::string& path);

}  // namespace warplens
