// The sum of an array: each thread adds up several numbers, each block its threads in shared memory, and one
// block the blocks.
#include "inputs.h"
#include "twin.h"

constexpr int threads = 256;

__global__ void sum_up(const float* values, float* sums, int n) {
  __shared__ float part[threads];
  float mine = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) mine += values[i];
  part[threadIdx.x] = mine;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

int main(int argc, char** argv) {
  const int n = twin::size_from(argc, argv), blocks = std::min(4096, (n + threads - 1) / threads);
  float* values = twin::on_device(twin::floats(n, 1));
  float *sums = twin::device_array<float>(blocks), *sum = twin::device_array<float>(1);
  twin::measure([] {},
                [&] {
                  sum_up<<<blocks, threads>>>(values, sums, n);
                  sum_up<<<1, threads>>>(sums, sum, blocks);
                  twin::wait();
                });
  twin::print_sums(twin::to_host(sum, 1));
}
