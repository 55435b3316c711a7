// Makes a link from what is shown, and opens one (docs/links.md).
#pragma once

#include <string>

#include "app/state/state.h"
#include "core/files/link.h"

namespace warplens {

// What is open of the course, by the names of the folder and of the step; empty if nothing is.
struct CoursePlace {
  std::string lesson, step, challenge;
};
CoursePlace place_of(const AppState& state);

// Without what is this machine's or this person's alone: files, a real GPU, the size of texts.
Link link_of(const AppState& state);

}  // namespace warplens
