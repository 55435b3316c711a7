// The empty plot of a view that a lesson hides, on whose axis a marker is dragged.
#pragma once

#include <optional>

#include "app/base/views.h"
#include "app/draw/plot.h"
#include "app/state/state.h"

namespace warplens {

struct MarkerPlot {
  size_t question = 0;  // that asks for the marker
  Picture picture;
  Box plot;
  Scale across;
  // The answer that a pixel of the picture stands for: whole where the scale is, as the strip's.
  double value_at(float x) const;
};

// Where the open question asks for a marker on a plot of `view`; else empty.
std::optional<MarkerPlot> marker_plot(const AppState& state, View view, const Style& style, float width,
                                      float height);

}  // namespace warplens
