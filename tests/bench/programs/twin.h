// What a program in CUDA C++ and its twin in OpenMP share: the clock, and the lines that
// tests/bench/programs.py reads.
#pragma once
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace twin {

// The size on the command line, rounded up to a multiple.
inline int size_from(int argc, char** argv, int multiple = 1) {
  if (argc != 2 || std::atoi(argv[1]) <= 0) {
    std::fprintf(stderr, "usage: %s SIZE\n", argv[0]);
    std::exit(2);
  }
  return (std::atoi(argv[1]) + multiple - 1) / multiple * multiple;
}

inline double processor_ms() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto ms = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
  };
  return ms(used.ru_utime) + ms(used.ru_stime);
}

// Prints the shortest of three runs, and the least processor time of one, after a run that is not measured.
// `prepare` makes the same start for each.
template <typename Prepare, typename Run>
void measure(Prepare prepare, Run run) {
  double wall = 1e30, processor = 1e30;
  for (int round = 0; round < 4; ++round) {
    prepare();
    const double used = processor_ms();
    const auto begin = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    if (round == 0) continue;
    wall = std::min(wall, took.count());
    processor = std::min(processor, processor_ms() - used);
  }
  std::printf("kernel_ms %.3f %.3f\n", wall, processor);
}

// Integers must be equal: a hash.
inline void print_checksum(const std::vector<uint32_t>& values) {
  uint64_t hash = 14695981039346656037u;
  for (const uint32_t value : values) hash = (hash ^ value) * 1099511628211u;
  std::printf("checksum %016llx\n", static_cast<unsigned long long>(hash));
}

// Floats are added in another order: sixteen sums, which the script compares within a tolerance.
template <typename T>
void print_sums(const std::vector<T>& values) {
  double sums[16] = {};
  for (size_t i = 0; i < values.size(); ++i) sums[i % 16] += static_cast<double>(values[i]);
  std::printf("sums");
  for (const double sum : sums) std::printf(" %.12g", sum);
  std::printf("\n");
}

#ifdef __CUDACC__

inline void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

// After the launches of a run.
inline void wait() {
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

template <typename T>
T* device_array(size_t count) {
  void* made = nullptr;
  check(cudaMalloc(&made, count * sizeof(T)));
  return static_cast<T*>(made);
}

template <typename T>
void to_device(T* to, const std::vector<T>& from) {
  check(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
}

template <typename T>
T* on_device(const std::vector<T>& from) {
  T* made = device_array<T>(from.size());
  to_device(made, from);
  return made;
}

template <typename T>
std::vector<T> to_host(const T* from, size_t count) {
  std::vector<T> made(count);
  check(cudaMemcpy(made.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost));
  return made;
}

#endif

}  // namespace twin
