// The program: joins core, the command line and, where it was built, the window.
#include <iostream>

#include "app/cli/cli.h"
#if WARPLENS_HAS_WINDOW
#include "app/cli/window_start.h"
#include "app/window/window.h"

namespace {

warplens::WindowOptions options_of(const warplens::WindowStart& start) {
  warplens::WindowOptions options;
  options.kernel = start.kernel;
  options.device = start.device;
  options.image = start.image;
  options.file = start.file;
  options.block = start.block;
  options.theme = start.theme;
  options.text_scale = start.text_scale;
  options.width = start.width;
  options.height = start.height;
  options.exit_after_first_picture = start.exit_after_first_picture;
  options.started = start.started;
  return options;
}

int open(const warplens::WindowStart& start) { return warplens::open_window(options_of(start)); }

warplens::Result<warplens::Image> render(const warplens::WindowStart& start) {
  return warplens::render_window(options_of(start));
}

}  // namespace
#endif

int main(int argc, char** argv) {
  warplens::Cli cli{std::cout, std::cerr, warplens::make_virtual_gpu, {}, {}, warplens::exit_status::done};
#if WARPLENS_HAS_WINDOW
  cli.open_window = open;
  cli.render_window = render;
#endif
  return warplens::run_cli(argc, argv, cli);
}
