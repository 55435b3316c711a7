// Reads cuda/kernels/NAME.json. The format is explained in cuda/kernels/README.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/kernels/catalogue.h"
#include "core/kernels/evaluated.h"
#include "core/kernels/references.h"
#include "core/session/json_reader.h"

namespace warplens {

namespace {

// One of a few words, or `otherwise` where the key is absent.
template <class Value, size_t count>
Value word_of(JsonReader& reader, const JsonNode& node, const std::pair<const char*, Value> (&words)[count],
              Value otherwise) {
  if (!node) return otherwise;
  const std::string text = reader.text(node);
  std::string known;
  for (const auto& [word, value] : words) {
    if (text == word) return value;
    known += (known.empty() ? "" : ", ") + std::string(word);
  }
  if (reader.ok()) reader.fail(node, fmt::format("is \"{}\"; known are {}", text, known));
  return otherwise;
}

constexpr std::pair<const char*, Fill> fills[] = {
    {"zero", Fill::zero}, {"index", Fill::index}, {"random", Fill::random}, {"image", Fill::image}};
constexpr std::pair<const char*, Control> controls[] = {
    {"none", Control::none},     {"slider", Control::slider}, {"log_slider", Control::log_slider},
    {"number", Control::number}, {"seed", Control::seed},     {"image", Control::image}};

std::string expression_text(JsonReader& reader, const JsonNode& node) {
  if (node && node.value->is_number()) return node.value->dump();
  return reader.text(node);
}

void read_buffer(JsonReader& reader, const JsonNode& node, KernelArgument& argument) {
  reader.expect_keys(node, {"name", "title", "buffer", "fill", "low", "high", "output", "width", "height",
                            "channels", "control"});
  argument.is_buffer = true;
  argument.dtype = reader.dtype(reader.member(node, "buffer"));
  argument.fill = word_of(reader, reader.member(node, "fill"), fills, Fill::zero);
  const Control usual = argument.fill == Fill::image    ? Control::image
                        : argument.fill == Fill::random ? Control::seed
                                                        : Control::none;
  argument.control = word_of(reader, reader.member(node, "control"), controls, usual);
  if (JsonNode low = reader.member(node, "low")) argument.fill_low = reader.real(low);
  if (JsonNode high = reader.member(node, "high")) argument.fill_high = reader.real(high);
  if (!(argument.fill_low < argument.fill_high)) reader.fail(node, "low must be less than high");
  argument.output = reader.boolean(reader.member(node, "output"), false);
  argument.width = expression_text(reader, reader.required(node, "width"));
  argument.height = expression_text(reader, reader.member(node, "height"));
  argument.channels = expression_text(reader, reader.member(node, "channels"));
}

void read_scalar(JsonReader& reader, const JsonNode& node, KernelArgument& argument) {
  argument.dtype = reader.dtype(reader.member(node, "scalar"));
  argument.expression = expression_text(reader, reader.member(node, "expression"));
  if (!argument.expression.empty()) {
    reader.expect_keys(node, {"name", "title", "scalar", "expression"});
    return;
  }
  reader.expect_keys(node, {"name", "title", "scalar", "control", "value", "minimum", "maximum"});
  argument.control = word_of(reader, reader.member(node, "control"), controls, Control::number);
  argument.value = reader.real(reader.required(node, "value"));
  argument.minimum = reader.real(reader.required(node, "minimum"));
  argument.maximum = reader.real(reader.required(node, "maximum"));
  if (!std::isfinite(argument.minimum) || !std::isfinite(argument.maximum) ||
      !(argument.minimum <= argument.value) || !(argument.value <= argument.maximum))
    reader.fail(node, "value must lie from minimum to maximum, and both must be finite");
  if (argument.control == Control::log_slider && argument.minimum < 0)
    reader.fail(node, "a log_slider needs a minimum of at least 0");
}

KernelArgument read_argument(JsonReader& reader, const JsonNode& node, bool may_be_buffer) {
  KernelArgument argument;
  argument.name = reader.text(reader.required(node, "name"));
  argument.title = reader.text(reader.required(node, "title"));
  const bool buffer = static_cast<bool>(reader.member(node, "buffer"));
  if (buffer == static_cast<bool>(reader.member(node, "scalar")) || (buffer && !may_be_buffer))
    reader.fail(node, may_be_buffer ? "needs either \"buffer\" or \"scalar\" with a type"
                                    : "needs \"scalar\" with a type");
  else if (buffer)
    read_buffer(reader, node, argument);
  else
    read_scalar(reader, node, argument);
  return argument;
}

std::vector<KernelArgument> read_arguments(JsonReader& reader, const JsonNode& list, bool may_be_buffer) {
  std::vector<KernelArgument> arguments;
  for (size_t i = 0; i < reader.array_size(list); ++i)
    arguments.push_back(read_argument(reader, reader.element(list, i), may_be_buffer));
  return arguments;
}

// Names must be the kernel's own, and every expression must have a value when they are all 1.
void check_expressions(JsonReader& reader, const KernelDescription& kernel) {
  Names names = reserved_names(kernel, KernelSetup{}, nullptr);
  std::set<std::string> taken;
  for (const auto* list : {&kernel.settings, &kernel.arguments})
    for (const KernelArgument& argument : *list) {
      if (argument.name.empty() || is_reserved_name(argument.name) || !taken.insert(argument.name).second)
        reader.fail({}, fmt::format("the name \"{}\" is empty, taken or reserved", argument.name));
      if (!argument.is_buffer && argument.expression.empty()) names[argument.name] = 1;
    }
  auto check = [&](const std::string& expression) {
    if (expression.empty()) return;
    if (Result<double> value = evaluate(expression, names); !value) reader.fail({}, value.error().message);
  };
  for (const KernelArgument& argument : kernel.arguments) {
    if (argument.is_buffer || argument.expression.empty()) continue;
    check(argument.expression);  // may use those before it
    names[argument.name] = 1;
  }
  for (const KernelArgument& argument : kernel.arguments)
    for (const std::string* extent : {&argument.width, &argument.height, &argument.channels}) check(*extent);
  for (const std::string& extent : kernel.problem) check(extent);
}

void read_check(JsonReader& reader, const JsonNode& node, KernelDescription& kernel) {
  if (!node) return;
  reader.expect_keys(node, {"buffer", "rtol"});
  kernel.check =
      KernelCheck{reader.text(reader.required(node, "buffer")), reader.real(reader.member(node, "rtol"))};
  const bool known = std::ranges::any_of(kernel.arguments, [&](const KernelArgument& argument) {
    return argument.is_buffer && argument.output && argument.name == kernel.check->buffer;
  });
  if (!known) reader.fail(node, fmt::format("{} is not an output buffer", kernel.check->buffer));
  if (!(kernel.check->rtol >= 0) || !std::isfinite(kernel.check->rtol))
    reader.fail(node, "rtol must be at least 0");
}

void read_launch(JsonReader& reader, const JsonNode& root, KernelDescription& kernel) {
  kernel.default_block = reader.dim3(reader.required(root, "block"));
  JsonNode presets = reader.member(root, "block_presets");
  for (size_t i = 0; i < reader.array_size(presets); ++i)
    kernel.block_presets.push_back(reader.dim3(reader.element(presets, i)));
  if (JsonNode required = reader.member(root, "required_block"))
    kernel.required_block = reader.dim3(required);
  JsonNode problem = reader.required(root, "problem");
  const size_t axes = reader.array_size(problem);
  if (axes < 1 || axes > 3) reader.fail(problem, "must have 1 to 3 expressions, x, y and z");
  for (size_t i = 0; i < kernel.problem.size(); ++i)
    kernel.problem[i] = i < axes ? expression_text(reader, reader.element(problem, i)) : "1";
  JsonNode formula = reader.required(root, "index_formula");
  for (size_t i = 0; i < reader.array_size(formula); ++i)
    kernel.index_formula.push_back(reader.text(reader.element(formula, i)));
}

std::string stem_of(std::string_view file) {
  file = file.substr(file.find_last_of('/') + 1);  // npos + 1 is 0
  return std::string(file.substr(0, file.rfind('.')));
}

}  // namespace

Result<KernelDescription> parse_kernel(std::string_view json, std::string_view file) {
  Result<Json> document = parse_json(json, file);
  if (!document) return document.error();
  JsonReader reader{std::string(file)};
  const JsonNode root{&*document, ""};
  if (!document->is_object()) reader.fail(root, "must be an object {…}");
  reader.expect_keys(
      root, {"order", "title", "teaches", "entry", "arguments", "settings", "block", "block_presets",
             "required_block", "problem", "index_formula", "reference", "check", "intentionally_broken"});
  KernelDescription kernel;
  kernel.name = stem_of(file);
  kernel.source_name = kernel.name + ".cu";
  kernel.order = static_cast<int>(reader.unsigned_integer(reader.member(root, "order"), 1'000'000));
  kernel.title = reader.text(reader.required(root, "title"));
  kernel.teaches = reader.text(reader.required(root, "teaches"));
  kernel.entry = reader.text(reader.required(root, "entry"));
  kernel.arguments = read_arguments(reader, reader.required(root, "arguments"), true);
  kernel.settings = read_arguments(reader, reader.member(root, "settings"), false);
  read_launch(reader, root, kernel);
  kernel.reference = reader.text(reader.member(root, "reference"));
  if (!kernel.reference.empty() && !find_reference(kernel.reference))
    reader.fail({}, fmt::format("there is no CPU reference named \"{}\"", kernel.reference));
  read_check(reader, reader.member(root, "check"), kernel);
  kernel.intentionally_broken = reader.boolean(reader.member(root, "intentionally_broken"), false);
  if (reader.ok()) check_expressions(reader, kernel);
  if (!reader.ok()) return reader.error();
  if (!reader.warnings().empty()) return bad_input(reader.warnings().front());
  return kernel;
}

}  // namespace warplens
