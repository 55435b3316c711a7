// The tree of entries in .debug_info, with their attributes as the text has them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ptx/debug/dwarf.h"
#include "core/ptx/debug/sections.h"

namespace warplens::debug {

struct Attribute {
  enum class Kind : uint8_t { number, text, reference, block } kind = Kind::number;
  uint16_t name = 0;
  bool is_constant = false;        // of a number: a constant, not an offset in another section
  uint8_t bytes = 0;               // of a number, if its form says it
  uint64_t number = 0;             // reference: the offset of an entry; block: where it begins
  uint64_t length = 0;             // of a block
  const Symbol* symbol = nullptr;  // of a number that is an address
  std::string_view text = {};
};

constexpr uint32_t no_entry = UINT32_MAX;

struct Entry {
  uint64_t offset = 0;
  uint16_t tag = 0;
  uint32_t unit = 0;  // counted from 0
  uint32_t parent = no_entry;
  uint32_t end = 0;  // the entries after this one and before `end` are in it
  uint32_t first_attribute = 0, attributes = 0;
};

struct Entries {
  std::vector<Entry> all;  // by offset
  std::vector<Attribute> attributes;

  const Attribute* find(uint32_t entry, AttributeName name) const;
  // The number of an attribute, or 0.
  uint64_t number(uint32_t entry, AttributeName name) const;
  // The entry to which an attribute refers; no_entry if there is none.
  uint32_t reference(uint32_t entry, AttributeName name) const;
  // Visits the entry itself, then those that it is an instance of or that declare it. `visit` returns true to
  // end.
  template <class F>
  void with_origins(uint32_t entry, F visit) const {
    for (uint32_t depth = 0; depth < 8 && entry != no_entry; ++depth) {
      if (visit(entry)) return;
      const uint32_t origin = reference(entry, at_abstract_origin);
      entry = origin != no_entry ? origin : reference(entry, at_specification);
    }
  }
  // The attribute of the entry or of the nearest origin that has it.
  const Attribute* find_inherited(uint32_t entry, AttributeName name) const;
  std::string_view text(uint32_t entry, AttributeName name) const;
};

// The entries refer to the sections. `module_name` is for messages.
Result<Entries> read_entries(const Sections& sections, std::string_view module_name);

}  // namespace warplens::debug
