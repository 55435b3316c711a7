// Evaluates the few operators of index formulas exactly, in 64 bits. muparser is not used: it computes in
// double, and its integer parser divides by zero in int.
#include "app/model/index_formula.h"

#include <array>
#include <cctype>
#include <string_view>

#include "core/launch/steps.h"

namespace warplens {

namespace {

using FormulaNames = std::map<std::string, int64_t>;

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool in_name(char c) {
  return starts_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
}

class Evaluator {
 public:
  Evaluator(std::string_view text, const FormulaNames& names) : m_text(text), m_names(names) {}

  std::optional<int64_t> run() {
    const std::optional<int64_t> value = sum();
    skip_spaces();
    return m_at == m_text.size() ? value : std::nullopt;
  }

 private:
  using Maybe = std::optional<int64_t>;

  void skip_spaces() {
    while (m_at < m_text.size() && m_text[m_at] == ' ') ++m_at;
  }
  bool take(char c) {
    skip_spaces();
    if (m_at >= m_text.size() || m_text[m_at] != c) return false;
    ++m_at;
    return true;
  }

  Maybe sum() {
    Maybe left = product();
    while (left) {
      const bool plus = take('+');
      if (!plus && !take('-')) break;
      const Maybe right = product();
      int64_t value = 0;
      if (!right || (plus ? __builtin_add_overflow(*left, *right, &value)
                          : __builtin_sub_overflow(*left, *right, &value)))
        return std::nullopt;
      left = value;
    }
    return left;
  }

  Maybe product() {
    Maybe left = factor();
    while (left) {
      const char op = take('*') ? '*' : take('/') ? '/' : take('%') ? '%' : ' ';
      if (op == ' ') break;
      const Maybe right = factor();
      if (!right) return std::nullopt;
      left = multiplied(*left, op, *right);
    }
    return left;
  }

  static Maybe multiplied(int64_t left, char op, int64_t right) {
    int64_t value = 0;
    if (op == '*') return __builtin_mul_overflow(left, right, &value) ? Maybe() : Maybe(value);
    if (right == 0 || right == -1) return std::nullopt;  // -1: the lowest number has no opposite
    return op == '/' ? left / right : left % right;
  }

  Maybe factor() {
    if (m_depth > 64) return std::nullopt;
    if (take('(')) {
      ++m_depth;
      const Maybe value = sum();
      --m_depth;
      return take(')') ? value : std::nullopt;
    }
    if (take('-')) {
      ++m_depth;
      const Maybe value = factor();
      --m_depth;
      return value && *value != INT64_MIN ? Maybe(-*value) : std::nullopt;
    }
    skip_spaces();
    const size_t start = m_at;
    while (m_at < m_text.size() && in_name(m_text[m_at])) ++m_at;
    return value_of(std::string(m_text.substr(start, m_at - start)));
  }

  Maybe value_of(const std::string& word) const {
    if (word.empty()) return std::nullopt;
    if (starts_name(word[0])) {
      const auto found = m_names.find(word);
      return found == m_names.end() ? Maybe() : Maybe(found->second);
    }
    if (word.size() > 18 || word.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    return std::stoll(word);
  }

  std::string_view m_text;
  const FormulaNames& m_names;
  size_t m_at = 0;
  int m_depth = 0;
};

// The text with every name replaced by its number. Empty if a name is unknown.
std::string with_numbers(std::string_view text, const FormulaNames& names) {
  std::string filled;
  for (size_t at = 0; at < text.size();) {
    if (!starts_name(text[at])) {
      filled += text[at++];
      continue;
    }
    const size_t start = at;
    while (at < text.size() && in_name(text[at])) ++at;
    const auto found = names.find(std::string(text.substr(start, at - start)));
    if (found == names.end()) return {};
    filled += std::to_string(found->second);
  }
  return filled;
}

FormulaNames thread_names(const ThreadPlace& place) {
  FormulaNames names;
  const std::array<std::pair<const char*, Dim3>, 4> triples = {{{"gridDim", place.grid},
                                                                {"blockDim", place.block},
                                                                {"blockIdx", place.block_at},
                                                                {"threadIdx", place.thread_at}}};
  for (const auto& [name, value] : triples) {
    names[std::string(name) + ".x"] = value.x;
    names[std::string(name) + ".y"] = value.y;
    names[std::string(name) + ".z"] = value.z;
  }
  return names;
}

std::string expression_in(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  const size_t last = text.find_last_not_of(" \t;");
  return first == std::string_view::npos || last < first ? std::string()
                                                         : std::string(text.substr(first, last - first + 1));
}

}  // namespace

std::string FormulaLine::whole() const {
  if (!value) return line;
  const std::string right = expression_in(std::string_view(line).substr(line.find('=') + 1));
  const std::string number = std::to_string(*value);
  std::string text = line;
  if (with_numbers != right) text += " = " + with_numbers;
  if (with_numbers != number) text += " = " + number;
  return text;
}

std::vector<FormulaLine> fill_formula(const std::vector<std::string>& lines, const ThreadPlace& place,
                                      const std::map<std::string, int64_t>& scalars) {
  FormulaNames names = thread_names(place);
  names.insert(scalars.begin(), scalars.end());
  std::vector<FormulaLine> filled;
  for (const std::string& text : lines) {
    FormulaLine line{expression_in(text), {}, {}};
    const size_t equals = line.line.find('=');
    if (equals != std::string::npos) {
      const std::string right = expression_in(std::string_view(line.line).substr(equals + 1));
      line.with_numbers = with_numbers(right, names);
      line.value = Evaluator(right, names).run();
      if (!line.value) line.with_numbers.clear();
      std::string name = expression_in(std::string_view(line.line).substr(0, equals));
      if (const size_t space = name.rfind(' '); space != std::string::npos) name.erase(0, space + 1);
      if (line.value) names[name] = *line.value;
    }
    filled.push_back(std::move(line));
  }
  return filled;
}

std::map<std::string, int64_t> scalar_names(const KernelDescription* kernel, const LaunchRequest& request) {
  std::map<std::string, int64_t> names;
  const LaunchStep* launch = first_launch(request);
  if (kernel == nullptr || launch == nullptr) return names;
  for (size_t i = 0; i < kernel->arguments.size() && i < launch->arguments.size(); ++i) {
    const auto* scalar = std::get_if<ScalarArgument>(&launch->arguments[i]);
    if (scalar == nullptr) continue;
    const DType type = scalar->type;
    if (type == DType::f16 || type == DType::f32 || type == DType::f64) continue;
    const uint32_t unused = 64 - 8 * bytes_of(type);
    const bool has_sign = type == DType::i8 || type == DType::i16 || type == DType::i32 || type == DType::i64;
    const uint64_t high = scalar->bits << unused;
    names[kernel->arguments[i].name] =
        has_sign ? static_cast<int64_t>(high) >> unused : static_cast<int64_t>(high >> unused);
  }
  return names;
}

}  // namespace warplens
