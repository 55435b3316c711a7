// The parts of the SM view's picture above the warps.
#pragma once

#include <string>
#include <vector>

#include "app/base/draw/parts.h"
#include "app/views/sm/picture.h"

namespace warplens {

// "64 × 2 threads a block".
std::string threads_text(const SmView& view);
std::vector<Chip> chips_of_sm(const SmPictureInput& input);
// Each returns the y below it.
float draw_sm_sentence(Picture& picture, const Style& style, Box box, const SmPictureInput& input,
                       bool cramped);
float draw_sm_legend(Picture& picture, const Style& style, Box box, const SmPictureInput& input,
                     int most_lines);
// How many warps are on the SM from its first block to its last one, and what of it is drawn below.
void draw_sm_overview(Picture& picture, const Style& style, Box box, const SmView& view,
                      const SmLayout& layout);

}  // namespace warplens
