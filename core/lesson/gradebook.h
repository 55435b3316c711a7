// Grades for learning platforms: Moodle's and Canvas's gradebooks, which a teacher exports, with a column
// filled in, and Gradescope's results.json (docs/gradebooks.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/challenge.h"
#include "core/lesson/grade.h"

namespace warplens::lesson {

enum class Gradebook : uint8_t { moodle, canvas };

struct GradebookOptions {
  Gradebook kind = Gradebook::moodle;
  std::string title;             // of the challenge, for the column
  std::string match;             // the column that tells students apart; empty for all that are known to
  std::string column;            // that is filled in; empty for the one that is found by its name
  std::optional<double> points;  // what three stars are worth; empty for what the gradebook says, else 3
};

struct FilledGradebook {
  std::string text;               // CSV
  std::string column;             // that was filled in
  double points = 3;              // of three stars
  size_t filled = 0;              // students with a grade
  std::vector<std::string> said;  // what was left out, and why
};

// `roster` is the gradebook as it was exported, `name` its file's name for messages. A student's grade is
// that of the best of their files. Who has none, or none that this machine could judge, keeps what stood
// there.
Result<FilledGradebook> fill_gradebook(std::string_view roster, const std::string& name,
                                       const std::vector<GradedFile>& files, const GradebookOptions& options);

// results.json of one submission: the best of its files. An error says that none of them could be judged on
// this machine, which must not count as a wrong answer.
Result<std::string> gradescope_results(const std::vector<GradedFile>& files, const Challenge& challenge);

}  // namespace warplens::lesson
