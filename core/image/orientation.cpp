#include "core/image/orientation.h"

#include <algorithm>
#include <string_view>

namespace warplens {

namespace {

// The TIFF data of EXIF: numbers in one of two byte orders. Reading past the end gives 0.
struct Tiff {
  std::span<const std::byte> bytes;
  bool little = false;

  uint32_t number(size_t at, size_t size) const {
    uint32_t value = 0;
    if (at > bytes.size() || bytes.size() - at < size) return 0;
    for (size_t i = 0; i < size; ++i)
      value = value << 8 | std::to_integer<uint32_t>(bytes[at + (little ? size - 1 - i : i)]);
    return value;
  }
};

uint32_t orientation_in(Tiff tiff) {
  constexpr uint32_t little_endian = 0x4949, big_endian = 0x4d4d, tiff_mark = 42, tag_orientation = 0x0112;
  const uint32_t order = tiff.number(0, 2);
  tiff.little = order == little_endian;
  if ((order != little_endian && order != big_endian) || tiff.number(2, 2) != tiff_mark) return 1;
  const size_t directory = tiff.number(4, 4);
  const uint32_t entries = tiff.number(directory, 2);
  for (uint32_t i = 0; i < entries; ++i) {
    const size_t entry = directory + 2 + size_t{12} * i;  // tag, type, count, value
    if (entry >= tiff.bytes.size()) break;
    if (tiff.number(entry, 2) != tag_orientation) continue;
    const uint32_t value = tiff.number(entry + 8, 2);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

}  // namespace

uint32_t orientation_of(std::span<const std::byte> bytes) {
  constexpr std::string_view exif("Exif\0\0", 6);
  const Tiff file{bytes, false};
  if (file.number(0, 2) != 0xffd8) return 1;
  // The segments before the picture: a marker, and a length that counts itself.
  for (size_t at = 2; at + 4 <= bytes.size();) {
    const uint32_t marker = file.number(at, 2), length = file.number(at + 2, 2);
    constexpr uint32_t application_1 = 0xffe1, start_of_scan = 0xffda;
    if (marker >> 8 != 0xff || marker == start_of_scan || length < 2) break;
    if (marker == application_1) {
      const auto body = bytes.subspan(at + 4, std::min<size_t>(length - 2, bytes.size() - at - 4));
      const std::string_view text(reinterpret_cast<const char*>(body.data()), body.size());
      if (text.starts_with(exif)) return orientation_in({body.subspan(exif.size()), false});
    }
    at += 2 + size_t{length};
  }
  return 1;
}

Image upright(Image image, uint32_t orientation) {
  if (orientation <= 1 || orientation > 8) return image;
  // Pictures 5 to 8 lie on their side: their columns are stored as rows. Of some, columns or rows are stored
  // from their end.
  const bool on_side = orientation >= 5;
  const bool columns = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool rows = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  const uint32_t width = on_side ? image.height : image.width, height = on_side ? image.width : image.height;
  std::vector<uint8_t> pixels(image.pixels.size());
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x) {
      uint32_t column = on_side ? y : x, row = on_side ? x : y;
      if (columns) column = image.width - 1 - column;
      if (rows) row = image.height - 1 - row;
      const size_t from = (size_t{row} * image.width + column) * image.channels;
      const size_t to = (size_t{y} * width + x) * image.channels;
      std::copy_n(image.pixels.data() + from, image.channels, pixels.data() + to);
    }
  image.width = width;
  image.height = height;
  image.pixels = std::move(pixels);
  return image;
}

}  // namespace warplens
