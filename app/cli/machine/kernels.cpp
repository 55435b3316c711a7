// warplens kernels: the built-in kernels, and their values that can be set.
#include <fmt/format.h>

#include <ostream>
#include <utility>

#include "app/base/format.h"
#include "app/cli/shared/commands.h"
#include "core/base/json/json_values.h"
#include "core/job/report/report_fields.h"
#include "core/kernels/catalogue.h"

namespace warplens {

namespace {

bool can_be_set(const KernelArgument& argument) { return !argument.is_buffer && argument.expression.empty(); }

ReportJson argument_json(const KernelArgument& argument) {
  ReportJson json = {{"name", argument.name},
                     {"title", argument.title},
                     {"kind", argument.is_buffer ? "buffer" : "scalar"},
                     {"dtype", numpy_name(argument.dtype)}};
  if (can_be_set(argument))
    json.update({{"value", argument.value}, {"minimum", argument.minimum}, {"maximum", argument.maximum}});
  if (argument.is_buffer) json["output"] = argument.output;
  return json;
}

ReportJson kernel_json(const KernelDescription& kernel) {
  ReportJson arguments = ReportJson::array(), settings = ReportJson::array();
  for (const KernelArgument& argument : kernel.arguments) arguments.push_back(argument_json(argument));
  for (const KernelArgument& setting : kernel.settings) settings.push_back(argument_json(setting));
  return {{"name", kernel.name},
          {"title", kernel.title},
          {"category", kernel.category},
          {"teaches", kernel.teaches},
          {"entry", kernel.entry},
          {"source", kernel.source_name},
          {"block", {kernel.default_block.x, kernel.default_block.y, kernel.default_block.z}},
          {"arguments", std::move(arguments)},
          {"settings", std::move(settings)},
          {"intentionally_broken", kernel.intentionally_broken}};
}

std::string value_text(const KernelArgument& argument) {
  return fmt::format("      --set {}={}   {} ({} to {})\n", argument.name, argument.value, argument.title,
                     argument.minimum, argument.maximum);
}

void print_kernel(const KernelDescription& kernel, Cli& cli) {
  cli.out << fmt::format("{}: {}{}\n    {}\n    block {}\n", kernel.name, kernel.title,
                         kernel.intentionally_broken ? " (broken on purpose)" : "", kernel.teaches,
                         extent_text(kernel.default_block));
  for (const KernelArgument& setting : kernel.settings)
    if (can_be_set(setting)) cli.out << value_text(setting);
  for (const KernelArgument& argument : kernel.arguments) {
    if (can_be_set(argument)) cli.out << value_text(argument);
    if (argument.is_buffer && argument.fill == Fill::image) cli.out << "      --image FILE\n";
  }
}

void print_kernels(bool json, Cli& cli) {
  if (!json) {
    std::string category;  // kernels of one category stand together
    for (const KernelDescription& kernel : built_in_kernels()) {
      if (std::exchange(category, kernel.category) != kernel.category)
        cli.out << fmt::format("\n{}\n\n", category);
      print_kernel(kernel, cli);
    }
    return;
  }
  ReportJson list = ReportJson::array();
  for (const KernelDescription& kernel : built_in_kernels()) list.push_back(kernel_json(kernel));
  cli.out << json_values::indented({{"schema", 1}, {"kernels", std::move(list)}});
}

}  // namespace

CliCommand kernels_command(Cli& cli) {
  const auto json = std::make_shared<bool>(false);
  return {"kernels",
          "List the built-in kernels and the values that they take",
          {{"--json", json.get(), "Print JSON"}},
          [json, &cli] {
            print_kernels(*json, cli);
            return left_out(kernel_mistakes());
          }};
}

}  // namespace warplens
