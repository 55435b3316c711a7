#include "core/ptx/debug/debug_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace warplens::debug {

namespace {

// In a text that was not made by a compiler, types may refer to themselves.
constexpr uint32_t longest_chain = 32;

uint64_t product(uint64_t a, uint64_t b) {
  return b != 0 && a > std::numeric_limits<uint64_t>::max() / b ? 0 : a * b;
}

std::string name_of(const DebugInfo& info, uint32_t index, uint32_t depth) {
  const Type& type = info.types[index];
  if (index == void_type || depth > longest_chain) return "void";
  const auto element = [&] { return name_of(info, type.element, depth + 1); };
  switch (type.kind) {
    case Type::Kind::pointer:
      return element() + "*";
    case Type::Kind::reference:
      return element() + "&";
    case Type::Kind::array: {
      if (!type.name.empty()) return type.name;
      std::string text = element();
      for (const uint64_t extent : type.extents) text += extent == 0 ? "[]" : fmt::format("[{}]", extent);
      return text;
    }
    case Type::Kind::other_name:
      return type.name == "const" || type.name == "volatile" ? type.name + " " + element() : type.name;
    default:
      return type.name.empty() ? "unnamed" : type.name;
  }
}

}  // namespace

const Function* DebugInfo::find(std::string_view linkage_name) const {
  const auto found = std::ranges::find(functions, linkage_name, &Function::linkage_name);
  return found == functions.end() ? nullptr : &*found;
}

const Type& plain_type(const DebugInfo& info, uint32_t type) {
  for (uint32_t i = 0; i < longest_chain && info.types[type].kind == Type::Kind::other_name; ++i)
    type = info.types[type].element;
  return info.types[info.types[type].kind == Type::Kind::other_name ? void_type : type];
}

std::string type_name(const DebugInfo& info, uint32_t type) { return name_of(info, type, 0); }

uint64_t type_bytes(const DebugInfo& info, uint32_t index) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < longest_chain; ++i) {
    const Type& type = plain_type(info, index);
    if (type.kind != Type::Kind::array) return product(type.bytes, count);
    for (const uint64_t extent : type.extents) count = product(count, extent);
    index = type.element;
  }
  return 0;
}

}  // namespace warplens::debug
