#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "core/base/system/between_frames.h"
#include "core/kernels/catalogue.h"
#include "core/kernels/references/references.h"
#include "core/launch/steps.h"

namespace warplens {

namespace {

// Every buffer of the request with its contents before the launch.
std::vector<Bytes> initial_memory(const LaunchRequest& request) {
  std::vector<Bytes> memory;
  for (const BufferSpec& buffer : request.buffers) {
    memory.push_back(buffer.initial ? *buffer.initial : Bytes());
    memory.back().resize(buffer.bytes);
  }
  return memory;
}

// The arguments of the launch, followed by the arrays of the description that it does not take.
std::optional<std::vector<HostArgument>> host_arguments(const KernelDescription& kernel,
                                                        const LaunchStep& launch,
                                                        std::vector<Bytes>& memory) {
  std::vector<HostArgument> arguments;
  for (const Argument& argument : launch.arguments) {
    HostArgument host;
    if (const auto* buffer = std::get_if<BufferArgument>(&argument)) {
      if (buffer->buffer >= memory.size() || buffer->offset > memory[buffer->buffer].size())
        return std::nullopt;
      host.bytes = std::span(memory[buffer->buffer]).subspan(buffer->offset);
    } else if (const auto* texture = std::get_if<TextureArgument>(&argument)) {
      if (texture->buffer >= memory.size()) return std::nullopt;
      host.bytes = memory[texture->buffer];
    } else if (const auto* scalar = std::get_if<ScalarArgument>(&argument)) {
      host.scalar = *scalar;
    } else {
      return std::nullopt;  // CPU references take no structures
    }
    arguments.push_back(host);
  }
  if (memory.size() < kernel.buffers.size()) return std::nullopt;
  for (size_t i = memory.size() - kernel.buffers.size(); i < memory.size(); ++i)
    arguments.push_back({memory[i], {}});
  return arguments;
}

// Pictures and matrices have a position besides the index.
void add_place(Check& check, const BufferSpec& buffer) {
  if (!check.first_mismatch || buffer.height <= 1 || buffer.width == 0 || buffer.channels == 0) return;
  const uint64_t cell = *check.first_mismatch / buffer.channels;
  std::string place =
      fmt::format(" It stands in column {}, row {}", cell % buffer.width, cell / buffer.width);
  if (buffer.channels > 1) place += fmt::format(", channel {}", *check.first_mismatch % buffer.channels);
  check.message += place + ".";
}

}  // namespace

CheckedAgainstCpu check_against_cpu(const KernelDescription& kernel, const LaunchRequest& request,
                                    const RunResult& result) {
  CheckedAgainstCpu checked;
  const Reference reference = find_reference(kernel.reference);
  const LaunchStep* launch = first_launch(request);
  if (!reference || !launch || kernel.checks.empty() || result.outputs.empty()) return checked;

  std::vector<Bytes> memory = initial_memory(request);
  const auto arguments = host_arguments(kernel, *launch, memory);
  if (!arguments) return checked;
  const WorkClock clock;
  if (!reference({*arguments, launch->grid, launch->block, request.globals})) return checked;
  const std::chrono::duration<double, std::milli> elapsed = clock.elapsed();
  checked.cpu_ms = elapsed.count();

  for (const KernelCheck& wanted : kernel.checks)
    for (const OutputBuffer& output : result.outputs) {
      if (output.index >= request.buffers.size() || !output.bytes) continue;
      const BufferSpec& buffer = request.buffers[output.index];
      if (buffer.name != wanted.buffer) continue;
      Check check =
          compare_buffers(buffer.name, buffer.dtype, *output.bytes, memory[output.index], wanted.rtol);
      add_place(check, buffer);
      checked.checks.push_back(std::move(check));
    }
  return checked;
}

}  // namespace warplens
