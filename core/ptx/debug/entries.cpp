#include "core/ptx/debug/entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace warplens::debug {

namespace {

// More than any compiler writes. The limits bound the work for texts that were not made by a compiler.
constexpr size_t max_attributes = 64, max_abbreviations = 1u << 20, max_depth = 200;

struct Abbreviation {
  uint16_t tag = 0;
  bool has_children = false;
  struct Part {
    uint16_t name = 0, form = 0;
  };
  std::vector<Part> parts = {};
};
using Abbreviations = std::map<uint64_t, Abbreviation>;

class EntryReader {
 public:
  EntryReader(const Sections& sections, std::string_view module_name)
      : m_sections(sections),
        m_info(section(".debug_info")),
        m_strings(section(".debug_str")),
        m_module_name(module_name) {}

  Result<Entries> run() {
    Cursor cursor(m_info, 0, m_info.bytes.size());
    for (uint32_t number = 0; !cursor.at_end(); ++number) {
      const uint64_t begin = cursor.at();
      const uint64_t length = cursor.number(4);
      const uint64_t end = cursor.at() + length;
      // Padding at the end of the section.
      if (length == 0 && !cursor.bad()) continue;
      if (cursor.bad() || end > m_info.bytes.size())
        return wrong(begin, "a unit is longer than the section .debug_info");
      if (const Result<void> done = unit(begin, cursor.at(), end, number); !done) return done.error();
      cursor.skip(end - cursor.at());
    }
    return std::move(m_entries);
  }

 private:
  const Section& section(std::string_view name) const {
    const auto found = m_sections.find(name);
    return found == m_sections.end() ? m_none : found->second;
  }

  Error wrong(uint64_t at, const std::string& why) const {
    return bad_input(fmt::format("{}:{}: The debug information cannot be read: {}.", m_module_name,
                                 m_info.line_at(at), why));
  }

  Result<void> unit(uint64_t begin, uint64_t after_length, uint64_t end, uint32_t number) {
    Cursor cursor(m_info, after_length, end);
    const uint64_t version = cursor.number(2);
    const uint64_t abbreviations = cursor.number(4);
    m_address_bytes = cursor.byte();
    if (cursor.bad()) return wrong(begin, "a unit has no head");
    if (version < 2 || version > 4)
      return wrong(begin, fmt::format("it is DWARF {}; CUDA writes DWARF 2", version));
    if (m_address_bytes != 4 && m_address_bytes != 8)
      return wrong(begin, fmt::format("an address has {} bytes", m_address_bytes));
    const Result<const Abbreviations*> table = abbreviations_at(abbreviations);
    if (!table) return wrong(begin, table.error().message);
    m_version = version;
    m_unit_begin = begin;
    return tree(cursor, **table, number);
  }

  Result<void> tree(Cursor& cursor, const Abbreviations& table, uint32_t number) {
    std::vector<uint32_t> open;
    const auto close = [&] {
      m_entries.all[open.back()].end = static_cast<uint32_t>(m_entries.all.size());
      open.pop_back();
    };
    while (!cursor.at_end()) {
      const uint64_t at = cursor.at();
      const uint64_t code = cursor.uleb();
      if (code == 0) {
        if (!open.empty()) close();
        continue;
      }
      const auto found = table.find(code);
      if (found == table.end()) return wrong(at, fmt::format("there is no abbreviation {}", code));
      const Abbreviation& abbreviation = found->second;
      const auto index = static_cast<uint32_t>(m_entries.all.size());
      m_entries.all.push_back({.offset = at,
                               .tag = abbreviation.tag,
                               .unit = number,
                               .parent = open.empty() ? no_entry : open.back(),
                               .end = index + 1,
                               .first_attribute = static_cast<uint32_t>(m_entries.attributes.size())});
      for (const Abbreviation::Part& part : abbreviation.parts) {
        Attribute attribute{.name = part.name};
        if (!value(cursor, part.form, attribute))
          return wrong(at, cursor.bad() ? "an entry is longer than its unit"
                                        : fmt::format("an attribute has the form 0x{:x}", part.form));
        m_entries.attributes.push_back(attribute);
        ++m_entries.all.back().attributes;
      }
      if (!abbreviation.has_children) continue;
      if (open.size() >= max_depth)
        return wrong(at, fmt::format("more than {} scopes in each other", max_depth));
      open.push_back(index);
    }
    while (!open.empty()) close();
    return {};
  }

  Result<const Abbreviations*> abbreviations_at(uint64_t offset) {
    const auto [place, is_new] = m_tables.try_emplace(offset);
    Abbreviations& table = place->second;
    if (!is_new) return &table;
    const Section& from = section(".debug_abbrev");
    Cursor cursor(from, offset, from.bytes.size());
    while (!cursor.bad()) {
      const uint64_t code = cursor.uleb();
      if (code == 0) return &table;
      if (++m_abbreviations > max_abbreviations) return failed("there are too many abbreviations");
      Abbreviation abbreviation{.tag = static_cast<uint16_t>(cursor.uleb()),
                                .has_children = cursor.byte() != 0};
      for (;;) {
        const auto name = static_cast<uint16_t>(cursor.uleb()), form = static_cast<uint16_t>(cursor.uleb());
        if (cursor.bad() || (name == 0 && form == 0)) break;
        if (abbreviation.parts.size() >= max_attributes)
          return failed(fmt::format("an abbreviation has more than {} attributes", max_attributes));
        abbreviation.parts.push_back({name, form});
      }
      table.insert_or_assign(code, std::move(abbreviation));
    }
    return failed("the section .debug_abbrev ends too early");
  }

  // False if the form is not supported or the unit ends.
  bool value(Cursor& cursor, uint16_t form, Attribute& attribute) {
    using Kind = Attribute::Kind;
    const auto number = [&](uint32_t bytes) {
      attribute.bytes = static_cast<uint8_t>(bytes);
      attribute.is_constant = true;
      attribute.number = cursor.number(bytes, attribute.symbol);
      return !cursor.bad();
    };
    const auto reference = [&](uint64_t offset) {
      attribute.kind = Kind::reference;
      attribute.number = m_unit_begin + offset;
      return !cursor.bad();
    };
    const auto block = [&](uint64_t length) {
      attribute.kind = Kind::block;
      attribute.number = cursor.at();
      attribute.length = length;
      cursor.skip(length);
      return !cursor.bad();
    };
    switch (form) {
      case form_addr:
        return number(m_address_bytes);
      case form_data1:
      case form_flag:
        return number(1);
      case form_data2:
        return number(2);
      case form_data4:
        return number(4);
      case form_data8:
      case form_ref_sig8:
        return number(8);
      case form_sec_offset:
        number(4);
        attribute.is_constant = false;
        return !cursor.bad();
      case form_sdata:
        attribute.is_constant = true;
        attribute.number = static_cast<uint64_t>(cursor.sleb());
        return !cursor.bad();
      case form_udata:
        attribute.is_constant = true;
        attribute.number = cursor.uleb();
        return !cursor.bad();
      case form_flag_present:
        attribute.number = 1;
        return true;
      case form_string:
        attribute.kind = Kind::text;
        attribute.text = cursor.text();
        return !cursor.bad();
      case form_strp: {
        attribute.kind = Kind::text;
        Cursor string(m_strings, cursor.number(4), m_strings.bytes.size());
        attribute.text = string.text();
        return !cursor.bad();
      }
      case form_ref_addr:
        attribute.kind = Kind::reference;
        attribute.number = cursor.number(m_version == 2 ? m_address_bytes : 4);
        return !cursor.bad();
      case form_ref1:
        return reference(cursor.number(1));
      case form_ref2:
        return reference(cursor.number(2));
      case form_ref4:
        return reference(cursor.number(4));
      case form_ref8:
        return reference(cursor.number(8));
      case form_ref_udata:
        return reference(cursor.uleb());
      case form_block1:
        return block(cursor.number(1));
      case form_block2:
        return block(cursor.number(2));
      case form_block4:
        return block(cursor.number(4));
      case form_block:
      case form_exprloc:
        return block(cursor.uleb());
      case form_indirect: {
        const auto real = static_cast<uint16_t>(cursor.uleb());
        return real != form_indirect && value(cursor, real, attribute);
      }
      default:
        return false;
    }
  }

  const Section m_none;
  const Sections& m_sections;
  const Section& m_info;
  const Section& m_strings;
  std::string_view m_module_name;
  std::map<uint64_t, Abbreviations> m_tables;
  size_t m_abbreviations = 0;
  uint64_t m_version = 2, m_unit_begin = 0;
  uint32_t m_address_bytes = 8;
  Entries m_entries;
};

}  // namespace

const Attribute* Entries::find(uint32_t entry, AttributeName name) const {
  const Entry& from = all[entry];
  for (uint32_t i = from.first_attribute; i < from.first_attribute + from.attributes; ++i)
    if (attributes[i].name == name) return &attributes[i];
  return nullptr;
}

uint64_t Entries::number(uint32_t entry, AttributeName name) const {
  const Attribute* found = find(entry, name);
  return found == nullptr || found->kind != Attribute::Kind::number ? 0 : found->number;
}

uint32_t Entries::reference(uint32_t entry, AttributeName name) const {
  const Attribute* found = find(entry, name);
  if (found == nullptr || found->kind != Attribute::Kind::reference) return no_entry;
  const auto place = std::ranges::lower_bound(all, found->number, {}, &Entry::offset);
  if (place == all.end() || place->offset != found->number) return no_entry;
  return static_cast<uint32_t>(place - all.begin());
}

const Attribute* Entries::find_inherited(uint32_t entry, AttributeName name) const {
  const Attribute* found = nullptr;
  with_origins(entry, [&](uint32_t at) { return (found = find(at, name)) != nullptr; });
  return found;
}

std::string_view Entries::text(uint32_t entry, AttributeName name) const {
  const Attribute* found = find_inherited(entry, name);
  return found == nullptr ? std::string_view() : found->text;
}

Result<Entries> read_entries(const Sections& sections, std::string_view module_name) {
  if (!sections.contains(".debug_info")) return Entries{};
  return EntryReader(sections, module_name).run();
}

}  // namespace warplens::debug
