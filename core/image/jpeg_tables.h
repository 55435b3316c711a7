// A check that stb_image's JPEG reader needs before it may see a file.
#pragma once

#include <cstddef>
#include <span>

namespace warplens {

// Whether every Huffman table of a JPEG file has at most 256 codes, as the standard demands (ISO/IEC 10918-1,
// B.2.4.2). stb_image 2.27 trusts the counts and writes past its tables. Files that are cut short, or no
// JPEG, count as sound: the reader finds that out by itself.
bool jpeg_tables_are_sound(std::span<const std::byte> bytes);

}  // namespace warplens
