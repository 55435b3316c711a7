#include "app/views/model/index_formula.h"

#include <array>
#include <cctype>
#include <string_view>

#include "core/base/c_expression.h"
#include "core/launch/steps.h"

namespace warplens {

namespace {

using FormulaNames = std::map<std::string, int64_t>;

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool in_name(char c) {
  return starts_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
}

// The value of arithmetic with whole numbers; a condition has none here.
std::optional<int64_t> value_of(const std::string& text, const FormulaNames& names) {
  if (text.find_first_of("<>=!&|?:^~") != text.npos) return std::nullopt;
  const Result<CExpression> expression = CExpression::parse(text);
  if (!expression) return std::nullopt;
  std::vector<std::optional<CNumber>> values;
  for (const std::string& name : expression->names()) {
    const auto found = names.find(name);
    values.push_back(found == names.end() ? std::nullopt : std::optional<CNumber>(found->second));
  }
  const std::optional<CNumber> value = expression->evaluate(values);
  const auto* const whole = value ? std::get_if<int64_t>(&*value) : nullptr;
  return whole == nullptr ? std::nullopt : std::optional(*whole);
}

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
      line.value = value_of(right, names);
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
