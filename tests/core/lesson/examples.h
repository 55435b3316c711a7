// The complete examples of docs/lessons.md and docs/challenges.md, as folders.
#pragma once

#include <string>

#include "core/lesson/format/lesson.h"

namespace warplens::lesson {

// The example marked <!-- example: NAME --> in a file of docs.
std::string doc_example(const std::string& file, const std::string& name);

Folder example_lesson();
// With the files of the built-in challenge that has the same name.
Folder example_challenge();

std::string replaced(std::string text, const std::string& from, const std::string& to);

}  // namespace warplens::lesson
