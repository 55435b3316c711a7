// The arguments and sizes of an own kernel, from the annotation or else from the signature.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/kernels/own/own_kernel_draft.h"

namespace warplens {

namespace {

// The argument with this name in the built-in kernel from which the text was copied. Null if there is none.
const KernelArgument* argument_like(const Draft& draft, const KernelParameter& p) {
  if (draft.text.like == nullptr) return nullptr;
  for (const KernelArgument& argument : draft.text.like->arguments)
    if (argument.name == p.name && argument.is_buffer == p.pointer) return &argument;
  return nullptr;
}

std::string parameter_names(const Draft& draft) {
  std::string names;
  for (const KernelParameter& p : draft.parameters) names += (names.empty() ? "" : ", ") + p.name;
  return names.empty() ? "none" : names;
}

void set_value(Draft& draft, KernelArgument& argument, const AnnotatedArgument& entry) {
  argument.name = argument.title = entry.name;
  argument.value = *entry.value;
  set_range(argument);
  if (entry.range) {
    argument.minimum = entry.range->first;
    argument.maximum = entry.range->second;
    argument.control =
        argument.minimum >= 0 && argument.maximum > 1000 ? Control::log_slider : Control::slider;
  }
  const auto [low, high] = limits_of(argument.dtype);
  const bool whole = is_float(argument.dtype) || argument.value == std::floor(argument.value);
  if (!whole || argument.value < low || argument.value > high)
    draft.fail(entry.place, fmt::format("{} is {} and cannot be {}: write a {} from {} to {}", entry.name,
                                        numpy_name(argument.dtype), argument.value,
                                        is_float(argument.dtype) ? "number" : "whole number", low, high));
  argument.minimum = std::max(argument.minimum, low);
  argument.maximum = std::min(argument.maximum, high);
}

// The sizes that determine buffers without an entry.
std::vector<std::string> sizes(const Draft& draft) {
  std::vector<std::string> names;
  for (const KernelArgument& setting : draft.kernel.settings)
    if (is_size_name(setting.name)) names.push_back(setting.name);
  for (const KernelParameter& p : draft.parameters)
    if (!p.pointer && !is_float(p.dtype) && is_size_name(p.name)) names.push_back(p.name);
  return names;
}

void take_fill(const AnnotatedArgument& entry, KernelArgument& argument) {
  if (entry.fill) argument.fill = *entry.fill;
  if (entry.output) argument.output = *entry.output;
  argument.formula = entry.formula;
  argument.fill_low = entry.low;
  argument.fill_high = entry.high;
  argument.fill_seed = entry.seed - 1;  // the setup's own seed begins at 1; wraps, and the sum wraps back
}

void add_buffer(Draft& draft, const KernelParameter& p, const AnnotatedArgument* entry,
                const std::vector<std::string>& size_names) {
  KernelArgument argument;
  argument.name = argument.title = p.name;
  argument.is_buffer = true;
  argument.dtype = p.dtype;
  argument.output = p.output;
  argument.fill = p.output ? Fill::zero : Fill::random;
  std::vector<std::string> extents;
  if (entry && !entry->is_buffer) {
    return draft.fail(entry->place,
                      fmt::format("{} is a pointer: write a type with its size, as in {}={}[n] zero", p.name,
                                  p.name, numpy_name(p.dtype)));
  }
  if (entry) {
    for (const PlacedText& extent : entry->extents) extents.push_back(extent.text);
    argument.dtype = entry->dtype;
    if (p.dtype_known && bytes_of(p.dtype) != bytes_of(entry->dtype))
      draft.fail(entry->place,
                 fmt::format("{} points to {} in the code, and is given as {}", p.name, numpy_name(p.dtype),
                             numpy_name(entry->dtype)),
                 Severity::warning);
    take_fill(*entry, argument);
  } else {
    extents = default_extents(size_names);
    if (p.components > 1) {
      extents.resize(2, "1");
      extents.push_back(std::to_string(p.components));
    }
    if (argument.fill == Fill::random && !is_float(p.dtype)) argument.fill_high = 100;
  }
  extents.resize(3);
  argument.width = extents[0];
  argument.height = extents[1];
  argument.channels = extents[2];
  argument.control = argument.fill == Fill::image    ? Control::image
                     : argument.fill == Fill::random ? Control::seed
                                                     : Control::none;
  draft.kernel.arguments.push_back(std::move(argument));
}

void add_scalar(Draft& draft, const KernelParameter& p, const AnnotatedArgument* entry, size_t size_count) {
  if (p.bytes > 8)
    return draft.fail(
        entry ? entry->place : TextPosition{},
        fmt::format("{} is a structure of {} bytes: an own kernel takes pointers and numbers, so "
                    "pass its members one by one",
                    p.name, p.bytes));
  if (entry && entry->is_buffer)
    return draft.fail(entry->place,
                      fmt::format("{} is a number ({}), no pointer: write {}=1, or an expression", p.name,
                                  numpy_name(p.dtype), p.name));
  KernelArgument argument = default_number(p.name, p.dtype, size_count);
  if (entry && entry->value) {
    set_value(draft, argument, *entry);
  } else if (entry) {
    argument.control = Control::none;
    argument.expression = entry->expression.text;
  }
  draft.kernel.arguments.push_back(std::move(argument));
}

}  // namespace

// For image=rgb8 when no parameter is called image: the first byte buffer without an entry gets the picture.
void place_picture(Draft& draft) {
  if (!draft.annotation.picture_channels || draft.parameter("image") != nullptr) return;
  auto entry = std::ranges::find(draft.annotation.arguments, std::string("image"), &AnnotatedArgument::name);
  if (entry == draft.annotation.arguments.end()) return;
  for (const KernelParameter& p : draft.parameters)
    if (p.pointer && p.dtype == DType::u8 && draft.annotated(p.name) == nullptr &&
        argument_like(draft, p) == nullptr) {
      entry->name = p.name;
      return;
    }
  draft.fail(
      draft.annotation.picture_place,
      fmt::format(
          "no parameter of {} can take the picture: name the one of type unsigned char*, as in rgb=rgb8",
          draft.entry),
      Severity::warning);
  draft.annotation.arguments.erase(entry);
}

// Numbers whose name is not a parameter are sizes for expressions.
void add_settings(Draft& draft) {
  for (const AnnotatedArgument& entry : draft.annotation.arguments) {
    if (draft.parameter(entry.name) != nullptr) continue;
    if (entry.is_buffer || !entry.value) {
      draft.fail(entry.place,
                 fmt::format("{} is no parameter of {}, which has {}{}", entry.name, draft.entry,
                             parameter_names(draft),
                             entry.is_buffer ? ": write the name of a pointer"
                                             : "; a size of your own needs a number, as in n=10000"));
      continue;
    }
    KernelArgument setting;
    setting.dtype = *entry.value == std::floor(*entry.value) ? DType::i64 : DType::f64;
    set_value(draft, setting, entry);
    draft.kernel.settings.push_back(std::move(setting));
  }
  if (draft.text.like == nullptr || draft.annotation.found) return;
  for (const KernelArgument& setting : draft.text.like->settings)
    if (draft.parameter(setting.name) == nullptr) draft.kernel.settings.push_back(setting);
}

void add_arguments(Draft& draft) {
  std::vector<std::string> size_names = sizes(draft);
  const bool needs_size = std::ranges::any_of(draft.parameters, [&](const KernelParameter& p) {
    return p.pointer && draft.annotated(p.name) == nullptr;
  });
  if (needs_size && size_names.empty()) {
    draft.kernel.settings.push_back(default_number("n", DType::i64, 1));
    size_names.emplace_back("n");
  }
  for (const KernelParameter& p : draft.parameters) {
    const AnnotatedArgument* entry = draft.annotated(p.name);
    if (const KernelArgument* like = argument_like(draft, p); like != nullptr && entry == nullptr) {
      draft.kernel.arguments.push_back(*like);
      continue;
    }
    if (p.pointer)
      add_buffer(draft, p, entry, size_names);
    else
      add_scalar(draft, p, entry, size_names.size());
  }
}

}  // namespace warplens
