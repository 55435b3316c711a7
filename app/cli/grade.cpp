// warplens grade: a folder of answers, a row each.
#include "core/lesson/grade.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/judging.h"
#include "app/cli/lesson_folders.h"
#include "core/base/system/files.h"
#include "core/base/system/places.h"
#include "core/lesson/read_parts.h"

namespace warplens {

namespace {

struct GradeChoices {
  std::string folder, challenge, csv, shard = "1/1", workers = "0";
  JudgingChoices judging;
};

Result<lesson::GradeOptions> grade_options(const GradeChoices& choices, Cli& cli) {
  lesson::GradeOptions options;
  options.program = program_path().string();
  options.judge.stop = cli.stop.get_token();
  const auto number = [](const std::string& text) { return lesson::whole_number_in(text, 1'000'000'000); };
  const size_t slash = choices.shard.find('/');
  const auto shard = number(choices.shard.substr(0, slash));
  const auto shards = slash == std::string::npos ? std::nullopt : number(choices.shard.substr(slash + 1));
  if (!shard || !shards || *shard < 1 || *shard > *shards)
    return bad_input(fmt::format("--shard {} is no part of a whole: write 1/4 to 4/4.", choices.shard));
  const auto workers = number(choices.workers);
  if (!workers || *workers > 1024)
    return bad_input(fmt::format("--workers {}: write a whole number up to 1,024.", choices.workers));
  const Result<uint64_t> seed = seed_of(choices.judging);
  if (!seed) return seed.error();
  options.shard = uint32_t(*shard);
  options.shards = uint32_t(*shards);
  options.judge.seed = *seed;
  options.workers = uint32_t(*workers);
  options.limits = limits_of(choices.judging);
  return options;
}

Result<void> grade(const GradeChoices& choices, Cli& cli) {
  const Result<lesson::Folder> challenge = lesson_folder("challenges", choices.challenge);
  if (!challenge) return challenge.error();
  if (const Result<void> writable = check_writable(choices.csv); !writable) return writable.error();
  const InterruptGuard interrupt(cli.stop);
  Result<lesson::GradeOptions> options = grade_options(choices, cli);
  if (!options) return options.error();
  if (const Result<void> works = lesson::sandbox_works(); !works)
    cli.say(works.error().message +
            " Python answers are refused, and others are compiled with this user's rights.");
  const auto graded = lesson::grade_folder(choices.folder, *challenge, *options);
  if (!graded) return graded.error();
  if (const Result<void> written = write_text(choices.csv, lesson::grades_csv(*graded)); !written)
    return written.error();
  const auto count = [&](auto test) { return std::count_if(graded->begin(), graded->end(), test); };
  const auto right = count([](const lesson::GradedFile& f) { return f.judged.right(); });
  const auto unknown =
      count([](const lesson::GradedFile& f) { return f.judged.reason == lesson::Reason::no_compiler; });
  cli.out << fmt::format("{} answers: {} right, {} not right{}. The table is {}.\n", graded->size(), right,
                         int64_t(graded->size()) - right - unknown,
                         unknown > 0 ? fmt::format(", {} could not be judged on this machine", unknown) : "",
                         choices.csv);
  if (cli.stop.stop_requested())
    return Error{ErrorKind::cancelled, "Grading was stopped; the table is not complete."};
  return {};
}

}  // namespace

CliCommand grade_command(Cli& cli) {
  const auto choices = std::make_shared<GradeChoices>();
  CliCommand command{"grade",
                     "Judge a folder of answers, each in a process of its own, into a table",
                     {{.name = "folder",
                       .value = &choices->folder,
                       .help = "Folder with the answers",
                       .value_name = "FOLDER",
                       .required = true},
                      {.name = "--challenge",
                       .value = &choices->challenge,
                       .help = "Name of a challenge, or its folder",
                       .value_name = "CHALLENGE",
                       .required = true},
                      {.name = "--csv",
                       .value = &choices->csv,
                       .help = "Where the table goes",
                       .value_name = "OUT.csv",
                       .required = true},
                      {.name = "--shard",
                       .value = &choices->shard,
                       .help = "Judge only the I-th of N parts (default: 1/1)",
                       .value_name = "I/N"},
                      {.name = "--workers",
                       .value = &choices->workers,
                       .help = "Answers at a time (default: the cores of this machine)",
                       .value_name = "N"}},
                     [choices, &cli] { return grade(*choices, cli); }};
  command.add(judging_options(choices->judging));
  return command;
}

}  // namespace warplens
