#include "core/image/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/base/system/files.h"

namespace warplens {

namespace {

// 100 million pixels of 4 channels and some header: no readable file is larger.
constexpr uint64_t largest_file = uint64_t{512} << 20;

// The eye's weights for red, green and blue, in 256ths.
uint8_t gray_of(const uint8_t* rgb) {
  return static_cast<uint8_t>((77u * rgb[0] + 150u * rgb[1] + 29u * rgb[2]) >> 8);
}

}  // namespace

Result<Image> load_image(const std::string& path, uint32_t channels) {
  auto bytes = read_bytes(path, largest_file);
  if (!bytes) return bytes.error();
  return decode_image(*bytes, std::filesystem::path(path).filename().string(), channels);
}

Image with_channels(const Image& image, uint32_t channels) {
  Image result{image.width, image.height, channels, {}, image.name, image.credit};
  if (channels == image.channels || image.channels == 0) {
    result.pixels = image.pixels;
    return result;
  }
  const uint64_t count = image.pixels.size() / image.channels;
  result.pixels.resize(count * channels);
  const bool from_gray = image.channels < 3;
  for (uint64_t i = 0; i < count; ++i) {
    const uint8_t* from = &image.pixels[i * image.channels];
    uint8_t* to = &result.pixels[i * channels];
    if (channels < 3) {
      to[0] = from_gray ? from[0] : gray_of(from);
    } else {
      for (uint32_t c = 0; c < 3; ++c) to[c] = from[from_gray ? 0 : c];
      if (channels == 4) to[3] = 255;
    }
  }
  return result;
}

Result<ImageDifference> difference(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height || a.channels != b.channels ||
      a.pixels.size() != b.pixels.size())
    return bad_input(
        fmt::format("Pictures of different sizes cannot be compared: {}×{} with {} channels and {}×{} "
                    "with {}.",
                    a.width, a.height, a.channels, b.width, b.height, b.channels));
  ImageDifference result;
  result.difference = {a.width,      a.height, a.channels, std::vector<uint8_t>(a.pixels.size()),
                       "difference", {}};
  for (size_t i = 0; i < a.pixels.size(); ++i) {
    const auto distance = static_cast<uint32_t>(std::abs(int{a.pixels[i]} - int{b.pixels[i]}));
    result.difference.pixels[i] = static_cast<uint8_t>(distance);
    result.differing_bytes += distance != 0;
    result.max_difference = std::max(result.max_difference, distance);
  }
  return result;
}

}  // namespace warplens
