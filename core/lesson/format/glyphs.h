// Finds the characters of a text that the window cannot draw: those for which its fonts have no glyph, and
// scripts whose layout it does not support.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/lesson/format/lesson.h"

namespace warplens::lesson {

// A warning for each such character or script, at the first place where it occurs. In a build without fonts,
// only scripts are checked.
std::vector<Diagnostic> undrawn_characters(std::string_view text, const std::string& file);

// Checks lesson.md or challenge.md, the code of the folder that students see, and the translation into this
// language; empty for none.
std::vector<Diagnostic> undrawn_in(const Folder& folder, std::string_view language);

}  // namespace warplens::lesson
