// Decompresses texts in zlib format, with the decompressor for pictures.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplens {

std::string deflated(std::string_view text);
// Empty if the format is wrong, or if the text is longer than `most` bytes.
std::optional<std::string> inflated(std::string_view packed, size_t most);

}  // namespace warplens
