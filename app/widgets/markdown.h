// Draws Markdown (core/markdown) with the window's fonts.
#pragma once

#include <functional>
#include <string_view>

#include "core/markdown/markdown.h"

namespace warplens {

using DrawPicture = std::function<void(const markdown::Block&)>;

// `draw_picture` draws a block that is a picture. Without it, the picture's description is written.
void draw_markdown(std::string_view text, const DrawPicture& draw_picture = nullptr);
// Draws these words with this width, and returns their height.
void draw_spans(const markdown::Spans& spans, float width);
float height_of_spans(const markdown::Spans& spans, float width);

}  // namespace warplens
