#include "core/files/numba_arguments.h"

namespace warplens {

using recording::NumbaArgument;

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

}  // namespace warplens
