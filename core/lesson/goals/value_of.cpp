// Expressions over facts: arrays are looked up, and names without a value give no result.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "core/base/figures.h"
#include "core/base/half.h"
#include "core/base/text.h"
#include "core/expression/evaluate.h"
#include "core/lesson/format/markdown.h"
#include "core/lesson/goals/facts.h"

namespace warplens::lesson {
namespace {

using expression::Tree;
using expression::Value;

bool in_name(char c) { return is_in_name(c) || c == '.'; }

// An array that a name reads: out[8], sum(out).
struct ArrayName {
  std::string_view array;
  std::optional<uint64_t> index;  // none: the sum
};
std::optional<ArrayName> array_of(std::string_view name) {
  if (name.starts_with("sum(")) return ArrayName{name.substr(4, name.size() - 5), std::nullopt};
  if (!name.ends_with(']')) return std::nullopt;
  const size_t open = name.rfind('[');
  uint64_t index = UINT64_MAX;  // also of a number that is too large
  std::from_chars(name.data() + open + 1, name.data() + name.size(), index);
  return ArrayName{name.substr(0, open), index};
}

std::string mistake_of(const Tree& tree, const Facts& facts) {
  const auto no_array = [&](std::string_view array) {
    return facts.arrays.contains(array) ? std::string() : fmt::format("there is no array {}", array);
  };
  for (const auto& [name, column] : tree.names()) {
    if (const std::optional<ArrayName> read = array_of(name)) {
      if (std::string mistake = no_array(read->array); !mistake.empty()) return mistake;
    } else if (!facts.has(name)) {
      return fmt::format("there is nothing called {}{}", name, did_you_mean(name, facts.names()));
    }
  }
  for (const auto& [array, column] : tree.arrays())
    if (std::string mistake = no_array(array); !mistake.empty()) return mistake;
  return {};
}

Value look_up(std::string_view name, const Facts& facts) {
  const std::optional<ArrayName> read = array_of(name);
  if (!read) {
    const auto known = facts.known.find(name);
    return known == facts.known.end() ? Value{} : known->second;
  }
  if (!read->index) return facts.total ? facts.total(read->array) : Value{};
  return facts.element ? facts.element(read->array, *read->index) : Value{};
}

// An expression has no value while a name in it has none, even if it does not depend on it.
std::optional<double> value_in(const Tree& tree, uint32_t part, const Facts& facts) {
  std::vector<Value> values(tree.names().size());
  for (uint32_t node = tree[part].first; node <= part; ++node) {
    if (tree[node].op != expression::Op::name) continue;
    Value& value = values[tree[node].which];
    if (!value.is_known()) value = look_up(tree.names()[tree[node].which].text, facts);
    if (!value.is_known()) return std::nullopt;
  }
  bool known = true;
  const expression::Elements element = [&](uint32_t array, Value index) {
    const bool inside = facts.element && index.number() >= 0 && index.number() < 1e15;
    const Value value =
        inside ? facts.element(tree.arrays()[array].text, static_cast<uint64_t>(index.number())) : Value{};
    known = known && value.is_known();
    return value;
  };
  const Value value = expression::evaluate_part(tree, part, values, element);
  if (!known || !value.is_known() || std::isnan(value.number())) return std::nullopt;
  return value.number();
}

Result<Tree> tree_of(std::string_view text, const Facts& facts) {
  Result<Tree> tree = parse_formula(text);
  if (!tree) return tree;
  const std::string mistake = mistake_of(*tree, facts);
  if (!mistake.empty()) return bad_input(fmt::format("\"{}\": {}", text.substr(0, 80), mistake));
  return tree;
}

template <class T>
Value read_element(std::span<const std::byte> bytes, uint64_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

// The next "{{…}}" that begins at or after `at`.
struct Lookup {
  size_t begin, end;  // of the whole expression, including braces
  std::string_view expression;
};
std::optional<Lookup> next_expression(std::string_view text, size_t at) {
  const size_t open = text.find("{{", at);
  const size_t close = open == text.npos ? open : text.find("}}", open);
  if (close == text.npos) return std::nullopt;
  return Lookup{open, close + 2, trimmed(text.substr(open + 2, close - open - 2))};
}

// The parts of a text in and out of fenced code, in order.
template <class Use>
void for_each_line(std::string_view text, Use use) {
  bool code = false;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const bool fence = trimmed(line).starts_with("```");
    use(line, code || fence, end == text.size());
    if (fence) code = !code;
    at = end + 1;
  }
}

}  // namespace

Result<std::optional<double>> value_of(std::string_view expression, const Facts& facts) {
  const Result<Tree> tree = tree_of(expression, facts);
  if (!tree) return tree.error();
  return value_in(*tree, tree->root(), facts);
}

std::optional<double> value_of_part(const Tree& tree, uint32_t part, const Facts& facts) {
  return value_in(tree, part, facts);
}

Result<bool> holds(std::string_view condition, const Facts& facts) {
  const Result<std::optional<double>> value = value_of(condition, facts);
  if (!value) return value.error();
  return *value && **value != 0;
}

std::string mistake_in(std::string_view expression, const Facts& facts) {
  if (trimmed(expression).empty()) return "an expression is missing";
  const Result<Tree> tree = tree_of(expression, facts);
  return tree ? std::string() : tree.error().message;
}

std::string digits_text(double value, int digits) {
  const double size = std::abs(value);
  const bool plain = size >= 1e-4 && size < std::pow(10.0, digits) - 0.5;
  // For larger numbers {:g} writes 2.702e+06, which is hard to read.
  if (plain || value == 0 || !std::isfinite(value)) return fmt::format("{:.{}g}", value, digits);
  return significant(std::strtod(fmt::format("{:.{}e}", value, digits - 1).c_str(), nullptr), digits);
}

std::string number_text(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return fmt::format("{:.0f}", value + 0.0);
  return digits_text(value, 4);
}

std::string filled_in(std::string_view text, const Facts& facts, std::span<const std::string> hidden) {
  std::string filled;
  const auto is_hidden = [&](std::string_view expression) {
    return std::ranges::any_of(hidden, [&](const std::string& name) {
      const size_t at = expression.find(name);
      return at != expression.npos && (at == 0 || !in_name(expression[at - 1]));
    });
  };
  for_each_line(text, [&](std::string_view line, bool code, bool last) {
    size_t at = 0;
    while (!code) {
      const std::optional<Lookup> found = next_expression(line, at);
      if (!found) break;
      filled.append(line.substr(at, found->begin - at));
      const Result<std::optional<double>> value = value_of(found->expression, facts);
      const bool show = value && *value && !is_hidden(found->expression);
      filled.append(show ? number_text(**value) : "?");
      at = found->end;
    }
    filled.append(line.substr(at));
    if (!last) filled.push_back('\n');
  });
  return filled;
}

std::vector<Placed> expressions_in(const Placed& text) {
  std::vector<Placed> all;
  uint32_t number = text.line;
  for_each_line(text.text, [&](std::string_view line, bool code, bool) {
    for (size_t at = 0; !code;) {
      const std::optional<Lookup> found = next_expression(line, at);
      if (!found) break;
      all.push_back({std::string(found->expression), number});
      at = found->end;
    }
    ++number;
  });
  return all;
}

Value element_at(std::span<const std::byte> bytes, DType type, uint64_t index) {
  if (index >= bytes.size() / bytes_of(type)) return {};
  switch (type) {
    case DType::u8:
      return read_element<uint8_t>(bytes, index);
    case DType::i8:
      return read_element<int8_t>(bytes, index);
    case DType::u16:
      return read_element<uint16_t>(bytes, index);
    case DType::i16:
      return read_element<int16_t>(bytes, index);
    case DType::u32:
      return read_element<uint32_t>(bytes, index);
    case DType::i32:
      return read_element<int32_t>(bytes, index);
    case DType::u64:
      return read_element<uint64_t>(bytes, index);
    case DType::i64:
      return read_element<int64_t>(bytes, index);
    case DType::f16:
      break;
    case DType::f32:
      return read_element<float>(bytes, index);
    case DType::f64:
      return read_element<double>(bytes, index);
  }
  uint16_t bits = 0;
  std::memcpy(&bits, bytes.data() + index * 2, 2);
  return double(float_of_f16(bits));
}

}  // namespace warplens::lesson
