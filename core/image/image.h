// Pictures of 8-bit channels: load (stb_image), save, compare.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warplens {

// Row-major, top row first, channels interleaved. channels: 1 (gray), 3 (RGB) or 4 (RGBA).
struct Image {
  uint32_t width = 0, height = 0, channels = 3;
  std::vector<uint8_t> pixels;
  std::string name;    // for people: "astronaut.png"
  std::string credit;  // author and licence, where known
};

// Largest picture that is read: pixels, checked from the header before anything is decoded.
constexpr uint64_t max_image_pixels = 100'000'000;

// Reads a PNG, JPEG, BMP, TGA, GIF (first frame), PSD or PNM file into `channels` channels (0: as in the
// file).
Result<Image> load_image(const std::string& path, uint32_t channels);
Result<Image> decode_image(std::span<const std::byte> bytes, std::string_view name, uint32_t channels);

// The format follows the ending: .png, .jpg, .bmp, .tga. Unwritable paths and unknown endings are errors.
Result<void> save_image(const Image& image, const std::string& path);

// |a − b| per channel, and the number of bytes that differ. Sizes must be equal.
struct ImageDifference {
  Image difference;
  uint64_t differing_bytes = 0;
  uint32_t max_difference = 0;
};
Result<ImageDifference> difference(const Image& a, const Image& b);

// The same picture in 1, 3 or 4 channels: gray becomes RGB with equal channels, RGB becomes gray by the eye's
// weights, a new alpha is opaque and an old one is dropped.
Image with_channels(const Image& image, uint32_t channels);

// A picture drawn by this project's own code, for machines without the photographs. Deterministic.
Image rendered_sample(uint32_t width, uint32_t height);

struct SamplePhoto {
  std::string name, path, title, credit;
};
// The photographs that set-up fetched, with their credits; empty where there are none.
std::vector<SamplePhoto> sample_photos();
// "astronaut", a path, or empty for the default (astronaut, else the rendered sample).
Result<Image> open_picture(const std::string& name_or_path, uint32_t channels);

}  // namespace warplens
