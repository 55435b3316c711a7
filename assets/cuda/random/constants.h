// The numbers of the generators, for kernels (curand_kernel.h) and for the library of the host's API
// (cuda/stand_in/libraries/rand): where each was published, and how a seed becomes a state of cuRAND's.
#pragma once

namespace warplens_random {

// Marsaglia, Xorshift RNGs (2003): the first state of xorwow, and what its counter adds.
constexpr unsigned int xorwow_first[5] = {123456789u, 362436069u, 521288629u, 88675123u, 5783321u};
constexpr unsigned int xorwow_first_counter = 6615241u, xorwow_counter_step = 362437u;
// Each half of a seed is mixed with the first, and multiplied by the second.
constexpr unsigned int xorwow_mix[2] = {0xaad26b49u, 0xf7dcefddu};
constexpr unsigned int xorwow_spread[2] = {1099087573u, 2591861531u};

// Salmon, Moraes, Dror, Shaw, Parallel random numbers: as easy as 1, 2, 3 (2011): Philox 4x32.
constexpr unsigned int philox_factor[2] = {0xd2511f53u, 0xcd9e8d57u};
constexpr unsigned int philox_key_step[2] = {0x9e3779b9u, 0xbb67ae85u};
constexpr int philox_rounds = 10;

// L'Ecuyer, Good parameters for combined multiple recursive generators (1999): MRG32k3a. x(n) is
// first_factor · x(n-2) - first_term · x(n-3), y(n) is second_factor · y(n-1) - second_term · y(n-3).
constexpr unsigned long long mrg_modulus[2] = {4294967087u, 4294944443u};
constexpr unsigned int mrg_first_factor = 1403580u, mrg_first_term = 810728u;
constexpr unsigned int mrg_second_factor = 527612u, mrg_second_term = 1370589u;
constexpr unsigned int mrg_first = 12345u;  // each number of a state without a seed
constexpr unsigned int mrg_mix[2] = {0x55555555u, 0xaaaaaaaau};
constexpr double mrg_to_uniform = 2.3283065498378288e-10;  // 1 / (4294967087 + 1)
constexpr double mrg_to_bits = 1.000000048662;             // 2^32 / 4294967087

}  // namespace warplens_random
