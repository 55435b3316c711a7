#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/kernels/catalogue.h"
#include "core/kernels/evaluated.h"
#include "core/kernels/fill.h"

namespace warplens {

namespace {

constexpr uint64_t largest_extent = std::numeric_limits<uint32_t>::max();
constexpr uint64_t most_bytes = uint64_t{2} << 30;

Result<Dim3> problem_of(const KernelDescription& kernel, const Evaluated& evaluated) {
  std::array<uint32_t, 3> extents{};
  constexpr const char* axes[] = {"x", "y", "z"};
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    auto extent = evaluate_size(kernel.problem[axis], evaluated, largest_extent,
                                fmt::format("The problem's size in {} of {}", axes[axis], kernel.name));
    if (!extent) return extent.error();
    extents[axis] = static_cast<uint32_t>(*extent);
  }
  return Dim3{extents[0], extents[1], extents[2]};
}

// A block without threads fits nothing; a problem of no elements needs no block. CUDA refuses both, and so
// the launch check does.
Dim3 fitted(Dim3 problem, Dim3 block) {
  auto blocks = [](uint32_t threads, uint32_t size) {
    return static_cast<uint32_t>(std::min(ceil_div(threads, size), largest_extent));
  };
  return {blocks(problem.x, block.x), blocks(problem.y, block.y), blocks(problem.z, block.z)};
}

Result<void> check_block(const KernelDescription& kernel, Dim3 block) {
  const Dim3 required = kernel.required_block;
  auto fits = [](uint32_t chosen, uint32_t wanted) { return wanted == 0 || chosen == wanted; };
  if (fits(block.x, required.x) && fits(block.y, required.y) && fits(block.z, required.z)) return {};
  auto axis = [](uint32_t wanted) { return wanted == 0 ? std::string("any") : fmt::format("{}", wanted); };
  return bad_input(fmt::format(
      "{} works with blocks of {}×{}×{} threads only, because its code counts on that size, and the block is "
      "{}×{}×{}.",
      kernel.name, axis(required.x), axis(required.y), axis(required.z), block.x, block.y, block.z));
}

Result<BufferSpec> sized_buffer(const KernelDescription& kernel, const KernelArgument& argument,
                                const Evaluated& evaluated) {
  BufferSpec buffer;
  buffer.name = argument.name;
  buffer.dtype = argument.dtype;
  buffer.output = argument.output;
  double bytes = bytes_of(argument.dtype);
  for (auto [expression, extent, word] : {std::tuple{&argument.width, &buffer.width, "width"},
                                          std::tuple{&argument.height, &buffer.height, "height"},
                                          std::tuple{&argument.channels, &buffer.channels, "channels"}}) {
    auto size = evaluate_size(*expression, evaluated, largest_extent,
                              fmt::format("The {} of {} of {}", word, argument.name, kernel.name));
    if (!size) return size.error();
    *extent = static_cast<uint32_t>(*size);
    bytes *= static_cast<double>(*size);
  }
  // 2^64 bytes fit into no number, so that is decided before the conversion.
  buffer.bytes = bytes > static_cast<double>(most_bytes) ? most_bytes + 1 : static_cast<uint64_t>(bytes);
  return buffer;
}

// The picture's bytes in the channels that the buffer has.
Result<Bytes> picture_bytes(const BufferSpec& buffer, const Image& image) {
  if (buffer.width != image.width || buffer.height != image.height)
    return bad_input(fmt::format("{} is {}×{} pixels, and the picture is {}×{}: they must be equal.",
                                 buffer.name, buffer.width, buffer.height, image.width, image.height));
  const Image fitting = with_channels(image, buffer.channels);
  Bytes bytes(fitting.pixels.size());
  if (bytes.size() != buffer.bytes)
    return bad_input(fmt::format("The picture {} holds {} bytes, and {} needs {}.", image.name, bytes.size(),
                                 buffer.name, buffer.bytes));
  if (!bytes.empty()) std::memcpy(bytes.data(), fitting.pixels.data(), bytes.size());
  return bytes;
}

Result<std::shared_ptr<const Bytes>> initial_bytes(const KernelArgument& argument, const BufferSpec& buffer,
                                                   const Evaluated& evaluated, uint64_t seed,
                                                   uint64_t stream) {
  const uint64_t elements = buffer.bytes / bytes_of(buffer.dtype);
  Bytes bytes;
  switch (argument.fill) {
    case Fill::zero:
      return std::shared_ptr<const Bytes>();
    case Fill::index:
      bytes = fill_index(buffer.dtype, elements);
      break;
    case Fill::random:
      bytes = fill_random(buffer.dtype, elements, argument.fill_low, argument.fill_high,
                          seed + argument.fill_seed, stream);
      break;
    case Fill::image: {
      Result<Bytes> picture = picture_bytes(buffer, *evaluated.image);
      if (!picture) return picture.error();
      bytes = std::move(*picture);
    }
  }
  return std::make_shared<const Bytes>(std::move(bytes));
}

Result<std::vector<BufferSpec>> buffers_of(const KernelDescription& kernel, const KernelSetup& setup,
                                           const Evaluated& evaluated) {
  std::vector<BufferSpec> buffers;
  uint64_t total = 0;
  for (const KernelArgument& argument : kernel.arguments) {
    if (!argument.is_buffer) continue;
    Result<BufferSpec> buffer = sized_buffer(kernel, argument, evaluated);
    if (!buffer) return buffer.error();
    total += buffer->bytes;
    if (total > most_bytes)
      return bad_input(
          fmt::format("The arrays of {} would take more than 2 GiB, from {} on: choose a smaller problem.",
                      kernel.name, argument.name));
    buffers.push_back(std::move(*buffer));
  }
  // Nothing is filled before all sizes are known to fit.
  size_t index = 0;
  for (const KernelArgument& argument : kernel.arguments) {
    if (!argument.is_buffer) continue;
    auto initial = initial_bytes(argument, buffers[index], evaluated, setup.data_seed, index);
    if (!initial) return initial.error();
    buffers[index++].initial = *initial;
  }
  return buffers;
}

std::vector<Step> steps_of(const LaunchRequest& request, LaunchStep launch) {
  std::vector<Step> steps;
  const auto count = static_cast<uint32_t>(request.buffers.size());
  for (uint32_t i = 0; i < count; ++i) steps.emplace_back(AllocateStep{i});
  for (uint32_t i = 0; i < count; ++i)
    if (request.buffers[i].initial) steps.emplace_back(CopyInStep{i});
  steps.emplace_back(std::move(launch));
  for (uint32_t i = 0; i < count; ++i)
    if (request.buffers[i].output) steps.emplace_back(CopyOutStep{i});
  for (uint32_t i = 0; i < count; ++i) steps.emplace_back(FreeStep{i});
  return steps;
}

std::vector<Argument> arguments_of(const KernelDescription& kernel, const Evaluated& evaluated) {
  std::vector<Argument> arguments;
  uint32_t buffer = 0;
  for (const KernelArgument& argument : kernel.arguments) {
    if (argument.is_buffer)
      arguments.push_back(BufferArgument{buffer++, 0});
    else
      arguments.push_back(
          ScalarArgument{argument.dtype, encode_scalar(evaluated.names.at(argument.name), argument.dtype)});
  }
  return arguments;
}

}  // namespace

KernelSetup default_setup(const KernelDescription& kernel) {
  KernelSetup setup;
  setup.kernel = kernel.name;
  setup.block = kernel.default_block;
  return setup;
}

Result<Dim3> problem_size(const KernelDescription& kernel, const KernelSetup& setup) {
  Result<Evaluated> evaluated = evaluate_setup(kernel, setup);
  if (!evaluated) return evaluated.error();
  return problem_of(kernel, *evaluated);
}

Result<Dim3> fitted_grid(const KernelDescription& kernel, const KernelSetup& setup) {
  Result<Dim3> problem = problem_size(kernel, setup);
  if (!problem) return problem.error();
  return fitted(*problem, setup.block);
}

Result<LaunchRequest> make_request(const KernelDescription& kernel, const KernelSetup& setup,
                                   const Device& device) {
  if (Result<void> block = check_block(kernel, setup.block); !block) return block.error();
  Result<Evaluated> evaluated = evaluate_setup(kernel, setup);
  if (!evaluated) return evaluated.error();
  Result<Dim3> problem = problem_of(kernel, *evaluated);
  if (!problem) return problem.error();
  Result<std::vector<BufferSpec>> buffers = buffers_of(kernel, setup, *evaluated);
  if (!buffers) return buffers.error();

  LaunchRequest request;
  request.kernel = kernel.name;
  request.module = std::make_shared<const ModuleText>(
      ModuleText{kernel.ptx, kernel.name + ".ptx", kernel.source, kernel.source_name});
  request.buffers = std::move(*buffers);
  request.device = device;
  LaunchStep launch;
  launch.entry = kernel.entry;
  launch.grid = setup.fit_grid ? fitted(*problem, setup.block) : setup.grid;
  launch.block = setup.block;
  launch.shared_dynamic_bytes = setup.shared_dynamic_bytes;
  launch.arguments = arguments_of(kernel, *evaluated);
  request.steps = steps_of(request, std::move(launch));
  return request;
}

}  // namespace warplens
