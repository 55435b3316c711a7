// Makes a link from what is shown, and opens one (docs/links.md).
#pragma once

#include <string>

#include "app/state/state.h"
#include "core/job/files/link.h"

namespace warplens {

CoursePlace place_of(const AppState& state);
// The place of a lesson's step. SIZE_MAX if it has none of this id: the lesson then begins where it was.
size_t step_of(const std::string& lesson, const std::string& id);

// Without what is this machine's or this person's alone: files, a real GPU, the size of texts.
Link link_of(const AppState& state);

}  // namespace warplens
