// Numbers of a program's data: whole ones keep their digits, so that no integer reads as 4e+05.
#pragma once

#include <string>

namespace warplens {

// Up to six digits: "0.333333", "1234567", "1.5e+20".
std::string number_words(double value);
// The same for a cell, which has room for about six letters: "0.333", "400000", "1.23 M". Integers that are
// written without a point stay as they are.
std::string cell_words(const std::string& text);

}  // namespace warplens
