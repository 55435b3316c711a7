// A finding of a program in a few words, for the headline.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warplens::recording {

// "Race", "Out of bounds", "Refused launch": what a finding of the journal is.
std::string finding_words(std::string_view kind);

// Whether it is about a launch that ran. Others are about a call that did not do what was asked.
bool is_of_a_launch(std::string_view kind);

// "Race in launch 2 of blur at blur.cu:14." `place` may be empty.
std::string finding_title(std::string_view kind, uint64_t launch, std::string_view kernel,
                          std::string_view place);

}  // namespace warplens::recording
