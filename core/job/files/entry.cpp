#include "core/job/files/entry.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <optional>

#include "core/base/dtype.h"
#include "core/ptx/parser/parse.h"

namespace warplens {

namespace {

std::string entry_names(const ptx::Module& module) {
  std::string names;
  size_t count = 0;
  for (const ptx::Function& function : module.functions) {
    if (!function.is_entry) continue;
    if (++count > 20) return names + ", …";
    names += (names.empty() ? "" : ", ") + std::string(function.name);
  }
  return names;
}

Result<const ptx::Function*> choose_entry(const ptx::Module& module, const std::string& wanted) {
  const std::string names = entry_names(module);
  if (names.empty())
    return bad_input(fmt::format("{} has no kernel (.entry) that could be launched", module.name));
  if (!wanted.empty()) {
    if (const ptx::Function* function = module.find_entry(wanted)) return function;
    return bad_input(fmt::format("{} has no kernel \"{}\"; it has {}", module.name, wanted, names));
  }
  const ptx::Function* only = nullptr;
  for (const ptx::Function& function : module.functions) {
    if (!function.is_entry) continue;
    if (only != nullptr)
      return bad_input(
          fmt::format("{} has several kernels, so name one as the entry: {}", module.name, names));
    only = &function;
  }
  return only;
}

int64_t sign_extended(const ScalarArgument& scalar) {
  const uint32_t shift = 64 - 8 * bytes_of(scalar.type);
  return static_cast<int64_t>(scalar.bits << shift) >> shift;
}

DType integer_of(uint64_t bytes, bool with_sign) {
  switch (bytes) {
    case 1:
      return with_sign ? DType::i8 : DType::u8;
    case 2:
      return with_sign ? DType::i16 : DType::u16;
    case 4:
      return with_sign ? DType::i32 : DType::u32;
    default:
      return with_sign ? DType::i64 : DType::u64;
  }
}

// The same value in another width. Empty if it does not fit. The signedness is the argument's, since PTX
// parameters have none (NVRTC writes .u32 for int).
std::optional<ScalarArgument> resized_integer(const ScalarArgument& scalar, uint64_t bytes) {
  const bool with_sign = is_signed_integer(scalar.type);
  const uint64_t wide = with_sign ? static_cast<uint64_t>(sign_extended(scalar)) : scalar.bits;
  ScalarArgument resized{integer_of(bytes, with_sign), wide};
  if (bytes < 8) resized.bits &= (uint64_t{1} << (8 * bytes)) - 1;
  const uint64_t back = with_sign ? static_cast<uint64_t>(sign_extended(resized)) : resized.bits;
  if (back != wide) return std::nullopt;
  return resized;
}

std::optional<ScalarArgument> resized_float(const ScalarArgument& scalar, uint64_t bytes) {
  if (bytes_of(scalar.type) == bytes) return scalar;
  if (scalar.type == DType::f32 && bytes == 8)
    return ScalarArgument{DType::f64, std::bit_cast<uint64_t>(
                                          double(std::bit_cast<float>(static_cast<uint32_t>(scalar.bits))))};
  if (scalar.type == DType::f64 && bytes == 4) {
    const double value = std::bit_cast<double>(scalar.bits);
    const auto narrow = static_cast<float>(value);
    if (double(narrow) == value || std::isnan(value))
      return ScalarArgument{DType::f32, std::bit_cast<uint32_t>(narrow)};
  }
  return std::nullopt;
}

Result<ScalarArgument> fit_scalar(const ScalarArgument& scalar, const ptx::Variable& parameter) {
  const std::string_view given = short_name(scalar.type);
  const std::string_view type = ptx::text_of(parameter.type);
  const bool array = 8 * parameter.bytes != ptx::bits_of(parameter.type);
  if (array && parameter.bytes != bytes_of(scalar.type))
    return bad_input(
        fmt::format("the parameter has {} bytes, and a scalar {} does not fill it", parameter.bytes, given));
  const bool wants_float = ptx::is_float(parameter.type);
  const bool untyped = type.starts_with('b');
  if (wants_float != is_float(scalar.type) && !untyped)
    return bad_input(fmt::format("the parameter is .{}, and {} was given; write {{\"{}\":…}}", type, given,
                                 wants_float ? std::string(type) : "i32 or u32, i64, …"));
  const auto resized = is_float(scalar.type) ? resized_float(scalar, parameter.bytes)
                                             : resized_integer(scalar, parameter.bytes);
  if (!resized)
    return bad_input(fmt::format("the value given as {} does not fit into the parameter's .{}", given, type));
  return *resized;
}

// C++ pads the end of a structure to its alignment, which does not follow from the fields.
Result<void> fit_struct(StructArgument& given, const ptx::Variable& parameter) {
  const size_t size = given.bytes.size();
  if (size > parameter.bytes || parameter.bytes - size >= 16)
    return bad_input(
        fmt::format("the structure's fields have {} bytes, the parameter has {}", size, parameter.bytes));
  given.bytes.resize(parameter.bytes);
  return {};
}

Result<void> match_launch(LaunchStep& launch, const ptx::Module& module, const LaunchRequest& request) {
  const Result<const ptx::Function*> chosen = choose_entry(module, launch.entry);
  if (!chosen) return chosen.error();
  const ptx::Function& function = **chosen;
  launch.entry = std::string(function.name);
  if (launch.arguments.size() != function.parameters.size())
    return bad_input(fmt::format("{} has {} parameters, and {} arguments were given", function.name,
                                 function.parameters.size(), launch.arguments.size()));
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const ptx::Variable& parameter = function.parameters[i];
    const std::string place = fmt::format("args[{}] of {}", i, function.name);
    if (const auto* buffer = std::get_if<BufferArgument>(&launch.arguments[i])) {
      if (parameter.bytes != 8)
        return bad_input(fmt::format("{}: a buffer's address needs 8 bytes, but the parameter for {} has {}",
                                     place, request.buffers[buffer->buffer].name, parameter.bytes));
      continue;
    }
    if (std::holds_alternative<TextureArgument>(launch.arguments[i])) {
      if (parameter.bytes != 8)
        return bad_input(fmt::format("{}: a texture object has 8 bytes, but the parameter has {}", place,
                                     parameter.bytes));
      continue;
    }
    if (auto* given = std::get_if<StructArgument>(&launch.arguments[i])) {
      if (const auto fitting = fit_struct(*given, parameter); !fitting)
        return bad_input(fmt::format("{}: {}", place, fitting.error().message));
      continue;
    }
    const Result<ScalarArgument> fitted =
        fit_scalar(std::get<ScalarArgument>(launch.arguments[i]), parameter);
    if (!fitted) return bad_input(fmt::format("{}: {}", place, fitted.error().message));
    launch.arguments[i] = *fitted;
  }
  return {};
}

// The first error, and the number of further ones, so that the user knows whether correcting it is enough.
std::string first_error(const std::vector<Diagnostic>& diagnostics) {
  std::vector<Diagnostic> errors;
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == Severity::error) errors.push_back(diagnostic);
  if (errors.empty()) return "the PTX could not be read";
  std::string text = to_text({errors.front()});
  while (text.ends_with('\n')) text.pop_back();
  if (errors.size() > 1) text += fmt::format(" (and {} more errors)", errors.size() - 1);
  return text;
}

}  // namespace

Result<LaunchRequest> match_entries(LaunchRequest request, const std::string& name) {
  const ptx::ParseResult parsed = ptx::parse(request.module->ptx, request.module->ptx_name);
  if (!parsed.module) return bad_input(first_error(parsed.diagnostics));
  for (Step& step : request.steps) {
    auto* launch = std::get_if<LaunchStep>(&step);
    if (launch == nullptr) continue;
    if (const Result<void> matched = match_launch(*launch, *parsed.module, request); !matched)
      return bad_input(fmt::format("{}: {}", name, matched.error().message));
  }
  return request;
}

}  // namespace warplens
