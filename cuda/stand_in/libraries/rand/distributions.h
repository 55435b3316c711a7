// From bits to distributions, by the formulas of CUDA's curand_uniform.h, curand_normal.h and
// curand_lognormal.h: uniform numbers are theirs bit for bit, the others as exact as this machine's
// functions.
#pragma once

#include <array>
#include <cstdint>

namespace warplens::rand {

float uniform(uint32_t bits);                      // above 0, up to 1
double uniform_wide(uint32_t low, uint32_t high);  // of two draws
// Box and Muller (1958): two of two, u above 0.
std::array<double, 2> normals(double u, double v);
// The numbers of quasi-random generators: the inverse of the normal distribution.
double normal_of(double uniform);
// The smallest k whose distribution function is above u.
uint32_t poisson_of(double lambda, double u);

}  // namespace warplens::rand
