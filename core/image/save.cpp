// Writes pictures: stb_image_write encodes them in memory, and the file is then written completely or not at
// all.
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <fmt/format.h>
#include <stb/stb_image_write.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "core/base/system/files.h"
#include "core/base/text.h"
#include "core/image/deflate.h"
#include "core/image/image.h"

namespace warplens {

namespace {

using Buffer = std::vector<std::byte>;

void append(void* context, void* data, int size) {
  const auto* bytes = static_cast<const std::byte*>(data);
  static_cast<Buffer*>(context)->insert(static_cast<Buffer*>(context)->end(), bytes, bytes + size);
}

std::string ending_of(const std::string& path) {
  return lower_case(std::filesystem::path(path).extension().string());
}

constexpr int jpeg_quality = 95;
constexpr std::string_view endings[] = {".png", ".jpg", ".jpeg", ".bmp", ".tga"};

// Returns false if the extension is not known or stb_image_write fails.
bool encode(const Image& image, const std::string& ending, Buffer& bytes) {
  const auto width = static_cast<int>(image.width), height = static_cast<int>(image.height),
             channels = static_cast<int>(image.channels);
  const uint8_t* pixels = image.pixels.data();
  if (ending == ".png")
    return stbi_write_png_to_func(append, &bytes, width, height, channels, pixels, 0) != 0;
  if (ending == ".jpg" || ending == ".jpeg")
    return stbi_write_jpg_to_func(append, &bytes, width, height, channels, pixels, jpeg_quality) != 0;
  if (ending == ".bmp") return stbi_write_bmp_to_func(append, &bytes, width, height, channels, pixels) != 0;
  if (ending == ".tga") return stbi_write_tga_to_func(append, &bytes, width, height, channels, pixels) != 0;
  return false;
}

}  // namespace

std::span<const std::string_view> saved_picture_endings() { return endings; }

Result<void> save_image(const Image& image, const std::string& path) {
  const std::string ending = ending_of(path);
  if (std::ranges::find(endings, ending) == std::end(endings))
    return bad_input(
        fmt::format("{}: pictures are saved as .png, .jpg, .bmp or .tga; give one of these endings.",
                    path.empty() ? "The path is empty" : path));
  const uint64_t pixels = uint64_t{image.width} * image.height;
  const bool whole =
      image.channels >= 1 && image.channels <= 4 && image.pixels.size() == pixels * image.channels;
  if (pixels == 0 || pixels > max_image_pixels || !whole)
    return bad_input(
        fmt::format("{}: a picture of {}×{} pixels cannot be saved.", path, image.width, image.height));
  constexpr uint32_t largest_side_of_jpeg_and_tga = 65535;
  if ((ending[1] == 'j' || ending[1] == 't') &&
      std::max(image.width, image.height) > largest_side_of_jpeg_and_tga)
    return bad_input(fmt::format("{}: {} pictures have at most {} pixels on a side; save it as .png.", path,
                                 ending, largest_side_of_jpeg_and_tga));
  Buffer bytes;
  if (!encode(image, ending, bytes))
    return failed(fmt::format("{}: the picture could not be encoded.", path));
  return write_bytes(path, bytes);
}

std::string deflated(std::string_view text) {
  constexpr int hardest = 16;
  std::string bytes(text);  // stb_image_write needs writable bytes
  int length = 0;
  const std::unique_ptr<unsigned char, decltype(&std::free)> packed(
      stbi_zlib_compress(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(bytes.size()),
                         &length, hardest),
      std::free);
  return packed ? std::string(reinterpret_cast<const char*>(packed.get()), static_cast<size_t>(length)) : "";
}

}  // namespace warplens
