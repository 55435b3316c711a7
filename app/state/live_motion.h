// What moves in a live picture. A kernel's numbers say it by their names, own kernels' too: `time` counts
// seconds, `radius` goes back and forth, and `center_x`, `center_y` and `scale` are the place of a plane that
// the picture shows.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/draw/picture.h"
#include "core/kernels/catalogue.h"

namespace warplens {

struct LiveMotion {
  const KernelArgument* time = nullptr;
  const KernelArgument* swing = nullptr;
  const KernelArgument *centre_x = nullptr, *centre_y = nullptr, *scale = nullptr;
  bool plane() const { return centre_x != nullptr && centre_y != nullptr && scale != nullptr; }
  bool any() const { return time != nullptr || swing != nullptr || plane(); }
};
LiveMotion motion_of(const KernelDescription& kernel);

using MovedValues = std::vector<std::pair<std::string, double>>;

double value_of_argument(const KernelArgument& argument, const KernelSetup& setup);

// After `seconds` more on the clock. `phase` is where a number that goes back and forth is on its way: 0 to 1
// there, 1 to 2 back.
MovedValues played(const LiveMotion& motion, const KernelSetup& setup, double seconds, double& phase);
// The phase at which such a number has its present value.
double phase_of(const LiveMotion& motion, const KernelSetup& setup);

// A picture of `width` × `height` pixels is dragged by so many of its pixels: the plane follows the pointer.
MovedValues dragged(const LiveMotion& motion, const KernelSetup& setup, Point pixels);
// Zoomed by a factor; the point of the plane under the pixel `at` stays there.
MovedValues zoomed_at(const LiveMotion& motion, const KernelSetup& setup, uint32_t width, uint32_t height,
                      Point at, double factor);

}  // namespace warplens
