#include "app/cli/shared/cli.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <ostream>
#include <system_error>

#include "app/cli/machine/machine_report.h"
#include "app/cli/shared/commands.h"
#include "app/cli/shared/lesson_folders.h"
#include "app/user_program/nvcc_front.h"

namespace warplens {

namespace {

// CLI11's messages may have several lines; people get one.
std::string one_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

void add_option(CLI::App& app, const CliOption& option, const std::string& group) {
  CLI::Option* added = nullptr;
  if (auto* const* flag = std::get_if<bool*>(&option.value)) {
    added = app.add_flag(option.name, **flag, option.help);
  } else if (auto* const* number = std::get_if<double*>(&option.value)) {
    added = app.add_option(option.name, **number, option.help);
  } else if (auto* const* word = std::get_if<std::string*>(&option.value)) {
    added = app.add_option(option.name, **word, option.help);
  } else {
    added = app.add_option(option.name, *std::get<std::vector<std::string>*>(option.value), option.help);
    // The rest of the line, or an option that may come several times.
    if (option.name.starts_with("-")) {
      added->expected(1)->take_all();
    } else {
      added->expected(-1);
    }
  }
  if (!group.empty()) added->group(group);
  if (!option.value_name.empty()) added->type_name(option.value_name);
  if (!option.allowed.empty()) added->check(CLI::IsMember(option.allowed));
  if (option.range) added->check(CLI::Range(option.range->first, option.range->second));
  if (option.required) added->required();
}

void add_command(CLI::App& app, const CliCommand& command, Cli& cli) {
  const auto run = [&cli, run_command = command.run] {
    if (const Result<void> done = run_command(); !done) cli.fail(done.error());
  };
  if (!command.name.empty()) {
    CLI::App* added = app.add_subcommand(command.name, command.help);
    for (const CliOption& option : command.options) add_option(*added, option, "");
    added->callback(run);
    return;
  }
  for (const CliOption& option : command.options) add_option(app, option, command.help);
  app.callback([&app, run] {
    if (app.get_subcommands().empty()) run();
  });
}

// ": --devices is an option of warplens program": of words that are options of another command. Empty: there
// are none.
std::string known_elsewhere(const CLI::App& app, const CLI::App& command) {
  std::string text;
  for (const std::string& word : command.remaining()) {
    const std::string option = word.substr(0, word.find('='));
    if (!option.starts_with("--") || option.size() == 2) continue;
    for (const CLI::App* other : app.get_subcommands(nullptr))
      if (other != &command && other->get_option_no_throw(option) != nullptr) {
        text += (text.empty() ? ": " : ", ") + option + " is an option of warplens " + other->get_name();
        break;
      }
  }
  return text;
}

int parse(int argc, const char* const* argv, CLI::App& app, Cli& cli) {
  try {
    app.parse(argc, argv);
    return cli.status;
  } catch (const CLI::CallForHelp&) {
    const auto commands = app.get_subcommands();
    cli.out << (commands.empty() ? app.help() : commands.front()->help());
  } catch (const CLI::CallForAllHelp&) {
    cli.out << app.help("", CLI::AppFormatMode::All);
  } catch (const CLI::CallForVersion&) {
    cli.out << version_text(cli);
  } catch (const CLI::ParseError& error) {
    // Without a name, the names are the answer.
    for (const std::string kind : {"lesson", "challenge"})
      if (std::string_view(error.what()).starts_with("--" + kind + ":")) {
        cli.say(lesson_folder(kind + "s", "").error().message);
        return exit_status::bad_input;
      }
    const auto commands = app.get_subcommands();
    cli.say(one_line(error.what()) + (commands.empty()
                                          ? "; warplens --help lists the commands"
                                          : known_elsewhere(app, *commands.front()) + "; see warplens " +
                                                commands.front()->get_name() + " --help"));
    return exit_status::bad_input;
  }
  return exit_status::done;
}

// After a full disk or a closed pipe, the exit status must show that the output is not complete.
int printed(int status, Cli& cli) {
  if (cli.out.flush()) return status;
  cli.say("The output could not be written completely. Is the disk full?");
  return std::max(status, exit_status::not_held);
}

}  // namespace

const char* const program_summary =
    "WarpLens shows how a CUDA grid works: it runs kernels on an exact virtual GPU and counts what they do.";

const char* const program_footer = R"(Examples:
  warplens                                             the window
  warplens run grayscale --image photo.png --out gray.png --check
  warplens run vector_add --set n=1000000 --block 128 --json -
  warplens run launch.json --check                     one launch out of a file
  warplens occupancy matmul_tiled --block 16x16 --all-devices
  warplens compile my.cu --device 3060
  warplens run my_script.py                            a program of your own, with Numba or PyCUDA
  warplens program -- pytest                           any command
  warplens serve --class "GPU 101"                     a class in browsers (docs/serve.md)

Exit status: 0 done and every check held; 1 a fault or a failed check; 2 bad input, or a launch that CUDA
would refuse; 3 something is missing on this machine.
)";

int exit_status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_input:
    case ErrorKind::refused:
      return exit_status::bad_input;
    case ErrorKind::missing:
      return exit_status::missing;
    case ErrorKind::failed:
    case ErrorKind::cancelled:
      return exit_status::not_held;
  }
  return exit_status::not_held;
}

void Cli::fail(const Error& error) {
  say(error.message);
  status = std::max(status, exit_status_of(error.kind));
}

void Cli::say(std::string_view sentence) { err << "warplens: " << sentence << "\n"; }

int run_cli(int argc, const char* const* argv, Cli& cli) {
  CLI::App app(program_summary, "warplens");
  app.set_version_flag("--version", "", "The version, and what was found on this machine, for a bug report");
  app.require_subcommand(0, 1);
  app.footer(program_footer);
  for (const CliCommand& command : all_commands(cli)) add_command(app, command, cli);
  // The last resort: an exception of a library (mostly out of memory) must not end the program without a
  // message.
  try {
    // Its options are nvcc's own.
    if (argc > 1 && std::string_view(argv[1]) == "nvcc")
      return nvcc::front({argv + 2, argv + argc}, cli.out, cli.err);
    // The Python package has this command, and comes here only if it is not the one that was started.
    if (argc > 1 && std::string_view(argv[1]) == "serve") {
      cli.fail(
          missing("serve is a command of the Python package: pip install 'warplens[serve]' (docs/serve.md)"));
      return cli.status;
    }
    const std::vector<std::string> words = program_arguments(argc, argv);
    std::vector<const char*> arguments;
    arguments.reserve(words.size());
    for (const std::string& word : words) arguments.push_back(word.c_str());
    return printed(parse(argc == 0 ? 0 : static_cast<int>(arguments.size()), arguments.data(), app, cli),
                   cli);
  } catch (const std::bad_alloc&) {
    cli.say("There is not enough memory for this; choose smaller sizes");
  } catch (const std::exception& error) {
    const auto* system = dynamic_cast<const std::system_error*>(&error);
    // The start of a thread throws this.
    cli.say(system != nullptr && system->code() == std::errc::resource_unavailable_try_again
                ? "There is not enough memory for another thread, or there are too many already"
                : std::string("An unexpected error ended the command: ") + error.what());
  }
  return exit_status::not_held;
}

}  // namespace warplens
