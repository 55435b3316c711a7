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

// Files of the folder and of its folders, three deep. An error means that there is nothing to grade, or that
// the challenge is wrong.
Result<std::vector<GradedFile>> grade_folder(const std::string& path, const Folder& challenge,
                                             const GradeOptions& options);

// CSV, quoted where needed; a cell that a spreadsheet would take for a formula gets an apostrophe in front.
std::string grades_csv(const std::vector<GradedFile>& files);

}  // namespace warplens::lesson
