#include "core/kernels/evaluated.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {

namespace {

bool is_integer(DType type) { return !is_float(type); }

// The user's value of an argument or setting, or the description's.
Result<double> chosen_value(const KernelDescription& kernel, const KernelArgument& argument,
                            const KernelSetup& setup) {
  auto found = setup.values.find(argument.name);
  const double value = found == setup.values.end() ? argument.value : found->second;
  if (std::isnan(value))
    return bad_input(fmt::format("{} of {} is not a number: give one from {} to {}.", argument.name,
                                 kernel.name, argument.minimum, argument.maximum));
  if (value < argument.minimum || value > argument.maximum)
    return bad_input(fmt::format("{} of {} must be from {} to {}, and is {}.", argument.name, kernel.name,
                                 argument.minimum, argument.maximum, value));
  if (is_integer(argument.dtype) && value != std::floor(value))
    return bad_input(
        fmt::format("{} of {} must be a whole number, and is {}.", argument.name, kernel.name, value));
  return value;
}

Result<void> check_names(const KernelDescription& kernel, const KernelSetup& setup) {
  for (const auto& [name, value] : setup.values) {
    auto is_it = [&, &wanted = name](const KernelArgument& argument) {
      return argument.name == wanted && !argument.is_buffer;
    };
    auto setting = std::ranges::find_if(kernel.settings, is_it);
    if (setting != kernel.settings.end()) continue;
    auto argument = std::ranges::find_if(kernel.arguments, is_it);
    if (argument != kernel.arguments.end() && argument->expression.empty()) continue;
    if (argument != kernel.arguments.end())
      return bad_input(fmt::format("{} of {} cannot be set: it is computed as {}.", name, kernel.name,
                                   argument->expression));
    std::string known;
    for (const auto* list : {&kernel.settings, &kernel.arguments})
      for (const KernelArgument& candidate : *list)
        if (!candidate.is_buffer && candidate.expression.empty())
          known += (known.empty() ? "" : ", ") + candidate.name;
    return bad_input(fmt::format("{} has no value named {}; {}.", kernel.name, name,
                                 known.empty() ? "it has none that can be set" : "it has " + known));
  }
  return {};
}

Result<std::shared_ptr<const Image>> picture_of(const KernelDescription& kernel, const KernelSetup& setup) {
  const bool needed = std::ranges::any_of(kernel.arguments, [](const KernelArgument& argument) {
    return argument.is_buffer && argument.fill == Fill::image;
  });
  if (!needed) return std::shared_ptr<const Image>();
  if (setup.image) return setup.image;
  Result<Image> sample = open_picture(setup.image_path, 0);
  if (!sample) return sample.error();
  return std::make_shared<const Image>(std::move(*sample));
}

}  // namespace

bool is_reserved_name(std::string_view name) {
  constexpr std::string_view reserved[] = {"block_x", "block_y", "block_z",     "grid_x",      "grid_y",
                                           "grid_z",  "i",       "image_width", "image_height"};
  return std::ranges::find(reserved, name) != std::end(reserved);
}

Names reserved_names(const KernelDescription& kernel, const KernelSetup& setup, const Image* image) {
  Names names{{"block_x", setup.block.x}, {"block_y", setup.block.y}, {"block_z", setup.block.z}};
  for (const KernelArgument& argument : kernel.arguments)
    if (argument.is_buffer && argument.fill == Fill::image) {
      names["image_width"] = image ? image->width : 1;
      names["image_height"] = image ? image->height : 1;
    }
  return names;
}

void add_grid_names(Names& names, Dim3 grid) {
  names["grid_x"] = grid.x;
  names["grid_y"] = grid.y;
  names["grid_z"] = grid.z;
}

Result<Evaluated> evaluate_setup(const KernelDescription& kernel, const KernelSetup& setup) {
  if (Result<void> known = check_names(kernel, setup); !known) return known.error();
  Evaluated evaluated;
  Result<std::shared_ptr<const Image>> picture = picture_of(kernel, setup);
  if (!picture) return picture.error();
  evaluated.image = *picture;
  evaluated.names = reserved_names(kernel, setup, evaluated.image.get());

  for (const auto* list : {&kernel.settings, &kernel.arguments})
    for (const KernelArgument& argument : *list) {
      if (argument.is_buffer || !argument.expression.empty()) continue;
      Result<double> value = chosen_value(kernel, argument, setup);
      if (!value) return value.error();
      evaluated.names[argument.name] = value_of_type(*value, argument.dtype);
    }
  for (const KernelArgument& argument : kernel.arguments) {
    if (argument.is_buffer || argument.expression.empty()) continue;
    const Result<expression::Value> value = evaluate(argument.expression, evaluated.names);
    if (!value) return value.error();
    const double number = value->number();
    if (!std::isfinite(number) || (is_integer(argument.dtype) && number != std::floor(number)))
      return bad_input(fmt::format("{} of {} is {}, by {}: it must be a {}.", argument.name, kernel.name,
                                   number, argument.expression,
                                   is_integer(argument.dtype) ? "whole number" : "number"));
    evaluated.names[argument.name] = value_of_type(number, argument.dtype);
  }
  return evaluated;
}

Result<uint64_t> evaluate_size(std::string_view expression, const Evaluated& evaluated, uint64_t maximum,
                               std::string_view what) {
  if (expression.empty()) return uint64_t{1};
  const Result<expression::Value> value = evaluate(expression, evaluated.names);
  if (!value) return value.error();
  const double size = value->number();
  if (!(size >= 0) || size > static_cast<double>(maximum) || size != std::floor(size))
    return bad_input(fmt::format("{} is {}, by {}: it must be a whole number from 0 to {}.", what, size,
                                 expression, maximum));
  return static_cast<uint64_t>(size);
}

}  // namespace warplens
