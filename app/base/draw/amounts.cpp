#include "app/base/draw/amounts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/palette.h"

namespace warplens {

uint32_t viridis(double share) {
  static constexpr std::array<uint32_t, 20> points = {
      0x440154, 0x481567, 0x482677, 0x453781, 0x404788, 0x39568C, 0x33638D, 0x2D708E, 0x287D8E, 0x238A8D,
      0x1F968B, 0x20A387, 0x29AF7F, 0x3CBB75, 0x55C667, 0x73D055, 0x95D840, 0xB8DE29, 0xDCE319, 0xFDE725};
  if (std::isnan(share)) return 0x808080;
  const double at = std::clamp(share, 0.0, 1.0) * (points.size() - 1);
  const size_t low = std::min(static_cast<size_t>(at), points.size() - 2);
  return mix(points[low], points[low + 1], at - static_cast<double>(low));
}

}  // namespace warplens
