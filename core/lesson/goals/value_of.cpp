// Expressions over facts: arrays are looked up, and names without a value give no result.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "core/base/figures.h"
#include "core/base/half.h"
#include "core/base/text.h"
#include "core/lesson/format/markdown.h"
#include "core/lesson/goals/facts.h"

namespace warplens::lesson {
namespace {

constexpr size_t longest = 1000, most_elements = 32;

bool in_name(char c) { return begins_name(c) || (c >= '0' && c <= '9') || c == '.'; }

// An expression after its arrays and unknown names were looked up.
struct Prepared {
  std::string text;
  Names names;  // those that it uses
  bool unknown = false;
  std::string mistake;
};

class Preparing {
 public:
  Preparing(const Facts& facts, bool pretend) : m_facts(facts), m_pretend(pretend) {}

  Prepared prepare(std::string_view text, int depth = 0) {
    Prepared into;
    if (text.size() > longest || depth > 4) {
      into.mistake = "it is too long";
      return into;
    }
    for (size_t at = 0; at < text.size() && into.mistake.empty();) {
      const bool after_number = at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9';
      if (!begins_name(text[at]) || after_number) {
        into.text.push_back(text[at++]);
        continue;
      }
      size_t end = at;
      while (end < text.size() && in_name(text[end])) ++end;
      const std::string_view name = text.substr(at, end - at);
      at = end;
      if (end < text.size() && text[end] == '[')
        at = element(text, name, end, depth, into);
      else if (const size_t close = end_of_sum(text, name, end); close != text.npos)
        at = sum(trimmed(text.substr(end + 1, close - end - 1)), close, into);
      else
        plain(name, end < text.size() ? trimmed(text.substr(end)) : std::string_view(), into);
    }
    return into;
  }

 private:
  void plain(std::string_view name, std::string_view rest, Prepared& into) {
    into.text.append(name);
    if (rest.starts_with('(')) return;  // a function; the parser knows them
    if (const auto known = m_facts.known.find(name); known != m_facts.known.end()) {
      into.names.emplace(name, known->second);
    } else if (m_facts.unknown.contains(name)) {
      into.unknown = true;
      into.names.emplace(name, 1);
    } else {
      const std::vector<std::string_view> names = m_facts.names();
      into.mistake = fmt::format("there is nothing called {}{}", name, did_you_mean(name, names));
    }
  }

  // The closing bracket of sum(ARRAY). For numbers, sum() is a function of the parser.
  size_t end_of_sum(std::string_view text, std::string_view name, size_t open) const {
    if (name != "sum" || open == text.size() || text[open] != '(') return text.npos;
    const size_t close = text.find(')', open);
    if (close == text.npos) return text.npos;
    return m_facts.arrays.contains(trimmed(text.substr(open + 1, close - open - 1))) ? close : text.npos;
  }

  size_t sum(std::string_view array, size_t close, Prepared& into) {
    if (++m_elements > most_elements) {
      into.mistake = "it reads too many arrays";
      return close + 1;
    }
    const std::optional<double> value = m_facts.total && !m_pretend ? m_facts.total(array) : std::nullopt;
    if (!value) into.unknown = true;
    const std::string name = fmt::format("sum.{}", m_elements);
    into.names.emplace(name, value.value_or(1));
    into.text.append(name);
    return close + 1;
  }

  size_t element(std::string_view text, std::string_view array, size_t open, int depth, Prepared& into) {
    if (!m_facts.arrays.contains(array)) {
      into.mistake = fmt::format("there is no array {}", array);
      return text.size();
    }
    size_t close = open;
    for (int depth_of = 0; close < text.size(); ++close) {
      if (text[close] == '[') ++depth_of;
      if (text[close] == ']' && --depth_of == 0) break;
    }
    if (close == text.size() || ++m_elements > most_elements) {
      into.mistake = close == text.size() ? "a bracket [ is not closed" : "it reads too many elements";
      return text.size();
    }
    const Prepared index = prepare(text.substr(open + 1, close - open - 1), depth + 1);
    into.mistake = index.mistake;
    into.unknown |= index.unknown;
    std::optional<double> value;
    if (into.mistake.empty()) {
      const Result<double> at = evaluate(index.text, index.names);
      if (!at) {
        into.mistake = at.error().message;
      } else if (m_facts.element && !m_pretend && *at >= 0 && *at < 1e15) {
        value = m_facts.element(array, static_cast<uint64_t>(*at));
      }
    }
    if (!value) into.unknown = true;
    const std::string name = fmt::format("element.{}", m_elements);
    into.names.emplace(name, value.value_or(1));
    into.text.append(name);
    return close + 1;
  }

  const Facts& m_facts;
  bool m_pretend;
  size_t m_elements = 0;
};

template <class T>
double read_element(std::span<const std::byte> bytes, uint64_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return double(value);
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
  const Prepared prepared = Preparing(facts, false).prepare(expression);
  if (!prepared.mistake.empty())
    return bad_input(fmt::format("\"{}\": {}", expression.substr(0, 80), prepared.mistake));
  const Result<double> value = evaluate(prepared.text, prepared.names);
  if (!value) return value.error();
  if (prepared.unknown || std::isnan(*value)) return std::optional<double>();
  return std::optional<double>(*value);
}

Result<bool> holds(std::string_view condition, const Facts& facts) {
  const Result<std::optional<double>> value = value_of(condition, facts);
  if (!value) return value.error();
  return *value && **value != 0;
}

std::string mistake_in(std::string_view expression, const Facts& facts) {
  if (trimmed(expression).empty()) return "an expression is missing";
  const Prepared prepared = Preparing(facts, true).prepare(expression);
  if (!prepared.mistake.empty()) return fmt::format("\"{}\": {}", expression.substr(0, 80), prepared.mistake);
  const Result<double> value = evaluate(prepared.text, prepared.names);
  return value ? std::string() : value.error().message;
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

std::optional<double> element_at(std::span<const std::byte> bytes, DType type, uint64_t index) {
  if (index >= bytes.size() / bytes_of(type)) return std::nullopt;
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
