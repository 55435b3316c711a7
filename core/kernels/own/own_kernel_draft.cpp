#include <algorithm>

#include "core/kernels/own/own_kernel_draft.h"

namespace warplens {

void Draft::fail(const TextPosition& place, std::string message, Severity severity) {
  own.diagnostics.push_back({severity, text.source_name, place.line, place.column, std::move(message)});
}

bool Draft::has_errors() const {
  return std::ranges::any_of(own.diagnostics,
                             [](const Diagnostic& d) { return d.severity == Severity::error; });
}

const KernelParameter* Draft::parameter(std::string_view name) const {
  for (const KernelParameter& p : parameters)
    if (p.name == name) return &p;
  return nullptr;
}

const AnnotatedArgument* Draft::annotated(std::string_view name) const {
  for (const AnnotatedArgument& argument : annotation.arguments)
    if (argument.name == name) return &argument;
  return nullptr;
}

TextPosition Draft::place_of(std::string_view name) const {
  const AnnotatedArgument* given = annotated(name);
  return given ? given->place : TextPosition{};
}

}  // namespace warplens
