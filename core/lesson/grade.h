// Grades a folder of answers: each in a process of its own, one row each, the same table at any number of
// workers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/lesson/judge_process.h"

namespace warplens::lesson {

struct GradeOptions {
  std::string program;  // the running one
  JudgeOptions judge;
  JudgeLimits limits;
  uint32_t workers = 0;            // 0 for the cores of this machine
  uint32_t shard = 1, shards = 1;  // which part of the files, of how many
  // Only hand-ins that name this challenge; others are no rows. No sources are compared then.
  bool only_named = false;
  std::function<void(size_t done, size_t all)> progress;
};

struct GradedFile {
  std::string file;  // its path in the folder
  std::string name;  // of who handed in, where the file says it
  std::string language;
  Judged judged;
  std::string note;     // a checksum that does not fit, another challenge
  std::string same_as;  // a file before it with the same source
  std::string alike;    // the file whose source is most alike; a hint, never a verdict
  double likeness = 0;  // 0 to 1
  double milliseconds = 0;
  uint64_t peak_bytes = 0;
};

// The files of a folder and of its folders, three deep, by their names: relative to it, without those that
// begin with a dot. An error says that it is no folder, or holds no file.
Result<std::vector<std::string>> answer_files(const std::string& folder);
// One of them. An error says why it is no answer.
Result<HandIn> read_answer(const std::string& folder, const std::string& file);

// Those files, judged. An error means that there is nothing to grade, or that the challenge is wrong.
Result<std::vector<GradedFile>> grade_folder(const std::string& path, const Folder& challenge,
                                             const GradeOptions& options);

// The goals of the stars that were not reached, in words, with "; " between them.
std::string missed_goals(const Judged& judged);

// A row each; a cell that a spreadsheet would take for a formula is harmless.
std::string grades_csv(const std::vector<GradedFile>& files);

}  // namespace warplens::lesson
