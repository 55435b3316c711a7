#include "core/files/numba_arguments.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace warplens {

namespace {

// Meminfo, parent, number of items, item size and data; then shape and strides.
constexpr size_t data_of_array = 4, shape_of_array = 5;

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

// Reads Numba's names, which follow the Itanium ABI's.
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
      take("B");  // a tag of the name before
      if (!identifier()) return false;
    }
    return true;
  }
  std::optional<NumbaArgument> argument() {
    if (const auto dtype = m_left.empty() ? std::nullopt : dtype_of(m_left.front())) {
      next();
      return NumbaArgument{false, *dtype, 0, 0};
    }
    const auto name = identifier();
    if (!name || *name != "Array" || !take("I")) return std::nullopt;
    const auto dtype = dtype_of(next());
    if (!dtype || !take("Li")) return std::nullopt;
    uint32_t dimensions = 0;
    const auto [end, error] = std::from_chars(m_left.data(), m_left.data() + m_left.size(), dimensions);
    if (error != std::errc()) return std::nullopt;
    m_left.remove_prefix(static_cast<size_t>(end - m_left.data()));
    if (!take("E")) return std::nullopt;
    while (!take("E")) {
      if (!identifier()) return std::nullopt;
    }
    return NumbaArgument{true, *dtype, dimensions, 0};
  }

 private:
  std::string_view m_left;
};

}  // namespace

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
    first += argument->is_array ? shape_of_array + 2 * argument->dimensions : 1;
    arguments.push_back(*argument);
  }
  return arguments;
}

void name_numba_arrays(const LaunchStep& step, std::vector<BufferSpec>& buffers) {
  const std::vector<NumbaArgument> arguments = numba_arguments(step.entry);
  if (arguments.empty()) return;
  const NumbaArgument& last = arguments.back();
  const size_t count = last.first + (last.is_array ? shape_of_array + 2 * last.dimensions : 1);
  if (count != step.arguments.size()) return;
  const auto number = [&](size_t at) -> uint64_t {
    const auto* scalar = std::get_if<ScalarArgument>(&step.arguments[at]);
    return scalar == nullptr ? 0 : scalar->bits;
  };
  for (const NumbaArgument& argument : arguments) {
    if (!argument.is_array) continue;
    const auto* data = std::get_if<BufferArgument>(&step.arguments[argument.first + data_of_array]);
    if (data == nullptr) continue;
    BufferSpec& buffer = buffers[data->buffer];
    const uint32_t size = bytes_of(argument.dtype);
    if (data->offset != 0 || buffer.bytes % size != 0 || buffer.bytes / size > UINT32_MAX) continue;
    buffer.dtype = argument.dtype;
    buffer.width = static_cast<uint32_t>(buffer.bytes / size);
    buffer.height = 1;
    if (argument.dimensions != 2) continue;
    const uint64_t rows = number(argument.first + shape_of_array);
    const uint64_t columns = number(argument.first + shape_of_array + 1);
    if (rows == 0 || columns == 0 || columns > buffer.width || rows != buffer.width / columns ||
        buffer.width % columns != 0)
      continue;
    buffer.width = static_cast<uint32_t>(columns);
    buffer.height = static_cast<uint32_t>(rows);
  }
}

}  // namespace warplens
