// The cost of calls of the runtime library, in microseconds of the host's clock, compared with memcpy in the
// same run:
//   warplens program -- nvcc -O2 tests/bench/runtime_costs.cu -o costs && warplens program -- ./costs
#include <cuda_runtime.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void small(float* data) { data[threadIdx.x] += 1; }

double now() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// The median of `rounds` rounds of `count` calls: microseconds a call.
template <class Call>
double cost(int rounds, int count, Call&& call) {
  std::vector<double> took(rounds);
  for (double& round : took) {
    const double began = now();
    for (int i = 0; i < count; ++i) call();
    round = (now() - began) / count;
  }
  std::sort(took.begin(), took.end());
  return took[rounds / 2];
}

long resident_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

int main() {
  constexpr size_t mebibyte = size_t{1} << 20;
  float* data = nullptr;
  if (cudaMalloc(&data, mebibyte) != cudaSuccess) return 1;
  const auto launch = [&] {
    small<<<1, 64>>>(data);
    cudaDeviceSynchronize();
  };
  launch();
  std::printf("a launch of 64 threads          %8.2f us\n", cost(9, 1'000, launch));
  std::printf("cudaMalloc and cudaFree         %8.2f us\n", cost(9, 1'000, [] {
                void* memory = nullptr;
                cudaMalloc(&memory, 4096);
                cudaFree(memory);
              }));
  std::vector<char> from(mebibyte, 1), to(mebibyte, 2);
  const double plain = cost(9, 200, [&] {
    from[0]++;
    std::memcpy(to.data(), from.data(), mebibyte);
  });
  const double in = cost(9, 200, [&] { cudaMemcpy(data, from.data(), mebibyte, cudaMemcpyHostToDevice); });
  const double out = cost(9, 200, [&] { cudaMemcpy(to.data(), data, mebibyte, cudaMemcpyDeviceToHost); });
  std::printf("memcpy of 1 MiB                 %8.2f us\n", plain);
  std::printf("cudaMemcpy of 1 MiB to device   %8.2f us, %.2f times memcpy\n", in, in / plain);
  std::printf("cudaMemcpy of 1 MiB to the host %8.2f us, %.2f times memcpy\n", out, out / plain);
  const long before = resident_kib();
  for (int i = 0; i < 10'000; ++i) launch();
  std::printf("growth by 10,000 launches       %8ld KiB\n", resident_kib() - before);
  return cudaFree(data);
}
