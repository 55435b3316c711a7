// warplens lessons: the built-in ones, and whether a folder is a good one.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "app/cli/shared/commands.h"
#include "app/cli/shared/interrupt.h"
#include "app/cli/shared/lesson_folders.h"
#include "app/user_program/given_program.h"
#include "core/lesson/format/lesson.h"
#include "core/lesson/load/notes.h"
#include "core/lesson/play/play.h"
#include "core/lesson/play/stage.h"

namespace warplens {

namespace {

struct LessonChoices {
  std::string action, folder, language, mark;
  bool play = true;
};

void list_lessons(Cli& cli) {
  std::vector<lesson::Lesson> all;
  for (const lesson::Folder& folder : lesson::embedded_folders("lessons"))
    all.push_back(lesson::load_lesson(folder).lesson);
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  for (const lesson::Lesson& one : all)
    cli.out << fmt::format("{:>3}  {:<24}{:>3} steps {:>3} min  {}: {}\n", one.number, one.name,
                           one.steps.size(), one.minutes, one.title, one.about);
  if (all.empty()) cli.out << "There are none in this program.\n";
}

// Mistakes of the text first; a lesson that has none is played.
Result<void> check_lesson(const LessonChoices& choices, Cli& cli) {
  const Result<lesson::Folder> folder =
      folder_to_check("lessons", choices.folder, choices.language, choices.mark);
  if (!folder) return folder.error();
  const InterruptGuard interrupt(cli.stop);
  lesson::LoadedLesson read = lesson::load_lesson(*folder);
  std::vector<Diagnostic> all = read.diagnostics;
  const std::vector<Diagnostic> of_translations = check_translations(*folder);
  all.insert(all.end(), of_translations.begin(), of_translations.end());
  const bool readable =
      std::none_of(all.begin(), all.end(), [](const Diagnostic& d) { return d.severity == Severity::error; });
  if (readable && choices.play) {
    const std::vector<Diagnostic> played =
        lesson::play_lesson(*folder, read.lesson, program_run::runs_given_programs(), cli.stop.get_token());
    all.insert(all.end(), played.begin(), played.end());
  }
  cli.err << to_text(all);
  const auto errors = std::count_if(all.begin(), all.end(),
                                    [](const Diagnostic& d) { return d.severity == Severity::error; });
  if (errors > 0)
    return bad_input(fmt::format("{}: {} mistake{}.", choices.folder, errors, errors == 1 ? "" : "s"));
  cli.out << fmt::format("{}: {} steps{}.\n", read.lesson.title, read.lesson.steps.size(),
                         choices.play ? ", each played once with a right and once with a wrong answer" : "");
  return {};
}

// The teacher's sheet, step by step.
Result<void> print_notes(const LessonChoices& choices, Cli& cli) {
  const Result<lesson::Folder> folder = lesson_folder("lessons", choices.folder);
  if (!folder) return folder.error();
  const Result<lesson::Lesson> read = lesson_in(*folder, choices.language);
  if (!read) return read.error();
  const InterruptGuard interrupt(cli.stop);
  lesson::Stage stage(*folder, read->device, program_run::runs_given_programs());
  cli.out << fmt::format("{}\n{}\n{}", read->title, read->about, lesson::teaching_keys);
  for (size_t i = 0; i < read->steps.size(); ++i) {
    const std::string notes = lesson::notes_of_step(stage, *read, i, cli.stop.get_token());
    if (cli.stop.stop_requested()) return Error{ErrorKind::cancelled, "Stopped."};
    cli.out << '\n' << notes;
  }
  return {};
}

}  // namespace

CliCommand lessons_command(Cli& cli) {
  const auto choices = std::make_shared<LessonChoices>();
  return {"lessons",
          "List the lessons, or check one: every mistake with its line, and each step played with right and "
          "wrong answers",
          {{.name = "action",
            .value = &choices->action,
            .help = "list, check NAME|FOLDER, or notes NAME|FOLDER",
            .value_name = "ACTION",
            .allowed = {"list", "check", "notes"},
            .required = true},
           {.name = "folder",
            .value = &choices->folder,
            .help = "Name of a built-in lesson, or a folder",
            .value_name = "NAME|FOLDER"},
           {.name = "--language",
            .value = &choices->language,
            .help = "notes: of lesson.LANGUAGE.md; check --mark: only in that file",
            .value_name = "de"},
           {.name = "--mark",
            .value = &choices->mark,
            .help = "check: first note in the translations that this step is up to date, or all are",
            .value_name = "STEP|head|all"},
           {.name = "--no-play{false}", .value = &choices->play, .help = "check: only read it"}},
          [choices, &cli]() -> Result<void> {
            if (choices->action == "check") return check_lesson(*choices, cli);
            if (choices->action == "notes") return print_notes(*choices, cli);
            list_lessons(cli);
            return {};
          }};
}

}  // namespace warplens
