// The debug sections of a PTX text as bytes, and the symbols in them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ptx/tree.h"

namespace warplens::debug {

// A value that the text gives as the address of a label, a variable or a parameter.
struct Symbol {
  uint32_t at = 0;  // offset in the section
  uint8_t bytes = 8;
  std::string_view name = {};  // lives as long as the module
  int64_t addend = 0;
};

struct Section {
  std::string bytes;            // zeros where a symbol is
  std::vector<Symbol> symbols;  // ascending
  struct Line {
    uint32_t at = 0, line = 0;
  };
  std::vector<Line> lines;  // where the bytes are in the PTX text

  const Symbol* symbol_at(uint64_t offset) const;
  uint32_t line_at(uint64_t offset) const;
};

using Sections = std::map<std::string_view, Section>;

// The sections whose names begin with .debug_. A place in a section (".debug_loc+64") is already its offset.
Result<Sections> read_sections(const ptx::Module& module);

// Reads a section forward. A read past the end gives zeros and makes the cursor bad.
class Cursor {
 public:
  Cursor(const Section& section, uint64_t begin, uint64_t end);

  uint64_t at() const { return m_at; }
  bool at_end() const { return m_at >= m_end; }
  bool bad() const { return m_bad; }
  void skip(uint64_t bytes);

  uint8_t byte();
  uint64_t number(uint32_t bytes);  // little-endian
  int64_t signed_number(uint32_t bytes);
  uint64_t uleb();  // the low 64 bits
  int64_t sleb();
  std::string_view text();  // up to a zero
  // The number that begins here, and its symbol, if it has one.
  uint64_t number(uint32_t bytes, const Symbol*& symbol);
  // A ULEB whose bytes, the highest first, are the letters of a name. Empty if they are not letters.
  std::string name();

 private:
  bool has(uint64_t bytes);

  const Section& m_section;
  uint64_t m_at = 0, m_end = 0;
  bool m_bad = false;
};

}  // namespace warplens::debug
