// The 32 lanes of a warp above, the sectors (or banks) that they touched below, and an arrow for each
// recorded access.
#pragma once

#include <optional>

#include "app/draw/style.h"
#include "app/model/access_view.h"

namespace warplens {

struct AccessMarks {
  std::optional<uint32_t> lane;  // its arrow stands out, the others are dimmed
};

// Where things came to lie, for tests and for hit tests.
struct AccessLayout {
  struct Arrow {
    uint32_t lane = 0;
    Point from, to;
  };
  std::vector<Box> lanes;     // of all 32
  std::vector<Box> sectors;   // in the order of the runs, sector by sector; shared: the 32 banks
  std::vector<Arrow> arrows;  // one an active lane
  float bottom = 0;
};

AccessLayout layout_access(const Style& style, Box box, const AccessView& view);
// `colour`: of the warp. Returns the layout that was drawn.
AccessLayout draw_access(Picture& picture, const Style& style, Box box, const AccessView& view,
                         uint32_t colour, const AccessMarks& marks);

}  // namespace warplens
