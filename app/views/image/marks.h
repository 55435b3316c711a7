// The marks on a picture of the Image view: block lines, the selected block, cells read and written.
#pragma once

#include "app/views/image/picture.h"

namespace warplens {

// Lines along both axes, or none: with those of one axis alone, blocks would look like strips. There are none
// if blocks are so small that lines would hide the picture.
void draw_block_lines(Picture& picture, const Style& style, const ImageViewInput& input,
                      const ImageFrame& frame);
// Borders of the cells, if these are large enough to be looked at one by one.
void draw_cell_lines(Picture& picture, const ImageFrame& frame);
// The cells of the pinned block in the colours of what their threads did.
void draw_cost(Picture& picture, const ImageViewInput& input, const ImageFrame& frame);
// The pinned and the hovered block, and the cells that the pinned thread read (input) and wrote (result).
void draw_marks(Picture& picture, const Style& style, const ImageViewInput& input, const ImageFrame& frame);
// The elements of faults and findings. One that lies past the end of its buffer is marked where it would be.
void draw_incident_marks(Picture& picture, const Style& style, const ImageViewInput& input,
                         const ImageFrame& frame);
// Whether the cells are large enough for numbers.
bool has_values(const Style& style, const ImageFrame& frame);
// Draws the numbers on the cells: their values, or their places where the values are to be found out.
void draw_values(Picture& picture, const Style& style, const ImageViewInput& input, const ImageFrame& frame);

}  // namespace warplens
