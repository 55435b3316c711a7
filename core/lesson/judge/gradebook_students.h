// Private to the gradebooks: which file belongs to which student.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/csv.h"

namespace warplens::lesson {

// The index of a title in the header row, whatever its case; SIZE_MAX if it is not there.
size_t column_of(const std::vector<std::string>& titles, std::string_view title);
size_t column_of(const std::vector<std::string>& titles, const std::vector<std::string_view>& any);

// What identifies a student of a gradebook in the names of files and hand-ins.
struct GradebookStudent {
  size_t row = 0;                    // of the table
  std::vector<std::string> numbers;  // of the platform: "42" of "Participant 42"
  std::vector<std::string> words;    // addresses, logins, university numbers; in lower case
  std::vector<std::string> names;    // letters only, in lower case: "janedoe" and "doejane"
};

// `first` is the first row that may be a student's. With `match`, only that column counts, as words.
std::vector<GradebookStudent> students_of(const CsvTable& table, size_t first, size_t match);

// The students that a file may belong to: by numbers if one matches, else by words, else by names. If there
// are several, it is ambiguous.
std::vector<const GradebookStudent*> owners_of(const std::vector<GradebookStudent>& students,
                                               const std::string& file, const std::string& name);

}  // namespace warplens::lesson
