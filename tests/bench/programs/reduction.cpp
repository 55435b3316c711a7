#include "inputs.h"
#include "twin.h"

namespace {

// Parts whose sums are added in double precision: one float for all of them would lose digits.
double sum_of(const float* values, int n) {
  constexpr int part = 4096;
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int begin = 0; begin < n; begin += part) {
    const int end = std::min(begin + part, n);
    float partial = 0;
#pragma omp simd reduction(+ : partial)
    for (int i = begin; i < end; ++i) partial += values[i];
    sum += partial;
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const int n = twin::size_from(argc, argv);
  const std::vector<float> values = twin::floats(n, 1);
  double sum = 0;
  twin::measure([] {}, [&] { sum = sum_of(values.data(), n); });
  twin::print_sums(std::vector<double>{sum});
}
