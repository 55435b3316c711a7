// Heat on a plate: a block of 16 × 16 threads loads a tile and does two steps in shared memory, so that it
// knows 12 × 12 of the result. A neighbour outside of the plate counts as the cell itself.
#include "inputs.h"
#include "twin.h"

constexpr int tile = 16, halo = 2, inner = tile - 2 * halo, launches = 5;

__global__ void two_steps(const float* from, const float* power, float* to, int n) {
  __shared__ float now[tile][tile], heat[tile][tile], next[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * inner + tx - halo, y = blockIdx.y * inner + ty - halo;
  const bool is_on_plate = x >= 0 && x < n && y >= 0 && y < n;
  if (is_on_plate) {
    now[ty][tx] = from[y * n + x];
    heat[ty][tx] = power[y * n + x];
  }
  __syncthreads();
  for (int step = 1; step <= halo; ++step) {
    const bool is_known = tx >= step && tx < tile - step && ty >= step && ty < tile - step;
    if (is_known && is_on_plate) {
      const float here = now[ty][tx];
      const float left = x > 0 ? now[ty][tx - 1] : here, right = x < n - 1 ? now[ty][tx + 1] : here;
      const float above = y > 0 ? now[ty - 1][tx] : here, below = y < n - 1 ? now[ty + 1][tx] : here;
      next[ty][tx] = here + 0.1f * (left + right + above + below - 4 * here) + 0.05f * heat[ty][tx];
    }
    __syncthreads();
    if (is_known && is_on_plate) now[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  const bool is_inner = tx >= halo && tx < tile - halo && ty >= halo && ty < tile - halo;
  if (is_inner && is_on_plate) to[y * n + x] = now[ty][tx];
}

int main(int argc, char** argv) {
  const int n = twin::size_from(argc, argv);
  const size_t cells = size_t(n) * n;
  const std::vector<float> start = twin::floats(cells, 1, 20, 90);
  float *from = twin::on_device(start), *power = twin::on_device(twin::floats(cells, 2));
  float* to = twin::device_array<float>(cells);
  const dim3 blocks((n + inner - 1) / inner, (n + inner - 1) / inner), threads(tile, tile);
  twin::measure([&] { twin::to_device(from, start); },
                [&] {
                  for (int i = 0; i < launches; ++i) {
                    two_steps<<<blocks, threads>>>(from, power, to, n);
                    std::swap(from, to);
                  }
                  twin::wait();
                });
  twin::print_sums(twin::to_host(from, cells));
}
