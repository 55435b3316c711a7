#include "core/files/source_arguments.h"

#include <algorithm>
#include <string>

#include "core/cuda_source/source_signature.h"
#include "core/recording/parameter_names.h"

namespace warplens {
namespace {

std::vector<SourceParameter> parameters_in(std::string_view source, const LaunchStep& step) {
  const std::string name = plain_entry_name(step.entry);
  std::vector<SourceParameter> found;
  for (const SourceKernel& kernel : kernels_of_source(source))
    if (kernel.name == name && kernel.parameters.size() == step.arguments.size()) found = kernel.parameters;
  return found;
}

void take_type(DType dtype, BufferSpec& buffer) {
  const uint32_t size = bytes_of(dtype);
  if (buffer.bytes % size != 0 || buffer.bytes / size > UINT32_MAX) return;
  buffer.dtype = dtype;
  buffer.width = static_cast<uint32_t>(buffer.bytes / size);
  buffer.height = 1;
}

}  // namespace

void name_source_arrays(const LaunchStep& step, std::string_view source, std::vector<BufferSpec>& buffers) {
  const std::vector<SourceParameter> parameters = parameters_in(source, step);
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
    if (dtype) take_type(*dtype, buffer);
  }
}

}  // namespace warplens
