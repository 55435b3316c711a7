// Instructions of the manual that the virtual GPU does not run, each with a sentence for the message; and
// the most similar name for a misspelt instruction.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplens::ptx {

// The sentence for `name`, which includes the modifiers; the longest known prefix of it decides. Empty if no
// such instruction exists.
std::optional<std::string_view> unsupported_instruction(std::string_view name);

// The instruction with the most similar name, if only a few letters differ. Otherwise empty.
std::string nearest_instruction(std::string_view name);

}  // namespace warplens::ptx
