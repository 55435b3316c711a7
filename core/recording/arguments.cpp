#include "core/recording/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <span>

#include "core/base/figures.h"
#include "core/base/half.h"
#include "core/recording/launch_source.h"
#include "core/recording/numba_name.h"
#include "core/recording/parameter_names.h"

namespace warplens::recording {

namespace {

using Kind = ShownArgument::Kind;

constexpr uint32_t most_dimensions = 4;  // the largest number tried if no name gives it
constexpr size_t most_bytes_shown = 64;

template <class T>
T value_in(const std::vector<std::byte>& bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
  return value;
}

uint64_t bits_of(const RecordedParameter& parameter) { return value_in<uint64_t>(parameter.bytes); }

bool is_word(const RecordedParameter& parameter) {
  return parameter.bytes.size() == 8 && !parameter.floating;
}

// The recorded piece of memory that contains the address, if any.
const RecordedPiece* piece_at(const RecordedLaunch& launch, uint64_t address) {
  const auto after =
      std::upper_bound(launch.memory.begin(), launch.memory.end(), address,
                       [](uint64_t a, const RecordedPiece& piece) { return a < piece.address; });
  if (after == launch.memory.begin()) return nullptr;
  const RecordedPiece& piece = *std::prev(after);
  return address - piece.address < piece.bytes ? &piece : nullptr;
}

void point_into(const RecordedLaunch& launch, ShownArgument& argument) {
  const RecordedPiece* piece = piece_at(launch, argument.address);
  if (piece == nullptr) return;
  argument.allocation = piece->symbol.empty() ? piece->name : piece->symbol;
  argument.offset = argument.address - piece->address;
  if (argument.kind == Kind::pointer) argument.bytes = piece->bytes - argument.offset;
}

// Whether the elements are contiguous, with the last index fastest.
bool is_contiguous(const ShownArgument& a) {
  auto expected = static_cast<int64_t>(a.element_bytes);
  for (size_t i = a.shape.size(); i-- > 0;) {
    if (a.shape[i] > 1 && a.strides[i] != expected) return false;
    if (__builtin_mul_overflow(expected, static_cast<int64_t>(a.shape[i]), &expected)) return false;
  }
  return true;
}

std::optional<uint64_t> product(const std::vector<uint64_t>& factors, uint64_t start) {
  for (const uint64_t factor : factors)
    if (__builtin_mul_overflow(start, factor, &start)) return std::nullopt;
  return start;
}

ShownArgument array_at(const RecordedLaunch& launch, size_t first, uint32_t dimensions) {
  const auto word = [&](size_t at) { return bits_of(launch.parameters[first + at]); };
  ShownArgument made;
  made.kind = Kind::array;
  made.first = first;
  made.count = shape_of_array + size_t{2} * dimensions;
  made.address = word(data_of_array);
  made.element_bytes = static_cast<uint32_t>(std::min<uint64_t>(word(item_size_of_array), UINT32_MAX));
  for (uint32_t i = 0; i < dimensions; ++i) {
    made.shape.push_back(word(shape_of_array + i));
    made.strides.push_back(static_cast<int64_t>(word(shape_of_array + dimensions + i)));
  }
  made.bytes = product(made.shape, made.element_bytes);
  made.contiguous = is_contiguous(made);
  point_into(launch, made);
  return made;
}

// Parameters that are very likely an array: the counts agree, the strides match the shape, and the data is in
// device memory. The smallest number of dimensions that matches.
std::optional<ShownArgument> array_by_its_numbers(const RecordedLaunch& launch, size_t first) {
  for (uint32_t dimensions = 1; dimensions <= most_dimensions; ++dimensions) {
    const size_t count = shape_of_array + size_t{2} * dimensions;
    if (first + count > launch.parameters.size()) return std::nullopt;
    for (size_t i = 0; i < count; ++i)
      if (!is_word(launch.parameters[first + i])) return std::nullopt;
    ShownArgument made = array_at(launch, first, dimensions);
    const uint64_t items = bits_of(launch.parameters[first + items_of_array]);
    if (made.element_bytes != 0 && made.element_bytes <= 4096 && items != 0 &&
        product(made.shape, 1) == items && made.contiguous && !made.allocation.empty())
      return made;
  }
  return std::nullopt;
}

std::string integer_text(const std::vector<std::byte>& bytes, bool is_signed) {
  switch (bytes.size()) {
    case 1:
      return is_signed ? fmt::format("{}", int{value_in<int8_t>(bytes)})
                       : fmt::format("{}", unsigned{value_in<uint8_t>(bytes)});
    case 2:
      return is_signed ? fmt::format("{}", value_in<int16_t>(bytes))
                       : fmt::format("{}", value_in<uint16_t>(bytes));
    case 4:
      return is_signed ? fmt::format("{}", value_in<int32_t>(bytes))
                       : fmt::format("{}", value_in<uint32_t>(bytes));
    default:
      return is_signed ? fmt::format("{}", value_in<int64_t>(bytes))
                       : fmt::format("{}", value_in<uint64_t>(bytes));
  }
}

std::string real_text(const std::vector<std::byte>& bytes) {
  if (bytes.size() == 8) return fmt::format("{}", value_in<double>(bytes));
  return fmt::format("{}",
                     bytes.size() == 4 ? value_in<float>(bytes) : float_of_f16(value_in<uint16_t>(bytes)));
}

// A scalar of a known NumPy type.
ShownArgument scalar_at(const RecordedLaunch& launch, size_t at, char code) {
  const RecordedParameter& parameter = launch.parameters[at];
  ShownArgument made;
  made.first = at;
  made.element = numpy_name(code);
  made.element_bytes = static_cast<uint32_t>(parameter.bytes.size());
  const bool real = code == 'f' || code == 'd';
  const bool is_signed = std::string_view("asilx").find(code) != std::string_view::npos;
  made.value = real ? real_text(parameter.bytes) : integer_text(parameter.bytes, is_signed);
  if (code == 'b') made.value = bits_of(parameter) != 0 ? "True" : "False";
  return made;
}

// A parameter of which only the bytes are known, and whether it is floating-point.
ShownArgument plain_at(const RecordedLaunch& launch, size_t at) {
  const RecordedParameter& parameter = launch.parameters[at];
  const size_t size = parameter.bytes.size();
  ShownArgument made;
  made.first = at;
  made.element_bytes = static_cast<uint32_t>(size);
  if (size != 1 && size != 2 && size != 4 && size != 8) {
    made.kind = Kind::bytes;
    made.bytes = size;
    const std::span<const std::byte> shown(parameter.bytes.data(), std::min(size, most_bytes_shown));
    made.value = hex_of(shown) + (size > most_bytes_shown ? "…" : "");
    return made;
  }
  if (parameter.floating && size >= 2) {
    made.element = size == 8 ? "float64" : size == 4 ? "float32" : "float16";
    made.value = real_text(parameter.bytes);
    return made;
  }
  if (size == 8 && piece_at(launch, bits_of(parameter)) != nullptr) {
    made.kind = Kind::pointer;
    made.address = bits_of(parameter);
    point_into(launch, made);
    return made;
  }
  // Whether an integer has a sign is not known.
  made.value = integer_text(parameter.bytes, false);
  const std::string with_sign = integer_text(parameter.bytes, true);
  if (with_sign != made.value) made.value += fmt::format(" or {}", with_sign);
  return made;
}

bool fits(const NumbaArgument& argument, const RecordedLaunch& launch) {
  for (size_t i = 0; i < argument.parameters(); ++i) {
    const RecordedParameter& parameter = launch.parameters[argument.first + i];
    if (argument.is_array ? !is_word(parameter) : parameter.bytes.size() > 8 || parameter.bytes.empty())
      return false;
  }
  return true;
}

std::string shape_of(const std::vector<uint64_t>& shape) {
  return shape.size() == 1 ? fmt::format("({},)", shape[0]) : fmt::format("({})", fmt::join(shape, ", "));
}

std::string place_text(const ShownArgument& argument) {
  if (argument.allocation.empty())
    return fmt::format("{:#x}, in no memory of the recording", argument.address);
  std::string text = argument.allocation;
  if (argument.offset != 0) text += fmt::format(" + {} B", thousands(argument.offset));
  return text;
}

}  // namespace

std::string text_of(const ShownArgument& argument) {
  std::string text = argument.name.empty() ? std::string() : argument.name + "  ";
  switch (argument.kind) {
    case Kind::array:
      text += fmt::format(
          "{} {}  ",
          argument.element.empty() ? fmt::format("{} B each", argument.element_bytes) : argument.element,
          shape_of(argument.shape));
      text += argument.contiguous ? std::string("contiguous")
                                  : fmt::format("strides ({}) B", fmt::join(argument.strides, ", "));
      if (argument.bytes) text += ", " + byte_size_text(*argument.bytes);
      return text + ", " + place_text(argument);
    case Kind::pointer:
      return text + fmt::format("pointer to {}", place_text(argument)) +
             (argument.bytes ? ", " + byte_size_text(*argument.bytes) + " to its end" : std::string());
    case Kind::number:
      return text + (argument.element.empty() ? argument.value : argument.value + "  " + argument.element);
    case Kind::bytes:
      return text + fmt::format("{} bytes: {}", argument.bytes.value_or(0), argument.value);
  }
  return text;
}

std::vector<ShownArgument> arguments_of(const Recording&, const Event& event) {
  std::vector<ShownArgument> list;
  if (event.launch == nullptr) return list;
  const RecordedLaunch& launch = *event.launch;
  const size_t count = launch.parameters.size();
  const std::vector<NumbaArgument> named = numba_arguments(launch.entry);
  const bool by_name =
      !named.empty() && named.back().first + named.back().parameters() == count &&
      std::all_of(named.begin(), named.end(), [&](const NumbaArgument& a) { return fits(a, launch); });
  if (by_name) {
    for (const NumbaArgument& argument : named) {
      if (!argument.is_array) {
        list.push_back(scalar_at(launch, argument.first, argument.code));
        continue;
      }
      list.push_back(array_at(launch, argument.first, argument.dimensions));
      // If the item size is not that of the type, it is another type, which the name does not give.
      if (list.back().element_bytes == bytes_of(argument.dtype))
        list.back().element = numpy_name(argument.code);
    }
    return list;
  }
  const bool is_nested_name = launch.entry.starts_with("_ZN");
  for (size_t at = 0; at < count; at += list.back().count) {
    std::optional<ShownArgument> array = is_nested_name ? array_by_its_numbers(launch, at) : std::nullopt;
    list.push_back(array ? std::move(*array) : plain_at(launch, at));
  }
  return list;
}

void name_arguments(std::vector<ShownArgument>& arguments, const SourceText& source) {
  const std::vector<std::string> names = parameter_names(source);
  if (names.size() != arguments.size()) return;
  for (size_t i = 0; i < names.size(); ++i) arguments[i].name = names[i];
}

}  // namespace warplens::recording
