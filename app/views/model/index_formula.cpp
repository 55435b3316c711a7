#include "app/views/model/index_formula.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/expression/evaluate.h"
#include "core/expression/parse.h"
#include "core/expression/print.h"
#include "core/launch/steps.h"

namespace warplens {

namespace {

using FormulaNames = std::map<std::string, int64_t>;

// The formula with its numbers and its value, if all names are known and it is a whole number.
void compute(std::string_view formula, const FormulaNames& names, FormulaLine& line) {
  const Result<expression::Tree> tree = expression::parse(formula);
  if (!tree) return;
  std::vector<expression::Value> values;
  for (const auto& [name, column] : tree->names()) {
    const auto found = names.find(name);
    values.push_back(found == names.end() ? expression::Value{} : found->second);
  }
  const expression::Value value = expression::evaluate(*tree, values);
  if (value.type() != expression::Type::whole || !std::ranges::all_of(values, &expression::Value::is_known))
    return;
  line.value = value.whole();
  line.with_numbers =
      expression::print(*tree, [&](const std::string& name) { return std::to_string(names.at(name)); });
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
      compute(right, names, line);
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
