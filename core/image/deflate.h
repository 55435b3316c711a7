// Texts packed by zlib's format, with what the pictures are packed by.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplens {

std::string deflated(std::string_view text);
// Empty: it is not packed so, or it is longer than `most` bytes.
std::optional<std::string> inflated(std::string_view packed, size_t most);

}  // namespace warplens
