// Lessons and challenges by name or folder.
#pragma once

#include <string>
#include <string_view>

#include "core/lesson/lesson.h"

namespace warplens {

// A folder of the program by its name, or one on disk by its path. `kind` is "lessons" or "challenges".
Result<lesson::Folder> lesson_folder(std::string_view kind, const std::string& name);

}  // namespace warplens
