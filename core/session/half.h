// IEEE 754 binary16 out of a double, rounded once to nearest even.
#pragma once

#include <cstdint>

namespace warplens {

uint16_t half_bits(double value);
bool half_overflows(double value);  // finite, but rounds to infinity

}  // namespace warplens
