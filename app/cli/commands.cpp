#include "app/cli/commands.h"

namespace warplens {

void add_all_commands(CLI::App& app, Cli& cli) {
  add_window(app, cli);
  add_run(app, cli);
  add_occupancy(app, cli);
  add_trace(app, cli);
  add_sweep(app, cli);
  add_libraries(app, cli);
  add_compile(app, cli);
  add_code(app, cli);
  add_devices(app, cli);
  add_kernels(app, cli);
  add_render(app, cli);
}

}  // namespace warplens
