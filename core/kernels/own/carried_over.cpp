// Keeps the user's choices when the kernel was edited.
#include <cmath>

#include "core/kernels/own/own_kernel.h"
#include "core/kernels/own/own_kernel_draft.h"

namespace warplens {

namespace {

const KernelArgument* number_named(const KernelDescription& kernel, const std::string& name) {
  for (const auto* list : {&kernel.settings, &kernel.arguments})
    for (const KernelArgument& argument : *list)
      if (argument.name == name && !argument.is_buffer && argument.expression.empty()) return &argument;
  return nullptr;
}

}  // namespace

KernelSetup carried_over(const KernelDescription& before, const KernelSetup& setup,
                         const KernelDescription& after) {
  KernelSetup next = setup;
  next.kernel = after.name;
  next.values.clear();
  for (const auto& [name, value] : setup.values) {
    const KernelArgument* now = number_named(after, name);
    const KernelArgument* was = number_named(before, name);
    if (now == nullptr || (was != nullptr && was->value != now->value)) continue;
    if (value < now->minimum || value > now->maximum || (!is_float(now->dtype) && value != std::floor(value)))
      continue;
    next.values[name] = value;
  }
  if (before.default_block != after.default_block) next.block = after.default_block;
  if (before.problem != after.problem) next.fit_grid = true;
  return next;
}

}  // namespace warplens
