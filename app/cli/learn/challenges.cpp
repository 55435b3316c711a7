// warplens challenges: the built-in ones, and whether a folder is a good one.
#include "core/lesson/format/challenge.h"

#include <fmt/format.h>

#include <ostream>

#include "app/cli/shared/commands.h"
#include "app/cli/shared/lesson_folders.h"
#include "app/user_program/given_program.h"
#include "core/compile/choice.h"
#include "core/lesson/judge/judge.h"
#include "core/lesson/judge/judge_report.h"

namespace warplens {

namespace {

struct ChallengeChoices {
  std::string action, folder, seed = "1", data = "0", language, mark, compiler;
};

void list_challenges(Cli& cli) {
  for (const lesson::Folder& folder : lesson::embedded_folders("challenges")) {
    const lesson::LoadedChallenge read = lesson::load_challenge(folder);
    cli.out << fmt::format("{:<26}level {}  {}: {}\n", folder.name, read.challenge.level,
                           read.challenge.title, read.challenge.about);
  }
  cli.out << "warplens judge NAME FILE judges an answer.\n";
}

// Every file of CUDA C++ in the folder must be judged as ```files says. Returns how many there are.
Result<size_t> check_files(const lesson::Folder& folder, const lesson::JudgeOptions& options, Cli& cli) {
  Result<lesson::Judge> judge =
      lesson::Judge::open(folder, options.stop, {}, program_run::runs_given_programs());
  if (!judge) return judge.error();
  if (const auto drawn = judge->specification(); !drawn) return drawn.error();
  uint32_t wrong = 0;
  size_t judged_files = 0;
  for (const lesson::ChallengeFile& file : judge->challenge().files) {
    if (!file.name.ends_with(".cu")) continue;
    ++judged_files;
    const lesson::Judged judged =
        judge->judge({file.name, folder.files.at(file.name), "", "", "", ""}, options);
    if (file.starter) {
      const bool compiles =
          judged.reason != lesson::Reason::compile && judged.reason != lesson::Reason::signature;
      if (!compiles) ++wrong;
      cli.out << fmt::format("  {} {}: {}\n", compiles ? "ok   " : "WRONG", file.name,
                             compiles ? "the starter compiles" : judged.message);
      continue;
    }
    const std::string difference = lesson::differs_from(file.expected, judged);
    if (!difference.empty()) ++wrong;
    const std::string what = judged.right() ? lesson::stars_text(judged.stars)
                                            : fmt::format("{} {}: {}", lesson::to_string(judged.reason),
                                                          judged.kind, judged.message);
    cli.out << fmt::format("  {} {}: {}\n", difference.empty() ? "ok   " : "WRONG", file.name,
                           difference.empty() ? what : difference);
    for (const lesson::GoalResult& goal : judged.goals)
      if (!difference.empty()) cli.out << "      " << lesson::goal_text(goal);
  }
  if (wrong > 0) return failed(fmt::format("{} files are not judged as challenge.md says.", wrong));
  return judged_files;
}

Result<void> check_challenge(const ChallengeChoices& choices, Cli& cli) {
  const Result<lesson::Folder> folder =
      folder_to_check("challenges", choices.folder, choices.language, choices.mark);
  if (!folder) return folder.error();
  lesson::LoadedChallenge read = lesson::load_challenge(*folder);
  for (Diagnostic& one : check_translations(*folder)) read.diagnostics.push_back(std::move(one));
  cli.err << to_text(read.diagnostics);
  if (!read.ok()) return bad_input(fmt::format("{}: correct the lines above.", choices.folder));
  lesson::JudgeOptions options;
  options.stop = cli.stop.get_token();
  options.seed = std::strtoull(choices.seed.c_str(), nullptr, 10);
  options.data_sets = static_cast<uint32_t>(std::strtoul(choices.data.c_str(), nullptr, 10));
  const Result<size_t> judged = check_files(*folder, options, cli);
  if (!judged) return judged.error();
  cli.out << fmt::format("{}: all {} files are judged as they should be.\n", folder->name, *judged);
  if (const size_t others = read.challenge.files.size() - *judged; others != 0)
    cli.out << fmt::format("Not run: {} of Python. warplens judge {} FILE.py runs one.\n",
                           others == 1 ? "1 file" : fmt::format("{} files", others), folder->name);
  return {};
}

Result<void> check(ChallengeChoices choices, Cli& cli) {
  if (!choices.compiler.empty()) prefer_compiler(*compiler_named(choices.compiler));
  if (!choices.folder.empty()) return check_challenge(choices, cli);
  size_t mistaken = 0;
  for (const lesson::Folder& folder : lesson::embedded_folders("challenges")) {
    choices.folder = folder.name;
    cli.out << folder.name << '\n';
    Result<void> checked = check_challenge(choices, cli);
    if (checked) continue;
    if (checked.error().kind == ErrorKind::missing || cli.stop.stop_requested()) return checked;
    cli.out << checked.error().message << '\n';
    ++mistaken;
  }
  if (mistaken != 0)
    return failed(fmt::format("In {} challenges, files are not judged as they should be.", mistaken));
  return {};
}

}  // namespace

CliCommand challenges_command(Cli& cli) {
  const auto choices = std::make_shared<ChallengeChoices>();
  return {
      "challenges",
      "List the challenges, or check one: its format, and that each of its files gets the verdict that "
      "challenge.md states",
      {{.name = "action",
        .value = &choices->action,
        .help = "list, or check NAME|FOLDER (check alone: all that are built in)",
        .value_name = "ACTION",
        .allowed = {"list", "check"},
        .required = true},
       {.name = "folder",
        .value = &choices->folder,
        .help = "Name of a built-in challenge, or a folder",
        .value_name = "NAME|FOLDER"},
       {.name = "--seed",
        .value = &choices->seed,
        .help = "Of hidden cases and data (default: 1)",
        .value_name = "N"},
       {.name = "--data", .value = &choices->data, .help = "Sets of data for each case", .value_name = "N"},
       {.name = "--compiler",
        .value = &choices->compiler,
        .help = "check: default WARPLENS_COMPILER, else NVRTC if it is installed",
        .allowed = {"nvrtc", "clang"}},
       {.name = "--language",
        .value = &choices->language,
        .help = "check --mark: only in challenge.LANGUAGE.md",
        .value_name = "de"},
       {.name = "--mark",
        .value = &choices->mark,
        .help = "check: first note in the translations that this part is up to date, or all are",
        .value_name = "PART|all"}},
      [choices, &cli]() -> Result<void> {
        if (choices->action == "check") return check(*choices, cli);
        list_challenges(cli);
        return {};
      }};
}

}  // namespace warplens
