// A bitmap of 8-bit RGBA, row-major, top row first. It does not change once it is shared, so a texture made
// from it stays valid.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace warplens {

struct Raster {
  uint32_t width = 0, height = 0;
  std::vector<uint8_t> rgba;  // 4 · width · height
};

inline Raster make_raster(uint32_t width, uint32_t height) {
  return {width, height, std::vector<uint8_t>(std::size_t{4} * width * height, 0)};
}

inline void put_pixel(Raster& raster, uint64_t index, uint32_t rgb, uint8_t alpha = 255) {
  uint8_t* to = raster.rgba.data() + 4 * index;
  to[0] = static_cast<uint8_t>(rgb >> 16);
  to[1] = static_cast<uint8_t>(rgb >> 8);
  to[2] = static_cast<uint8_t>(rgb);
  to[3] = alpha;
}

}  // namespace warplens
