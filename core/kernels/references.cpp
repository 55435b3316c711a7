#include "core/kernels/references.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warplens {

namespace {

// Buffers hold their elements by value; they come from operator new, so they are aligned for each.
template <class T>
std::span<T> elements(const HostArgument& argument) {
  return {reinterpret_cast<T*>(argument.bytes.data()), argument.bytes.size() / sizeof(T)};
}

int integer(const HostArgument& argument) {
  return std::bit_cast<int32_t>(static_cast<uint32_t>(argument.scalar.bits));
}
float real(const HostArgument& argument) {
  return std::bit_cast<float>(static_cast<uint32_t>(argument.scalar.bits));
}

// width * height, 0 where one is not positive, as no thread then passes the bounds check.
size_t area(int width, int height) {
  return width <= 0 || height <= 0 ? 0 : static_cast<size_t>(width) * static_cast<size_t>(height);
}

// GPUs convert floats outside of the integer's range to its nearest value, and NaN to 0.
uint8_t to_byte(float value) {
  constexpr float beyond = 4294967296.f;  // the kernels convert to 32 bits and keep the low 8
  if (!(value > 0)) return 0;
  return static_cast<uint8_t>(value >= beyond ? 0xffffffffu : static_cast<uint32_t>(value));
}

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

bool add(std::span<const float> x, std::span<const float> y, std::span<float> out, size_t n) {
  if (x.size() < n || y.size() < n || out.size() < n) return false;
  for (size_t i = 0; i < n; ++i) out[i] = x[i] + y[i];
  return true;
}

bool vector_add(const HostLaunch& launch) {
  const HostArguments a = launch.arguments;
  if (a.size() != 4) return false;
  return add(elements<float>(a[0]), elements<float>(a[1]), elements<float>(a[2]),
             static_cast<size_t>(std::max(integer(a[3]), 0)));
}

bool vector_add_unchecked(const HostLaunch& launch) {
  const HostArguments a = launch.arguments;
  if (a.size() != 3) return false;
  return add(elements<float>(a[0]), elements<float>(a[1]), elements<float>(a[2]),
             elements<float>(a[2]).size());
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
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const float c_x = std::fmaf(scale, static_cast<float>(x - width / 2), center_x);
      const float c_y = std::fmaf(scale, static_cast<float>(height / 2 - y), center_y);
      const auto iteration = static_cast<float>(mandelbrot_iterations(c_x, c_y, max_iterations));
      const float t = std::sqrt(iteration / static_cast<float>(max_iterations)), s = 1.f - t;
      uint8_t* pixel =
          &rgb[3 * (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x))];
      pixel[0] = to_byte(255.f * 9.f * s * t * t * t);
      pixel[1] = to_byte(255.f * 15.f * s * s * t * t);
      pixel[2] = to_byte(255.f * 8.5f * s * s * s * t);
    }
  return true;
}

bool matmul_tiled(const HostLaunch& launch) {
  const HostArguments arguments = launch.arguments;
  if (arguments.size() != 6) return false;
  const auto a = elements<float>(arguments[0]), b = elements<float>(arguments[1]),
             c = elements<float>(arguments[2]);
  const int m = integer(arguments[3]), n = integer(arguments[4]), k = integer(arguments[5]);
  if (a.size() < area(m, k) || b.size() < area(k, n) || c.size() < area(m, n)) return false;
  const auto rows = static_cast<size_t>(std::max(m, 0)), columns = static_cast<size_t>(std::max(n, 0)),
             depth = static_cast<size_t>(std::max(k, 0));
  const bool padded = depth % 16 != 0;  // the last tile is filled up with zeros: each adds fmaf(0, 0, sum)
  for (size_t row = 0; row < rows; ++row) {
    // Row by row of b, so that memory is read in order; each element still sums over i from 0 upward.
    const auto out = c.subspan(row * columns, columns);
    std::ranges::fill(out, 0.f);
    for (size_t i = 0; i < depth; ++i) {
      const float left = a[row * depth + i];
      const float* right = b.data() + i * columns;
      for (size_t column = 0; column < columns; ++column)
        out[column] = std::fmaf(left, right[column], out[column]);
    }
    if (padded)
      for (float& sum : out) sum += 0.f;  // -0 becomes 0
  }
  return true;
}

struct Row {
  std::string_view name;
  Reference reference;
};
constexpr Row rows[] = {{"grayscale", grayscale},
                        {"mandelbrot", mandelbrot},
                        {"matmul_tiled", matmul_tiled},
                        {"vector_add", vector_add},
                        {"vector_add_unchecked", vector_add_unchecked}};

}  // namespace

Reference find_reference(std::string_view name) {
  for (const Row& row : rows)
    if (row.name == name) return row.reference;
  return nullptr;
}

}  // namespace warplens
