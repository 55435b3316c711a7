// The motion in a live picture. It depends on the names of the kernel's numbers, also in own kernels: `time`
// counts seconds, `radius` goes back and forth, and `center_x`, `center_y` and `scale` give the part of a
// plane that the picture shows.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/base/draw/picture.h"
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

// The values after `seconds` more. `phase` is the position of a number that goes back and forth: 0 to 1 on
// the way forth, 1 to 2 on the way back.
MovedValues played(const LiveMotion& motion, const KernelSetup& setup, double seconds, double& phase);
// The phase at which such a number has its current value.
double phase_of(const LiveMotion& motion, const KernelSetup& setup);

// The values after the picture is dragged by these pixels: the plane follows the pointer.
MovedValues dragged(const LiveMotion& motion, const KernelSetup& setup, Point pixels);
// The values after zooming by a factor in a picture of `width` × `height` pixels. The point of the plane
// under the pixel `at` stays there.
MovedValues zoomed_at(const LiveMotion& motion, const KernelSetup& setup, uint32_t width, uint32_t height,
                      Point at, double factor);

}  // namespace warplens
