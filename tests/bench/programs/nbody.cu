// The pull of all bodies on each: a block loads the positions in parts into shared memory.
#include "inputs.h"
#include "twin.h"

constexpr int threads = 256;

__global__ void accelerations(const float4* bodies, float* result, int n) {
  __shared__ float4 part[threads];
  const int i = blockIdx.x * threads + threadIdx.x;
  const float4 mine = bodies[i];
  float x = 0, y = 0, z = 0;
  for (int begin = 0; begin < n; begin += threads) {
    part[threadIdx.x] = bodies[begin + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < threads; ++j) {
      const float4 other = part[j];
      const float dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      const float pull = other.w * inverse * inverse * inverse;
      x += dx * pull;
      y += dy * pull;
      z += dz * pull;
    }
    __syncthreads();
  }
  result[4 * i] = fabsf(x);  // signs would cancel in the sums that are compared
  result[4 * i + 1] = fabsf(y);
  result[4 * i + 2] = fabsf(z);
  result[4 * i + 3] = 0;
}

int main(int argc, char** argv) {
  const int n = twin::size_from(argc, argv, threads);
  float* bodies = twin::on_device(twin::floats(4 * size_t(n), 1));
  float* result = twin::device_array<float>(4 * size_t(n));
  twin::measure([] {},
                [&] {
                  accelerations<<<n / threads, threads>>>(reinterpret_cast<float4*>(bodies), result, n);
                  twin::wait();
                });
  twin::print_sums(twin::to_host(result, 4 * size_t(n)));
}
