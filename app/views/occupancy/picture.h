// Draws the Occupancy view: the sentence, resource bars, curves, one SM, waves, devices.
#pragma once

#include <vector>

#include "app/base/draw/plot.h"
#include "app/base/draw/style.h"
#include "app/views/occupancy/model.h"

namespace warplens {

// The positions of the parts, for tests.
struct OccupancyLayout {
  struct Bar {
    Box track, used, wasted, blocked;
  };
  struct Curve {
    Box plot;
    std::vector<Point> points;  // one for each CurvePoint
    std::optional<Point> today;
    std::vector<float> marks;  // the x of each
  };
  std::vector<Bar> bars;
  std::vector<Curve> curves;
  std::vector<Box> warps;        // cells of resident warps, block by block
  std::vector<Box> empty_warps;  // slots without a warp
  struct WaveCell {
    uint64_t wave = 0;
    uint32_t first_sm = 0, sms = 1;  // a row has several SMs if the device has very many
    Box box, filled;
  };
  std::vector<WaveCell> waves;
  std::vector<Box> devices;  // the filled part of each device's bar
  float bottom = 0;
};

// Returns the layout. It may be longer than the box, which then scrolls. `ratio` is the occupancy's ratio to
// the pinned run's, "0.67 × A"; empty if there is none. `marks` are those of a lesson on each of the curves.
OccupancyLayout draw_occupancy_view(Picture& picture, const Style& style, Box box, const OccupancyView& view,
                                    bool interactive, std::string_view ratio = "",
                                    const std::vector<std::vector<PlotMark>>& marks = {});

enum class OccupancyVerb : uint8_t { device };  // followed by its id
constexpr std::string_view name_of(OccupancyVerb) { return "device:"; }

}  // namespace warplens
