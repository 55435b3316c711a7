// Lennard-Jones forces in double precision, by lists of neighbours: a thread for each particle.
#include <cmath>

#include "inputs.h"
#include "twin.h"

__global__ void forces(const twin::Point* points, const int* near, double* result, int count, double box) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const twin::Point mine = points[i];
  double x = 0, y = 0, z = 0;
  for (int k = 0; k < twin::neighbours; ++k) {
    const twin::Point other = points[near[k * count + i]];  // threads side by side read side by side
    double dx = mine.x - other.x, dy = mine.y - other.y, dz = mine.z - other.z;
    dx -= box * rint(dx / box);
    dy -= box * rint(dy / box);
    dz -= box * rint(dz / box);
    const double square = dx * dx + dy * dy + dz * dz;
    if (square >= 6.25) continue;
    const double inverse = 1 / square, sixth = inverse * inverse * inverse;
    const double force = 48 * sixth * (sixth - 0.5) * inverse;
    x += force * dx;
    y += force * dy;
    z += force * dz;
  }
  result[4 * i] = fabs(x);  // signs would cancel in the sums that are compared
  result[4 * i + 1] = fabs(y);
  result[4 * i + 2] = fabs(z);
  result[4 * i + 3] = 0;
}

int main(int argc, char** argv) {
  const int side = std::max(5, twin::size_from(argc, argv)), count = side * side * side;
  const std::vector<int> lists = twin::lattice_neighbours(side);
  std::vector<int> turned(lists.size());
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < twin::neighbours; ++k)
      turned[size_t(k) * count + i] = lists[size_t(i) * twin::neighbours + k];
  twin::Point* points = twin::on_device(twin::lattice(side));
  int* near = twin::on_device(turned);
  double* result = twin::device_array<double>(4 * size_t(count));
  twin::measure([] {},
                [&] {
                  forces<<<(count + 127) / 128, 128>>>(points, near, result, count, 1.1 * side);
                  twin::wait();
                });
  twin::print_sums(twin::to_host(result, 4 * size_t(count)));
}
