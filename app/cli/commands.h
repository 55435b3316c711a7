// One function a command; commands.cpp lists them.
#pragma once

#include <vector>

#include "app/cli/cli.h"
#include "app/cli/command.h"

namespace warplens {

Command window_command(Cli& cli);  // the program without a command
Command run_command(Cli& cli);
Command occupancy_command(Cli& cli);
Command compile_command(Cli& cli);
Command code_command(Cli& cli);
Command devices_command(Cli& cli);
Command kernels_command(Cli& cli);
Command sweep_command(Cli& cli);
Command libraries_command(Cli& cli);
Command render_command(Cli& cli);
Command trace_command(Cli& cli);

std::vector<Command> all_commands(Cli& cli);

}  // namespace warplens
