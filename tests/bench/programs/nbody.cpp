#include <cmath>

#include "inputs.h"
#include "twin.h"

namespace {

void accelerations(const float* px, const float* py, const float* pz, const float* mass, float* result,
                   int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    const float mine_x = px[i], mine_y = py[i], mine_z = pz[i];
    float x = 0, y = 0, z = 0;
#pragma omp simd reduction(+ : x, y, z)
    for (int j = 0; j < n; ++j) {
      const float dx = px[j] - mine_x, dy = py[j] - mine_y, dz = pz[j] - mine_z;
      const float inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + 0.01f);
      const float pull = mass[j] * inverse * inverse * inverse;
      x += dx * pull;
      y += dy * pull;
      z += dz * pull;
    }
    result[4 * i] = std::fabs(x);
    result[4 * i + 1] = std::fabs(y);
    result[4 * i + 2] = std::fabs(z);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int n = twin::size_from(argc, argv, 256);
  const std::vector<float> bodies = twin::floats(4 * size_t(n), 1);
  std::vector<float> px(n), py(n), pz(n), mass(n), result(4 * size_t(n));
  for (int i = 0; i < n; ++i) {
    px[i] = bodies[4 * i];
    py[i] = bodies[4 * i + 1];
    pz[i] = bodies[4 * i + 2];
    mass[i] = bodies[4 * i + 3];
  }
  twin::measure([] {},
                [&] { accelerations(px.data(), py.data(), pz.data(), mass.data(), result.data(), n); });
  twin::print_sums(result);
}
