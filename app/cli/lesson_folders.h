// Lessons and challenges by name or folder.
#pragma once

#include <string>
#include <string_view>

#include "core/lesson/lesson.h"

namespace warplens {

// A folder of the program by its name, or one on disk by its path. `kind` is "lessons" or "challenges".
Result<lesson::Folder> lesson_folder(std::string_view kind, const std::string& name);

// A lesson of which texts are to be printed, in this language; empty for its own. An error where it has
// mistakes, or no texts in the language.
Result<lesson::Lesson> lesson_in(const lesson::Folder& folder, const std::string& language);

}  // namespace warplens
