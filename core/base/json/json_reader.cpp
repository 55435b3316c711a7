#include "core/base/json/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/base/half.h"
#include "core/base/json/json_values.h"

namespace warplens {

namespace {

const char* kind_of(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "a list";
    case Json::value_t::string:
      return "a text";
    case Json::value_t::boolean:
      return "true or false";
    default:
      return "a number";
  }
}

// The given value, shortened to fit into a sentence.
std::string shown(const Json& value) {
  std::string text = json_values::one_line(value);
  if (text.size() > 40) text = text.substr(0, 37) + "...";
  return text;
}

// 3.0 counts as the integer 3; 2^64 and beyond do not fit.
std::optional<uint64_t> as_unsigned(const Json& value) {
  if (value.is_number_unsigned()) return value.get<uint64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const double number = value.get<double>();
  if (number < 0 || number >= 18446744073709551616.0 || number != std::floor(number)) return std::nullopt;
  return static_cast<uint64_t>(number);
}

}  // namespace

void JsonReader::fail(const JsonNode& node, std::string_view message) {
  if (m_error) return;
  m_error = bad_input(node.path.empty() ? fmt::format("{}: {}", m_file, message)
                                        : fmt::format("{}: {}: {}", m_file, node.path, message));
}

JsonNode JsonReader::member(const JsonNode& object, const char* name) {
  JsonNode node{nullptr, object.path.empty() ? std::string(name) : object.path + "." + name};
  if (!object) return node;
  if (!object.value->is_object()) {
    fail(object, fmt::format("must be an object {{…}}, not {}", kind_of(*object.value)));
    return node;
  }
  if (const auto found = object.value->find(name); found != object.value->end()) node.value = &*found;
  return node;
}

JsonNode JsonReader::required(const JsonNode& object, const char* name) {
  JsonNode node = member(object, name);
  if (!node) fail(node, "is missing");
  return node;
}

JsonNode JsonReader::element(const JsonNode& array, size_t index) {
  JsonNode node{nullptr, fmt::format("{}[{}]", array.path, index)};
  if (array && array.value->is_array() && index < array.value->size()) node.value = &(*array.value)[index];
  return node;
}

size_t JsonReader::array_size(const JsonNode& array) {
  if (!array) return 0;
  if (array.value->is_array()) return array.value->size();
  fail(array, fmt::format("must be a list […], not {}", kind_of(*array.value)));
  return 0;
}

void JsonReader::expect_keys(const JsonNode& object, std::initializer_list<std::string_view> known) {
  if (!object || !object.value->is_object()) return;
  for (const auto& [key, value] : object.value->items()) {
    if (key == "origin" || std::ranges::find(known, key) != known.end()) continue;
    m_warnings.push_back(fmt::format("{}: {}{}{}: unknown, so it is ignored", m_file, object.path,
                                     object.path.empty() ? "" : ".", key));
  }
}

void JsonReader::expect_version(const JsonNode& root, const char* marker, uint64_t newest) {
  if (!root.value->is_object()) fail(root, "must be an object {…}");
  const uint64_t version = unsigned_integer(required(root, marker), UINT32_MAX);
  if (ok() && version > newest)
    fail(root,
         fmt::format("is of version {}, and this program reads version {}: open it with a newer WarpLens",
                     version, newest));
}

std::string JsonReader::text(const JsonNode& node) {
  if (!node) return "";
  if (!node.value->is_string()) {
    fail(node, fmt::format("must be a text, not {}", kind_of(*node.value)));
    return "";
  }
  const auto& value = node.value->get_ref<const std::string&>();
  if (value.find('\0') != std::string::npos) {
    fail(node, "must not hold a NUL character");
    return "";
  }
  return value;
}

bool JsonReader::boolean(const JsonNode& node, bool otherwise) {
  if (!node) return otherwise;
  if (node.value->is_boolean()) return node.value->get<bool>();
  fail(node, fmt::format("must be true or false, not {}", shown(*node.value)));
  return otherwise;
}

uint64_t JsonReader::unsigned_integer(const JsonNode& node, uint64_t maximum) {
  if (!node) return 0;
  if (!node.value->is_number()) {
    fail(node, fmt::format("must be a number, not {}", kind_of(*node.value)));
    return 0;
  }
  if (node.value->get<double>() < 0) {
    fail(node, fmt::format("must not be negative, and is {}", shown(*node.value)));
    return 0;
  }
  const std::optional<uint64_t> value = as_unsigned(*node.value);
  if (!value && node.value->get<double>() < 18446744073709551616.0) {
    fail(node, fmt::format("must be a whole number, and is {}", shown(*node.value)));
    return 0;
  }
  if (!value || *value > maximum) {
    fail(node, fmt::format("must be at most {}, and is {}", maximum, shown(*node.value)));
    return 0;
  }
  return *value;
}

int64_t JsonReader::signed_integer(const JsonNode& node, int64_t minimum, int64_t maximum) {
  if (!node) return 0;
  const Json& value = *node.value;
  const bool negative = value.is_number() && value.get<double>() < 0;
  if (!negative) return static_cast<int64_t>(unsigned_integer(node, static_cast<uint64_t>(maximum)));
  int64_t number = 0;
  if (value.is_number_integer()) {
    number = value.get<int64_t>();
  } else {
    const double real_number = value.get<double>();
    if (real_number != std::floor(real_number)) {
      fail(node, fmt::format("must be a whole number, and is {}", shown(value)));
      return 0;
    }
    if (real_number < -9223372036854775808.0) {
      fail(node, fmt::format("must be at least {}, and is {}", minimum, shown(value)));
      return 0;
    }
    number = static_cast<int64_t>(real_number);
  }
  if (number >= minimum) return number;
  fail(node, fmt::format("must be at least {}, and is {}", minimum, shown(value)));
  return 0;
}

double JsonReader::real(const JsonNode& node) {
  if (!node) return 0;
  if (node.value->is_number()) return node.value->get<double>();
  if (node.value->is_string()) {
    const auto& word = node.value->get_ref<const std::string&>();
    if (word == "nan") return std::nan("");
    if (word == "inf") return HUGE_VAL;
    if (word == "-inf") return -HUGE_VAL;
  }
  fail(node, fmt::format("must be a number, or \"nan\", \"inf\" or \"-inf\", not {}", shown(*node.value)));
  return 0;
}

Dim3 JsonReader::dim3(const JsonNode& node) {
  Dim3 value;
  if (!node) return value;
  if (node.value->is_number()) {
    value.x = static_cast<uint32_t>(unsigned_integer(node, UINT32_MAX));
    return value;
  }
  const size_t size = array_size(node);
  if (ok() && (size < 1 || size > 3))
    fail(node, fmt::format("must have 1 to 3 numbers, x, y and z, not {}", size));
  if (!ok()) return value;
  uint32_t* axes[] = {&value.x, &value.y, &value.z};
  for (size_t i = 0; i < size; ++i)
    *axes[i] = static_cast<uint32_t>(unsigned_integer(element(node, i), UINT32_MAX));
  return value;
}

DType JsonReader::dtype(const JsonNode& node) {
  if (!node) return DType::u8;
  const std::string name = text(node);
  if (const std::optional<DType> type = dtype_from_numpy(name)) return *type;
  if (ok())
    fail(node,
         fmt::format("is {}; known are int8, uint8, int16, uint16, int32, uint32, int64, uint64, float16, "
                     "float32 and float64",
                     shown(*node.value)));
  return DType::u8;
}

uint64_t JsonReader::scalar_bits(const JsonNode& node, DType type) {
  const uint32_t bits = 8 * bytes_of(type);
  const uint64_t mask = bits == 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
  switch (type) {
    case DType::u8:
    case DType::u16:
    case DType::u32:
    case DType::u64:
      return unsigned_integer(node, mask);
    case DType::i8:
    case DType::i16:
    case DType::i32:
    case DType::i64: {
      const auto maximum = static_cast<int64_t>(mask >> 1);
      return static_cast<uint64_t>(signed_integer(node, -maximum - 1, maximum)) & mask;
    }
    case DType::f16:
    case DType::f32:
    case DType::f64:
      break;
  }
  const double value = real(node);
  if (type == DType::f64) return std::bit_cast<uint64_t>(value);
  const bool overflows = type == DType::f16 ? f16_overflows(value)
                                            : std::isfinite(value) && std::isinf(static_cast<float>(value));
  if (overflows) fail(node, fmt::format("{} is too large for {}", shown(*node.value), numpy_name(type)));
  if (type == DType::f16) return f16_of(value);
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

}  // namespace warplens
