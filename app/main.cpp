// The program: joins core, the command line and, where it was built, the window.
#include <iostream>

#include "app/cli/cli.h"
#if WARPLENS_HAS_WINDOW
#include "app/cli/window_start.h"
#include "app/window/window.h"

namespace {

int open(const warplens::WindowStart& start) {
  warplens::WindowOptions options;
  options.kernel = start.kernel;
  options.device = start.device;
  options.image = start.image;
  options.block = start.block;
  options.theme = start.theme;
  options.text_scale = start.text_scale;
  options.width = start.width;
  options.height = start.height;
  options.exit_after_first_picture = start.exit_after_first_picture;
  options.started = start.started;
  return warplens::open_window(options);
}

}  // namespace
#endif

int main(int argc, char** argv) {
  warplens::Cli cli{std::cout, std::cerr, warplens::make_virtual_gpu, {}, {}, warplens::exit_status::done};
#if WARPLENS_HAS_WINDOW
  cli.open_window = open;
#endif
  return warplens::run_cli(argc, argv, cli);
}
