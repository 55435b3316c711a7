// Whether a sentence for a student has something in it that only the program understands.
#pragma once

#include <string>
#include <string_view>

namespace warplens::lesson {

// The sentence if it has a name or sign of the language of expressions; else nothing.
inline std::string raw_words_in(std::string_view sentence) {
  for (const char* raw : {"_", "<", ">", "=", "&", "*", "/", "[", "counters.", "launch.", "occupancy.",
                          "reference.", "start.", "device.", "ceil(", "floor("})
    if (sentence.find(raw) != std::string_view::npos) return std::string(sentence);
  return {};
}

}  // namespace warplens::lesson
