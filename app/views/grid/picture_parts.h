// The words and rows around the maps of the Grid view.
#pragma once

#include "app/views/grid/picture.h"

namespace warplens {

// Breadcrumb, colouring chips, what is lost by zooming out. Returns the y below it.
float draw_grid_header(Picture& picture, const Style& style, const GridViewInput& input, Box box);

float map_caption_height(const Style& style, const GridViewInput& input, float width);
void draw_map_caption(Picture& picture, const Style& style, const GridViewInput& input, Box box);
// `chips`: one a warp; left out where they would take the block's room.
float block_caption_height(const Style& style, const GridViewInput& input, float width, bool chips);
void draw_block_caption(Picture& picture, const Style& style, const GridViewInput& input, Box box,
                        bool chips);

// The chosen access of the chosen warp. Returns which one is shown.
std::optional<size_t> draw_warp_part(Picture& picture, const Style& style, const GridViewInput& input,
                                     Box box, AccessLayout& layout);
// Index formula, reads and writes of the chosen thread.
void draw_lane_part(Picture& picture, const Style& style, const GridViewInput& input, Box box);

}  // namespace warplens
