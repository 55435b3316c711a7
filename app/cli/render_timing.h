// The pictures of the Timing view without a window.
#pragma once

#include <string>

#include "app/cli/choices.h"
#include "app/cli/render_picture.h"

namespace warplens {

bool is_timing(RenderKind kind);

// Runs what the picture needs, once or as a sweep, and writes it to `out`: .png, .svg or .csv.
Result<void> render_timing(const RunChoices& run, const RenderView& view, const std::string& out, Cli& cli);

}  // namespace warplens
