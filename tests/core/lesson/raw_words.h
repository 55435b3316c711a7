// Whether a sentence for a student contains text that only the program understands.
#pragma once

#include <string>
#include <string_view>

namespace warplens::lesson {

// The sentence if it contains a name or sign of the expression language; otherwise nothing.
inline std::string raw_words_in(std::string_view sentence) {
  for (const char* raw : {"_", "<", ">", "=", "&", "*", "/", "[", "counters.", "launch.", "occupancy.",
                          "reference.", "start.", "device.", "ceil(", "floor("})
    if (sentence.find(raw) != std::string_view::npos) return std::string(sentence);
  return {};
}

}  // namespace warplens::lesson
