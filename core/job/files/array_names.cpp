#include "core/job/files/array_names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/compile/cuda_source/source_signature.h"
#include "core/recording/numba_name.h"
#include "core/recording/parameter_names.h"

namespace warplens {
namespace {

using recording::NumbaArgument;

std::vector<SourceParameter> parameters_in(std::string_view source, const LaunchStep& step) {
  const std::string name = plain_entry_name(step.entry);
  std::vector<SourceParameter> found;
  for (const SourceKernel& kernel : kernels_of_source(source))
    if (kernel.name == name && kernel.parameters.size() == step.arguments.size()) found = kernel.parameters;
  return found;
}

// The part of the PTX from the entry to the next one.
std::string_view body_of(std::string_view ptx, const std::string& entry) {
  const size_t begin = ptx.find(".entry " + entry + "(");
  if (begin == ptx.npos) return {};
  const size_t after = begin + 1;
  const size_t end =
      std::min({ptx.find("\n.entry", after), ptx.find(".visible", after), ptx.find(".func", after)});
  return ptx.substr(begin, end == ptx.npos ? end : end - begin);
}

// "f32" of "ld.global.nc.v2.f32".
std::string_view type_of_access(std::string_view opcode) { return opcode.substr(opcode.rfind('.') + 1); }

std::optional<DType> dtype_of(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, DType>, 9> known = {{{"f32", DType::f32},
                                                                        {"f64", DType::f64},
                                                                        {"u32", DType::i32},
                                                                        {"s32", DType::i32},
                                                                        {"b32", DType::i32},
                                                                        {"u64", DType::i64},
                                                                        {"s64", DType::i64},
                                                                        {"u16", DType::i16},
                                                                        {"s16", DType::i16}}};
  const auto found = std::ranges::find(known, type, &std::pair<std::string_view, DType>::first);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

// The type of all accesses to global memory. Empty if there are several.
std::optional<DType> only_type_in(std::string_view body) {
  std::optional<DType> only;
  for (const std::string_view access : {"ld.global", "st.global"})
    for (size_t at = body.find(access); at != body.npos; at = body.find(access, at + 1)) {
      const std::string_view opcode = body.substr(at, body.find_first_of(" \t", at) - at);
      const std::optional<DType> dtype = dtype_of(type_of_access(opcode));
      if (!dtype || (only && *only != *dtype)) return std::nullopt;
      only = dtype;
    }
  return only;
}

void take_type(DType dtype, BufferSpec& buffer) {
  const uint32_t size = bytes_of(dtype);
  if (buffer.bytes % size != 0 || buffer.bytes / size > UINT32_MAX) return;
  buffer.dtype = dtype;
  buffer.width = static_cast<uint32_t>(buffer.bytes / size);
  buffer.height = 1;
}

}  // namespace

void name_numba_arrays(const LaunchStep& step, std::vector<BufferSpec>& buffers) {
  const std::vector<NumbaArgument> arguments = recording::numba_arguments(step.entry);
  if (arguments.empty()) return;
  const NumbaArgument& last = arguments.back();
  const size_t count = last.first + last.parameters();
  if (count != step.arguments.size()) return;
  const auto number = [&](size_t at) -> uint64_t {
    const auto* scalar = std::get_if<ScalarArgument>(&step.arguments[at]);
    return scalar == nullptr ? 0 : scalar->bits;
  };
  for (const NumbaArgument& argument : arguments) {
    if (!argument.is_array) continue;
    const auto* data =
        std::get_if<BufferArgument>(&step.arguments[argument.first + recording::data_of_array]);
    if (data == nullptr) continue;
    BufferSpec& buffer = buffers[data->buffer];
    const uint32_t size = bytes_of(argument.dtype);
    if (data->offset != 0 || buffer.bytes % size != 0 || buffer.bytes / size > UINT32_MAX) continue;
    buffer.dtype = argument.dtype;
    buffer.width = static_cast<uint32_t>(buffer.bytes / size);
    buffer.height = 1;
    if (argument.dimensions != 2) continue;
    const uint64_t rows = number(argument.first + recording::shape_of_array);
    const uint64_t columns = number(argument.first + recording::shape_of_array + 1);
    if (rows == 0 || columns == 0 || columns > buffer.width || rows != buffer.width / columns ||
        buffer.width % columns != 0)
      continue;
    buffer.width = static_cast<uint32_t>(columns);
    buffer.height = static_cast<uint32_t>(rows);
  }
}

void name_source_arrays(const LaunchStep& step, const KernelTexts& texts, std::vector<BufferSpec>& buffers) {
  const std::vector<SourceParameter> parameters = parameters_in(texts.source, step);
  const std::optional<DType> only = only_type_in(body_of(texts.ptx, step.entry));
  std::vector<bool> seen(buffers.size(), false);
  for (size_t i = 0; i < step.arguments.size(); ++i) {
    const auto* array = std::get_if<BufferArgument>(&step.arguments[i]);
    if (array == nullptr || array->offset != 0 || seen[array->buffer]) continue;
    seen[array->buffer] = true;  // the first parameter names it
    BufferSpec& buffer = buffers[array->buffer];
    // A template's source does not say the type.
    std::optional<DType> dtype;
    if (const auto pointed = recording::pointed_type(step.entry, i))
      dtype = value_type_of(pointed->name).dtype;
    if (!parameters.empty() && parameters[i].pointer) {
      if (parameters[i].dtype) dtype = parameters[i].dtype;
      if (parameters[i].components == 1 && !parameters[i].name.empty()) buffer.name = parameters[i].name;
    }
    const bool is_bytes = buffer.dtype == DType::u8;
    if (!dtype && is_bytes && parameters.empty()) dtype = only;
    if (dtype) take_type(*dtype, buffer);
  }
}

}  // namespace warplens
