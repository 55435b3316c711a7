#include "core/ptx/debug/locations.h"

#include "core/ptx/debug/dwarf.h"

namespace warplens::debug {

namespace {

// Lists may overlap in a text that was not made by a compiler, so their length is limited.
constexpr size_t longest_list = 4096;

Place constant(uint64_t value) { return {.kind = Place::Kind::constant, .value = value}; }

// The first operation; those that follow can only add to an address.
Place first_operation(Cursor& cursor) {
  const uint8_t operation = cursor.byte();
  if (operation >= op_lit0 && operation <= op_lit31) return constant(operation - op_lit0);
  switch (operation) {
    case op_regx:
      return {.kind = Place::Kind::reg, .name = cursor.name()};
    case op_bregx: {
      Place place{.kind = Place::Kind::pointed, .name = cursor.name()};
      place.offset = cursor.sleb();
      return place;
    }
    case op_addr: {
      const Symbol* symbol = nullptr;
      const auto value = static_cast<int64_t>(cursor.number(8, symbol));
      if (symbol == nullptr) return {.kind = Place::Kind::unknown};
      return {
          .kind = Place::Kind::memory, .name = std::string(symbol->name), .offset = value + symbol->addend};
    }
    case op_const1u:
      return constant(cursor.number(1));
    case op_const1s:
      return constant(static_cast<uint64_t>(cursor.signed_number(1)));
    case op_const2u:
      return constant(cursor.number(2));
    case op_const2s:
      return constant(static_cast<uint64_t>(cursor.signed_number(2)));
    case op_const4u:
      return constant(cursor.number(4));
    case op_const4s:
      return constant(static_cast<uint64_t>(cursor.signed_number(4)));
    case op_const8u:
    case op_const8s:
      return constant(cursor.number(8));
    case op_constu:
      return constant(cursor.uleb());
    case op_consts:
      return constant(static_cast<uint64_t>(cursor.sleb()));
    default:
      return {.kind = Place::Kind::unknown};
  }
}

std::string label_of(const Symbol* symbol) {
  return symbol == nullptr ? std::string() : std::string(symbol->name);
}

}  // namespace

Place read_expression(const Section& section, uint64_t begin, uint64_t length) {
  if (length == 0) return {};
  Cursor cursor(section, begin, begin + length);
  Place place = first_operation(cursor);
  while (!cursor.at_end() && !cursor.bad() && place.kind != Place::Kind::unknown) {
    const uint8_t operation = cursor.byte();
    if (operation == op_plus_uconst && place.kind == Place::Kind::memory) {
      place.offset += static_cast<int64_t>(cursor.uleb());
    } else if (operation != op_stack_value || place.kind != Place::Kind::constant) {
      place = {.kind = Place::Kind::unknown};
    }
  }
  const bool named = place.kind == Place::Kind::reg || place.kind == Place::Kind::pointed;
  if (cursor.bad() || (named && place.name.empty())) return {.kind = Place::Kind::unknown};
  return place;
}

std::vector<PlaceRange> read_location_list(const Section& section, uint64_t offset) {
  std::vector<PlaceRange> list;
  Cursor cursor(section, offset, section.bytes.size());
  while (!cursor.bad() && list.size() < longest_list) {
    const Symbol *begin = nullptr, *end = nullptr;
    const uint64_t first = cursor.number(8, begin), last = cursor.number(8, end);
    if (begin == nullptr && end == nullptr && first == 0 && last == 0) break;
    if (begin == nullptr && first == UINT64_MAX) continue;  // a base address, which is a label itself
    const uint64_t length = cursor.number(2), at = cursor.at();
    cursor.skip(length);
    if (cursor.bad()) break;
    list.push_back({label_of(begin), label_of(end), read_expression(section, at, length)});
  }
  return list;
}

std::vector<LabelRange> read_label_ranges(const Section& section, uint64_t offset) {
  std::vector<LabelRange> list;
  Cursor cursor(section, offset, section.bytes.size());
  while (!cursor.bad() && list.size() < longest_list) {
    const Symbol *begin = nullptr, *end = nullptr;
    const uint64_t first = cursor.number(8, begin), last = cursor.number(8, end);
    if (begin == nullptr && end == nullptr && first == 0 && last == 0) break;
    if (begin != nullptr && end != nullptr) list.push_back({label_of(begin), label_of(end)});
  }
  return list;
}

}  // namespace warplens::debug
