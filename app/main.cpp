// The program: joins core, the command line and, where it was built, the window.
#include <iostream>

#include "app/cli/cli.h"
#if WARPLENS_HAS_WINDOW
#include "app/window/window.h"
#endif

int main(int argc, char** argv) {
  warplens::Cli cli{std::cout, std::cerr, warplens::make_virtual_gpu, {}, {}, warplens::exit_status::done};
#if WARPLENS_HAS_WINDOW
  cli.open_window = warplens::open_window;
#endif
  return warplens::run_cli(argc, argv, cli);
}
