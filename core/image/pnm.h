// Reading PNM pictures (netpbm's manual pages pbm, pgm and ppm): P1 to P3 in numbers, P4 to P6 in bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "core/image/image.h"

namespace warplens {

// Whether a file begins as a PNM picture of one of these six kinds.
bool is_pnm(std::span<const std::byte> bytes);

// The picture, gray or RGB; samples are scaled from the file's maximum to 255. Errors: cut short, too large.
Result<Image> decode_pnm(std::span<const std::byte> bytes, std::string_view name);

}  // namespace warplens
