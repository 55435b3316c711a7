// warplens grade: a folder of answers, a row each.
#include "core/lesson/judge/grade.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "app/cli/learn/judging.h"
#include "app/cli/shared/commands.h"
#include "app/cli/shared/interrupt.h"
#include "app/cli/shared/lesson_folders.h"
#include "core/base/system/files.h"
#include "core/lesson/judge/gradebook.h"
#include "core/lesson/read/field_readers.h"
#include "core/system/places.h"

namespace warplens {

namespace {

struct GradeChoices {
  std::string folder, challenge, csv, moodle, canvas, gradescope, roster, match, column, points;
  std::string shard = "1/1", workers = "0";
  JudgingChoices judging;
};

constexpr uint64_t most_roster_bytes = uint64_t{64} << 20;

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

// What would be found out only after everything was judged.
Result<void> check_tables(const GradeChoices& choices) {
  const std::string* tables[] = {&choices.csv, &choices.moodle, &choices.canvas, &choices.gradescope};
  size_t wanted = 0;
  for (const std::string* table : tables) {
    if (table->empty()) continue;
    ++wanted;
    if (const Result<void> writable = check_writable(*table); !writable) return writable.error();
  }
  if (wanted == 0)
    return bad_input("Say what to write: --csv, --moodle, --canvas or --gradescope, each with a file.");
  const bool gradebook = !choices.moodle.empty() || !choices.canvas.empty();
  if (gradebook == choices.roster.empty())
    return bad_input(gradebook ? "--moodle and --canvas need --roster: the gradebook that the platform "
                                 "exported, since it identifies the students."
                               : "--roster is for --moodle and --canvas.");
  if (!choices.moodle.empty() && !choices.canvas.empty())
    return bad_input("--moodle and --canvas have different gradebooks: write one of them at a time.");
  return {};
}

Result<lesson::FilledGradebook> filled_gradebook(const GradeChoices& choices, const std::string& roster,
                                                 const std::string& title,
                                                 const std::vector<lesson::GradedFile>& files) {
  lesson::GradebookOptions options;
  options.kind = choices.canvas.empty() ? lesson::Gradebook::moodle : lesson::Gradebook::canvas;
  options.title = title;
  options.match = choices.match;
  options.column = choices.column;
  if (!choices.points.empty()) {
    options.points = lesson::number_in(choices.points);
    if (!options.points || *options.points <= 0)
      return bad_input(fmt::format("--points {}: write a number above 0.", choices.points));
  }
  return lesson::fill_gradebook(roster, choices.roster, files, options);
}

Result<void> write_gradebook(const GradeChoices& choices, const lesson::FilledGradebook& filled, Cli& cli) {
  for (const std::string& sentence : filled.said) cli.say(sentence);
  const std::string& path = choices.canvas.empty() ? choices.moodle : choices.canvas;
  if (const Result<void> written = write_text(path, filled.text); !written) return written.error();
  cli.out << fmt::format("{} students have a grade in the column {} of {}; three stars are {} points.\n",
                         filled.filled, filled.column, path, lesson::number_text(filled.points));
  return {};
}

Result<void> write_tables(const GradeChoices& choices, const std::string& roster,
                          const lesson::Challenge& challenge, const std::vector<lesson::GradedFile>& graded,
                          Cli& cli) {
  if (!choices.csv.empty()) {
    if (Result<void> done = write_text(choices.csv, lesson::grades_csv(graded)); !done) return done;
    cli.out << fmt::format("The table is {}.\n", choices.csv);
  }
  if (!choices.roster.empty()) {
    const auto filled = filled_gradebook(choices, roster, challenge.title, graded);
    if (!filled) return filled.error();
    if (Result<void> done = write_gradebook(choices, *filled, cli); !done) return done;
  }
  if (choices.gradescope.empty()) return {};
  const Result<std::string> results = lesson::gradescope_results(graded, challenge);
  if (!results) return results.error();
  return write_text(choices.gradescope, *results);
}

Result<void> grade(const GradeChoices& choices, Cli& cli) {
  const Result<lesson::Folder> challenge = lesson_folder("challenges", choices.challenge);
  if (!challenge) return challenge.error();
  if (const Result<void> possible = check_tables(choices); !possible) return possible.error();
  const lesson::LoadedChallenge read = lesson::load_challenge(*challenge);
  Result<std::string> roster = std::string();
  if (!choices.roster.empty()) {
    roster = read_text(choices.roster, most_roster_bytes);
    if (!roster) return roster.error();
    // Its mistakes are said before anything is judged.
    if (const auto usable = filled_gradebook(choices, *roster, read.challenge.title, {}); !usable)
      return usable.error();
  }
  const InterruptGuard interrupt(cli.stop);
  Result<lesson::GradeOptions> options = grade_options(choices, cli);
  if (!options) return options.error();
  if (const Result<void> apart = answers_of_others(options->limits); !apart) return apart.error();
  say_how_apart(options->limits, cli);
  if (const auto files = lesson::answer_files(choices.folder); files && !files->others.empty())
    cli.say(fmt::format("Not judged, because answers are .cu, .py and .json files: {}.",
                        fmt::join(files->others, ", ")));
  const auto graded = lesson::grade_folder(choices.folder, *challenge, *options);
  if (!graded) return graded.error();
  const auto count = [&](auto test) { return std::count_if(graded->begin(), graded->end(), test); };
  const auto right = count([](const lesson::GradedFile& f) { return f.judged.right(); });
  const auto unknown =
      count([](const lesson::GradedFile& f) { return f.judged.reason == lesson::Reason::no_compiler; });
  cli.out << fmt::format("{} answers: {} right, {} not right{}.\n", graded->size(), right,
                         int64_t(graded->size()) - right - unknown,
                         unknown > 0 ? fmt::format(", {} could not be judged on this machine", unknown) : "");
  if (const Result<void> written = write_tables(choices, *roster, read.challenge, *graded, cli); !written)
    return written.error();
  if (cli.stop.stop_requested())
    return Error{ErrorKind::cancelled, "Grading was stopped; the table is not complete."};
  return {};
}

}  // namespace

CliCommand grade_command(Cli& cli) {
  const auto choices = std::make_shared<GradeChoices>();
  CliCommand command{
      "grade",
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
       {.name = "--csv", .value = &choices->csv, .help = "File for the table", .value_name = "OUT.csv"},
       {.name = "--moodle",
        .value = &choices->moodle,
        .help = "Writes --roster with the grades, for Moodle",
        .value_name = "OUT.csv"},
       {.name = "--canvas",
        .value = &choices->canvas,
        .help = "Writes the grades for Canvas, with the students of --roster",
        .value_name = "OUT.csv"},
       {.name = "--gradescope",
        .value = &choices->gradescope,
        .help = "Writes Gradescope's results of one submission",
        .value_name = "results.json"},
       {.name = "--roster",
        .value = &choices->roster,
        .help = "The gradebook or grading worksheet that the platform exported",
        .value_name = "GRADEBOOK.csv"},
       {.name = "--match",
        .value = &choices->match,
        .help = "Its column by which files and hand-ins are called (default: all that are known)",
        .value_name = "COLUMN"},
       {.name = "--column",
        .value = &choices->column,
        .help = "Its column for the grades (default: by the challenge's title)",
        .value_name = "COLUMN"},
       {.name = "--points",
        .value = &choices->points,
        .help = "Points for three stars (default: the gradebook's, else 3)",
        .value_name = "POINTS"},
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
  command.add(strangers_options(choices->judging));
  return command;
}

}  // namespace warplens
