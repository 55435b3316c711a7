#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>

#include "core/kernels/catalogue.h"
#include "core/kernels/evaluated.h"
#include "core/kernels/fill.h"
#include "core/kernels/make_request_again.h"
#include "core/kernels/make_steps.h"

namespace warplens {

namespace {

constexpr uint64_t most_formula_elements = uint64_t{1} << 24;  // a few seconds
constexpr uint64_t most_bytes = uint64_t{2} << 30;

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
  // The size may not fit in 64 bits, so it is limited before the conversion.
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

// The names that occur in the formula: for others, such as the block, a change does not change the data.
Names names_in(std::string_view formula, const Names& all) {
  Names used;
  for (const auto& [name, value] : all)
    if (formula.find(name) != formula.npos) used.emplace(name, value);
  return used;
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
      break;
    }
    case Fill::formula: {
      if (elements > most_formula_elements)
        return bad_input(
            fmt::format("{} is filled by a formula, which is done for {} elements at most, and it has {}.",
                        argument.name, most_formula_elements, elements));
      bytes.resize(elements * bytes_of(buffer.dtype));
      const Result<void> filled =
          evaluate_series(argument.formula, evaluated.names, elements,
                          [&](uint64_t first, std::span<const expression::Value> values) {
                            fill_values(buffer.dtype, values, first, bytes);
                          });
      if (!filled) return filled.error();
    }
  }
  return std::make_shared<const Bytes>(std::move(bytes));
}

// The arrays that the first launch takes, then the description's own.
std::vector<const KernelArgument*> arrays_of(const KernelDescription& kernel) {
  std::vector<const KernelArgument*> arrays;
  for (const auto* list : {&kernel.arguments, &kernel.buffers})
    for (const KernelArgument& argument : *list)
      if (argument.is_buffer) arrays.push_back(&argument);
  return arrays;
}

// The names that formulas of the previous request could use. Empty if there is none, or if its formulas may
// have been different.
std::optional<Names> names_before(const KernelDescription& kernel, const Before* before) {
  if (before == nullptr || before->request->module->source != kernel.source) return std::nullopt;
  const KernelSetup& setup = *before->setup;
  Result<Evaluated> evaluated = evaluate_setup(kernel, setup);
  const Result<Dim3> problem =
      evaluated ? extents_of(kernel.problem, *evaluated, kernel.name) : Result<Dim3>(evaluated.error());
  if (!problem) return std::nullopt;
  add_grid_names(evaluated->names, setup.fit_grid ? fitted(*problem, setup.block) : setup.grid);
  return std::move(evaluated->names);
}

// Whether the contents are the same as in the previous request: the same size, and the same seed, picture or
// names of the formula.
bool is_as_before(const KernelArgument& argument, const BufferSpec& buffer, size_t index,
                  const KernelSetup& setup, const Names& names, const Before* before,
                  const std::optional<Names>& old_names) {
  if (before == nullptr || index >= before->request->buffers.size()) return false;
  const BufferSpec& old = before->request->buffers[index];
  const bool same_array = old.name == buffer.name && old.bytes == buffer.bytes && old.dtype == buffer.dtype &&
                          old.width == buffer.width && old.height == buffer.height &&
                          old.channels == buffer.channels && old.initial != nullptr;
  if (!same_array || setup.data_seed != before->setup->data_seed) return false;
  switch (argument.fill) {
    case Fill::index:
    case Fill::random:
      return true;
    case Fill::image:
      return setup.image != nullptr && setup.image == before->setup->image;
    case Fill::formula:
      return old_names && names_in(argument.formula, names) == names_in(argument.formula, *old_names);
    case Fill::zero:
      return false;
  }
  return false;
}

Result<std::vector<BufferSpec>> buffers_of(const KernelDescription& kernel, const KernelSetup& setup,
                                           const Evaluated& evaluated, const Before* before) {
  const std::vector<const KernelArgument*> arrays = arrays_of(kernel);
  std::vector<BufferSpec> buffers;
  uint64_t total = 0;
  for (const KernelArgument* argument : arrays) {
    Result<BufferSpec> buffer = sized_buffer(kernel, *argument, evaluated);
    if (!buffer) return buffer.error();
    total += buffer->bytes;
    if (total > most_bytes)
      return bad_input(
          fmt::format("The arrays of {} would take more than 2 GiB, from {} on: choose a smaller problem.",
                      kernel.name, argument->name));
    buffers.push_back(std::move(*buffer));
  }
  const bool has_formula = std::ranges::any_of(
      arrays, [](const KernelArgument* argument) { return argument->fill == Fill::formula; });
  const auto old_names = has_formula ? names_before(kernel, before) : std::nullopt;
  // No buffer is filled before all sizes are checked.
  for (size_t i = 0; i < arrays.size(); ++i) {
    if (is_as_before(*arrays[i], buffers[i], i, setup, evaluated.names, before, old_names)) {
      buffers[i].initial = before->request->buffers[i].initial;
      continue;
    }
    auto initial = initial_bytes(*arrays[i], buffers[i], evaluated, setup.data_seed, i);
    if (!initial) return initial.error();
    buffers[i].initial = *initial;
  }
  return buffers;
}

}  // namespace

namespace {

Result<LaunchRequest> make_recorded(const KernelDescription& kernel, const KernelSetup& setup,
                                    const Device& device, Dim3 grid) {
  if (!device.is_virtual)
    return bad_input(fmt::format(
        "{} is a launch of a recording: choose a virtual device, whose memory can lie at the program's "
        "addresses.",
        kernel.title));
  LaunchRequest request = *kernel.recorded;
  request.kernel = kernel.name;
  request.device = device;
  for (Step& step : request.steps) {
    auto* launch = std::get_if<LaunchStep>(&step);
    if (launch == nullptr) continue;
    launch->grid = grid;
    launch->block = setup.block;
    launch->shared_dynamic_bytes = setup.shared_dynamic_bytes;
  }
  return request;
}

}  // namespace

KernelSetup default_setup(const KernelDescription& kernel) {
  KernelSetup setup;
  setup.kernel = kernel.name;
  setup.block = kernel.default_block;
  if (kernel.default_grid) {
    setup.grid = *kernel.default_grid;
    setup.fit_grid = false;
  }
  return setup;
}

bool is_block_bound(const KernelDescription& kernel) {
  const Dim3 required = kernel.required_block;
  return required.x > 1 || required.y > 1 || required.z > 1;
}

uint32_t register_cap(const KernelDescription& kernel, const KernelSetup& setup) {
  for (const KernelArgument& setting : kernel.settings) {
    if (setting.name != "max_registers") continue;
    const auto chosen = setup.values.find(setting.name);
    const double cap = chosen == setup.values.end() ? setting.value : chosen->second;
    return cap >= 1 && cap <= 255 ? static_cast<uint32_t>(cap) : 0;
  }
  return 0;
}

Result<Dim3> problem_size(const KernelDescription& kernel, const KernelSetup& setup) {
  Result<Evaluated> evaluated = evaluate_setup(kernel, setup);
  if (!evaluated) return evaluated.error();
  return extents_of(kernel.problem, *evaluated, kernel.name);
}

Result<Dim3> fitted_grid(const KernelDescription& kernel, const KernelSetup& setup) {
  Result<Dim3> problem = problem_size(kernel, setup);
  if (!problem) return problem.error();
  return fitted(*problem, setup.block);
}

Result<LaunchRequest> make_request(const KernelDescription& kernel, const KernelSetup& setup,
                                   const Device& device) {
  return make_request_again(kernel, setup, device, nullptr);
}

Result<LaunchRequest> make_request_again(const KernelDescription& kernel, const KernelSetup& setup,
                                         const Device& device, const Before* before) {
  if (before != nullptr && (before->request->kernel != kernel.name || !before->request->module))
    before = nullptr;
  if (Result<void> block = check_block(kernel, setup.block); !block) return block.error();
  Result<Evaluated> evaluated = evaluate_setup(kernel, setup);
  if (!evaluated) return evaluated.error();
  Result<Dim3> problem = extents_of(kernel.problem, *evaluated, kernel.name);
  if (!problem) return problem.error();
  const Dim3 grid = setup.fit_grid ? fitted(*problem, setup.block) : setup.grid;
  if (kernel.recorded != nullptr) return make_recorded(kernel, setup, device, grid);
  add_grid_names(evaluated->names, grid);
  Result<std::vector<BufferSpec>> buffers = buffers_of(kernel, setup, *evaluated, before);
  if (!buffers) return buffers.error();

  LaunchRequest request;
  request.kernel = kernel.name;
  if (before != nullptr && before->request->module->ptx == kernel.ptx)
    request.module = before->request->module;
  else
    request.module = std::make_shared<const ModuleText>(
        ModuleText{kernel.ptx, kernel.name + ".ptx", kernel.source, kernel.source_name});
  request.buffers = std::move(*buffers);
  request.device = device;
  request.max_registers = register_cap(kernel, setup);
  Result<std::vector<GlobalInit>> globals = globals_of(kernel, *evaluated);
  if (!globals) return globals.error();
  request.globals = std::move(*globals);
  LaunchStep launch;
  launch.entry = kernel.entry;
  launch.grid = grid;
  launch.block = setup.block;
  launch.shared_dynamic_bytes = setup.shared_dynamic_bytes;
  launch.arguments = arguments_of(kernel, *evaluated, request.buffers);
  if (const Result<void> done = append_steps(kernel, *evaluated, std::move(launch), request); !done)
    return done.error();
  return request;
}

}  // namespace warplens
