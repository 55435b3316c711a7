#include "app/cli/shared/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warplens {

Result<void> left_out(const std::vector<std::string>& mistakes) {
  if (mistakes.empty()) return {};
  return bad_input(
      fmt::format("Not in this list, because of a mistake in a file: {}", fmt::join(mistakes, " ")));
}

std::vector<CliCommand> all_commands(Cli& cli) {
  return {window_command(cli),     run_command(cli),     profile_command(cli),    occupancy_command(cli),
          trace_command(cli),      debug_command(cli),   sweep_command(cli),      libraries_command(cli),
          compile_command(cli),    code_command(cli),    devices_command(cli),    kernels_command(cli),
          render_command(cli),     lessons_command(cli), challenges_command(cli), judge_command(cli),
          grade_command(cli),      class_command(cli),   worksheet_command(cli),  doctor_command(cli),
          fetch_command(cli),      program_command(cli), recording_command(cli),  calibrate_command(cli),
          precompile_command(cli), describe_command(cli)};
}

}  // namespace warplens
