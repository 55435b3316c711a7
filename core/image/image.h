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

// The size in pixels of the largest picture that is read. It is checked in the header, before anything is
// decoded.
constexpr uint64_t max_image_pixels = 100'000'000;
Error too_large_picture(std::string_view name, uint64_t width, uint64_t height);

// Reads a PNG, JPEG (upright, as its EXIF data say), BMP, TGA, GIF (first frame), PSD or PNM file into
// `channels` channels, or 0 for as many as the file has.
Result<Image> load_image(const std::string& path, uint32_t channels);
Result<Image> decode_image(std::span<const std::byte> bytes, std::string_view name, uint32_t channels);

// The extension selects the format: .png, .jpg, .bmp, .tga. Unwritable paths and unknown extensions are
// errors.
Result<void> save_image(const Image& image, const std::string& path);
// ".png" and the other extensions that save_image() accepts, in lower case.
std::span<const std::string_view> saved_picture_endings();

// |a − b| per channel, and the number of bytes that differ. Sizes must be equal.
struct ImageDifference {
  Image difference;
  uint64_t differing_bytes = 0;
  uint32_t max_difference = 0;
};
Result<ImageDifference> difference(const Image& a, const Image& b);

// The same picture in 1, 3 or 4 channels. Gray becomes RGB with equal channels. RGB becomes gray by weights
// that fit the human eye. A new alpha channel is opaque; an alpha channel that is not wanted is dropped.
Image with_channels(const Image& image, uint32_t channels);

// A picture that the program draws itself, for machines without the photographs. Deterministic.
Image rendered_sample(uint32_t width, uint32_t height);

struct SamplePhoto {
  std::string name, path, title, credit;
};
// The photographs that set-up fetched, with their credits. Empty if there are none.
std::vector<SamplePhoto> sample_photos();
// Opens a photograph by its name ("astronaut") or a file by its path. An empty text means the default:
// astronaut, or the rendered sample if there are no photographs.
Result<Image> open_picture(const std::string& name_or_path, uint32_t channels);

}  // namespace warplens
