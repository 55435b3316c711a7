// References of kernels on pictures.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

#include "core/kernels/references/reference_list.h"

namespace warplens {

namespace {

bool grayscale(const HostLaunch& launch) {
  const HostArguments a = launch.arguments;
  if (a.size() != 4) return false;
  const auto rgb = elements<uint8_t>(a[0]), gray = elements<uint8_t>(a[1]);
  const size_t pixels = area(integer(a[2]), integer(a[3]));
  if (rgb.size() < 3 * pixels || gray.size() < pixels) return false;
  for (size_t i = 0; i < pixels; ++i) {
    const float r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    gray[i] = to_byte(std::fmaf(.114f, b, std::fmaf(.587f, g, .299f * r)) + .5f);
  }
  return true;
}

int mandelbrot_iterations(float c_x, float c_y, int max_iterations) {
  float z_x = 0, z_y = 0;
  int iteration = 0;
  while (iteration < max_iterations && std::fmaf(z_x, z_x, z_y * z_y) <= 4.f) {
    const float next_x = std::fmaf(z_x, z_x, std::fmaf(-z_y, z_y, c_x));
    z_y = std::fmaf(2.f * z_x, z_y, c_y);
    z_x = next_x;
    ++iteration;
  }
  return iteration;
}

bool mandelbrot(const HostLaunch& launch) {
  const HostArguments a = launch.arguments;
  if (a.size() != 7) return false;
  const auto rgb = elements<uint8_t>(a[0]);
  const int width = integer(a[1]), height = integer(a[2]), max_iterations = integer(a[6]);
  const float center_x = real(a[3]), center_y = real(a[4]), scale = real(a[5]);
  if (rgb.size() < 3 * area(width, height)) return false;
  WorkDone work(operations_before_a_frame);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int from_middle = x - width / 2, above_middle = height / 2 - y;
      const float c_x = std::fmaf(scale, static_cast<float>(from_middle), center_x);
      const float c_y = std::fmaf(scale, static_cast<float>(above_middle), center_y);
      const int iterations = mandelbrot_iterations(c_x, c_y, max_iterations);
      work.add(iterations);
      const auto iteration = static_cast<float>(iterations);
      const float t = std::sqrt(iteration / static_cast<float>(max_iterations)), s = 1.f - t;
      uint8_t* pixel =
          &rgb[3 * (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x))];
      pixel[0] = to_byte(255.f * 9.f * s * t * t * t);
      pixel[1] = to_byte(255.f * 15.f * s * s * t * t);
      pixel[2] = to_byte(255.f * 8.5f * s * s * s * t);
    }
  return true;
}

// A picture of bytes. A pixel beyond the edge has the value of the nearest pixel on the edge.
struct Texels {
  std::span<const uint8_t> bytes;
  int width, height, channels;
  uint8_t at(int x, int y, int channel) const {
    const auto row = static_cast<size_t>(std::clamp(y, 0, height - 1)),
               column = static_cast<size_t>(std::clamp(x, 0, width - 1));
    return bytes[(row * static_cast<size_t>(width) + column) * static_cast<size_t>(channels) +
                 static_cast<size_t>(channel)];
  }
};

// The arguments in, out, width, height, … of a picture kernel; null if they do not fit.
struct PictureArguments {
  Texels in;
  std::span<uint8_t> out;
};
std::optional<PictureArguments> picture_arguments(HostArguments a, size_t arguments, int channels) {
  if (a.size() != arguments) return std::nullopt;
  const int width = integer(a[2]), height = integer(a[3]);
  const size_t bytes = area(width, height) * static_cast<size_t>(channels);
  PictureArguments picture{{elements<uint8_t>(a[0]), width, height, channels}, elements<uint8_t>(a[1])};
  if (picture.in.bytes.size() < bytes || picture.out.size() < bytes) return std::nullopt;
  picture.out = picture.out.first(bytes);
  return picture;
}

// out(x, y, channel) for every byte, in the order of memory.
template <class Function>
bool fill_picture(const PictureArguments& picture, Function value) {
  size_t at = 0;
  if (picture.out.empty()) return true;
  for (int y = 0; y < picture.in.height; ++y)
    for (int x = 0; x < picture.in.width; ++x)
      for (int channel = 0; channel < picture.in.channels; ++channel)
        picture.out[at++] = static_cast<uint8_t>(value(x, y, channel));
  return true;
}

bool invert(const HostLaunch& launch) {
  const auto picture = picture_arguments(launch.arguments, 4, 3);
  if (!picture) return false;
  for (size_t i = 0; i < picture->out.size(); ++i)
    picture->out[i] = static_cast<uint8_t>(255 - picture->in.bytes[i]);
  return true;
}

bool box_blur(const HostLaunch& launch) {
  const auto picture = picture_arguments(launch.arguments, 5, 3);
  if (!picture) return false;
  const int radius = integer(launch.arguments[4]), count = (2 * radius + 1) * (2 * radius + 1);
  return fill_picture(*picture, [&](int x, int y, int channel) {
    int sum = 0;
    for (int dy = -radius; dy <= radius; ++dy)
      for (int dx = -radius; dx <= radius; ++dx) sum += picture->in.at(x + dx, y + dy, channel);
    return (sum + count / 2) / count;
  });
}

bool sobel(const HostLaunch& launch) {
  const auto picture = picture_arguments(launch.arguments, 4, 1);
  if (!picture) return false;
  return fill_picture(*picture, [&](int x, int y, int) {
    const auto at = [&](int dx, int dy) { return int{picture->in.at(x + dx, y + dy, 0)}; };
    const int across = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
    const int down = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
    return to_byte(std::min(std::sqrt(static_cast<float>(across * across + down * down)), 255.f));
  });
}

bool ripple(const HostLaunch& launch) {
  const auto picture = picture_arguments(launch.arguments, 7, 3);
  if (!picture) return false;
  const float time = real(launch.arguments[4]), wavelength = real(launch.arguments[5]),
              amplitude = real(launch.arguments[6]);
  const Texels& in = picture->in;
  return fill_picture(*picture, [&](int x, int y, int channel) {
    const int from_middle = x - in.width / 2, below_middle = y - in.height / 2;
    const auto dx = static_cast<float>(from_middle), dy = static_cast<float>(below_middle);
    const float distance = std::sqrt(std::fmaf(dx, dx, dy * dy));
    const float turns = distance / wavelength - time, phase = turns - std::floor(turns) - .5f;
    const float wave = 8.f * phase * std::fmaf(-2.f, std::fabs(phase), 1.f);
    const float shift = distance > 0.f ? amplitude * wave / distance : 0.f;
    const auto moved = [&](float along) {
      return static_cast<int>(std::floor(std::fmaf(along, shift, .5f)));
    };
    return int{in.at(x + moved(dx), y + moved(dy), channel)};
  });
}

bool convolution(const HostLaunch& launch) {
  const auto picture = picture_arguments(launch.arguments, 4, 1);
  float weights[25] = {};
  if (!picture || launch.globals.empty() || launch.globals[0].bytes.size() != sizeof(weights)) return false;
  std::memcpy(weights, launch.globals[0].bytes.data(), sizeof(weights));
  return fill_picture(*picture, [&](int x, int y, int) {
    float sum = 0;
    for (int i = 0; i < 25; ++i)
      sum = std::fmaf(weights[i], static_cast<float>(picture->in.at(x + i % 5 - 2, y + i / 5 - 2, 0)), sum);
    return to_byte(std::min(std::max(sum, 0.f), 255.f) + .5f);
  });
}

constexpr ReferenceRow picture_rows[] = {
    {"box_blur", box_blur},     {"convolution", convolution}, {"grayscale", grayscale}, {"invert", invert},
    {"mandelbrot", mandelbrot}, {"ripple", ripple},           {"sobel", sobel}};

}  // namespace

std::span<const ReferenceRow> picture_references() { return picture_rows; }

}  // namespace warplens
