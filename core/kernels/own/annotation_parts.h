// Between the files that read an annotation: pieces of its text, and who reads which entry.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/kernels/own/annotation.h"

namespace warplens {

// A part of one line of the source, with its place in it.
struct Piece {
  std::string_view text;
  uint32_t line = 0;
  uint32_t column = 0;  // of text[0], 1-based
  TextPosition place() const { return {line, column}; }
  Piece part(size_t from, size_t count = std::string_view::npos) const;
  Piece trimmed() const;  // without blanks at both ends
};

bool is_word(char c);
bool is_blank(char c);
bool is_name(std::string_view text);

// How many characters of a name or type it begins with.
size_t word_at_front(std::string_view text);

// Where top-level commas (outside of brackets) divide it.
std::vector<Piece> split(const Piece& piece);

// The bracket that closes the one at `open`; npos: none does.
size_t closing(std::string_view text, size_t open);

// Empty where the text is anything else than one finite number.
std::optional<double> number_of(std::string_view text);

struct Reading {
  std::string_view file;
  Annotation& into;

  void fail(const TextPosition& place, std::string message);
};

// The value behind "name=" of anything but the three below. (annotation_argument.cpp)
void read_argument(Reading& reading, const Piece& name, const Piece& value);
// The values of grid=, threads= and block=. (annotation_launch.cpp)
void read_axes(Reading& reading, const Piece& value, std::array<PlacedText, 3>& axes);
void read_block(Reading& reading, const Piece& value);

}  // namespace warplens
