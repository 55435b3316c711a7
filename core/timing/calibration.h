// What was measured of one device by micro-kernels (`warplens calibrate`): a file of assets/timing/devices.
// The time model uses it for that device in place of published figures.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/device/device.h"
#include "core/timing/parameters.h"

namespace warplens {

// One figure that a calibration holds: its name in the file, its unit, what it is.
struct CalibratedFigure {
  std::string name, unit, what;
  bool needed = true;  // files from before it was measured are without it
};
const std::vector<CalibratedFigure>& calibrated_figures();

// The sizes whose copies are measured, in KiB.
constexpr std::array<int, 6> copied_kib = {4, 64, 1024, 4096, 16384, 65536};

struct Calibration {
  std::string device;       // as its file in assets/devices calls it
  std::string scaled_from;  // the measured device that the figures come from; empty: this one
  std::string measured;     // when and with what, for people
  // The band around a modelled time: times and divided by this. From launches on this device
  // (docs/time-model.md).
  double band = 1.5;
  std::map<std::string, Band, std::less<>> figures;

  double value(std::string_view figure) const;
  // Updates a microsecond of global atomics that are spread over this many words; `row`: the lanes of a warp
  // are side by side. Between the measured ones by their logarithms.
  double atomics_per_us(double words, bool row) const;
  // A copy of this many bytes between host and device, microseconds: between the measured sizes by their
  // logarithms, and beyond the largest at its rate. Low is from page-locked, high from pageable memory, and
  // the value that of `pinned`. Empty where copies were not measured.
  std::optional<Band> copy_us(uint64_t bytes, bool in, bool pinned) const;
};

// Every figure that is needed must be present, and all above 0 and in order (low ≤ value ≤ high).
Result<Calibration> parse_calibration(std::string_view json, std::string_view file);
std::string calibration_json(const Calibration& calibration);

// Those of the program.
const std::vector<Calibration>& calibrations();

// Null where the device has not been measured.
const Calibration* calibration_of(const Device& device);

}  // namespace warplens
