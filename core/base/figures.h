// Figures as people read them: thousands separators, a unit after each number, three significant digits. All
// messages and the window use these functions.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/dim3.h"

namespace warplens {

std::string place_text(Dim3 place);     // "(1, 0, 0)"
std::string thousands(uint64_t value);  // 262144 → "262,144"
// At most three significant digits (or `digits`); all whole digits are kept, with thousands separators.
// Values below 0.0001 and from a quintillion on have a power of ten: 6.0952 → "6.1" with digits 2, 12345.6 →
// "12,346", 0.00000446 → "4.46 × 10⁻⁶". NaN → "not a number", infinities → "∞".
std::string significant(double value, int digits = 3);
// For values that are not exact: whole digits are rounded too, 1234.5 → "1,230".
std::string three_digits(double value);
std::string byte_size_text(uint64_t bytes);  // "512 B", "48 KiB", "1.5 MiB"
// In the unit that suits: 0.42 → "420 ns", 17800 → "17.8 ms". Negative values and NaN are "unknown".
std::string microseconds_text(double us);
std::string duration_text(double seconds);         // "3.2 µs", "14.1 ms", "2.05 s"
std::string change_of_us(double from, double to);  // "44.9 → 31.1 µs", "1.2 ms → 900 µs"

}  // namespace warplens
