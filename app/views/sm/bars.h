// The rows of warps and the issue slots over time, for the picture.
#pragma once

#include "app/views/sm/picture.h"

namespace warplens {

// What all rows of a run share.
struct SmBars {
  const SmPictureInput& input;
  const SmView& view;
  TimeRange range;
};

// The rows from `first` on, each in its box. With few spans each is a bar, otherwise each pixel shows the
// shares of the states in it.
void draw_sm_rows(Picture& picture, const Style& style, const SmBars& bars, size_t first,
                  const std::vector<Box>& rows);
// Filled where the scheduler issues; with several cycles in a pixel, as high as their share.
void draw_sm_slots(Picture& picture, const Style& style, const SmBars& bars, uint32_t scheduler, Box box);
// A sample of the look of a state, for the legend.
void draw_sm_swatch(Picture& picture, const Style& style, Box box, WarpState state);

}  // namespace warplens
