// Draws the Markdown of the manual with the window's fonts: headings, paragraphs, lists, tables, code
// blocks, bold, italics and inline code. Pictures, quotes and HTML are shown as plain text.
#pragma once

#include <string_view>

namespace warplens {

void draw_markdown(std::string_view text);
// Draws one paragraph with this width, and returns its height.
void draw_markdown_in(std::string_view paragraph, float width);
float markdown_height(std::string_view paragraph, float width);

}  // namespace warplens
