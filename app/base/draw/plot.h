// Axes for plots: the position of a value, the ticks, and the look of the axis.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/base/draw/picture.h"
#include "app/base/draw/style.h"

namespace warplens {

struct Scale {
  double low = 0, high = 1;  // both above 0 if logarithmic
  float from = 0, to = 1;    // pixels of low and high
  bool logarithmic = false;
  float at(double value) const;        // clamped to the axis
  double value_at(float pixel) const;  // the other way, clamped too
};

// About this many round values between low and high: 1, 2 and 5 times powers of ten, or only powers of ten
// on a long logarithmic axis.
std::vector<double> ticks_of(const Scale& scale, int about);

using Label = std::function<std::string(double)>;
// Grid lines across `plot` with their labels left of it (or below it). Labels that would overlap are left
// out.
void draw_y_axis(Picture& picture, const Style& style, Box plot, const Scale& scale, const Label& label);
void draw_x_axis(Picture& picture, const Style& style, Box plot, const Scale& scale, const Label& label);

// A marked value on the axis: a student's guess, or the result.
struct PlotMark {
  double at = 0;
  std::string words;  // "your guess: 1500"
  bool guess = false;
};
// Where the words of this many marks begin: below it is no room for others.
float top_of_marks(const Style& style, Box plot, size_t marks);
// A line across `plot` at each, dashed for guesses, with its words next to it, each a line below the one
// before. `x` is where a value stands.
void draw_marks(Picture& picture, const Style& style, Box plot, const std::function<float(double)>& x,
                const std::vector<PlotMark>& marks);

// A vertical line with two ends: from low to high.
void draw_whisker(Picture& picture, Point low, Point high, Colour colour, float cap);
void draw_dashed(Picture& picture, Point from, Point to, Colour colour, float width, float dash);
// A filled circle.
void draw_dot(Picture& picture, Point at, float radius, Colour fill, Colour line = {}, float line_width = 1);

}  // namespace warplens
