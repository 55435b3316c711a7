// Which characters of a text the window cannot draw: those for which its fonts have no sign, and scripts that
// it does not set as they are written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/lesson/lesson.h"

namespace warplens::lesson {

// A warning for each such character or script, at the first place where it stands. Where the program has no
// fonts, only scripts are looked at.
std::vector<Diagnostic> undrawn_characters(std::string_view text, const std::string& file);

// The same for lesson.md or challenge.md, what students see of the folder's code, and the translation of this
// language; empty for none.
std::vector<Diagnostic> undrawn_in(const Folder& folder, std::string_view language);

}  // namespace warplens::lesson
