// Figures as people read them: thousands separated, a unit beside each, three significant digits.
#pragma once

#include <cstdint>
#include <string>

namespace warplens {

std::string thousands(uint64_t value);       // 262144 → "262,144"
std::string three_digits(double value);      // 0.012345 → "0.0123", 1234.5 → "1,230", never "0.000000"
std::string byte_size_text(uint64_t bytes);  // "512 B", "48 KiB", "1.5 MiB"
std::string duration_text(double seconds);   // "3.2 µs", "14.1 ms", "2.05 s"

}  // namespace warplens
