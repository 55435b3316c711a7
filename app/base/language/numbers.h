// The numbers in a text, and how a language writes them.
#pragma once

#include <string>
#include <string_view>

namespace warplens {

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The length of the number that begins here: "262,144", "3.5", "7". 0 if none does.
size_t number_length(std::string_view text, size_t at);
// The first number at or after a place, empty if there is none. A number within a name ("fp16", "r12") is a
// part of the name.
std::string_view next_number(std::string_view text, size_t from);

// With this sign between groups of three digits, in place of the comma: "114,688" → "114 688". Positions as
// in (100,200) stay, and all does without a sign.
std::string with_thousands(std::string_view text, std::string_view sign);

}  // namespace warplens
