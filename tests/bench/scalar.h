// The same work as the kernels, as plain scalar loops: the baseline of the ratios.
#pragma once

#include <cstdint>

namespace warplens::bench {

void gray(const uint8_t* rgb, uint8_t* out, int width, int height);
void add(const float* x, const float* y, float* out, int n);
// 256 × 256 in ikj order. g++ -O2 vectorises it, since it knows the sizes and that nothing overlaps.
void multiply_256(const float* __restrict a, const float* __restrict b, float* __restrict c);
void mandelbrot(uint8_t* rgb, int width, int height, float center_x, float center_y, float scale,
                int max_iterations);
// The n-th Lucas number, computed `times` times for each of `threads`.
void lucas(int64_t* out, int n, int times, int threads);
// The number of points from Philox4x32-10 that are in the quarter circle: two points for each turn of each
// thread.
uint32_t points_inside(int turns, uint32_t seed, int threads);

}  // namespace warplens::bench
