// Reads the Markdown of a lesson or a challenge into its parts: the head, sections, and fenced blocks of
// "key: value" lines. Everything else stays text. It does not know the meaning of any key.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/text.h"
#include "core/lesson/format/show.h"

namespace warplens::lesson {

// Collects what is wrong with a file.
class Mistakes {
 public:
  explicit Mistakes(std::string file) : m_file(std::move(file)) {}
  void error(uint32_t line, std::string message);
  void warning(uint32_t line, std::string message);
  std::vector<Diagnostic> take();  // sorted by line
  const std::string& file() const { return m_file; }

 private:
  void add(Severity severity, uint32_t line, std::string message);

  std::string m_file;
  std::vector<Diagnostic> m_all;
};

struct Entry {
  std::string key, value;
  uint32_t line = 0;
};

struct Block {
  std::string name;
  uint32_t line = 0;           // of its fence
  std::vector<Entry> entries;  // if it is one of "key: value" lines
  std::vector<Placed> lines;   // all lines that are not comments, trimmed; continued lines are joined
};

struct Section {
  uint32_t level = 0;  // 0 for the text before the first heading
  std::string title, id;
  std::string mark;  // for a translation: "3f2a" of {#id 3f2a} or {3f2a}
  uint32_t line = 0;
  Placed text;  // without its blocks
  std::vector<Block> blocks;
};

struct Document {
  std::vector<Entry> head;
  std::vector<Section> sections;
};

// The names of blocks in this kind of file: `keyed` have "key: value" lines, `plain` any lines.
struct BlockNames {
  std::span<const std::string_view> keyed, plain;
};

// The words of a heading, without the braces at its end and their contents.
struct Heading {
  std::string_view words, id, mark;
};
Heading heading_in(std::string_view title);

Document read_markdown(std::string_view text, const BlockNames& names, Mistakes& mistakes);

// The parts of the text between these characters, except inside brackets, trimmed.
std::vector<std::string_view> parts_of(std::string_view text, char separator);

// Suggests one of `known` that is similar to `word`, as a sentence to append: "; did you mean \"kernel\"?".
// Empty if none is similar.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace warplens::lesson
