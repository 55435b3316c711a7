#include "core/gpu/stepping/variables/shared_arrays.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <exception>
#include <map>
#include <optional>

#include "core/base/text.h"
#include "core/expression/evaluate.h"
#include "core/expression/parse.h"

namespace warplens::stepping {

namespace {

struct ElementType {
  const char* name;
  uint64_t bytes;
  bool is_float, is_signed;
};

constexpr ElementType element_types[] = {
    {"float", 4, true, true},
    {"double", 8, true, true},
    {"int", 4, false, true},
    {"unsigned int", 4, false, false},
    {"unsigned", 4, false, false},
    {"uint32_t", 4, false, false},
    {"int32_t", 4, false, true},
    {"char", 1, false, true},
    {"unsigned char", 1, false, false},
    {"uint8_t", 1, false, false},
    {"int8_t", 1, false, true},
    {"short", 2, false, true},
    {"unsigned short", 2, false, false},
    {"long long", 8, false, true},
    {"unsigned long long", 8, false, false},
    {"uint64_t", 8, false, false},
    {"int64_t", 8, false, true},
    {"bool", 1, false, false},
    {"size_t", 8, false, false},
};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (size_t i = 0; i < text.size();) {
    if (!is_in_name(text[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && is_in_name(text[end])) ++end;
    words.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return words;
}

// A declaration after __shared__ in the source: its type, and the texts between its brackets.
struct Declaration {
  std::string type;
  std::vector<std::string> extents;
};

std::optional<Declaration> declaration_of(std::string_view source, std::string_view name) {
  for (size_t at = source.find("__shared__"); at != source.npos; at = source.find("__shared__", at + 1)) {
    const size_t end = source.find(';', at);
    if (end == source.npos) return std::nullopt;
    const std::string_view text = source.substr(at + 10, end - at - 10);
    size_t place = text.find(name);
    while (place != text.npos &&
           ((place > 0 && is_in_name(text[place - 1])) ||
            (place + name.size() < text.size() && is_in_name(text[place + name.size()]))))
      place = text.find(name, place + 1);
    if (place == text.npos) continue;
    Declaration found;
    // In "float a[4], b[8]" the type is everything before the first name.
    for (const std::string& word : words_of(text.substr(0, std::min(place, text.find_first_of(",["))))) {
      if (word == "volatile" || word == "extern" || word == "static" || word == "const" || word == name)
        continue;
      found.type += (found.type.empty() ? "" : " ") + word;
    }
    for (size_t open = place + name.size(); open < text.size(); ++open) {
      if (text[open] == ' ') continue;
      const size_t close = text.find(']', open);
      if (text[open] != '[' || close == text.npos) break;
      found.extents.emplace_back(text.substr(open + 1, close - open - 1));
      open = close;
    }
    return found;
  }
  return std::nullopt;
}

// "constexpr int TILE = 16;" and "#define TILE 16".
expression::Value constant_of(std::string_view source, std::string_view name) {
  for (size_t at = source.find(name); at != source.npos; at = source.find(name, at + 1)) {
    size_t next = at + name.size();
    if ((at > 0 && is_in_name(source[at - 1])) || (next < source.size() && is_in_name(source[next])))
      continue;
    const bool defined = at >= 8 && source.substr(at - 8, 8) == "#define ";
    while (next < source.size() && (source[next] == ' ' || source[next] == '\t')) ++next;
    if (!defined && (next >= source.size() || source[next] != '=')) continue;
    if (!defined) ++next;
    while (next < source.size() && source[next] == ' ') ++next;
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(source.data() + next, source.data() + source.size(), value);
    if (error == std::errc() && end != source.data() + next) return value;
  }
  return {};
}

uint64_t evaluated(std::string_view source, const std::string& text) {
  const Result<expression::Tree> tree = expression::parse(text);
  if (!tree) return 0;
  std::vector<expression::Value> values;
  for (const auto& [name, column] : tree->names()) values.push_back(constant_of(source, name));
  const double extent = expression::evaluate(*tree, values).number();
  return extent >= 1 && extent < 1e9 ? static_cast<uint64_t>(extent) : 0;
}

uint64_t product_of(const std::vector<uint64_t>& extents) {
  uint64_t product = 1;
  for (const uint64_t extent : extents) product *= extent;
  return product;
}

// A single unknown extent is computed from the others; otherwise the array is shown as a row.
void set_extents(SharedArray& array, std::vector<uint64_t> extents) {
  const uint64_t elements = array.bytes / array.element_bytes;
  const auto unknown = std::ranges::count(extents, uint64_t{0});
  if (unknown == 1) {
    const auto place = std::ranges::find(extents, uint64_t{0});
    *place = 1;
    const uint64_t others = product_of(extents);
    *place = elements / std::max<uint64_t>(others, 1);
  }
  if (extents.empty() || unknown > 1 || product_of(extents) != elements) extents = {elements};
  array.extents = std::move(extents);
}

// A structure with this name and a matching size.
bool from_structure(const debug::DebugInfo& info, const std::string& name, SharedArray& array) {
  for (const debug::Type& type : info.types) {
    if (type.kind != debug::Type::Kind::structure || type.name != name || type.bytes == 0) continue;
    if (array.bytes % type.bytes != 0) continue;
    array.element = name;
    array.element_bytes = type.bytes;
    return true;
  }
  return false;
}

void from_source(const debug::DebugInfo& info, std::string_view source, SharedArray& array) {
  const std::optional<Declaration> found = declaration_of(source, array.name);
  std::vector<uint64_t> extents;
  if (found) {
    for (const ElementType& type : element_types) {
      if (found->type != type.name || array.bytes % type.bytes != 0) continue;
      array.element = type.name;
      array.element_bytes = type.bytes;
      array.is_float = type.is_float;
      array.is_signed = type.is_signed;
      array.is_number = true;
    }
    if (array.element.empty()) from_structure(info, found->type, array);
    array.is_scalar = !array.element.empty() && found->extents.empty() && array.bytes == array.element_bytes;
    if (!array.element.empty())
      for (const std::string& text : found->extents) extents.push_back(evaluated(source, text));
  }
  set_extents(array, std::move(extents));
}

bool from_debug_info(const debug::DebugInfo& info, uint32_t type, SharedArray& array) {
  const debug::Type* plain = &debug::plain_type(info, type);
  std::vector<uint64_t> extents;
  array.is_scalar = plain->kind != debug::Type::Kind::array;
  if (plain->kind == debug::Type::Kind::array) {
    extents = plain->extents;
    type = plain->element;
    plain = &debug::plain_type(info, type);
  }
  const uint64_t bytes = debug::type_bytes(info, type);
  if (bytes == 0) return false;
  using Kind = debug::Type::Kind;
  array.element = debug::type_name(info, type);
  array.element_bytes = bytes;
  array.is_float = plain->kind == Kind::floating;
  array.is_signed = plain->kind == Kind::integer || plain->kind == Kind::character;
  array.is_number = plain->kind != Kind::structure && plain->kind != Kind::none && bytes <= 8;
  set_extents(array, std::move(extents));
  return true;
}

}  // namespace

std::string_view plain_symbol(std::string_view symbol) {
  if (!symbol.starts_with("_ZZ")) return symbol;
  // The name is preceded by its length, and that by the "E" which ends the function's name.
  for (size_t at = symbol.size(); at-- > 3;) {
    if (symbol[at] != 'E' || at + 1 >= symbol.size()) continue;
    size_t length = 0;
    const auto [end, error] = std::from_chars(symbol.data() + at + 1, symbol.data() + symbol.size(), length);
    if (error != std::errc()) continue;
    const auto begin = static_cast<size_t>(end - symbol.data());
    if (length > 0 && begin + length <= symbol.size()) return symbol.substr(begin, length);
  }
  return symbol;
}

std::vector<SharedArray> shared_arrays_of(const ProgramTable& program, const VariableTable& variables,
                                          std::string_view source, uint64_t shared_bytes) {
  std::map<std::string_view, uint32_t> types;  // by the symbol of the PTX
  for (const debug::Variable& variable : variables.info().variables)
    types.emplace(variable.place.name, variable.type);
  for (const NamedVariable& variable : variables.variables())
    if (variable.from->place.kind == debug::Place::Kind::memory)
      types.emplace(variable.from->place.name, variable.from->type);
  std::vector<SharedArray> arrays;
  for (const program::SharedVariable& variable : program.program().shared_variables) {
    const uint64_t end = std::min(variable.end, shared_bytes);
    if (end <= variable.begin) continue;
    SharedArray array;
    array.name = plain_symbol(variable.name);
    array.address = variable.begin;
    array.bytes = end - variable.begin;
    const auto type = types.find(variable.name);
    if (type == types.end() || !from_debug_info(variables.info(), type->second, array))
      from_source(variables.info(), source, array);
    arrays.push_back(std::move(array));
  }
  return arrays;
}

}  // namespace warplens::stepping
