// What is shown as a link, and back (docs/links.md).
#pragma once

#include "app/state/state.h"
#include "core/files/link.h"

namespace warplens {

// Without what is this machine's or this person's alone: files, a real GPU, the size of texts.
Link link_of(const AppState& state);

}  // namespace warplens
