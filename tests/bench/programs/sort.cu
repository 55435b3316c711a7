// Bitonic sort of 2ⁿ integers: pairs at small distances are exchanged in shared memory.
#include "inputs.h"
#include "twin.h"

constexpr unsigned threads = 256, part = 2 * threads;

__device__ void exchange(uint32_t& low, uint32_t& high, bool is_up) {
  if ((low > high) == is_up) {
    const uint32_t held = low;
    low = high;
    high = held;
  }
}

// The pair of a thread: indices that differ in the bit `distance`.
__device__ unsigned low_of(unsigned thread, unsigned distance) {
  return 2 * thread - (thread & (distance - 1));
}

__global__ void far_pairs(uint32_t* values, unsigned length, unsigned distance) {
  const unsigned low = low_of(blockIdx.x * threads + threadIdx.x, distance);
  exchange(values[low], values[low + distance], (low & length) == 0);
}

// All distances within a part of the array, for the lengths from `from` to `to`.
__global__ void near_pairs(uint32_t* values, unsigned from, unsigned to) {
  __shared__ uint32_t held[part];
  const unsigned t = threadIdx.x, begin = blockIdx.x * part;
  held[t] = values[begin + t];
  held[t + threads] = values[begin + t + threads];
  for (unsigned length = from; length <= to; length *= 2)
    for (unsigned distance = min(length / 2, threads); distance > 0; distance /= 2) {
      __syncthreads();
      const unsigned low = low_of(t, distance);
      exchange(held[low], held[low + distance], ((begin + low) & length) == 0);
    }
  __syncthreads();
  values[begin + t] = held[t];
  values[begin + t + threads] = held[t + threads];
}

int main(int argc, char** argv) {
  unsigned n = part;
  for (const unsigned asked = twin::size_from(argc, argv); n < asked;) n *= 2;
  const std::vector<uint32_t> start = twin::integers(n, 1, 0xffffffff);
  uint32_t* values = twin::on_device(start);
  twin::measure([&] { twin::to_device(values, start); },
                [&] {
                  near_pairs<<<n / part, threads>>>(values, 2, part);
                  for (unsigned length = 2 * part; length <= n; length *= 2) {
                    for (unsigned distance = length / 2; distance > threads; distance /= 2)
                      far_pairs<<<n / part, threads>>>(values, length, distance);
                    near_pairs<<<n / part, threads>>>(values, length, length);
                  }
                  twin::wait();
                });
  twin::print_checksum(twin::to_host(values, n));
}
