// The texts and rows around the maps of the Grid view.
#pragma once

#include "app/views/grid/picture.h"

namespace warplens {

// The breadcrumb, the colouring chips, and what is not visible when zoomed out. Returns the y below it.
float draw_grid_header(Picture& picture, const Style& style, const GridViewInput& input, Box box);

float map_caption_height(const Style& style, const GridViewInput& input, float width);
void draw_map_caption(Picture& picture, const Style& style, const GridViewInput& input, Box box);
// `chips`: one for each warp. They are left out if they would need the room of the block.
float block_caption_height(const Style& style, const GridViewInput& input, float width, bool chips);
void draw_block_caption(Picture& picture, const Style& style, const GridViewInput& input, Box box,
                        bool chips);

// Threads above the elements that they wrote. 0 if the launch is too large for that, or not of one row.
// They grow with the room that the view has.
float writers_height(const Style& style, const GridViewInput& input, Box room);
// `threads` gets the place of each.
void draw_writers(Picture& picture, const Style& style, const GridViewInput& input, Box room, Box box,
                  std::vector<Box>& threads);

// Draws the chosen access of the chosen warp. Returns the index of the shown one.
std::optional<size_t> draw_warp_part(Picture& picture, const Style& style, const GridViewInput& input,
                                     Box box, AccessLayout& layout);
// Draws the index formula, reads and writes of the chosen thread.
void draw_lane_part(Picture& picture, const Style& style, const GridViewInput& input, Box box);

}  // namespace warplens
