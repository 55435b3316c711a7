#include "app/window/graphics.h"

#include "app/window/gl_window.h"

namespace warplens {

Result<std::string> find_graphics() {
  GlWindowOptions options;
  options.visible = false;
  options.width = options.height = 64;
  const auto window = GlWindow::open(options);
  if (!window) return window.error();
  return (*window)->driver();
}

}  // namespace warplens
