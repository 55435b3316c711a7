// A class as a table: its hand-ins, and what the judge says of each (docs/classroom.md).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/base/draw/table.h"
#include "app/state/parts/progress.h"
#include "core/lesson/judge/grade.h"

namespace warplens {

// A hand-in that was read.
struct ClassFile {
  std::string file;     // in the folder
  std::string student;  // student_of() it
  lesson::HandIn hand_in;
  std::optional<ProgressState> progress;  // empty in files of a program that did not write it
};

// The hand-ins of a folder. Every other file is a sentence in `left_out`, by the file.
struct ReadClass {
  std::vector<ClassFile> files;
  std::map<std::string, std::string> left_out;
};
Result<ReadClass> read_class(const std::string& folder);

// The message for a folder without a hand-in, to which the reason why nothing was judged can be added.
Error no_hand_in(const std::string& folder);
inline constexpr const char* stars_as_handed_in = " The stars are those that the hand-ins report.";

// The judge's rows, by the file.
using ClassVerdicts = std::map<std::string, lesson::GradedFile>;

// Judges the answers to the challenges that hand-ins name: those of the program, and the teacher's `own`.
// Never a folder that a hand-in names: its author could have put a challenge there that every answer meets.
// `options` says how; an error of kind `missing` means that this machine cannot judge.
Result<ClassVerdicts> judge_class(const std::string& folder, const ReadClass& read,
                                  std::vector<lesson::Folder> own, lesson::GradeOptions options);

// The names to use for students, by the key that the folder keeps. `problem` says why names will be others
// the next time; else it is empty.
std::map<std::string, std::string> made_up_names(const std::string& folder, const ReadClass& read,
                                                 std::string& problem);

struct ClassStars {
  uint32_t stars = 0;
  bool judged = false;  // else the student's own program says it
  std::string reason;   // why the answer was rejected; empty if it is right, or the reason is not known
};

struct ClassStudent {
  std::string name;
  size_t files = 0, steps = 0;
  double seconds = 0;
  std::string where;                        // the furthest lesson and how much of it is done
  std::map<std::string, size_t> lessons;    // steps done by the lesson's name
  std::map<std::string, ClassStars> stars;  // by the challenge's name
};

// The wrong answers to a question or a challenge.
struct ClassMistakes {
  std::string where;
  size_t students = 0, wrong = 0;  // how many answered at all, and how many were wrong at least once
  // The commonest wrong answers or reasons, each with how often it came, most first.
  std::vector<std::pair<std::string, uint64_t>> commonest;
};

struct ClassColumn {
  std::string name, title;
  size_t steps = 0;  // of a lesson; 0 if it is not one of the program's
};

struct ClassReport {
  std::string folder;
  std::vector<ClassStudent> students;                // by name
  std::vector<ClassColumn> lessons, challenges;      // that occur, in the order of the course
  std::vector<ClassMistakes> questions, rejections;  // most students first
  std::vector<std::string> said;                     // files that are not in the table, and why
  size_t files = 0, judged = 0;
};

// `names` are what students and files without one are called: a pseudonym, or the name itself. `graded` are
// the judge's rows, by the file.
ClassReport class_report(const std::string& folder, const ReadClass& read,
                         const std::map<std::string, std::string>& names, const ClassVerdicts& graded,
                         bool with_files);

// "3 students, 5 hand-ins, 2 answers judged."
std::string class_head(const ClassReport& report);
uint32_t stars_of(const ClassStudent& student);
uint64_t minutes_of(const ClassStudent& student);
// "mismatch (2 times); 12 (once)"
std::string commonest_words(const ClassMistakes& one);
// A row for each student.
Table class_table(const ClassReport& report);
std::string class_text(const ClassReport& report);
std::string class_page(const ClassReport& report);  // HTML, for A4 and Letter

}  // namespace warplens
