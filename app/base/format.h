// Formats numbers for people, in addition to core/base/figures.h, which all messages use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/dim3.h"
#include "core/base/figures.h"

namespace warplens {

std::string with_separators(uint64_t value);  // 262144 → "262,144"
// The number that a user typed: "33,554,432", "1e6", " 0.5 ". Separators of thousands may be commas, spaces,
// apostrophes and underscores. Empty if it is no number, or no whole one where that is needed.
std::optional<double> number_from(std::string_view text, bool whole);
std::string percent_text(double percent);  // 66.667 → "66.7 %"
std::string bytes_text(uint64_t bytes);    // 40000 → "39.1 KiB", 100 → "100 B"
std::string milliseconds_text(double ms);
std::string clock_text(double seconds);  // a time that has passed: "0:07", "12:05", "1:02:03"
std::string count_text(uint64_t count, const std::string& singular, const std::string& plural);
std::string extent_text(Dim3 extent);  // {16,16,1} → "16 × 16", {256,1,1} → "256", z only if it is not 1
std::string position_text(Dim3 position,
                          Dim3 extent);    // "(19, 7)", with as many axes as the extent uses
std::string position_text(Dim3 position);  // "(19, 7, 0)"
std::string hex_text(uint64_t value);      // "0x1f40"

}  // namespace warplens
