// warplens class: what a class has handed in, as one table.
#include <fmt/format.h>

#include <ostream>

#include "app/classroom/class_report.h"
#include "app/cli/learn/judging.h"
#include "app/cli/shared/commands.h"
#include "app/cli/shared/interrupt.h"
#include "app/cli/shared/lesson_folders.h"
#include "core/base/csv.h"
#include "core/base/system/files.h"
#include "core/system/places.h"

namespace warplens {

namespace {

struct ClassChoices {
  std::string folder, csv, html;
  std::vector<std::string> challenges;
  bool names = false, judge = true;
  JudgingChoices judging;
};

// Where nothing can be judged.
void say_as_handed_in(const Error& why, Cli& cli) { cli.say(why.message + stars_as_handed_in); }

Result<ClassVerdicts> judged(const ReadClass& read, const ClassChoices& choices, Cli& cli) {
  lesson::GradeOptions options;
  options.limits = limits_of(choices.judging);
  const Result<uint64_t> seed = seed_of(choices.judging);
  if (!seed) return seed.error();
  std::vector<lesson::Folder> own;
  for (const std::string& name : choices.challenges) {
    Result<lesson::Folder> folder = lesson_folder("challenges", name);
    if (!folder) return folder.error();
    own.push_back(std::move(*folder));
  }
  if (const Result<void> apart = answers_of_others(options.limits); !apart) {
    say_as_handed_in(apart.error(), cli);
    return ClassVerdicts();
  }
  say_how_apart(options.limits, cli);
  options.program = program_path().string();
  options.judge.stop = cli.stop.get_token();
  options.judge.seed = *seed;
  Result<ClassVerdicts> verdicts = judge_class(choices.folder, read, std::move(own), options);
  if (verdicts || verdicts.error().kind != ErrorKind::missing) return verdicts;
  say_as_handed_in(verdicts.error(), cli);
  return ClassVerdicts();
}

std::map<std::string, std::string> shown_names(const ReadClass& read, const ClassChoices& choices, Cli& cli) {
  if (choices.names) return {};
  std::string problem;
  auto names = made_up_names(choices.folder, read, problem);
  if (!problem.empty()) cli.say(problem);
  return names;
}

std::string harmless_csv(const Table& table) {
  CsvTable csv;
  csv.rows.push_back(table.columns);
  csv.rows.insert(csv.rows.end(), table.rows.begin(), table.rows.end());
  return csv_text(csv);
}

Result<void> make_class(const ClassChoices& choices, Cli& cli) {
  for (const std::string* path : {&choices.csv, &choices.html})
    if (!path->empty())
      if (const Result<void> writable = check_writable(*path); !writable) return writable.error();
  const Result<ReadClass> read = read_class(choices.folder);
  if (!read) return read.error();
  const InterruptGuard interrupt(cli.stop);
  Result<ClassVerdicts> verdicts = ClassVerdicts();
  if (choices.judge) verdicts = judged(*read, choices, cli);
  if (!verdicts) return verdicts.error();
  if (cli.stop.stop_requested()) return Error{ErrorKind::cancelled, "The table was stopped."};
  const ClassReport report =
      class_report(choices.folder, *read, shown_names(*read, choices, cli), *verdicts, choices.names);
  for (const std::string& sentence : report.said) cli.say(sentence);
  if (report.students.empty()) return no_hand_in(choices.folder);
  cli.out << class_text(report);
  if (!choices.csv.empty())
    if (const Result<void> written = write_text(choices.csv, harmless_csv(class_table(report))); !written)
      return written.error();
  if (choices.html.empty()) return {};
  return write_text(choices.html, class_page(report));
}

}  // namespace

CliCommand class_command(Cli& cli) {
  const auto choices = std::make_shared<ClassChoices>();
  CliCommand command{
      "class",
      "Show what a class has handed in: each student's progress, stars, time and wrong answers",
      {{.name = "folder",
        .value = &choices->folder,
        .help = "Folder with the files that Hand in wrote",
        .value_name = "FOLDER",
        .required = true},
       {.name = "--csv",
        .value = &choices->csv,
        .help = "Also as a table, a row for each student",
        .value_name = "OUT.csv"},
       {.name = "--html",
        .value = &choices->html,
        .help = "Also as a page to print",
        .value_name = "OUT.html"},
       {.name = "--names",
        .value = &choices->names,
        .help = "With the names from hand-ins and files, instead of made-up ones"},
       {.name = "--challenge",
        .value = &choices->challenges,
        .help = "Folder of a challenge of your own; may be repeated",
        .value_name = "FOLDER"},
       {.name = "--no-judge{false}",
        .value = &choices->judge,
        .help = "Do not judge the answers: the stars are those that the hand-ins report"}},
      [choices, &cli] { return make_class(*choices, cli); }};
  command.add(judging_options(choices->judging));
  command.add(strangers_options(choices->judging));
  return command;
}

}  // namespace warplens
