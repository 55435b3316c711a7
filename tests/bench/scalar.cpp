#include "tests/bench/scalar.h"

#include <algorithm>
#include <cmath>

namespace warplens::bench {

void gray(const uint8_t* rgb, uint8_t* out, int width, int height) {
  for (int i = 0; i < width * height; ++i) {
    const float r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    out[i] = static_cast<uint8_t>(.114f * b + (.587f * g + .299f * r) + .5f);
  }
}

void add(const float* x, const float* y, float* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = x[i] + y[i];
}

void multiply_256(const float* __restrict a, const float* __restrict b, float* __restrict c) {
  constexpr int n = 256;
  std::fill_n(c, n * n, 0.f);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
}

void mandelbrot(uint8_t* rgb, int width, int height, float center_x, float center_y, float scale,
                int max_iterations) {
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const float c_x = scale * static_cast<float>(x - width / 2) + center_x;
      const float c_y = scale * static_cast<float>(height / 2 - y) + center_y;
      float z_x = 0, z_y = 0;
      int iteration = 0;
      while (iteration < max_iterations && z_x * z_x + z_y * z_y <= 4) {
        const float next = z_x * z_x - z_y * z_y + c_x;
        z_y = 2 * z_x * z_y + c_y;
        z_x = next;
        ++iteration;
      }
      const float t = std::sqrt(static_cast<float>(iteration) / static_cast<float>(max_iterations)),
                  s = 1 - t;
      uint8_t* pixel = rgb + 3 * (y * width + x);
      pixel[0] = static_cast<uint8_t>(255.f * 9.f * s * t * t * t);
      pixel[1] = static_cast<uint8_t>(255.f * 15.f * s * s * t * t);
      pixel[2] = static_cast<uint8_t>(255.f * 8.5f * s * s * s * t);
    }
  }
}

void lucas(int64_t* out, int n, int times, int threads) {
  for (int thread = 0; thread < threads; ++thread) {
    int64_t total = 0;
    for (int t = 0; t < times; ++t) {
      int64_t current = 2, next = 1;
      for (int k = 0; k < n; ++k) {
        const int64_t sum = current + next;
        current = next;
        next = sum;
      }
      total ^= current + t;
    }
    out[thread] = total;
  }
}

namespace {

uint32_t high(uint32_t a, uint32_t b) { return static_cast<uint32_t>((uint64_t{a} * b) >> 32); }

struct Random {
  uint32_t x, y, z, w;
};

// As in cuda/kernels/pi_atomic_thread.cu.
Random philox(Random counter, uint32_t key_x, uint32_t key_y) {
  for (int round = 0; round < 10; ++round) {
    const uint32_t low_x = 0xd2511f53u * counter.x, high_x = high(0xd2511f53u, counter.x);
    const uint32_t low_z = 0xcd9e8d57u * counter.z, high_z = high(0xcd9e8d57u, counter.z);
    counter = {high_z ^ counter.y ^ key_x, low_z, high_x ^ counter.w ^ key_y, low_x};
    key_x += 0x9e3779b9u;
    key_y += 0xbb67ae85u;
  }
  return counter;
}

uint32_t is_inside(uint32_t a, uint32_t b) {
  const float x = static_cast<float>(a) * 0x1p-32f, y = static_cast<float>(b) * 0x1p-32f;
  return x * x + y * y <= 1.f ? 1 : 0;
}

}  // namespace

uint32_t points_inside(int turns, uint32_t seed, int threads) {
  uint32_t hits = 0;
  for (int thread = 0; thread < threads; ++thread) {
    for (int turn = 0; turn < turns; ++turn) {
      const Random r = philox({static_cast<uint32_t>(turn), static_cast<uint32_t>(thread), 0, 0}, seed, 0);
      hits += is_inside(r.x, r.y) + is_inside(r.z, r.w);
    }
  }
  return hits;
}

}  // namespace warplens::bench
