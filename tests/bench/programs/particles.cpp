#include <cmath>

#include "inputs.h"
#include "twin.h"

namespace {

void forces(const twin::Point* points, const int* near, double* result, int count, double box) {
#pragma omp parallel for
  for (int i = 0; i < count; ++i) {
    const twin::Point mine = points[i];
    const int* list = near + size_t(i) * twin::neighbours;
    double x = 0, y = 0, z = 0;
#pragma omp simd reduction(+ : x, y, z)
    for (int k = 0; k < twin::neighbours; ++k) {
      const twin::Point& other = points[list[k]];
      double dx = mine.x - other.x, dy = mine.y - other.y, dz = mine.z - other.z;
      dx -= box * std::rint(dx / box);
      dy -= box * std::rint(dy / box);
      dz -= box * std::rint(dz / box);
      const double square = dx * dx + dy * dy + dz * dz;
      const double inverse = 1 / square, sixth = inverse * inverse * inverse;
      double force = 48 * sixth * (sixth - 0.5) * inverse;
      force = square < 6.25 ? force : 0;
      x += force * dx;
      y += force * dy;
      z += force * dz;
    }
    result[4 * size_t(i)] = std::fabs(x);
    result[4 * size_t(i) + 1] = std::fabs(y);
    result[4 * size_t(i) + 2] = std::fabs(z);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int side = std::max(5, twin::size_from(argc, argv)), count = side * side * side;
  const std::vector<int> near = twin::lattice_neighbours(side);
  const std::vector<twin::Point> points = twin::lattice(side);
  std::vector<double> result(4 * size_t(count));
  twin::measure([] {}, [&] { forces(points.data(), near.data(), result.data(), count, 1.1 * side); });
  twin::print_sums(result);
}
