#include "app/state/live/live_motion.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace warplens {

namespace {

constexpr double swing_seconds = 4;      // from one end to the other
constexpr double zoom_seconds_each = 2;  // to half the size of a pixel

// A number that the user can set. A number that follows from others cannot be moved.
const KernelArgument* number_named(const KernelDescription& kernel, std::string_view name) {
  for (const auto* list : {&kernel.arguments, &kernel.settings})
    for (const KernelArgument& argument : *list)
      if (argument.name == name && !argument.is_buffer && argument.expression.empty()) return &argument;
  return nullptr;
}

bool is_whole(DType type) { return type != DType::f32 && type != DType::f64 && type != DType::f16; }

std::pair<std::string, double> moved(const KernelArgument& argument, double value) {
  if (is_whole(argument.dtype)) value = std::round(value);
  return {argument.name, std::clamp(value, argument.minimum, argument.maximum)};
}

// 0 → 1 → 0 for phases from 0 to 2.
double there_and_back(double phase) { return phase <= 1 ? phase : 2 - phase; }

// The plane is zoomed between its first size and a hundredth of it.
constexpr double deepest_zoom = 0.01;

double zoom_low(const KernelArgument& scale) {
  return std::max(std::max(scale.minimum, scale.value * deepest_zoom), 1e-300);
}

}  // namespace

LiveMotion motion_of(const KernelDescription& kernel) {
  LiveMotion motion;
  motion.time = number_named(kernel, "time");
  motion.swing = number_named(kernel, "radius");
  motion.centre_x = number_named(kernel, "center_x");
  motion.centre_y = number_named(kernel, "center_y");
  motion.scale = number_named(kernel, "scale");
  return motion;
}

double value_of_argument(const KernelArgument& argument, const KernelSetup& setup) {
  const auto found = setup.values.find(argument.name);
  return found == setup.values.end() ? argument.value : found->second;
}

double phase_of(const LiveMotion& motion, const KernelSetup& setup) {
  if (motion.swing != nullptr) {
    const double range = motion.swing->maximum - motion.swing->minimum;
    if (!(range > 0)) return 0;
    return std::clamp((value_of_argument(*motion.swing, setup) - motion.swing->minimum) / range, 0.0, 1.0);
  }
  if (!motion.plane() || motion.scale->value <= 0) return 0;
  const double high = motion.scale->value, low = zoom_low(*motion.scale);
  const double now = std::max(value_of_argument(*motion.scale, setup), low);
  return high > low ? std::clamp(std::log(high / now) / std::log(high / low), 0.0, 1.0) : 0;
}

MovedValues played(const LiveMotion& motion, const KernelSetup& setup, double seconds, double& phase) {
  MovedValues values;
  if (motion.time != nullptr) {
    const KernelArgument& time = *motion.time;
    double now = value_of_argument(time, setup) + seconds;
    if (now > time.maximum) now = time.minimum;  // from the start again
    values.push_back(moved(time, now));
  } else if (motion.swing != nullptr) {
    const KernelArgument& swing = *motion.swing;
    phase = std::fmod(phase + seconds / swing_seconds, 2.0);
    values.push_back(moved(swing, swing.minimum + there_and_back(phase) * (swing.maximum - swing.minimum)));
  } else if (motion.plane() && motion.scale->value > 0) {
    const KernelArgument& scale = *motion.scale;
    const double high = scale.value, low = zoom_low(scale);
    const double steps = std::max(std::log2(high / low), 1e-9);
    phase = std::fmod(phase + seconds / (zoom_seconds_each * steps), 2.0);
    values.push_back(moved(scale, high * std::pow(low / high, there_and_back(phase))));
  }
  return values;
}

MovedValues dragged(const LiveMotion& motion, const KernelSetup& setup, Point pixels) {
  if (!motion.plane()) return {};
  const double scale = value_of_argument(*motion.scale, setup);
  // The imaginary axis points up, rows count down.
  return {moved(*motion.centre_x,
                value_of_argument(*motion.centre_x, setup) - scale * static_cast<double>(pixels.x)),
          moved(*motion.centre_y,
                value_of_argument(*motion.centre_y, setup) + scale * static_cast<double>(pixels.y))};
}

MovedValues zoomed_at(const LiveMotion& motion, const KernelSetup& setup, uint32_t width, uint32_t height,
                      Point at, double factor) {
  if (!motion.plane() || !(factor > 0)) return {};
  const double before = value_of_argument(*motion.scale, setup);
  const auto scale = moved(*motion.scale, before / factor);
  const uint32_t middle_x = width / 2, middle_y = height / 2;
  const double x = static_cast<double>(at.x) - double(middle_x),
               y = double(middle_y) - static_cast<double>(at.y);
  const double shift = before - scale.second;
  return {scale, moved(*motion.centre_x, value_of_argument(*motion.centre_x, setup) + shift * x),
          moved(*motion.centre_y, value_of_argument(*motion.centre_y, setup) + shift * y)};
}

}  // namespace warplens
