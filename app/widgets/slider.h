// A line with a name, a slider, and the number, which can be typed. It reports the steps and the end of a
// drag separately, so that a drag is one undo step.
#pragma once

#include <string>

namespace warplens {

struct SliderRow {
  std::string id;     // unique in the window
  std::string label;  // "x"
  double value = 0, minimum = 0, maximum = 1;
  bool logarithmic = false;
  bool whole = true;
  bool label_above = false;  // for long labels: a line of their own
  double largest = 0;        // that can be typed, above the slider's maximum; 0: the maximum
};

struct SliderChange {
  bool changed = false;
  double value = 0;
  bool dragging = false;  // the gesture may continue
  bool ended = false;     // the gesture is over
};

// A number beyond the limits becomes the nearest one, and a card next to the box says so.
SliderChange slider_row(const SliderRow& row);
// Only the number, without a slider.
SliderChange number_row(const SliderRow& row);
// Only the box of the number.
SliderChange number_box(const SliderRow& row);
// Its width for numbers of up to four digits.
float number_box_width();

}  // namespace warplens
