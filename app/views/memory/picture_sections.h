// The parts of the Memory view's picture. Each draws from the top of its box and returns the y below it.
#pragma once

#include "app/views/memory/picture.h"

namespace warplens {

float draw_hierarchy(Picture& picture, const Style& style, Box box, const MemoryPictureInput& input,
                     MemoryLayout& layout);
float draw_memory_lines(Picture& picture, const Style& style, Box box, const MemoryPictureInput& input,
                        MemoryLayout& layout);

float draw_memory_access(Picture& picture, const Style& style, Box box, const MemoryPictureInput& input,
                         MemoryLayout& layout);
float draw_memory_heat(Picture& picture, const Style& style, Box box, const MemoryPictureInput& input,
                       MemoryLayout& layout);

// A heading such as "WHICH LINES MAKE IT" with a tag after it.
float draw_tagged_heading(Picture& picture, const Style& style, Point at, std::string_view words,
                          Provenance source, std::string formula);

}  // namespace warplens
