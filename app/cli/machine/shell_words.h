// Descriptions of the command line for shells and `man`, made from the same list as the command line itself.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/shared/command.h"

namespace warplens {

// "-k,--kernel-name" and "--no-check{false}" name an option, "kernel" an argument.
struct OptionNames {
  std::vector<std::string> options;  // "-k", "--kernel-name"
  std::string argument;              // "kernel"; empty if it is an option without an argument
};
OptionNames names_of_option(std::string_view name);

// Scripts that complete `warplens …`: commands, options, the words that an option allows, kernels, files.
std::string bash_completions(std::span<const CliCommand> commands, std::span<const std::string> kernels);
std::string zsh_completions(std::span<const CliCommand> commands, std::span<const std::string> kernels);
std::string fish_completions(std::span<const CliCommand> commands, std::span<const std::string> kernels);

struct ManualTexts {
  std::string_view version;
  std::string_view sentence;  // what every package says about itself
  std::string_view summary;   // what the program is
  std::string_view footer;    // examples and the exit status, as --help prints them
};
// The manual page, warplens(1), in roff.
std::string manual_page(std::span<const CliCommand> commands, const ManualTexts& texts);

}  // namespace warplens
