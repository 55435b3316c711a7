// The marks of a lesson's question on the axis of a plot: the student's marker and, once it is told, the
// truth.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "app/base/draw/plot.h"
#include "app/base/views.h"
#include "app/state/state.h"

namespace warplens {

// The marks for the plot with this name in lessons: "sizes", "blocks", "occupancy_block", …. Empty if no
// question is about it.
std::vector<PlotMark> lesson_marks(const AppState& state, std::string_view plot);
// The view that a plot stands in; empty for a bare scale.
std::optional<View> view_of_plot(std::string_view plot);
// The question that is open, if it asks for a marker on a plot of this view.
std::optional<size_t> marker_question(const AppState& state, View view);

}  // namespace warplens
