// One-dimensional arrays in the Image view: a plot for each, one below the other, over the same elements.
#pragma once

#include "app/views/image/picture.h"

namespace warplens {

// The arrays that are shown, if those of this mode are one-dimensional. Otherwise it is empty.
std::vector<VectorPlot> place_plots(const Style& style, Box canvas, const ImageViewInput& input);
void draw_plots(Picture& picture, const Style& style, const ImageViewInput& input,
                const std::vector<VectorPlot>& plots);

}  // namespace warplens
