// The lower half of the Occupancy view's picture.
#pragma once

#include "app/views/occupancy/picture.h"

namespace warplens {

// Each draws in its box, under a heading, and returns the y below it.
float draw_sm(Picture& picture, const Style& style, Box box, const OccupancyView& view,
              OccupancyLayout& layout);
float draw_waves(Picture& picture, const Style& style, Box box, const OccupancyView& view,
                 OccupancyLayout& layout);
float draw_devices(Picture& picture, const Style& style, Box box, const OccupancyView& view, bool interactive,
                   OccupancyLayout& layout);

}  // namespace warplens
