#include <fmt/format.h>

#include <vector>

#include "core/kernels/own/annotation.h"

namespace warplens {

namespace {

std::string number_text(double value) { return fmt::format("{}", value); }

std::string buffer_text(const KernelArgument& argument) {
  std::string sizes = argument.width;
  const bool plane = !argument.height.empty() && argument.height != "1";
  const bool channels = !argument.channels.empty() && argument.channels != "1";
  if (plane || channels) sizes += ", " + (argument.height.empty() ? std::string("1") : argument.height);
  if (channels) sizes += ", " + argument.channels;
  std::string text = fmt::format("{}={}[{}]", argument.name, numpy_name(argument.dtype), sizes);
  switch (argument.fill) {
    case Fill::index:
      text += " index";
      break;
    case Fill::random:
      text += fmt::format(" random({}, {}, {})", argument.fill_seed + 1, number_text(argument.fill_low),
                          number_text(argument.fill_high));
      break;
    case Fill::image:
      text += " image";
      break;
    case Fill::formula:
      text += fmt::format(" formula({})", argument.formula);
      break;
    case Fill::zero:
      text += " zero";
      break;
  }
  return text + (argument.output ? " output" : " input");
}

std::string scalar_text(const KernelArgument& argument) {
  if (!argument.expression.empty()) return argument.name + "=" + argument.expression;
  return fmt::format("{}={} in {}..{}", argument.name, number_text(argument.value),
                     number_text(argument.minimum), number_text(argument.maximum));
}

}  // namespace

std::string annotation_text(const KernelDescription& kernel) {
  std::vector<std::string> entries;
  for (const auto* list : {&kernel.arguments, &kernel.settings})
    for (const KernelArgument& argument : *list)
      entries.push_back(argument.is_buffer ? buffer_text(argument) : scalar_text(argument));
  std::string threads;
  for (const std::string& axis : kernel.problem)
    if (!axis.empty()) threads += (threads.empty() ? "" : ", ") + axis;
  if (!threads.empty()) entries.push_back(fmt::format("threads=({})", threads));
  const Dim3 block = kernel.default_block;
  entries.push_back(fmt::format("block={}x{}x{}", block.x, block.y, block.z));
  constexpr size_t longest = 100;
  std::string text, line;
  for (const std::string& entry : entries) {
    if (!line.empty() && line.size() + entry.size() > longest) {
      text += "// warplens: " + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : ", ") + entry;
  }
  return text + "// warplens: " + line + "\n";
}

}  // namespace warplens
