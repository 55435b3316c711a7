// Answers as they are handed in: a source, a comment with a launch, or the file that the window writes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/json/json.h"
#include "core/base/result.h"

namespace warplens::lesson {

enum class Language : uint8_t { cuda, numba };

struct HandIn {
  std::string challenge;  // name; empty for a plain source
  std::string name;       // of the student; may be empty
  Language language = Language::cuda;
  std::string source;
  uint32_t stars = 0;  // that the window gave
  double seconds_spent = 0;
  ReportJson session;  // what the window showed; may be null
  // What its author has done in lessons and challenges, as the window stores it (app/state/parts/progress.h);
  // null if the program that wrote the file did not store it.
  ReportJson progress;
  bool checksum_fits = true;
};

// Whether a file is called as answers are: .cu, .py or .json.
bool is_answer_name(std::string_view file);
// Reads such a file; .json is the window's. An error says why it is not an answer.
Result<HandIn> read_hand_in(std::string_view bytes, std::string_view file);
std::string hand_in_text(const HandIn& hand_in);
// Of challenge, language and source. It detects accidental changes, not forgery.
std::string checksum_of(const HandIn& hand_in);

// How much of the smaller of two sources is in the other, from 0 to 1, ignoring names, numbers, comments and
// layout. Code of the starter does not count. Empty if too little is left to compare.
std::optional<double> similarity(std::string_view a, std::string_view b, std::string_view starter);

}  // namespace warplens::lesson
