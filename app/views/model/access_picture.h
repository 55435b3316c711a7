// Draws the 32 lanes of a warp at the top, the sectors (or banks) that they touched below, and an arrow for
// each recorded access.
#pragma once

#include <optional>

#include "app/base/draw/style.h"
#include "app/views/model/access_view.h"

namespace warplens {

struct AccessMarks {
  std::optional<uint32_t> lane;  // its arrow is highlighted, the others are dimmed
};

// The positions of the parts, for tests and for hit tests.
struct AccessLayout {
  struct Arrow {
    uint32_t lane = 0;
    Point from, to;
  };
  std::vector<Box> lanes;     // of all 32
  std::vector<Box> sectors;   // in the order of the runs, sector by sector; for shared memory the 32 banks
  std::vector<Arrow> arrows;  // one for each active lane
  float bottom = 0;
};

AccessLayout layout_access(const Style& style, Box box, const AccessView& view);
// `colour` is that of the warp. Returns the layout.
AccessLayout draw_access(Picture& picture, const Style& style, Box box, const AccessView& view,
                         uint32_t colour, const AccessMarks& marks);

}  // namespace warplens
