// Private to the gradebooks: which file is whose.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/csv.h"

namespace warplens::lesson {

// Where a title stands in the row of titles, whatever its case; SIZE_MAX if it does not.
size_t column_of(const std::vector<std::string>& titles, std::string_view title);
size_t column_of(const std::vector<std::string>& titles, const std::vector<std::string_view>& any);

// What tells a student of a gradebook apart: what files and hand-ins may be called by.
struct GradebookStudent {
  size_t row = 0;                    // of the table
  std::vector<std::string> numbers;  // of the platform: "42" of "Participant 42"
  std::vector<std::string> words;    // addresses, logins, numbers of the university; in small letters
  std::vector<std::string> names;    // letters only, in small: "janedoe" and "doejane"
};

// `first` is the first row that may be a student's. With `match`, only that column counts, as words.
std::vector<GradebookStudent> students_of(const CsvTable& table, size_t first, size_t match);

// The students that a file may be of: by numbers if one fits, else by words, else by names. One is the
// student, several are told apart by nothing.
std::vector<const GradebookStudent*> owners_of(const std::vector<GradebookStudent>& students,
                                               const std::string& file, const std::string& name);

}  // namespace warplens::lesson
