// Grades for learning platforms: gradebooks that a teacher exports from Moodle or Canvas, with a column
// filled in, and Gradescope's results.json (docs/gradebooks.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/format/challenge.h"
#include "core/lesson/judge/grade.h"

namespace warplens::lesson {

enum class Gradebook : uint8_t { moodle, canvas };

struct GradebookOptions {
  Gradebook kind = Gradebook::moodle;
  std::string title;             // of the challenge, for the column
  std::string match;             // the column that identifies students; empty for all known ones
  std::string column;            // the column to fill in; empty to find it by its name
  std::optional<double> points;  // the points for three stars; empty for those in the gradebook, else 3
};

struct FilledGradebook {
  std::string text;               // CSV
  std::string column;             // that was filled in
  double points = 3;              // of three stars
  size_t filled = 0;              // students with a grade
  std::vector<std::string> said;  // what was left out, and why
};

// `roster` is the exported gradebook, `name` is its file name for messages. A student gets the grade of the
// best of their files. Students without a file, or without one that this machine could judge, keep their old
// cell.
Result<FilledGradebook> fill_gradebook(std::string_view roster, const std::string& name,
                                       const std::vector<GradedFile>& files, const GradebookOptions& options);

// results.json of one submission, with the best of its files. An error says that none of them could be judged
// on this machine, which must not count as a wrong answer.
Result<std::string> gradescope_results(const std::vector<GradedFile>& files, const Challenge& challenge);

}  // namespace warplens::lesson
