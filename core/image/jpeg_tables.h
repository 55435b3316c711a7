// A check that stb_image's JPEG reader needs before it may see a file.
#pragma once

#include <cstddef>
#include <span>

namespace warplens {

// Whether every Huffman table of a JPEG file has at most 256 codes, as the standard demands (ISO/IEC 10918-1,
// B.2.4.2). stb_image 2.27 trusts the counts and would write past its tables. Truncated files, and files
// that are not JPEG, count as sound, since the reader detects those itself.
bool jpeg_tables_are_sound(std::span<const std::byte> bytes);

}  // namespace warplens
