// Lessons and challenges by name or folder.
#pragma once

#include <string>
#include <string_view>

#include "core/lesson/format/lesson.h"

namespace warplens {

// A folder of the program by its name, or one on disk by its path. `kind` is "lessons" or "challenges".
Result<lesson::Folder> lesson_folder(std::string_view kind, const std::string& name);

// The same, for a lesson that is to be checked. With `mark`, the marks of its translations are written first
// (write_marks).
Result<lesson::Folder> folder_to_check(std::string_view kind, const std::string& name,
                                       const std::string& language, const std::string& mark);

// A lesson whose texts are to be printed, in this language; empty for its own. An error where it has
// mistakes, or no texts in the language.
Result<lesson::Lesson> lesson_in(const lesson::Folder& folder, const std::string& language);

// The mistakes in the translations of a lesson or challenge, and their parts that are out of date.
std::vector<Diagnostic> check_translations(const lesson::Folder& folder);

// Writes the marks of the words that a translation was made from into its file: those of `part`, the id of a
// step or challenge's part, or of "all"; in this language, or where it is empty, in all. The folder is on
// disk.
Result<void> write_marks(const lesson::Folder& folder, const std::string& language, const std::string& part);

}  // namespace warplens
