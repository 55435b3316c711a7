// The marks of a lesson's questions in the views: on the axis of a plot the student's marker and, once it is
// told, the truth; in a picture what was clicked.
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
// What was clicked for the questions of the step: what was found, and the last click if it was wrong. What is
// still to be found is not among them.
struct ClickMark {
  lesson::Target target;
  bool wrong = false;
};
std::vector<ClickMark> click_marks(const AppState& state);
// The view that a plot stands in; empty for a bare scale.
std::optional<View> view_of_plot(std::string_view plot);
// The question that is open, if it asks for a marker on a plot of this view.
std::optional<size_t> marker_question(const AppState& state, View view);

}  // namespace warplens
