// One line with a name, a thin track with a round handle, and the number, which can be typed. Both ends of a
// drag are told apart, so that a drag is one undo step.
#pragma once

#include <string>

namespace warplens {

struct SliderRow {
  std::string id;     // unique in the window
  std::string label;  // "x"
  double value = 0, minimum = 0, maximum = 1;
  bool logarithmic = false;
  bool whole = true;
  bool label_above = false;  // long labels take a line of their own
};

struct SliderChange {
  bool changed = false;
  double value = 0;
  bool dragging = false;  // more of the same gesture may come
  bool ended = false;     // the gesture is over
};

SliderChange slider_row(const SliderRow& row);
// Only the number.
SliderChange number_row(const SliderRow& row);

}  // namespace warplens
