// References of kernels that read textures. They have exactly the arithmetic of the texture unit: the
// position between two texels has 8 fractional bits, weights in a plane are rounded to 256ths, and bytes
// become 16 bits.
#include <array>
#include <cmath>

#include "core/kernels/references/reference_list.h"

namespace warplens {

namespace {

// Pixels of four bytes, read between them.
struct Plane {
  std::span<const uint8_t> bytes;
  int width, height;
  bool border;  // texels outside are 0; otherwise those of the edge

  int at(int64_t x, int64_t y, int channel) const {
    if (border && (x < 0 || y < 0 || x >= width || y >= height)) return 0;
    const auto column = static_cast<size_t>(std::clamp<int64_t>(x, 0, width - 1));
    const auto row = static_cast<size_t>(std::clamp<int64_t>(y, 0, height - 1));
    return bytes[(row * static_cast<size_t>(width) + column) * 4 + static_cast<size_t>(channel)];
  }

  std::array<float, 4> between(float x, float y) const {
    const auto in_256ths = [](float place) {
      return static_cast<int64_t>(std::floor((double{place} - 0.5) * 256 + 0.5));
    };
    const int64_t across = in_256ths(x), down = in_256ths(y), column = across >> 8, row = down >> 8;
    const int64_t a = across & 255, b = down & 255, both = (a * b + 128) >> 8;
    std::array<float, 4> color{};
    for (int channel = 0; channel < 4; ++channel) {
      const int64_t sum = (256 - a - b + both) * at(column, row, channel) +
                          (a - both) * at(column + 1, row, channel) +
                          (b - both) * at(column, row + 1, channel) + both * at(column + 1, row + 1, channel);
      const int64_t in_16_bits = (sum * 257 + 128) >> 8;
      color[static_cast<size_t>(channel)] = static_cast<float>(static_cast<double>(in_16_bits) / 65535);
    }
    return color;
  }
};

void store(std::span<uint8_t> out, size_t pixel, const std::array<float, 4>& color) {
  for (size_t channel = 0; channel < 4; ++channel)
    out[pixel * 4 + channel] = to_byte(std::fmaf(color[channel], 255.f, .5f));
}

bool resize_texture(const HostLaunch& launch) {
  const HostArguments a = launch.arguments;
  if (a.size() != 6) return false;
  const Plane picture{elements<uint8_t>(a[0]), integer(a[2]), integer(a[3]), false};
  const auto out = elements<uint8_t>(a[1]);
  const int width = integer(a[4]), height = integer(a[5]);
  if (picture.bytes.size() < 4 * area(picture.width, picture.height) || out.size() < 4 * area(width, height))
    return false;
  if (area(picture.width, picture.height) == 0) return area(width, height) == 0;
  const float step_x = static_cast<float>(picture.width) / static_cast<float>(width);
  const float step_y = static_cast<float>(picture.height) / static_cast<float>(height);
  size_t pixel = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      store(out, pixel++,
            picture.between((static_cast<float>(x) + .5f) * step_x, (static_cast<float>(y) + .5f) * step_y));
  return true;
}

bool rotate_texture(const HostLaunch& launch) {
  const HostArguments a = launch.arguments;
  if (a.size() != 6) return false;
  const int width = integer(a[2]), height = integer(a[3]);
  const Plane picture{elements<uint8_t>(a[0]), width, height, true};
  const auto out = elements<uint8_t>(a[1]);
  const float cosine = real(a[4]), sine = real(a[5]);
  if (picture.bytes.size() < 4 * area(width, height) || out.size() < 4 * area(width, height)) return false;
  const float middle_x = static_cast<float>(width) * .5f, middle_y = static_cast<float>(height) * .5f;
  size_t pixel = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const float right = (static_cast<float>(x) + .5f) - middle_x,
                  down = (static_cast<float>(y) + .5f) - middle_y;
      store(out, pixel++,
            picture.between(std::fmaf(cosine, right, std::fmaf(sine, down, middle_x)),
                            std::fmaf(cosine, down, std::fmaf(-sine, right, middle_y))));
    }
  return true;
}

constexpr ReferenceRow texture_rows[] = {{"resize_texture", resize_texture},
                                         {"rotate_texture", rotate_texture}};

}  // namespace

std::span<const ReferenceRow> texture_references() { return texture_rows; }

}  // namespace warplens
