#include "inputs.h"
#include "twin.h"

constexpr unsigned smallest = 512, part = 4096;  // numbers that stay in a core's first cache

namespace {

// Exchanges all pairs of a range at a distance; its begin is a multiple of two distances.
void pairs(uint32_t* values, unsigned begin, unsigned end, unsigned length, unsigned distance) {
  for (unsigned low = begin; low < end; low += 2 * distance) {
    const bool is_up = (low & length) == 0;
    uint32_t *first = values + low, *second = first + distance;
#pragma omp simd
    for (unsigned i = 0; i < distance; ++i) {
      const uint32_t less = std::min(first[i], second[i]), more = std::max(first[i], second[i]);
      first[i] = is_up ? less : more;
      second[i] = is_up ? more : less;
    }
  }
}

// One distance within the array, in parallel also where there are few pairs of ranges.
void far_pairs(uint32_t* values, unsigned n, unsigned length, unsigned distance) {
  const unsigned piece = std::min(distance, part);
#pragma omp parallel for
  for (unsigned at = 0; at < n / 2; at += piece) {
    const unsigned low = 2 * at - (at & (distance - 1));
    const bool is_up = (low & length) == 0;
    uint32_t *first = values + low, *second = first + distance;
#pragma omp simd
    for (unsigned i = 0; i < piece; ++i) {
      const uint32_t less = std::min(first[i], second[i]), more = std::max(first[i], second[i]);
      first[i] = is_up ? less : more;
      second[i] = is_up ? more : less;
    }
  }
}

void near_pairs(uint32_t* values, unsigned n, unsigned from, unsigned to) {
  const unsigned piece = std::min(n, part);
#pragma omp parallel for
  for (unsigned begin = 0; begin < n; begin += piece)
    for (unsigned length = from; length <= to; length *= 2)
      for (unsigned distance = std::min(length, piece) / 2; distance > 0; distance /= 2)
        pairs(values, begin, begin + piece, length, distance);
}

}  // namespace

int main(int argc, char** argv) {
  unsigned n = smallest;
  for (const unsigned asked = twin::size_from(argc, argv); n < asked;) n *= 2;
  const std::vector<uint32_t> start = twin::integers(n, 1, 0xffffffff);
  std::vector<uint32_t> values;
  twin::measure([&] { values = start; },
                [&] {
                  near_pairs(values.data(), n, 2, std::min(n, part));
                  for (unsigned length = 2 * part; length <= n; length *= 2) {
                    for (unsigned distance = length / 2; distance >= part; distance /= 2)
                      far_pairs(values.data(), n, length, distance);
                    near_pairs(values.data(), n, length, length);
                  }
                });
  twin::print_checksum(values);
}
