// One function a command; commands.cpp lists them. Each registers its options and what to do with them.
#pragma once

#include <CLI/CLI.hpp>

#include "app/cli/cli.h"

namespace warplens {

// Options of the program without a command.
void add_window(CLI::App& app, Cli& cli);

void add_run(CLI::App& app, Cli& cli);
void add_occupancy(CLI::App& app, Cli& cli);
void add_compile(CLI::App& app, Cli& cli);
void add_code(CLI::App& app, Cli& cli);
void add_devices(CLI::App& app, Cli& cli);
void add_kernels(CLI::App& app, Cli& cli);
void add_sweep(CLI::App& app, Cli& cli);
void add_libraries(CLI::App& app, Cli& cli);
void add_render(CLI::App& app, Cli& cli);
void add_trace(CLI::App& app, Cli& cli);

void add_all_commands(CLI::App& app, Cli& cli);

}  // namespace warplens
