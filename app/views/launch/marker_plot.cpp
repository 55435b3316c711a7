#include "app/views/launch/marker_plot.h"

#include <algorithm>
#include <cmath>

#include "app/views/model/lesson_marks.h"
#include "core/lesson/goals/facts.h"
#include "core/lesson/play/answers.h"

namespace warplens {

double MarkerPlot::value_at(float x) const {
  const double value = across.value_at(x);
  const bool whole = std::floor(across.low) == across.low && std::floor(across.high) == across.high &&
                     across.high - across.low >= 10;
  return whole ? std::round(value) : value;
}

std::optional<MarkerPlot> marker_plot(const AppState& state, View view, const Style& style, float width,
                                      float height) {
  const std::optional<size_t> index = marker_question(state, view);
  if (!index || !state.lesson.facts) return std::nullopt;
  const lesson::Question& question = current_step(state)->questions[*index];
  const auto ends = lesson::scale_of(question, *state.lesson.facts);
  if (!ends || !*ends) return std::nullopt;  // the strip says why
  const auto [from, to] = **ends;
  MarkerPlot made;
  made.question = *index;
  made.picture.width = width;
  made.picture.height = height;
  const float below = style.px(30), side = style.px(24);
  made.plot = {side, style.px(4), std::max(style.px(60), width - 2 * side),
               std::max(style.px(40), height - below)};
  made.across = {from, to, made.plot.x, made.plot.right(), question.log_scale && from > 0};
  made.picture.rectangle(made.plot, solid(style.palette.raised), style.px(6));
  draw_x_axis(made.picture, style, made.plot, made.across, lesson::number_text);
  const std::vector<PlotMark> marks = lesson_marks(state, question.plot);
  if (marks.empty())
    made.picture.text({made.plot.centre().x, made.plot.centre().y}, "Drag a marker here", Font::strong,
                      style.body(), solid(style.palette.quiet), AlignX::centre, AlignY::middle);
  draw_marks(
      made.picture, style, made.plot, [&](double value) { return made.across.at(value); }, marks);
  return made;
}

}  // namespace warplens
