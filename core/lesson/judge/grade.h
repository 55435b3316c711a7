// Grades a folder of answers: each in a process of its own and with a row of its own. The table does not
// depend on the number of workers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/lesson/judge/judge_process.h"

namespace warplens::lesson {

struct GradeOptions {
  std::string program;  // the running one
  JudgeOptions judge;
  JudgeLimits limits;
  uint32_t workers = 0;            // 0 for the cores of this machine
  uint32_t shard = 1, shards = 1;  // which part of the files, of how many
  // Only hand-ins that name this challenge; others get no row. Then no sources are compared.
  bool only_named = false;
  std::function<void(size_t done, size_t all)> progress;
};

struct GradedFile {
  std::string file;  // its path in the folder
  std::string name;  // of the student, if the file has it
  std::string language;
  Judged judged;
  std::string note;     // a wrong checksum, or another challenge
  std::string same_as;  // an earlier file with the same source
  std::string alike;    // the file whose source is most alike; a hint, never a verdict
  double likeness = 0;  // 0 to 1
  double milliseconds = 0;
  uint64_t peak_bytes = 0;
};

struct AnswerFiles {
  std::vector<std::string> answers;  // .cu, .py and .json
  std::vector<std::string> others;   // of other kinds, as a readme.txt: they are not judged
};
// The files of a folder and its subfolders, at most three levels deep, sorted by their relative paths. Names
// that begin with a dot are left out. An error says that it is not a folder, or contains no answer.
Result<AnswerFiles> answer_files(const std::string& folder);
// Reads one of these files. An error says why it is not an answer.
Result<HandIn> read_answer(const std::string& folder, const std::string& file);

// Judges these files. An error means that there is nothing to grade, or that the challenge is wrong.
Result<std::vector<GradedFile>> grade_folder(const std::string& path, const Folder& challenge,
                                             const GradeOptions& options);

// The goals of the stars that were not reached, in words, with "; " between them.
std::string missed_goals(const Judged& judged);

// A row for each file. Cells that a spreadsheet would take for a formula are made harmless.
std::string grades_csv(const std::vector<GradedFile>& files);

}  // namespace warplens::lesson
