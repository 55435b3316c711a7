// warplens describe: completions for shells, and the manual page. Packages install what it prints.
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "app/cli/machine/shell_words.h"
#include "app/cli/shared/commands.h"
#include "core/kernels/catalogue.h"
#include "warplens_config.h"

namespace warplens {

namespace {

std::string described(const std::string& what, Cli& cli) {
  const std::vector<CliCommand> commands = all_commands(cli);
  std::vector<std::string> kernels;
  for (const KernelDescription& kernel : built_in_kernels()) kernels.push_back(kernel.name);
  if (what == "bash") return bash_completions(commands, kernels);
  if (what == "zsh") return zsh_completions(commands, kernels);
  if (what == "fish") return fish_completions(commands, kernels);
  return manual_page(commands, {config::version, WARPLENS_SENTENCE, program_summary, program_footer});
}

}  // namespace

CliCommand describe_command(Cli& cli) {
  const auto what = std::make_shared<std::string>();
  CliCommand command{"describe", "Print completions for a shell, or the manual page", {}, [what, &cli] {
                       cli.out << described(*what, cli);
                       return Result<void>();
                     }};
  command.options = {{"what", what.get(), "For what", "", {"bash", "zsh", "fish", "man"}, {}, true}};
  return command;
}

}  // namespace warplens
