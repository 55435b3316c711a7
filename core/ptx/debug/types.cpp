#include "core/ptx/debug/types.h"

#include "core/ptx/debug/locations.h"

namespace warplens::debug {

namespace {

using Kind = Type::Kind;

// DWARF 7.8.
Kind base_kind(uint64_t encoding) {
  switch (encoding) {
    case 2:
      return Kind::boolean;
    case 4:
      return Kind::floating;
    case 5:
      return Kind::integer;
    case 6:
      return Kind::character;
    case 1:
    case 7:
      return Kind::unsigned_integer;
    case 8:
      return Kind::unsigned_character;
    default:
      return Kind::none;
  }
}

bool is_type(uint16_t tag) {
  switch (tag) {
    case tag_base_type:
    case tag_pointer_type:
    case tag_reference_type:
    case tag_rvalue_reference_type:
    case tag_array_type:
    case tag_structure_type:
    case tag_class_type:
    case tag_union_type:
    case tag_enumeration_type:
    case tag_typedef:
    case tag_const_type:
    case tag_volatile_type:
    case tag_restrict_type:
      return true;
    default:
      return false;
  }
}

class TypeReader {
 public:
  TypeReader(const Entries& entries, const Sections& sections) : m_entries(entries) {
    const auto info = sections.find(".debug_info");
    if (info != sections.end()) m_info = &info->second;
  }

  TypeIndices run(std::vector<Type>& types) {
    TypeIndices indices;
    for (uint32_t e = 0; e < m_entries.all.size(); ++e) {
      if (is_type(m_entries.all[e].tag))
        indices.emplace(e, static_cast<uint32_t>(types.size() + indices.size()));
    }
    types.reserve(types.size() + indices.size());
    for (const auto& [entry, index] : indices) types.push_back(read(entry, indices));
    return indices;
  }

 private:
  // Calls visit for the entries directly in this one.
  template <class F>
  void children(uint32_t entry, F visit) const {
    for (uint32_t c = entry + 1; c < m_entries.all[entry].end; c = m_entries.all[c].end) visit(c);
  }

  Type read(uint32_t entry, const TypeIndices& indices) const {
    Type type;
    type.name = m_entries.text(entry, at_name);
    type.bytes = m_entries.number(entry, at_byte_size);
    type.element = type_of(m_entries, indices, entry);
    switch (m_entries.all[entry].tag) {
      case tag_base_type:
        type.kind = base_kind(m_entries.number(entry, at_encoding));
        break;
      case tag_pointer_type:
        type.kind = Kind::pointer;
        type.bytes = 8;
        break;
      case tag_reference_type:
      case tag_rvalue_reference_type:
        type.kind = Kind::reference;
        type.bytes = 8;
        break;
      case tag_array_type:
        type.kind = Kind::array;
        children(entry, [&](uint32_t c) {
          if (m_entries.all[c].tag == tag_subrange_type) type.extents.push_back(extent(c));
        });
        break;
      case tag_enumeration_type:
        type.kind = Kind::enumeration;
        children(entry, [&](uint32_t c) {
          if (m_entries.all[c].tag != tag_enumerator) return;
          const auto value = static_cast<int64_t>(m_entries.number(c, at_const_value));
          type.enumerators.push_back({std::string(m_entries.text(c, at_name)), value});
        });
        break;
      case tag_structure_type:
      case tag_class_type:
      case tag_union_type:
        type.kind = Kind::structure;
        children(entry, [&](uint32_t c) { add_member(c, indices, type); });
        break;
      case tag_const_type:
        type.kind = Kind::other_name;
        type.name = "const";
        break;
      case tag_volatile_type:
        type.kind = Kind::other_name;
        type.name = "volatile";
        break;
      default:
        type.kind = Kind::other_name;
        break;
    }
    return type;
  }

  uint64_t extent(uint32_t entry) const {
    if (m_entries.find(entry, at_count) != nullptr) return m_entries.number(entry, at_count);
    if (m_entries.find(entry, at_upper_bound) == nullptr) return 0;
    return m_entries.number(entry, at_upper_bound) + 1;
  }

  void add_member(uint32_t entry, const TypeIndices& indices, Type& type) const {
    const uint16_t tag = m_entries.all[entry].tag;
    if (tag != tag_member && tag != tag_inheritance) return;
    const Attribute* place = m_entries.find(entry, at_data_member_location);
    const bool in_union = m_entries.all[m_entries.all[entry].parent].tag == tag_union_type;
    if (place == nullptr && !in_union) return;  // static
    Member member;
    member.name = m_entries.text(entry, at_name);
    member.type = type_of(m_entries, indices, entry);
    // In linkage names, CUDA prefixes base classes with "__b_".
    member.is_base = tag == tag_inheritance || member.name.starts_with("__b_");
    if (place != nullptr && !member_offset(*place, member.offset)) return;
    member.bits = static_cast<uint32_t>(m_entries.number(entry, at_bit_size));
    if (member.bits != 0) {
      // DWARF 2 counts from the highest bit of a unit of byte_size bytes.
      const uint64_t unit = 8 * m_entries.number(entry, at_byte_size);
      const uint64_t from_top = m_entries.number(entry, at_bit_offset) + member.bits;
      member.first_bit = m_entries.find(entry, at_data_bit_offset) != nullptr
                             ? static_cast<uint32_t>(m_entries.number(entry, at_data_bit_offset))
                             : static_cast<uint32_t>(unit >= from_top ? unit - from_top : 0);
    }
    type.members.push_back(std::move(member));
  }

  bool member_offset(const Attribute& place, uint64_t& offset) const {
    if (place.kind == Attribute::Kind::number) {
      offset = place.number;
      return true;
    }
    if (place.kind != Attribute::Kind::block || m_info == nullptr) return false;
    Cursor cursor(*m_info, place.number, place.number + place.length);
    const uint8_t operation = cursor.byte();
    if (operation != op_plus_uconst && operation != op_constu) return false;
    offset = cursor.uleb();
    return !cursor.bad();
  }

  const Entries& m_entries;
  const Section* m_info = nullptr;
};

}  // namespace

TypeIndices read_types(const Entries& entries, const Sections& sections, std::vector<Type>& types) {
  return TypeReader(entries, sections).run(types);
}

uint32_t type_of(const Entries& entries, const TypeIndices& indices, uint32_t entry) {
  uint32_t at = no_entry;
  entries.with_origins(entry, [&](uint32_t e) { return (at = entries.reference(e, at_type)) != no_entry; });
  const auto found = indices.find(at);
  return found == indices.end() ? void_type : found->second;
}

}  // namespace warplens::debug
