// warplens class: what a class has handed in, as one table.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "app/cli/class_names.h"
#include "app/cli/class_report.h"
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/judging.h"
#include "app/cli/lesson_folders.h"
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

using Verdicts = std::map<std::string, lesson::GradedFile>;

// The challenges that hand-ins name, of the program and of the teacher. Never a folder that a hand-in names:
// its author could have put a challenge there that every answer meets.
Result<std::vector<lesson::Folder>> challenges_of(const ReadClass& read, const ClassChoices& choices) {
  std::set<std::string> named;
  for (const ClassFile& file : read.files)
    if (!file.hand_in.challenge.empty()) named.insert(file.hand_in.challenge);
  std::vector<lesson::Folder> folders;
  for (const std::string& own : choices.challenges) {
    Result<lesson::Folder> folder = lesson_folder("challenges", own);
    if (!folder) return folder.error();
    named.erase(folder->name);
    folders.push_back(std::move(*folder));
  }
  for (lesson::Folder& folder : lesson::embedded_folders("challenges"))
    if (named.contains(folder.name)) folders.push_back(std::move(folder));
  return folders;
}

// Where nothing can be judged.
void say_as_handed_in(const Error& why, Cli& cli) {
  cli.say(why.message + " The stars are those that the hand-ins say.");
}

Result<Verdicts> judge_class(const ReadClass& read, const ClassChoices& choices, Cli& cli) {
  Verdicts verdicts;
  lesson::GradeOptions options;
  options.limits = limits_of(choices.judging);
  const Result<uint64_t> seed = seed_of(choices.judging);
  if (!seed) return seed.error();
  const Result<std::vector<lesson::Folder>> folders = challenges_of(read, choices);
  if (!folders) return folders.error();
  if (const Result<void> apart = answers_of_others(options.limits); !apart) {
    say_as_handed_in(apart.error(), cli);
    return verdicts;
  }
  say_how_apart(options.limits, cli);
  options.program = program_path().string();
  options.judge.stop = cli.stop.get_token();
  options.judge.seed = *seed;
  options.only_named = true;
  for (const lesson::Folder& folder : *folders) {
    const auto graded = lesson::grade_folder(choices.folder, folder, options);
    if (!graded && graded.error().kind == ErrorKind::missing) {
      say_as_handed_in(graded.error(), cli);
      return verdicts;
    }
    if (!graded) return graded.error();
    for (const lesson::GradedFile& row : *graded) verdicts[row.file] = row;
  }
  return verdicts;
}

std::map<std::string, std::string> shown_names(const ReadClass& read, const ClassChoices& choices, Cli& cli) {
  if (choices.names) return {};
  std::set<std::string> students;
  for (const ClassFile& file : read.files) students.insert(file.student);
  for (const auto& [file, why] : read.left_out) students.insert(student_of(file, ""));
  Result<HashKey> key = class_key(choices.folder);
  if (!key) {
    cli.say(key.error().message + " So students have other names the next time.");
    key = new_key();
  }
  return pseudonyms_of(students, *key);
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
  Result<Verdicts> verdicts = Verdicts{};
  if (choices.judge) verdicts = judge_class(*read, choices, cli);
  if (!verdicts) return verdicts.error();
  if (cli.stop.stop_requested()) return Error{ErrorKind::cancelled, "The table was stopped."};
  const ClassReport report =
      class_report(choices.folder, *read, shown_names(*read, choices, cli), *verdicts, choices.names);
  for (const std::string& sentence : report.said) cli.say(sentence);
  if (report.students.empty())
    return bad_input(
        fmt::format("No file in {} is a hand-in: Hand in writes them, in the Learn menu and in a challenge.",
                    choices.folder));
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
  CliCommand command{"class",
                     "Show what a class has handed in: who is where, stars, time, wrong answers",
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
                       .help = "With the names that hand-ins and files say, instead of made-up ones"},
                      {.name = "--challenge",
                       .value = &choices->challenges,
                       .help = "Folder of a challenge of your own; may be repeated",
                       .value_name = "FOLDER"},
                      {.name = "--no-judge{false}",
                       .value = &choices->judge,
                       .help = "Do not judge the answers: the stars are those that the hand-ins say"}},
                     [choices, &cli] { return make_class(*choices, cli); }};
  command.add(judging_options(choices->judging));
  command.add(strangers_options(choices->judging));
  return command;
}

}  // namespace warplens
