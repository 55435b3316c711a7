// warplens without a command: opens the window, with its options.
#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "app/base/language.h"
#include "app/cli/shared/commands.h"
#include "app/cli/shared/lesson_folders.h"
#include "app/cli/shared/values.h"
#include "app/cli/shared/window_start.h"
#include "app/state/files/file_dialogs.h"
#include "app/state/open/file_kinds.h"

namespace warplens {

namespace {

struct WindowChoices {
  WindowStart options;
  std::string theme, language, block, size, student;
  double text_percent = 0;
};

// The folder of a lesson or challenge, or a file in it.
bool is_learning(const std::string& path) {
  std::error_code ignored;
  for (const char* name : {"lesson.md", "challenge.md"})
    if (std::filesystem::exists(std::filesystem::path(path) / name, ignored)) return true;
  return has_ending_of(FileKind::lesson, path);
}

// The teacher's link that warplens serve prints: https://host:8321/teacher#…
Result<void> check_class_link(const std::string& link) {
  const size_t path = link.find("/teacher#");
  if (link.empty() || ((link.starts_with("http://") || link.starts_with("https://")) && path != link.npos &&
                       path > link.find("//") + 2 && path + 9 < link.size()))
    return {};
  return bad_input(fmt::format(
      "--class {}: give the teacher's link that warplens serve prints, as http://127.0.0.1:8321/teacher#…",
      link));
}

Result<void> read_choices(WindowChoices& choices) {
  if (const Result<void> link = check_class_link(choices.options.class_link); !link) return link.error();
  if (!choices.theme.empty()) choices.options.theme = choices.theme == "light" ? Theme::light : Theme::dark;
  if (!choices.language.empty()) choices.options.language = choices.language;
  if (choices.text_percent != 0) choices.options.text_scale = static_cast<float>(choices.text_percent / 100);
  if (!choices.block.empty()) {
    const Result<Dim3> block = parse_extent("--block", choices.block);
    if (!block) return block.error();
    choices.options.block = *block;
  }
  if (!choices.student.empty()) {
    const WindowStart& of = choices.options;
    const bool other = !of.kernel.empty() || !of.image.empty() || of.block;
    if (other || (!of.file.empty() && !is_learning(of.file)))
      return bad_input("--student opens only lessons and challenges: leave out the kernel, picture or file");
    const Result<uint64_t> number = parse_count("--student", choices.student, 1, UINT32_MAX);
    if (!number) return number.error();
    choices.options.student = static_cast<uint32_t>(*number);
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

// A word that is not a command must be a file, or the folder of a lesson or challenge.
Result<void> check_file(const std::string& file) {
  std::error_code ignored;
  if (file.empty() || std::filesystem::is_regular_file(file, ignored)) return {};
  if (kind_of_file(file) == FileKind::link) return {};
  if (std::filesystem::is_directory(file, ignored)) {
    if (is_learning(file)) return {};
    return bad_input(fmt::format("{} is a folder with neither a lesson.md nor a challenge.md", file));
  }
  return bad_input(
      fmt::format("{} is neither a command nor a file; warplens --help lists the commands", file));
}

// Those of the program go by their names, others are opened as a file is.
Result<void> find_learning(WindowStart& options) {
  for (const auto& [kind, name] :
       {std::pair{"lessons", &options.lesson}, {"challenges", &options.challenge}}) {
    if (name->empty()) continue;
    if (!options.file.empty() || (kind != std::string_view("lessons") && !options.lesson.empty()))
      return bad_input("The window opens one thing: a file, --lesson or --challenge");
    const Result<lesson::Folder> folder = lesson_folder(kind, *name);
    if (!folder) return folder.error();
    if (!folder->path.empty()) options.file = std::exchange(*name, "");
  }
  return {};
}

void open_window(WindowChoices& choices, Cli& cli) {
  if (const Result<void> found = find_learning(choices.options); !found) return cli.fail(found.error());
  if (const Result<void> file = check_file(choices.options.file); !file) return cli.fail(file.error());
  if (const Result<void> read = read_choices(choices); !read) return cli.fail(read.error());
  if (!cli.open_window)
    return cli.fail(
        missing("This program was built without its window; warplens run KERNEL does the same job without "
                "one, and warplens --help lists the commands"));
  cli.status = cli.open_window(choices.options);
}

}  // namespace

CliCommand window_command(Cli& cli) {
  const auto choices = std::make_shared<WindowChoices>();
  WindowStart& options = choices->options;
  return {
      "",
      "The window starts with",
      {{"file", &options.file,
        find_file_dialog(Dialog::open_file)->words() +
            ", a picture, the folder of a lesson or challenge, or a link, to open",
        "FILE"},
       {"--kernel", &options.kernel, "Built-in kernel", "NAME"},
       {"--device", &options.device, "Device", "NAME"},
       {"--image", &options.image, "Picture, or the name of a sample", "FILE"},
       {"--block", &choices->block, "Block size", "X[,Y[,Z]]"},
       {.name = "--theme", .value = &choices->theme, .help = "Colours", .allowed = {"dark", "light"}},
       {.name = "--text",
        .value = &choices->text_percent,
        .help = "Size of the text",
        .value_name = "PERCENT",
        .range = {{80, 250}}},
       {.name = "--language",
        .value = &choices->language,
        .help = "Language of the window, its lessons and challenges (default: the system's)",
        .allowed = language_codes()},
       {"--size", &choices->size, "Size of the window", "WIDTHxHEIGHT"},
       {"--lesson", &options.lesson, "Lesson to open (warplens lessons list)", "NAME|FOLDER"},
       {"--challenge", &options.challenge, "Challenge to open (warplens challenges list)", "NAME|FOLDER"},
       {"--author", &options.author,
        "Write a lesson of your own: its file is shown next to the step that it describes", "FOLDER"},
       {"--student", &choices->student,
        "Only lessons and challenges, with answers locked: Learn, then Unlock the answers, takes this "
        "number",
        "NUMBER"},
       {"--class", &options.class_link,
        "Follow a class of warplens serve: the window goes where the teacher sends everybody, and shows the "
        "answers that come in",
        "LINK"},
       {"--notes", &options.notes,
        "Print the teacher's notes of each step here, while the class sees the window"},
       {"--exit-after-first-picture", &options.exit_after_first_picture,
        "Print how long the first picture took, and exit"}},
      [choices, &cli] {
        open_window(*choices, cli);
        return Result<void>();
      }};
}

}  // namespace warplens
