#include "app/base/proposed_text.h"

#include <algorithm>
#include <cmath>

namespace warplens {

float proposed_text_scale(int pixels, int millimetres, float content_scale) {
  constexpr float usual_width = 1920, large_width = 2560, mm_per_inch = 25.4f, far_dpi = 60,
                  for_a_room = 1.5f;
  if (pixels <= 0 || content_scale <= 0) return 0;
  const auto across = static_cast<float>(pixels);
  if (millimetres > 0 && across * mm_per_inch / static_cast<float>(millimetres) < far_dpi) return for_a_room;
  const float width = across / content_scale;
  if (width < large_width) return 0;
  return std::clamp(std::round(4 * width / usual_width) / 4, 1.25f, 2.0f);
}

}  // namespace warplens
