// Reading pictures, by stb_image. Its functions are static here, because GUI libraries bring their own copy.
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_HDR  // otherwise floating-point pictures would be tone-mapped
#define STBI_NO_LINEAR
#define STBI_NO_PIC
#define STBI_NO_PNM  // pnm.h
#define STBI_NO_STDIO
#include <fmt/format.h>
#include <stb/stb_image.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>
#include <optional>

#include "core/base/text.h"
#include "core/image/deflate.h"
#include "core/image/image.h"
#include "core/image/jpeg_tables.h"
#include "core/image/orientation.h"
#include "core/image/pnm.h"

namespace warplens {

namespace {

// The input of stb_image. It reads beyond the end only if the picture is truncated, and often treats the
// missing bytes as zeros.
struct Source {
  std::span<const std::byte> bytes;
  size_t position = 0;
  bool ran_out = false;

  size_t left() const { return bytes.size() - position; }
};

constexpr int read_ahead = 128;  // the size of stb_image's own buffer; a shorter read into it does no harm

int read(void* user, char* data, int size) {
  auto& source = *static_cast<Source*>(user);
  const size_t count = std::min(source.left(), static_cast<size_t>(size));
  if (count == 0 || (count < static_cast<size_t>(size) && size != read_ahead)) source.ran_out = true;
  if (count != 0) std::memcpy(data, source.bytes.data() + source.position, count);
  source.position += count;
  return static_cast<int>(count);
}

void skip(void* user, int count) {
  auto& source = *static_cast<Source*>(user);
  if (count < 0) {
    source.position -= std::min(source.position, static_cast<size_t>(-static_cast<int64_t>(count)));
    return;
  }
  if (static_cast<size_t>(count) > source.left()) source.ran_out = true;
  source.position += std::min(source.left(), static_cast<size_t>(count));
}

int at_end(void* user) { return static_cast<const Source*>(user)->left() == 0 ? 1 : 0; }

constexpr stbi_io_callbacks callbacks{read, skip, at_end};

bool ends_with_tga(std::string_view name) {
  return name.size() >= 4 && lower_case(name.substr(name.size() - 4)) == ".tga";
}

// TGA has no signature, so nearly any file could be one. A file counts as TGA only by its name.
bool has_signature(std::string_view bytes) {
  using namespace std::string_view_literals;
  for (std::string_view signature : {"\x89PNG"sv, "\xff\xd8"sv, "BM"sv, "GIF8"sv, "8BPS"sv})
    if (bytes.starts_with(signature)) return true;
  return false;
}

// Pictures that cannot be read here, by their first bytes: their names may say another format. An ISO file
// (ISO/IEC 14496-12) has its brand after a size and "ftyp".
std::string_view unread_format(std::string_view bytes) {
  using namespace std::string_view_literals;
  const std::string_view head = bytes.substr(0, 64);
  if (head.starts_with("RIFF") && head.substr(std::min<size_t>(8, head.size())).starts_with("WEBP"))
    return "WebP";
  if (head.substr(std::min<size_t>(4, head.size())).starts_with("ftyp")) {
    for (const auto& [brand, format] :
         {std::pair{"avif"sv, "AVIF"sv}, std::pair{"avis"sv, "AVIF"sv}, std::pair{"hei"sv, "HEIC"sv},
          std::pair{"hev"sv, "HEIC"sv}, std::pair{"mif1"sv, "HEIC"sv}, std::pair{"msf1"sv, "HEIC"sv}})
      if (head.find(brand) != std::string_view::npos) return format;
  }
  if (head.starts_with("\xff\x0a"sv) || head.starts_with("\0\0\0\x0cJXL "sv)) return "JPEG XL";
  if (head.starts_with("II*\0"sv) || head.starts_with("MM\0*"sv)) return "TIFF";
  return {};
}

// stb_image refuses huge PNG pictures without giving their size. It is read here from IHDR, which comes
// first.
std::pair<uint32_t, uint32_t> png_size(std::span<const std::byte> bytes) {
  constexpr size_t width_at = 16, height_at = 20;
  if (bytes.size() < height_at + 4 || std::to_integer<uint8_t>(bytes[0]) != 0x89) return {0, 0};
  auto big_endian = [&](size_t at) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) value = value << 8 | std::to_integer<uint32_t>(bytes[at + i]);
    return value;
  };
  return {big_endian(width_at), big_endian(height_at)};
}

Error unreadable(std::string_view name, const Source& source) {
  if (source.ran_out)
    return bad_input(
        fmt::format("{} is cut short: the picture ends before all its pixels. Get the file again.", name));
  const char* reason = stbi_failure_reason();
  return bad_input(fmt::format("{} cannot be read as a picture: {}. Convert it to PNG or JPEG.", name,
                               reason ? reason : "unknown reason"));
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Files that stb_image 2.27 must not decode, in addition to those of jpeg_tables.h. It fills whole planes of
// a PSD that has no data for them. A packed PSD row takes at least one byte for 64 pixels.
std::optional<std::string> why_unsafe(std::span<const std::byte> bytes, uint64_t pixels) {
  const std::string_view text = text_of(bytes);
  constexpr uint64_t most_pixels_per_byte = 64;
  if (text.starts_with("8BPS") && pixels / most_pixels_per_byte > bytes.size())
    return "is cut short: the picture ends before all its pixels. Get the file again";
  return std::nullopt;
}

struct FreePixels {
  void operator()(stbi_uc* pixels) const { stbi_image_free(pixels); }
};

}  // namespace

Error too_large_picture(std::string_view name, uint64_t width, uint64_t height) {
  return bad_input(fmt::format(
      "{} is {}×{} pixels; pictures of at most {} million pixels are read. Make it smaller first.", name,
      width, height, max_image_pixels / 1'000'000));
}

Result<Image> decode_image(std::span<const std::byte> bytes, std::string_view name, uint32_t channels) {
  if (channels == 2 || channels > 4)
    return bad_input(fmt::format("Pictures have 1, 3 or 4 channels, not {}.", channels));
  if (bytes.empty()) return bad_input(fmt::format("{} is empty, so it is no picture.", name));
  if (const std::string_view format = unread_format(text_of(bytes)); !format.empty())
    return bad_input(
        fmt::format("{} is a {} picture, which is not read here, whatever the file's name says. Open it in a "
                    "program for pictures, and save it as PNG or JPEG.",
                    name, format));
  if (is_pnm(bytes)) {
    Result<Image> image = decode_pnm(bytes, name);
    if (!image || channels == 0) return image;
    return with_channels(*image, channels);
  }
  if (!has_signature(text_of(bytes)) && !ends_with_tga(name))
    return bad_input(fmt::format(
        "{} is no picture that is known here: open a PNG, JPEG, BMP, TGA, GIF, PSD or PNM file.", name));
  if (const auto [png_width, png_height] = png_size(bytes);
      uint64_t{png_width} * png_height > max_image_pixels)
    return too_large_picture(name, png_width, png_height);

  if (!jpeg_tables_are_sound(bytes))  // even the header's reader fails on them
    return bad_input(
        fmt::format("{} is damaged: a JPEG table of it has too many codes. Get the file again.", name));

  int width = 0, height = 0, in_file = 0;
  Source header{bytes};
  if (!stbi_info_from_callbacks(&callbacks, &header, &width, &height, &in_file))
    return unreadable(name, header);
  // A BMP whose rows begin at the top says so by a negative height.
  if (text_of(bytes).starts_with("BM") && height < 0 && height != INT_MIN) height = -height;
  if (width <= 0 || height <= 0)
    return bad_input(fmt::format("{} has no pixels: {}×{}.", name, width, height));
  const auto columns = static_cast<uint32_t>(width), rows = static_cast<uint32_t>(height);
  if (uint64_t{columns} * rows > max_image_pixels) return too_large_picture(name, columns, rows);

  if (const auto why = why_unsafe(bytes, uint64_t{columns} * rows))
    return bad_input(fmt::format("{} {}.", name, *why));

  // Gray with alpha becomes RGBA.
  const uint32_t own_channels = in_file == 2 ? 4 : static_cast<uint32_t>(in_file);
  const uint32_t wanted = channels == 0 ? own_channels : channels;
  Source source{bytes};
  const std::unique_ptr<stbi_uc, FreePixels> pixels(
      stbi_load_from_callbacks(&callbacks, &source, &width, &height, &in_file, static_cast<int>(wanted)));
  if (!pixels || source.ran_out) return unreadable(name, source);
  Image image{columns, rows, wanted, {}, std::string(name), {}};
  if (static_cast<uint32_t>(width) != columns || static_cast<uint32_t>(height) != rows)
    return bad_input(fmt::format("{} changes its size within the file: it is damaged.", name));
  image.pixels.assign(pixels.get(), pixels.get() + uint64_t{columns} * rows * wanted);
  return upright(std::move(image), orientation_of(bytes));
}

std::optional<std::string> inflated(std::string_view packed, size_t most) {
  std::string text(most, '\0');
  const int length = stbi_zlib_decode_buffer(text.data(), static_cast<int>(most), packed.data(),
                                             static_cast<int>(packed.size()));
  if (length < 0) return std::nullopt;
  text.resize(static_cast<size_t>(length));
  return text;
}

}  // namespace warplens
