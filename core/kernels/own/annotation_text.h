// Shared by the files that read an annotation: pieces of its text, and the functions that read its entries.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/kernels/own/annotation.h"

namespace warplens {

// A part of a line of the source, with its place.
struct TextSpan {
  std::string_view text;
  uint32_t line = 0;
  uint32_t column = 0;  // of text[0], counted from 1
  TextPosition place() const { return {line, column}; }
  TextSpan part(size_t from, size_t count = std::string_view::npos) const;
  TextSpan trimmed() const;  // without blanks at both ends
};

bool is_word(char c);
bool is_blank(char c);
bool is_name(std::string_view text);

// The length of the name or type at the start of the text.
size_t word_at_front(std::string_view text);

// The parts of the text between commas outside of brackets.
std::vector<TextSpan> split(const TextSpan& piece);

// The position of the bracket that closes the one at `open`. npos if there is none.
size_t closing(std::string_view text, size_t open);

// Empty unless the text is exactly one finite number.
std::optional<double> number_of(std::string_view text);

struct Reading {
  std::string_view file;
  Annotation& into;

  void fail(const TextPosition& place, std::string message);
};

// Reads the value of any name= except grid=, threads= and block= (annotation_argument.cpp).
void read_argument(Reading& reading, const TextSpan& name, const TextSpan& value);
// Read the values of grid=, threads= and block= (annotation_launch.cpp).
void read_axes(Reading& reading, const TextSpan& value, std::array<PlacedText, 3>& axes);
void read_block(Reading& reading, const TextSpan& value);

}  // namespace warplens
