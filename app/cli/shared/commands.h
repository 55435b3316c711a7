// One function for each command; commands.cpp lists them.
#pragma once

#include <string>
#include <vector>

#include "app/cli/shared/cli.h"
#include "app/cli/shared/command.h"

namespace warplens {

CliCommand window_command(Cli& cli);  // the program without a command
CliCommand run_command(Cli& cli);
CliCommand profile_command(Cli& cli);
CliCommand calibrate_command(Cli& cli);
CliCommand occupancy_command(Cli& cli);
CliCommand compile_command(Cli& cli);
CliCommand code_command(Cli& cli);
CliCommand devices_command(Cli& cli);
CliCommand kernels_command(Cli& cli);
CliCommand sweep_command(Cli& cli);
CliCommand libraries_command(Cli& cli);
CliCommand render_command(Cli& cli);
CliCommand trace_command(Cli& cli);
CliCommand debug_command(Cli& cli);
CliCommand doctor_command(Cli& cli);
CliCommand fetch_command(Cli& cli);
CliCommand lessons_command(Cli& cli);
CliCommand challenges_command(Cli& cli);
CliCommand judge_command(Cli& cli);
CliCommand grade_command(Cli& cli);
CliCommand class_command(Cli& cli);
CliCommand worksheet_command(Cli& cli);
CliCommand program_command(Cli& cli);
CliCommand recording_command(Cli& cli);
CliCommand precompile_command(Cli& cli);
CliCommand describe_command(Cli& cli);
// The arguments of the program, with `run script.py …` replaced by the command that it means.
std::vector<std::string> program_arguments(int argc, const char* const* argv);

std::vector<CliCommand> all_commands(Cli& cli);

// After a list of built-in things: an error that says which files are not in it, and why.
Result<void> left_out(const std::vector<std::string>& mistakes);

// The text of --help before and after the commands.
extern const char* const program_summary;
extern const char* const program_footer;

}  // namespace warplens
