// warplens without a command: the window, and what it starts with.
#include <fmt/format.h>

#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/values.h"
#include "app/cli/window_start.h"

namespace warplens {

namespace {

struct WindowChoices {
  WindowStart options;
  std::string theme, block, size;
  double text_percent = 0;
};

Result<void> read_choices(WindowChoices& choices) {
  if (!choices.theme.empty()) choices.options.theme = choices.theme == "light" ? Theme::light : Theme::dark;
  if (choices.text_percent != 0) choices.options.text_scale = static_cast<float>(choices.text_percent / 100);
  if (!choices.block.empty()) {
    const Result<Dim3> block = parse_extent("--block", choices.block);
    if (!block) return block.error();
    choices.options.block = *block;
  }
  if (choices.size.empty()) return {};
  constexpr uint32_t largest = 16384;  // what OpenGL can be counted on to draw into
  const Result<Dim3> size = parse_extent("--size", choices.size);
  if (!size) return size.error();
  if (size->x == 0 || size->y == 0 || size->x > largest || size->y > largest || size->z != 1)
    return bad_input(
        fmt::format("--size {}: must be WIDTHxHEIGHT, each from 1 to {}", choices.size, largest));
  choices.options.width = static_cast<int>(size->x);
  choices.options.height = static_cast<int>(size->y);
  return {};
}

// A word that is no command is a file, or a mistake.
Result<void> check_file(const std::string& file) {
  std::error_code ignored;
  if (file.empty() || std::filesystem::is_regular_file(file, ignored)) return {};
  return bad_input(
      fmt::format("{} is neither a command nor a file; warplens --help lists the commands", file));
}

void open(WindowChoices& choices, Cli& cli) {
  if (const Result<void> file = check_file(choices.options.file); !file) return cli.fail(file.error());
  if (const Result<void> read = read_choices(choices); !read) return cli.fail(read.error());
  if (!cli.open_window)
    return cli.fail(
        missing("This program was built without its window; warplens run KERNEL does the same job without "
                "one, and warplens --help lists the commands"));
  cli.status = cli.open_window(choices.options);
}

}  // namespace

void add_window(CLI::App& app, Cli& cli) {
  const auto choices = std::make_shared<WindowChoices>();
  WindowStart& options = choices->options;
  const std::string group = "The window starts with";
  app.add_option("file", options.file, "Kernel (.cu, .ptx), session (.json) or picture to open")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--kernel", options.kernel, "Built-in kernel")->type_name("NAME")->group(group);
  app.add_option("--device", options.device, "Device")->type_name("NAME")->group(group);
  app.add_option("--image", options.image, "Picture, or the name of a sample")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--block", choices->block, "Block size")->type_name("X[,Y[,Z]]")->group(group);
  app.add_option("--theme", choices->theme, "Colours")->check(CLI::IsMember({"dark", "light"}))->group(group);
  app.add_option("--text", choices->text_percent, "Size of the text")
      ->check(CLI::Range(80.0, 250.0))
      ->type_name("PERCENT")
      ->group(group);
  app.add_option("--size", choices->size, "Size of the window")->type_name("WIDTHxHEIGHT")->group(group);
  app.add_flag("--exit-after-first-picture", options.exit_after_first_picture,
               "Say how long the first picture took, and end")
      ->group(group);
  app.callback([choices, &app, &cli] {
    if (app.get_subcommands().empty()) open(*choices, cli);
  });
}

}  // namespace warplens
