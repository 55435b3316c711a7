// The Markdown of the manual, drawn with the window's own fonts: headings, paragraphs, lists, tables, code,
// bold, italics and code within lines. Pictures, quotes and HTML are shown as the words that they are.
#pragma once

#include <string_view>

namespace warplens {

void draw_markdown(std::string_view text);

}  // namespace warplens
