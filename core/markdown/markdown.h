// Markdown as plain values: CommonMark with tables. HTML, entities and indented code stay text. Of links the
// words are kept, of emphasis only the strong kind.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::markdown {

// Words in one font. The end of a line is a blank, and a line break within a paragraph is "\n".
struct Span {
  std::string text;
  bool strong = false, code = false;

  bool operator==(const Span&) const = default;
};
using Spans = std::vector<Span>;

struct Block {
  enum class Kind { paragraph, heading, code, table, picture, rule };
  Kind kind = Kind::paragraph;
  uint32_t level = 0;  // of a heading, from 1; of any other block, how many lists and quotes it is in
  std::string mark;    // of the first block of an item: "•", "12."
  Spans spans;         // of a paragraph and a heading; of a picture, its description
  std::string text;    // of code, its lines; of a picture, the file
  std::vector<std::vector<Spans>> rows;  // of a table, its cells; the first row is the head

  bool operator==(const Block&) const = default;
};

// A picture in a paragraph is a block of its own; in a heading or a table it is its description.
std::vector<Block> read(std::string_view text);
// The same for a text that is one line by its place, such as an answer to choose: "1. warp" begins no list
// there.
Spans read_line(std::string_view text);

Spans strong(Spans spans);  // the same words, all of them strong
std::string plain_text(const Spans& spans);

}  // namespace warplens::markdown
