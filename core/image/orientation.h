// How a camera was held: the orientation in a JPEG picture's EXIF data (CIPA DC-008, tag 0x0112).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/image/image.h"

namespace warplens {

// 1 to 8; 1, upright, where the file is no JPEG or does not say it.
uint32_t orientation_of(std::span<const std::byte> bytes);

// The picture upright, for an orientation from 1 to 8.
Image upright(Image image, uint32_t orientation);

}  // namespace warplens
