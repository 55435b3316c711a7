// Measurements of one device by micro-kernels (`warplens calibrate`): a file in assets/timing/devices. For
// that device, the time model uses them in place of published figures.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/device/device.h"
#include "core/gpu/timing/parameters.h"

namespace warplens {

// One figure of a calibration: its name in the file, its unit, its meaning.
struct CalibratedFigure {
  std::string name, unit, what;
  bool needed = true;  // false if files from before it was measured may lack it
};
const std::vector<CalibratedFigure>& calibrated_figures();

// The sizes whose copies are measured, in KiB.
constexpr std::array<int, 6> copied_kib = {4, 64, 1024, 4096, 16384, 65536};

struct Calibration {
  std::string device;       // as its file in assets/devices calls it
  std::string scaled_from;  // the measured device that the figures were scaled from; empty if it is this one
  std::string measured;     // when and with what, for people
  // The band around a modelled time: it is multiplied and divided by this. Determined from launches on this
  // device (docs/time-model.md).
  double band = 1.5;
  std::map<std::string, Band, std::less<>> figures;

  double value(std::string_view figure) const;
  // Updates per microsecond of global atomics that are spread over this many words; with `row`, the lanes of
  // a warp access adjacent words. Values between the measured ones are interpolated by logarithms.
  double atomics_per_us(double words, bool row) const;
  // The microseconds of a copy of this many bytes between host and device: interpolated by logarithms between
  // the measured sizes, and beyond the largest at its rate. Low is that of page-locked memory, high that of
  // pageable memory, and the value is that of `pinned`. Empty if copies were not measured.
  std::optional<Band> copy_us(uint64_t bytes, bool in, bool pinned) const;
};

// Every figure that is needed must be present, and all above 0 and in order (low ≤ value ≤ high).
Result<Calibration> parse_calibration(std::string_view json, std::string_view file);
std::string calibration_json(const Calibration& calibration);

// The built-in calibrations.
const std::vector<Calibration>& calibrations();

// Null if the device has not been measured.
const Calibration* calibration_of(const Device& device);

}  // namespace warplens
