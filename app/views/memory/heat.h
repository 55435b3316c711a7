// The address heat map of a buffer: how often each of its sectors was touched.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/base/draw/raster.h"
#include "core/gpu/engine/heat.h"

namespace warplens {

struct HeatPicture {
  std::string message;             // why there is no map, or why it is not of the whole run
  std::vector<std::string> names;  // of all buffers
  size_t chosen = 0;               // the buffer that is shown
  uint32_t buffer = 0;             // its index in LaunchRequest::buffers
  uint32_t columns = 0, rows = 0;  // of the raster, a cell for each bin; addresses ascend along rows
  std::shared_ptr<const Raster> raster;
  std::vector<double> times;  // by bin: how often its sectors were touched on average
  double most = 0, mean = 0;
  double top = 32;  // upper end of the (logarithmic) colours, the same for most pictures
  uint64_t bins = 0, untouched = 0;
  uint64_t bytes = 0, bytes_per_bin = 0;
  uint64_t loads = 0, stores = 0, atomics = 0;  // sectors, of all bins
  std::string sentence;  // "Each sector of rgb is touched 4 times on average, at most 4 times."
};

// If `buffer` is empty, it is the one whose sectors are touched most often.
HeatPicture view_heat(const LaunchRequest& request, const AddressHeat& heat, std::optional<size_t> buffer);

// "bytes 1,024 to 1,055 of rgb: touched 4 times"
std::string words_of_bin(const HeatPicture& picture, size_t bin);

}  // namespace warplens
