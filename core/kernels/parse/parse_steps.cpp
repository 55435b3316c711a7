// Reads "steps" and "constants" of a kernel's description.
#include <algorithm>
#include <optional>

#include "core/kernels/parse/description_fields.h"

namespace warplens {

namespace {

constexpr size_t most_steps = 1000;
constexpr size_t most_values = 16384;  // 64 KiB of constant memory in floats

bool has_buffer(const KernelDescription& kernel, const std::string& name) {
  for (const auto* list : {&kernel.arguments, &kernel.buffers})
    for (const KernelArgument& argument : *list)
      if (argument.is_buffer && argument.name == name) return true;
  return false;
}

bool has_name(const KernelDescription& kernel, const std::string& name) {
  for (const auto* list : {&kernel.arguments, &kernel.settings, &kernel.buffers})
    for (const KernelArgument& argument : *list)
      if (argument.name == name) return true;
  return false;
}

StepArgument read_step_argument(JsonReader& reader, const JsonNode& node, const KernelDescription& kernel) {
  StepArgument argument;
  if (node && node.value->is_string()) {
    argument.name = reader.text(node);
    if (!has_name(kernel, argument.name))
      reader.fail(node, fmt::format("there is no argument, setting or buffer named \"{}\"", argument.name));
    return argument;
  }
  if (node && node.value->is_object() && node.value->size() == 1) {
    const std::string type = node.value->begin().key();
    if (const std::optional<DType> dtype = dtype_from_numpy(type)) {
      argument.dtype = *dtype;
      argument.expression = expression_text(reader, reader.member(node, type.c_str()));
      return argument;
    }
  }
  reader.fail(node, R"(must be a name or a typed expression such as {"int32": "grid_x"})");
  return argument;
}

void read_later_launch(JsonReader& reader, const JsonNode& node, const KernelDescription& kernel,
                       KernelStep& step) {
  reader.expect_keys(node, {"launch", "arguments", "problem", "block"});
  const JsonNode arguments = reader.required(node, "arguments");
  for (size_t i = 0; i < reader.array_size(arguments); ++i)
    step.arguments.push_back(read_step_argument(reader, reader.element(arguments, i), kernel));
  step.problem = read_problem(reader, reader.required(node, "problem"));
  if (const JsonNode block = reader.member(node, "block")) step.block = reader.dim3(block);
}

// The first launch takes its arguments, problem and block from the description itself.
void read_first_launch(JsonReader& reader, const JsonNode& node, const KernelDescription& kernel,
                       const KernelStep& step) {
  if (step.entry != kernel.entry)
    reader.fail(node,
                fmt::format("the first launch must be of {}, the description's \"entry\"", kernel.entry));
  for (const char* key : {"arguments", "problem", "block"})
    if (const JsonNode member = reader.member(node, key))
      reader.fail(member, "the first launch has the description's own");
  reader.expect_keys(node, {"launch"});
}

constexpr std::pair<const char*, KernelStep::Kind> buffer_steps[] = {{"allocate", KernelStep::Kind::allocate},
                                                                     {"copy_in", KernelStep::Kind::copy_in},
                                                                     {"copy_out", KernelStep::Kind::copy_out},
                                                                     {"free", KernelStep::Kind::free}};

KernelStep read_step(JsonReader& reader, const JsonNode& node, const KernelDescription& kernel, bool first) {
  KernelStep step;
  if (const JsonNode launch = reader.member(node, "launch")) {
    step.entry = reader.text(launch);
    if (first)
      read_first_launch(reader, node, kernel, step);
    else
      read_later_launch(reader, node, kernel, step);
    return step;
  }
  for (const auto& [key, kind] : buffer_steps) {
    const JsonNode member = reader.member(node, key);
    if (!member) continue;
    reader.expect_keys(node, {key});
    step.kind = kind;
    step.buffer = reader.text(member);
    if (!has_buffer(kernel, step.buffer))
      reader.fail(member, fmt::format("there is no array named \"{}\"", step.buffer));
    return step;
  }
  reader.fail(node, "must have one of launch, copy_in, copy_out, allocate and free");
  return step;
}

}  // namespace

void read_steps(JsonReader& reader, const JsonNode& list, KernelDescription& kernel) {
  if (!list) return;
  const size_t count = reader.array_size(list);
  if (count > most_steps)
    reader.fail(list, fmt::format("has {} steps; at most {} are read", count, most_steps));
  bool first = true;
  for (size_t i = 0; i < count && reader.ok(); ++i) {
    kernel.steps.push_back(read_step(reader, reader.element(list, i), kernel, first));
    if (kernel.steps.back().kind == KernelStep::Kind::launch) first = false;
  }
  if (first) reader.fail(list, "has no launch, so nothing would run");
}

void read_constants(JsonReader& reader, const JsonNode& list, KernelDescription& kernel) {
  for (size_t i = 0; i < reader.array_size(list) && reader.ok(); ++i) {
    const JsonNode node = reader.element(list, i);
    reader.expect_keys(node, {"symbol", "type", "values"});
    KernelConstant constant;
    constant.symbol = reader.text(reader.required(node, "symbol"));
    constant.dtype = reader.dtype(reader.required(node, "type"));
    const JsonNode values = reader.required(node, "values");
    const size_t count = reader.array_size(values);
    if (count < 1 || count > most_values)
      reader.fail(values, fmt::format("must have 1 to {} values", most_values));
    for (size_t k = 0; k < count && reader.ok(); ++k)
      constant.values.push_back(expression_text(reader, reader.element(values, k)));
    kernel.constants.push_back(std::move(constant));
  }
}

}  // namespace warplens
