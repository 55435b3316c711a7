// The empty plot of a view that a lesson hides, on whose axis a marker is dragged.
#pragma once

#include <optional>

#include "app/base/draw/plot.h"
#include "app/base/views.h"
#include "app/state/state.h"

namespace warplens {

struct MarkerPlot {
  size_t question = 0;  // that asks for the marker
  Picture picture;
  Box plot;
  Scale across;
  // The answer at a pixel of the picture: a whole number if the scale is of whole numbers, as in the strip.
  double value_at(float x) const;
};

// The plot of `view` on which the open question asks for a marker; empty if there is none.
std::optional<MarkerPlot> marker_plot(const AppState& state, View view, const Style& style, float width,
                                      float height);

}  // namespace warplens
