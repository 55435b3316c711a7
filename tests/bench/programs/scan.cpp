#include <omp.h>

#include "inputs.h"
#include "twin.h"

int main(int argc, char** argv) {
  const int n = twin::size_from(argc, argv);
  const std::vector<uint32_t> from = twin::integers(n, 1, 1000);
  std::vector<uint32_t> to(n), sums(omp_get_max_threads());
  twin::measure([] {},
                [&] {
#pragma omp parallel
                  {
                    const int thread = omp_get_thread_num(), of = omp_get_num_threads();
                    const int begin = static_cast<int>(int64_t(n) * thread / of);
                    const int end = static_cast<int>(int64_t(n) * (thread + 1) / of);
                    uint32_t sum = 0;
#pragma omp simd reduction(+ : sum)
                    for (int i = begin; i < end; ++i) sum += from[i];
                    sums[thread] = sum;
#pragma omp barrier
                    uint32_t running = 0;
                    for (int before = 0; before < thread; ++before) running += sums[before];
                    for (int i = begin; i < end; ++i) to[i] = running += from[i];
                  }
                });
  twin::print_checksum(to);
}
