#include "core/recording/numba_name.h"

#include <charconv>
#include <optional>

namespace warplens::recording {

namespace {

std::optional<DType> dtype_of(char code) {
  switch (code) {
    case 'b':
    case 'h':
      return DType::u8;
    case 'a':
      return DType::i8;
    case 's':
      return DType::i16;
    case 't':
      return DType::u16;
    case 'i':
      return DType::i32;
    case 'j':
      return DType::u32;
    case 'l':
    case 'x':
      return DType::i64;
    case 'm':
    case 'y':
      return DType::u64;
    case 'f':
      return DType::f32;
    case 'd':
      return DType::f64;
    default:
      return std::nullopt;
  }
}

// Reads Numba's names, which follow the Itanium ABI.
class Mangled {
 public:
  explicit Mangled(std::string_view text) : m_left(text) {}

  bool take(std::string_view expected) {
    if (!m_left.starts_with(expected)) return false;
    m_left.remove_prefix(expected.size());
    return true;
  }
  bool is_at_end() const { return m_left.empty(); }
  char next() {
    if (m_left.empty()) return 0;
    const char c = m_left.front();
    m_left.remove_prefix(1);
    return c;
  }
  std::optional<std::string_view> identifier() {
    size_t length = 0;
    const auto [end, error] = std::from_chars(m_left.data(), m_left.data() + m_left.size(), length);
    if (error != std::errc()) return std::nullopt;
    m_left.remove_prefix(static_cast<size_t>(end - m_left.data()));
    if (length > m_left.size()) return std::nullopt;
    const std::string_view found = m_left.substr(0, length);
    m_left.remove_prefix(length);
    return found;
  }
  // N, identifiers with tags, E.
  bool nested_name() {
    if (!take("N")) return false;
    while (!take("E")) {
      take("B");  // a tag of the preceding name
      if (!identifier()) return false;
    }
    return true;
  }
  std::optional<NumbaArgument> argument() {
    if (const auto dtype = m_left.empty() ? std::nullopt : dtype_of(m_left.front())) {
      const char code = next();
      return NumbaArgument{false, *dtype, 0, 0, code};
    }
    const auto name = identifier();
    if (!name || *name != "Array" || !take("I")) return std::nullopt;
    const char code = next();
    const auto dtype = dtype_of(code);
    if (!dtype || !take("Li")) return std::nullopt;
    uint32_t dimensions = 0;
    const auto [end, error] = std::from_chars(m_left.data(), m_left.data() + m_left.size(), dimensions);
    if (error != std::errc()) return std::nullopt;
    m_left.remove_prefix(static_cast<size_t>(end - m_left.data()));
    if (!take("E")) return std::nullopt;
    while (!take("E")) {
      if (!identifier()) return std::nullopt;
    }
    return NumbaArgument{true, *dtype, dimensions, 0, code};
  }

 private:
  std::string_view m_left;
};

}  // namespace

std::string_view numpy_name(char code) {
  switch (code) {
    case 'b':
      return "bool";
    case 'h':
      return "uint8";
    case 'a':
      return "int8";
    case 's':
      return "int16";
    case 't':
      return "uint16";
    case 'i':
      return "int32";
    case 'j':
      return "uint32";
    case 'l':
    case 'x':
      return "int64";
    case 'm':
    case 'y':
      return "uint64";
    case 'f':
      return "float32";
    case 'd':
      return "float64";
    default:
      return "";
  }
}

std::vector<NumbaArgument> numba_arguments(std::string_view mangled) {
  Mangled name(mangled);
  if (!name.take("_Z") || !name.nested_name()) return {};
  std::vector<NumbaArgument> arguments;
  size_t first = 0;
  while (!name.is_at_end()) {
    std::optional<NumbaArgument> argument = name.argument();
    constexpr uint32_t most_dimensions = 32;
    if (!argument || argument->dimensions > most_dimensions) return {};
    argument->first = first;
    first += argument->parameters();
    arguments.push_back(*argument);
  }
  return arguments;
}

}  // namespace warplens::recording
