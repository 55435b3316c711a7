#include "inputs.h"
#include "twin.h"

constexpr int part = 256, most_parts = 64;

namespace {

void smooth(const float* from, float* to, int n) {
  const auto cell = [&](int i, float left, float right) {
    to[i] = 0.25f * left + 0.5f * from[i] + 0.25f * right;
  };
  cell(0, 0, from[1]);
#pragma omp parallel for simd if (parallel : n > 8192)  // below, a second thread takes longer to begin
  for (int i = 1; i < n - 1; ++i) cell(i, from[i - 1], from[i + 1]);
  cell(n - 1, from[n - 2], 0);
}

}  // namespace

int main(int argc, char** argv) {
  const int count = twin::size_from(argc, argv);
  const std::vector<float> start = twin::floats(most_parts * part, 1);
  std::vector<float> from, to;
  twin::measure([&] { from = to = start; },
                [&] {
                  for (int i = 0; i < count; ++i) {
                    smooth(from.data(), to.data(), (1 + i * 37 % most_parts) * part);
                    std::swap(from, to);
                  }
                });
  twin::print_sums(from);
}
