#include "core/kernels/make_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/kernels/fill.h"

namespace warplens {

namespace {

// Buffers of the request: those of the first launch, in its order, then the description's own.
uint32_t buffer_index(const KernelDescription& kernel, const std::string& name) {
  uint32_t index = 0;
  for (const auto* list : {&kernel.arguments, &kernel.buffers})
    for (const KernelArgument& argument : *list) {
      if (!argument.is_buffer) continue;
      if (argument.name == name) return index;
      ++index;
    }
  return index;  // descriptions are checked when they are read
}

const KernelArgument* find_argument(const KernelDescription& kernel, const std::string& name) {
  for (const auto* list : {&kernel.arguments, &kernel.settings, &kernel.buffers})
    for (const KernelArgument& argument : *list)
      if (argument.name == name) return &argument;
  return nullptr;
}

// The address of an array, or a texture object over it.
Argument array_argument(const KernelArgument& argument, uint32_t index, const BufferSpec& buffer) {
  if (!argument.texture) return BufferArgument{index, 0};
  TextureArgument texture{index, *argument.texture};
  texture.spec.channels = buffer.channels;
  texture.spec.width = buffer.width;
  texture.spec.height = buffer.height;
  return texture;
}

Result<Argument> step_argument(const KernelDescription& kernel, const StepArgument& argument,
                               const Evaluated& evaluated, std::span<const BufferSpec> buffers) {
  if (argument.name.empty()) {
    const Result<expression::Value> value = evaluate(argument.expression, evaluated.names);
    if (!value) return value.error();
    return Argument{ScalarArgument{argument.dtype, encode_scalar(*value, argument.dtype)}};
  }
  const KernelArgument* named = find_argument(kernel, argument.name);
  if (named == nullptr) return bad_input(fmt::format("{} has nothing named {}.", kernel.name, argument.name));
  if (named->is_buffer) {
    const uint32_t index = buffer_index(kernel, named->name);
    return array_argument(*named, index, buffers[index]);
  }
  return Argument{ScalarArgument{named->dtype, encode_scalar(evaluated.names.at(named->name), named->dtype)}};
}

Result<LaunchStep> later_launch(const KernelDescription& kernel, const KernelStep& step,
                                const Evaluated& evaluated, Dim3 users_block,
                                std::span<const BufferSpec> buffers) {
  LaunchStep launch;
  launch.entry = step.entry;
  launch.block = step.block.value_or(users_block);
  const Result<Dim3> problem = extents_of(step.problem, evaluated, step.entry);
  if (!problem) return problem.error();
  launch.grid = fitted(*problem, launch.block);
  for (const StepArgument& argument : step.arguments) {
    Result<Argument> value = step_argument(kernel, argument, evaluated, buffers);
    if (!value) return value.error();
    launch.arguments.push_back(*value);
  }
  return launch;
}

Step buffer_step(const KernelStep& step, uint32_t buffer) {
  switch (step.kind) {
    case KernelStep::Kind::allocate:
      return AllocateStep{buffer, true};
    case KernelStep::Kind::copy_in:
      return CopyInStep{buffer};
    case KernelStep::Kind::copy_out:
      return CopyOutStep{buffer};
    default:
      return FreeStep{buffer};
  }
}

template <class StepOfBuffer>
bool has_step(const std::vector<Step>& steps, uint32_t buffer) {
  return std::ranges::any_of(steps, [&](const Step& step) {
    const auto* found = std::get_if<StepOfBuffer>(&step);
    return found != nullptr && found->buffer == buffer;
  });
}

std::vector<Step> surrounded(const LaunchRequest& request, std::vector<Step> steps) {
  std::vector<Step> all, copies, after, frees;
  for (uint32_t i = 0; i < request.buffers.size(); ++i) {
    const BufferSpec& buffer = request.buffers[i];
    if (buffer.output && !has_step<CopyOutStep>(steps, i)) after.emplace_back(CopyOutStep{i});
    if (has_step<AllocateStep>(steps, i)) continue;
    // A buffer without data of its own is cleared.
    all.emplace_back(AllocateStep{i, buffer.initial == nullptr});
    if (buffer.initial && !has_step<CopyInStep>(steps, i)) copies.emplace_back(CopyInStep{i});
    if (!has_step<FreeStep>(steps, i)) frees.emplace_back(FreeStep{i});
  }
  for (auto* part : {&copies, &steps, &after, &frees})
    std::move(part->begin(), part->end(), std::back_inserter(all));
  return all;
}

}  // namespace

Dim3 fitted(Dim3 problem, Dim3 block) {
  auto blocks = [](uint32_t threads, uint32_t size) {
    return static_cast<uint32_t>(std::min(ceil_div(threads, size), largest_extent));
  };
  return {blocks(problem.x, block.x), blocks(problem.y, block.y), blocks(problem.z, block.z)};
}

Result<Dim3> extents_of(const std::array<std::string, 3>& problem, const Evaluated& evaluated,
                        std::string_view of_what) {
  std::array<uint32_t, 3> extents{};
  constexpr const char* axes[] = {"x", "y", "z"};
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    auto extent = evaluate_size(problem[axis], evaluated, largest_extent,
                                fmt::format("The problem's size in {} of {}", axes[axis], of_what));
    if (!extent) return extent.error();
    extents[axis] = static_cast<uint32_t>(*extent);
  }
  return Dim3{extents[0], extents[1], extents[2]};
}

std::vector<Argument> arguments_of(const KernelDescription& kernel, const Evaluated& evaluated,
                                   std::span<const BufferSpec> buffers) {
  std::vector<Argument> arguments;
  uint32_t buffer = 0;
  for (const KernelArgument& argument : kernel.arguments) {
    if (argument.is_buffer) {
      arguments.push_back(array_argument(argument, buffer, buffers[buffer]));
      ++buffer;
    } else {
      const uint64_t bits = encode_scalar(evaluated.names.at(argument.name), argument.dtype);
      arguments.emplace_back(ScalarArgument{argument.dtype, bits});
    }
  }
  return arguments;
}

Result<void> append_steps(const KernelDescription& kernel, const Evaluated& evaluated, LaunchStep first,
                          LaunchRequest& request) {
  const Dim3 block = first.block;
  std::vector<Step> steps;
  if (kernel.steps.empty()) steps.emplace_back(first);
  bool is_first = true;
  for (const KernelStep& step : kernel.steps) {
    if (step.kind != KernelStep::Kind::launch) {
      steps.push_back(buffer_step(step, buffer_index(kernel, step.buffer)));
    } else if (is_first) {
      steps.emplace_back(first);
      is_first = false;
    } else {
      Result<LaunchStep> launch = later_launch(kernel, step, evaluated, block, request.buffers);
      if (!launch) return launch.error();
      steps.emplace_back(std::move(*launch));
    }
  }
  request.steps = surrounded(request, std::move(steps));
  return {};
}

Result<std::vector<GlobalInit>> globals_of(const KernelDescription& kernel, const Evaluated& evaluated) {
  std::vector<GlobalInit> globals;
  for (const KernelConstant& constant : kernel.constants) {
    const uint32_t width = bytes_of(constant.dtype);
    GlobalInit global{constant.symbol, Bytes(constant.values.size() * width)};
    for (size_t i = 0; i < constant.values.size(); ++i) {
      const Result<expression::Value> value = evaluate(constant.values[i], evaluated.names);
      if (!value) return value.error();
      const uint64_t bits = encode_scalar(*value, constant.dtype);
      std::memcpy(global.bytes.data() + i * width, &bits, width);
    }
    globals.push_back(std::move(global));
  }
  return globals;
}

}  // namespace warplens
