// Instructions of the manual that the virtual GPU does not run, each with a sentence for the message, and the
// nearest name for a misspelt one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplens::ptx {

// `name` with its modifiers: the longest known beginning decides. Empty: no such instruction exists.
std::optional<std::string_view> unsupported_instruction(std::string_view name);

// The instruction whose name differs least, if few letters differ; else empty.
std::string nearest_instruction(std::string_view name);

}  // namespace warplens::ptx
