#include "core/job/sweep.h"
#include "core/job/sm_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/base/figures.h"
#include "core/base/text.h"
#include "core/job/cache_pass.h"

namespace warplens {
namespace {

constexpr const char* picture_width = "picture width";

bool takes_picture(const KernelDescription& kernel) {
  return std::ranges::any_of(kernel.arguments,
                             [](const KernelArgument& a) { return a.is_buffer && a.fill == Fill::image; });
}

bool mentions(const std::string& expression, const std::string& name) {
  for (size_t at = expression.find(name); at != std::string::npos; at = expression.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || !is_in_name(expression[at - 1])) &&
        (end == expression.size() || !is_in_name(expression[end])))
      return true;
  }
  return false;
}

bool is_size(const KernelDescription& kernel, const KernelArgument& argument) {
  const bool whole =
      argument.dtype != DType::f16 && argument.dtype != DType::f32 && argument.dtype != DType::f64;
  if (argument.is_buffer || !argument.expression.empty() || !whole) return false;
  for (const std::string& axis : kernel.problem)
    if (mentions(axis, argument.name)) return true;
  return std::ranges::any_of(kernel.arguments, [&](const KernelArgument& buffer) {
    return buffer.is_buffer &&
           (mentions(buffer.width, argument.name) || mentions(buffer.height, argument.name));
  });
}

std::vector<const KernelArgument*> size_arguments(const KernelDescription& kernel) {
  std::vector<const KernelArgument*> found;
  for (const auto* list : {&kernel.arguments, &kernel.settings})
    for (const KernelArgument& argument : *list)
      if (is_size(kernel, argument)) found.push_back(&argument);
  return found;
}

// Scales to the nearest pixel: the cost of a kernel does not depend on how smooth its picture is.
Image scaled_to(const Image& image, uint32_t width, uint32_t height) {
  Image scaled;
  scaled.width = width;
  scaled.height = height;
  scaled.channels = image.channels;
  scaled.name = image.name;
  scaled.pixels.resize(size_t{width} * height * image.channels);
  auto to = scaled.pixels.begin();
  for (uint32_t y = 0; y < height; ++y) {
    const uint64_t from_y = uint64_t{y} * image.height / height;
    for (uint32_t x = 0; x < width; ++x) {
      const uint64_t from = (from_y * image.width + uint64_t{x} * image.width / width) * image.channels;
      to = std::copy_n(image.pixels.begin() + static_cast<std::ptrdiff_t>(from), image.channels, to);
    }
  }
  return scaled;
}

void add_sectors(const RunResult& result, SweepPoint& point) {
  if (!result.counters) return;
  uint64_t sectors = 0, ideal = 0;
  for (const LineCounters& line : result.lines) {
    sectors += line.global_sectors;
    ideal += line.global_sectors_ideal;
  }
  point.sectors = sectors;
  point.sectors_ideal = ideal;
}

std::optional<Band> total_of(const RunTimes& times) {
  Band total;
  for (const StepTime& step : times.steps) {
    // Allocations and compilation happen once for many runs, so they do not count.
    if (step.kind == StepKind::allocate || step.kind == StepKind::free || step.kind == StepKind::compile)
      continue;
    if (!step.us) return std::nullopt;
    total = total + *step.us;
  }
  return times.kernels.empty() ? std::nullopt : std::optional(total);
}

PointTimes point_times(const RunResult& result) {
  const RunTimes times = model_times(result, default_time_parameters());
  PointTimes point{together(times), result.time, total_of(times)};
  if (point.time.source == Provenance::modelled) point.time = times_of(times);
  return point;
}

// Copies, launches and kernels, as measured.
std::optional<Band> measured_total(const TimesUs& time) {
  if (!time.kernel) return std::nullopt;
  const double others = time.copy_in.value_or(0) + time.launch.value_or(0) + time.copy_out.value_or(0);
  return Band{time.low.value_or(*time.kernel) + others, *time.kernel + others,
              time.high.value_or(*time.kernel) + others};
}

void take(const RunResult& result, SweepPoint& point) {
  point.status = result.status;
  point.cuda_error = result.cuda_error.value_or("");
  point.message = result.message;
  point.shape = result.shape;
  point.resources = result.resources;
  point.occupancy = result.occupancy;
  point.counters = result.counters;
  add_sectors(result, point);
  const bool cached = result.counters && result.counters->l1_hit_sectors;
  point.plain = point_times(without_caches(result));  // also without a sample of blocks
  if (cached) point.cached = point_times(result);
  if (result.measured) point.measured_us = result.measured->kernel_us;
  point.execute_ms = result.host.execute_ms;
  point.cpu_ms = result.host.cpu_ms;
}

SweepPoint failed_point(SweepPoint point, const std::string& message) {
  point.status = RunStatus::refused;
  point.message = message;
  return point;
}

// A request that cannot be made (a size out of range, a block that the kernel does not accept) is a point
// too.
// Of a point, for the model of an SM: some hundredths of a second.
constexpr uint64_t sampled_instructions = 60'000;

SweepPoint run_point(const SweepRequest& request, size_t index, Backend& backend, std::stop_token stop,
                     Progress* progress) {
  SweepPoint point;
  KernelSetup setup = request.setup;
  if (request.kind == SweepKind::blocks) {
    setup.block = request.blocks[index];
  } else {
    point.size = request.sizes[index];
    Result<KernelSetup> sized = sized_setup(*request.kernel, setup, point.size);
    if (!sized) return failed_point(point, sized.error().message);
    setup = std::move(*sized);
  }
  point.block = setup.block;
  point.shape.block = setup.block;
  const Result<Job> job = make_job(request.kernel, setup, request.device, request.options);
  if (!job) return failed_point(point, job.error().message);
  if (job->problem) point.elements = double(job->problem->x) * job->problem->y * job->problem->z;
  const Result<RunResult> result = run_job(*job, backend, stop, progress);
  if (!result) return failed_point(point, result.error().message);
  take(*result, point);
  if (request.kind == SweepKind::blocks)
    if (const auto model = model_sm(*result, sampled_instructions, false, std::move(stop)))
      point.sm = (*model)->states;
  return point;
}

const SweepPoint* point_in(const Sweep& so_far, const SweepRequest& request, size_t index) {
  const bool blocks = request.kind == SweepKind::blocks;
  const auto found = std::ranges::find_if(so_far.points, [&](const SweepPoint& point) {
    return blocks ? point.block == request.blocks[index] : point.size == request.sizes[index];
  });
  return found == so_far.points.end() ? nullptr : &*found;
}

Result<size_t> points_of(const SweepRequest& request) {
  if (request.kind == SweepKind::sizes && size_names(*request.kernel).empty())
    return bad_input(fmt::format("{} has no size that a sweep could vary", request.kernel->name));
  const size_t count = request.kind == SweepKind::blocks ? request.blocks.size() : request.sizes.size();
  if (count == 0) return bad_input("There is nothing to try: give at least one block or size.");
  return count;
}

void choose_times(Sweep& sweep) {
  const auto lacks = [](const SweepPoint& point) { return point.plain.kernel.us && !point.cached; };
  sweep.cached =
      std::ranges::any_of(sweep.points, [](const SweepPoint& p) { return p.cached.has_value(); }) &&
      std::ranges::none_of(sweep.points, lacks);
  for (SweepPoint& point : sweep.points) {
    const PointTimes& times = sweep.cached && point.cached ? *point.cached : point.plain;
    point.kernel = times.kernel;
    if (sweep.measured && !sweep.cached && point.kernel.us) {
      point.kernel.us.reset();
      point.kernel.unknown = "some points are too long for the model of the caches";
    }
    point.time = times.time;
    point.total_us = point.measured_us ? measured_total(point.time) : times.total_us;
  }
}

}  // namespace

std::vector<std::string> size_names(const KernelDescription& kernel) {
  std::vector<std::string> names;
  if (takes_picture(kernel)) names.emplace_back(picture_width);
  for (const KernelArgument* argument : size_arguments(kernel)) names.push_back(argument->name);
  return names;
}

Result<KernelSetup> sized_setup(const KernelDescription& kernel, const KernelSetup& setup, uint64_t size) {
  if (size_names(kernel).empty())
    return bad_input(fmt::format("{} has no size that a sweep could vary", kernel.name));
  KernelSetup sized = setup;
  for (const KernelArgument* argument : size_arguments(kernel)) {
    const double value = double(size);
    if (value < argument->minimum || value > argument->maximum)
      return bad_input(fmt::format("{} = {} is out of its range, {} to {}", argument->name, size,
                                   significant(argument->minimum), significant(argument->maximum)));
    sized.values[argument->name] = value;
  }
  if (!takes_picture(kernel)) return sized;
  std::shared_ptr<const Image> image = setup.image;
  if (!image) {
    Result<Image> sample = open_picture(setup.image_path, 3);
    if (!sample) return sample.error();
    image = std::make_shared<const Image>(std::move(*sample));
  }
  if (image->width == 0 || image->height == 0) return bad_input("The picture has no pixels.");
  const double height = std::max(1.0, std::round(double(size) * image->height / image->width));
  if (size == 0 || double(size) * height > double(max_image_pixels))
    return bad_input(fmt::format("A picture {} pixels wide is out of range: at most {} pixels in all", size,
                                 max_image_pixels));
  sized.image = std::make_shared<const Image>(
      scaled_to(*image, static_cast<uint32_t>(size), static_cast<uint32_t>(height)));
  return sized;
}

std::vector<Dim3> usual_blocks(const KernelDescription& kernel, const Device& device) {
  if (is_block_bound(kernel)) return {kernel.default_block};
  // A kernel that needs a flat block may have further requirements, so only its presets are tried.
  if (!(kernel.required_block == Dim3{0, 0, 0}))
    return kernel.block_presets.empty() ? std::vector{kernel.default_block} : kernel.block_presets;
  const auto is_one = [](const std::string& axis) { return axis.empty() || axis == "1"; };
  std::vector<Dim3> blocks;
  if (!is_one(kernel.problem[2]))
    blocks = {{4, 4, 2}, {8, 4, 1},  {8, 4, 4},  {8, 8, 2}, {8, 8, 4},
              {8, 8, 8}, {16, 8, 4}, {32, 4, 2}, {32, 8, 1}};
  else if (!is_one(kernel.problem[1]))
    blocks = {{8, 4, 1},   {8, 8, 1},   {16, 8, 1}, {16, 16, 1}, {32, 4, 1}, {32, 8, 1},
              {32, 16, 1}, {32, 32, 1}, {64, 4, 1}, {256, 1, 1}, {1, 256, 1}};
  else
    blocks = {{32, 1, 1},  {64, 1, 1},  {96, 1, 1},  {128, 1, 1}, {192, 1, 1},
              {256, 1, 1}, {384, 1, 1}, {512, 1, 1}, {768, 1, 1}, {1024, 1, 1}};
  for (const Dim3& preset : kernel.block_presets)
    if (std::ranges::find(blocks, preset) == blocks.end()) blocks.push_back(preset);
  std::erase_if(blocks,
                [&](const Dim3& block) { return block.count() > device.limits.max_threads_per_block; });
  std::ranges::stable_sort(blocks, {}, [](const Dim3& block) { return block.count(); });
  return blocks;
}

std::vector<uint64_t> usual_sizes(const KernelDescription& kernel) {
  const auto arguments = size_arguments(kernel);
  const bool flat = arguments.size() == 1 && !takes_picture(kernel);
  double low = 0, high = 1e18;
  for (const KernelArgument* argument : arguments) {
    low = std::max(low, argument->minimum);
    high = std::min(high, argument->maximum);
  }
  std::vector<uint64_t> sizes;
  const uint64_t last = flat ? uint64_t{1} << 22 : uint64_t{1} << 11;
  for (uint64_t size = flat ? 256 : 16; size <= last; size *= flat ? 4 : 2)
    if (double(size) >= low && double(size) <= high) sizes.push_back(size);
  return sizes;
}

std::vector<Dim3> with_todays(std::vector<Dim3> blocks, Dim3 today) {
  if (std::ranges::find(blocks, today) != blocks.end()) return blocks;
  const auto at = std::ranges::upper_bound(blocks, today.count(), {}, [](Dim3 b) { return b.count(); });
  blocks.insert(at, today);
  return blocks;
}

Result<Sweep> run_sweep(const SweepRequest& request, Backend& backend, std::stop_token stop,
                        Progress* progress, const std::function<void(const Sweep&)>& tell,
                        const Sweep& so_far) {
  const Result<size_t> count = points_of(request);
  if (!count) return count.error();
  Sweep sweep;
  sweep.kind = request.kind;
  sweep.kernel = request.kernel->name;
  sweep.device = request.device.name;
  sweep.measured = !request.device.is_virtual;
  sweep.sms = request.device.sms;
  sweep.max_warps_per_sm = request.device.limits.max_warps_per_sm;
  sweep.wanted = *count;
  bool told = false;  // for all points so far
  const auto finish = [&] {
    choose_times(sweep);
    conclude(sweep);
    if (tell) tell(sweep);
    told = true;
  };
  while (sweep.points.size() < *count && sweep.left_out.empty() && !stop.stop_requested()) {
    if (const SweepPoint* known = point_in(so_far, request, sweep.points.size())) {
      sweep.points.push_back(*known);
      told = false;
      continue;
    }
    SweepPoint point = run_point(request, sweep.points.size(), backend, stop, progress);
    if (point.status == RunStatus::cancelled) break;
    const double took = point.execute_ms + point.cpu_ms.value_or(0);
    sweep.points.push_back(std::move(point));
    const bool more = sweep.points.size() < *count;
    if (request.longest_point_ms > 0 && took > request.longest_point_ms && more)
      sweep.left_out = fmt::format("larger sizes were left out: the last one took {} on this machine",
                                   duration_text(took / 1000));
    finish();
  }
  if (!told) finish();
  return sweep;
}

}  // namespace warplens
