// Reads cuda/kernels/NAME.json. The format is explained in docs/kernel-description.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/kernels/evaluated.h"
#include "core/kernels/parse/description_fields.h"
#include "core/kernels/references/references.h"

namespace warplens {

namespace {

void read_check(JsonReader& reader, const JsonNode& node, KernelDescription& kernel) {
  reader.expect_keys(node, {"buffer", "rtol"});
  const KernelCheck check{reader.text(reader.required(node, "buffer")),
                          reader.real(reader.member(node, "rtol"))};
  const auto is_it = [&](const KernelArgument& argument) {
    return argument.is_buffer && argument.output && argument.name == check.buffer;
  };
  if (!std::ranges::any_of(kernel.arguments, is_it) && !std::ranges::any_of(kernel.buffers, is_it))
    reader.fail(node, fmt::format("{} is not an output buffer", check.buffer));
  if (!(check.rtol >= 0) || !std::isfinite(check.rtol)) reader.fail(node, "rtol must be at least 0");
  kernel.checks.push_back(check);
}

// One check, or a list of them.
void read_checks(JsonReader& reader, const JsonNode& node, KernelDescription& kernel) {
  if (!node) return;
  if (!node.value->is_array()) return read_check(reader, node, kernel);
  for (size_t i = 0; i < reader.array_size(node); ++i) read_check(reader, reader.element(node, i), kernel);
}

void read_launch(JsonReader& reader, const JsonNode& root, KernelDescription& kernel) {
  kernel.default_block = reader.dim3(reader.required(root, "block"));
  if (JsonNode grid = reader.member(root, "grid")) kernel.default_grid = reader.dim3(grid);
  JsonNode presets = reader.member(root, "block_presets");
  for (size_t i = 0; i < reader.array_size(presets); ++i)
    kernel.block_presets.push_back(reader.dim3(reader.element(presets, i)));
  if (JsonNode required = reader.member(root, "required_block"))
    kernel.required_block = reader.dim3(required);
  kernel.problem = read_problem(reader, reader.required(root, "problem"));
  kernel.grid_stride = reader.boolean(reader.member(root, "grid_stride"), false);
  JsonNode formula = reader.required(root, "index_formula");
  for (size_t i = 0; i < reader.array_size(formula); ++i)
    kernel.index_formula.push_back(reader.text(reader.element(formula, i)));
}

void read_words(JsonReader& reader, const JsonNode& root, KernelDescription& kernel) {
  kernel.order = static_cast<int>(reader.unsigned_integer(reader.member(root, "order"), 1'000'000));
  kernel.category = reader.text(reader.required(root, "category"));
  kernel.title = reader.text(reader.required(root, "title"));
  kernel.teaches = reader.text(reader.required(root, "teaches"));
  kernel.entry = reader.text(reader.required(root, "entry"));
  if (JsonNode source = reader.member(root, "source")) kernel.source_name = reader.text(source);
  if (!kernel.source_name.ends_with(".cu"))
    reader.fail(reader.member(root, "source"),
                "must be the name of a .cu file in the folder of the description");
}

std::string stem_of(std::string_view file) {
  file = file.substr(file.find_last_of('/') + 1);  // npos + 1 is 0
  return std::string(file.substr(0, file.rfind('.')));
}

// Every scalar's name. A name that is taken or reserved fails.
Names names_of(JsonReader& reader, const KernelDescription& kernel) {
  Names names = reserved_names(kernel, KernelSetup{}, nullptr);
  std::set<std::string> taken;
  for (const auto* list : {&kernel.settings, &kernel.arguments, &kernel.buffers})
    for (const KernelArgument& argument : *list) {
      if (argument.name.empty() || is_reserved_name(argument.name) || !taken.insert(argument.name).second)
        reader.fail({}, fmt::format("the name \"{}\" is empty, taken or reserved", argument.name));
      if (!argument.is_buffer && argument.expression.empty()) names[argument.name] = 1;
    }
  return names;
}

}  // namespace

std::array<std::string, 3> read_problem(JsonReader& reader, const JsonNode& node) {
  std::array<std::string, 3> problem;
  const size_t axes = reader.array_size(node);
  if (axes < 1 || axes > 3) reader.fail(node, "must have 1 to 3 expressions, x, y and z");
  for (size_t i = 0; i < problem.size(); ++i)
    problem[i] = i < axes ? expression_text(reader, reader.element(node, i)) : "1";
  return problem;
}

void check_expressions(JsonReader& reader, const KernelDescription& kernel) {
  Names names = names_of(reader, kernel);
  auto check = [&](const std::string& expression) {
    if (expression.empty()) return;
    if (Result<void> checked = check_formula(expression, names); !checked)
      reader.fail({}, checked.error().message);
  };
  for (const KernelArgument& argument : kernel.arguments) {
    if (argument.is_buffer || argument.expression.empty()) continue;
    check(argument.expression);  // may use those before it
    names[argument.name] = 1;
  }
  for (const std::string& extent : kernel.problem) check(extent);
  add_grid_names(names, {1, 1, 1});  // follows from the problem
  for (const auto* list : {&kernel.arguments, &kernel.buffers})
    for (const KernelArgument& argument : *list) {
      for (const std::string* extent : {&argument.width, &argument.height, &argument.channels})
        check(*extent);
      Names indexed = names;
      indexed["i"] = 0;
      if (argument.formula.empty()) continue;
      if (const Result<void> checked = check_formula(argument.formula, indexed); !checked)
        reader.fail({}, checked.error().message);
    }
  for (const KernelStep& step : kernel.steps) {
    for (const std::string& extent : step.problem) check(extent);
    for (const StepArgument& argument : step.arguments) check(argument.expression);
  }
  for (const KernelConstant& constant : kernel.constants)
    for (const std::string& value : constant.values) check(value);
}

static void read_library(JsonReader& reader, const JsonNode& node, KernelDescription& kernel) {
  const std::string name = reader.text(node);
  if (name.empty()) return;
  for (const LibraryTask task : {LibraryTask::matmul, LibraryTask::svd, LibraryTask::pi})
    if (name == to_string(task)) kernel.library = task;
  if (!kernel.library) reader.fail(node, fmt::format("no library does \"{}\"", name));
}

static void read_better(JsonReader& reader, const JsonNode& node, KernelDescription& kernel) {
  for (size_t i = 0; i < reader.array_size(node); ++i) {
    const JsonNode row = reader.element(node, i);
    reader.expect_keys(row, {"for", "kernel", "label"});
    kernel.better.push_back({reader.text(reader.required(row, "for")),
                             reader.text(reader.required(row, "kernel")),
                             reader.text(reader.required(row, "label"))});
  }
}

Result<KernelDescription> parse_kernel(std::string_view json, std::string_view file) {
  Result<Json> document = parse_json(json, file);
  if (!document) return document.error();
  JsonReader reader{std::string(file)};
  const JsonNode root{&*document, ""};
  if (!document->is_object()) reader.fail(root, "must be an object {…}");
  reader.expect_keys(root, {"order",     "category",      "title",
                            "teaches",   "entry",         "source",
                            "arguments", "settings",      "buffers",
                            "constants", "steps",         "block",
                            "grid",      "block_presets", "required_block",
                            "problem",   "grid_stride",   "index_formula",
                            "reference", "check",         "intentionally_broken",
                            "library",   "better"});
  KernelDescription kernel;
  kernel.name = stem_of(file);
  kernel.source_name = kernel.name + ".cu";
  read_words(reader, root, kernel);
  kernel.arguments = read_arguments(reader, reader.required(root, "arguments"), ArgumentKind::argument);
  kernel.settings = read_arguments(reader, reader.member(root, "settings"), ArgumentKind::setting);
  kernel.buffers = read_arguments(reader, reader.member(root, "buffers"), ArgumentKind::buffer);
  read_launch(reader, root, kernel);
  read_constants(reader, reader.member(root, "constants"), kernel);
  read_steps(reader, reader.member(root, "steps"), kernel);
  kernel.reference = reader.text(reader.member(root, "reference"));
  if (!kernel.reference.empty() && !find_reference(kernel.reference))
    reader.fail({}, fmt::format("there is no CPU reference named \"{}\"", kernel.reference));
  read_checks(reader, reader.member(root, "check"), kernel);
  kernel.intentionally_broken = reader.boolean(reader.member(root, "intentionally_broken"), false);
  read_library(reader, reader.member(root, "library"), kernel);
  read_better(reader, reader.member(root, "better"), kernel);
  if (reader.ok()) check_expressions(reader, kernel);
  if (!reader.ok()) return reader.error();
  if (!reader.warnings().empty()) return bad_input(reader.warnings().front());
  return kernel;
}

}  // namespace warplens
