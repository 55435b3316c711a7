// What the message of an incident says to do about it.
#pragma once

#include <string>
#include <string_view>

namespace warplens {

// About an access past the end of an array, and about one that is far from all, if nothing more is known.
inline constexpr std::string_view index_advice =
    "Test the index against the size before the access, as in if (i < n).";
inline constexpr std::string_view address_advice =
    "Check how the address is made: the index may be too large, or the memory may have been freed.";

// The message without that sentence, where finding out what to do is the student's task.
std::string without_advice(std::string message);

}  // namespace warplens
