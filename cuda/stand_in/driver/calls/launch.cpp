// Launches: what CUDA would refuse is refused, the virtual GPU runs the rest, and what it counted becomes a
// time.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "core/base/figures.h"
#include "core/device/launch_limits.h"
#include "core/gpu/machine/incident.h"
#include "core/gpu/machine/no_memory.h"
#include "core/gpu/machine/tally.h"
#include "core/gpu/timing/time_model.h"
#include "core/recording/launch_source.h"
#include "cuda/stand_in/driver/calls/blocks.h"
#include "cuda/stand_in/driver/calls/capture.h"
#include "cuda/stand_in/driver/calls/device_launches.h"
#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/calls/faults.h"
#include "cuda/stand_in/driver/calls/graph_nodes.h"
#include "cuda/stand_in/driver/calls/launch.h"
#include "cuda/stand_in/driver/calls/modules.h"
#include "cuda/stand_in/driver/calls/peers.h"
#include "cuda/stand_in/driver/calls/record.h"
#include "cuda/stand_in/driver/calls/written.h"
#include "cuda/stand_in/driver/state/host_place.h"
#include "cuda/stand_in/driver/state/managed_pages.h"
#include "cuda/stand_in/driver/state/order.h"

using namespace warplens::driver;

namespace {

// A smaller launch is over before another thread could help.
constexpr uint64_t threads_of_a_small_launch = 256;

CUresult code_of_refusal(std::string_view error) {
  if (error == "cudaErrorLaunchOutOfResources") return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  if (error == "cudaErrorCooperativeLaunchTooLarge") return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
  if (error == "cudaErrorNotSupported") return CUDA_ERROR_NOT_SUPPORTED;
  return CUDA_ERROR_INVALID_VALUE;
}

// Where the kernel begins, for the journal and for messages.
void note_source(Function& function) {
  if (function.source_noted) return;
  function.source_noted = true;
  const auto source = warplens::recording::lines_of(*function.module->tree, *function.code);
  if (!source) return;
  function.source_file = source->file;
  function.source_line = source->first;
}

}  // namespace

namespace warplens::driver {

CUresult check_shape(Gpu& device, Function& function, const Shape& shape) {
  const LaunchShape asked{.grid = shape.grid,
                          .block = shape.block,
                          .shared_dynamic_bytes = shape.shared_bytes,
                          .cooperative = shape.cooperative,
                          .shared_opt_in = function.max_dynamic_shared_bytes >= shape.shared_bytes};
  const uint32_t most =
      function.code->max_threads ? static_cast<uint32_t>(function.code->max_threads->count()) : 0;
  // The assembler is asked for registers before the first launch only if a block could have too many.
  const Device& spec = function.module->context->on->spec;
  const DeviceLimits& limits = spec.limits;
  const bool may_exceed = shape.block.count() * limits.max_registers_per_thread > limits.registers_per_block;
  Resources resources;
  if (shape.cooperative || function.resources || may_exceed) {
    if (const Resources* known = resources_of_function(function)) resources = *known;
  }
  resources.shared_static_bytes = function.program->shared_static_bytes;
  const auto refusal = check_launch(spec, asked, &resources, most);
  if (!refusal) return CUDA_SUCCESS;
  const CUresult code = code_of_refusal(refusal->cuda_error);
  note_source(function);
  device.tell("refused", code, refusal->message, function.name, function.source_file, function.source_line);
  return code;
}

CUresult gather(const Function& function, void** each, void** extra, std::vector<std::byte>& bytes) {
  if (each != nullptr && extra != nullptr && extra[0] != CU_LAUNCH_PARAM_END) return CUDA_ERROR_INVALID_VALUE;
  const program::Program& program = *function.program;
  bytes.resize(program.parameter_bytes);
  if (each != nullptr) {
    for (size_t i = 0; i < function.code->parameters.size(); ++i) {
      if (each[i] == nullptr) return CUDA_ERROR_INVALID_VALUE;
      std::memcpy(bytes.data() + program.parameter_offsets[i], each[i], function.code->parameters[i].bytes);
    }
    return CUDA_SUCCESS;
  }
  if (extra == nullptr) return bytes.empty() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  const void* buffer = nullptr;
  size_t size = 0;
  for (size_t i = 0; extra[i] != CU_LAUNCH_PARAM_END; i += 2) {
    if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER) {
      buffer = extra[i + 1];
    } else if (extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE) {
      std::memcpy(&size, extra[i + 1], sizeof size);
    } else {
      return CUDA_ERROR_INVALID_VALUE;
    }
  }
  if ((buffer == nullptr || size == 0) && !bytes.empty()) return CUDA_ERROR_INVALID_VALUE;
  if (!bytes.empty()) std::memcpy(bytes.data(), buffer, std::min(size, bytes.size()));
  return CUDA_SUCCESS;
}

CUresult check_attribute(Gpu& device, const CUlaunchAttribute& attribute) {
  const auto& cluster = attribute.value.clusterDim;
  const bool is_one = cluster.x <= 1 && cluster.y <= 1 && cluster.z <= 1;
  if (attribute.id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION || is_one) return CUDA_SUCCESS;
  return device.refuse(
      CUDA_ERROR_NOT_SUPPORTED,
      "Clusters of more than one block are not simulated: launch without a cluster dimension.");
}

}  // namespace warplens::driver

namespace {

// Bytes of the arrays that the parameters point into, each once; those in structures, at multiples of 8, too.
uint64_t bytes_given(const Gpu& device, const std::vector<std::byte>& parameters) {
  std::vector<const warplens::exec::Allocation*> seen;
  uint64_t sum = 0;
  for (size_t at = 0; at + 8 <= parameters.size(); at += 8) {
    uint64_t value = 0;
    std::memcpy(&value, parameters.data() + at, sizeof value);
    const warplens::exec::Allocation* given = device.memory.find(value);
    if (given == nullptr || std::ranges::find(seen, given) != seen.end()) continue;
    seen.push_back(given);
    sum += given->end - given->begin;
  }
  return sum;
}

uint64_t hash_of(const warplens::exec::GridOutcome& outcome, const Shape& shape) {
  uint64_t hash = 1469598103934665603u;
  const auto add = [&](uint64_t value) { hash = (hash ^ value) * 1099511628211u; };
  add(shape.grid.count());
  add(shape.block.count());
  add(shape.shared_bytes);
  for (const auto& count : outcome.counts) {
    add(count.warps);
    add(count.threads);
  }
  for (const auto& op : outcome.memory_ops) {
    add(op.requests);
    add(op.sectors);
    add(op.wavefronts);
  }
  return hash;
}

// Launches that count the same take the same time.
const Function::Counted& counted_by(Function& function, const Shape& shape,
                                    const warplens::exec::GridOutcome& outcome, uint64_t buffer_bytes) {
  const warplens::Device& spec = function.module->context->on->spec;
  const uint64_t hash = hash_of(outcome, shape) ^ (buffer_bytes * 0x9e3779b97f4a7c15u);
  if (const auto at = function.counted.find(hash); at != function.counted.end()) return at->second;
  warplens::KernelWork work;
  work.shape = {.grid = shape.grid, .block = shape.block, .shared_dynamic_bytes = shape.shared_bytes};
  work.buffer_bytes = buffer_bytes;
  std::vector<warplens::LineCounters> lines;
  tally(outcome, *function.program, true, work.counters, work.mix, lines);
  if (const warplens::Resources* known = resources_of_function(function)) {
    work.occupancy = occupancy_of(spec, {.threads_per_block = static_cast<uint32_t>(shape.block.count()),
                                         .registers_per_thread = known->registers_per_thread,
                                         .shared_static_bytes = function.program->shared_static_bytes,
                                         .shared_dynamic_bytes = shape.shared_bytes,
                                         .blocks = shape.grid.count()});
  }
  const warplens::KernelTime time = kernel_time(spec, work, warplens::default_time_parameters());
  constexpr size_t most_kept = 1024;
  if (function.counted.size() == most_kept) function.counted.clear();
  return function.counted[hash] = {work.counters, time.us ? std::optional(time.us->value) : std::nullopt};
}

// The launch as a step, for observers of accesses. A parameter that is the address of an array names that
// array.
warplens::LaunchStep step_of(Gpu& device, const Function& function, const Shape& shape,
                             const std::vector<std::byte>& bytes) {
  warplens::LaunchStep step;
  step.entry = function.name;
  step.grid = shape.grid;
  step.block = shape.block;
  step.shared_dynamic_bytes = shape.shared_bytes;
  step.cooperative = shape.cooperative;
  for (size_t i = 0; i < function.code->parameters.size(); ++i) {
    uint64_t value = 0;
    const auto size = std::min<size_t>(function.code->parameters[i].bytes, 8);
    std::memcpy(&value, bytes.data() + function.program->parameter_offsets[i], size);
    const bool is_array = size == 8 && device.memory.find(value) != nullptr;
    if (is_array) {
      step.arguments.emplace_back(warplens::BufferArgument{});
    } else {
      step.arguments.emplace_back(warplens::ScalarArgument{});
    }
  }
  return step;
}

void note_findings(Gpu& device, const Function& function) {
  const std::vector<warplens::Incident> all = device.sanitizer->incidents();
  if (all.size() <= device.findings_told) return;
  device.findings_told = all.size();
  for (const warplens::Incident& finding : all) tell_incident(device, function, finding, CUDA_SUCCESS);
}

// printf prints a conversion that it does not know as it stands, and takes no argument for it. A kernel that
// wants to print "%zu" writes "%%zu", which its PTX has as the bytes 37, 37, 122.
void note_unknown_conversion(Gpu& device, const Function& function, std::string_view printed) {
  for (const std::string_view unknown : {"%zu", "%zd", "%zx", "%td", "%jd", "%ju"}) {
    if (printed.find(unknown) == printed.npos) continue;
    if (function.module->tree->text->find(fmt::format("37, 37, {},", int{unknown[1]})) != std::string::npos)
      return;
    const bool is_signed = unknown[2] == 'd';
    return device.tell(
        "printf", CUDA_SUCCESS,
        fmt::format("It printed {} as it stands: printf of kernels does not know it, and gives its "
                    "argument to the next conversion. Write %ll{} and cast the argument to {}long long.",
                    unknown, unknown[2], is_signed ? "" : "unsigned "),
        function.name, function.source_file, function.source_line);
  }
}

// The host never sees the error of a launch by a kernel.
void note_unread_error(Gpu& device, const Function& function, const warplens::exec::GridOutcome& outcome) {
  if (outcome.unread_errors == 0) return;
  device.tell(
      "refused", CUDA_SUCCESS,
      fmt::format("In {} {}, a call of the runtime for kernels failed with {} ({}), and the kernel did "
                  "not ask for the error: call cudaGetLastError in it after each launch.",
                  warplens::thousands(outcome.unread_errors),
                  outcome.unread_errors == 1 ? "thread" : "threads", name_of(outcome.unread_error),
                  description_of(outcome.unread_error)),
      function.name, function.source_file, function.source_line);
}

struct GridMemory {
  Gpu& device;
  warplens::exec::Allocation* allocation = nullptr;
  ~GridMemory() {
    if (allocation != nullptr) device.memory.free(allocation);
  }
};

uint32_t workers_for(const Gpu& device, const Function& function, const Shape& shape) {
  if (function.program->order_dependent) return 1;
  if (shape.grid.count() * shape.block.count() < threads_of_a_small_launch) return 1;
  return device.settings.workers;
}

// Runs one grid. `launches`: null if it cannot give anything to the device.
CUresult run_one(Gpu& device, Context& context, Function& function, const Shape& shape,
                 std::vector<std::byte> parameters, Stream* stream, LaunchesOfKernels* launches) {
  const warplens::Device& spec = context.on->spec;
  std::optional<OutOfReach> out_of_reach(std::in_place, device, context);
  warplens::exec::GridLaunch launch;
  launch.runtime = launches;
  launch.program = function.program.get();
  launch.memory = &device.memory;
  launch.grid = shape.grid;
  launch.block = shape.block;
  launch.shared_dynamic_bytes = shape.shared_bytes;
  launch.shared_bytes = function.program->shared_static_bytes + shape.shared_bytes;
  launch.parameters = std::move(parameters);
  launch.sms = std::max(1u, spec.sms);
  launch.step_budget = device.settings.step_budget;
  launch.patience = device.settings.patience;
  // As GPUs since Volta do it, unless all mistakes are to be found.
  warplens::exec::PartedWarps parted;
  if (spec.compute_capability.major >= 7 && device.settings.sanitize != warplens::Sanitize::all)
    launch.parted = &parted;
  warplens::exec::PassedFaults passed;
  if (device.settings.passes_faults) launch.passed = &passed;
  launch.may_part = !function.program->needs_whole_warps;
  launch.end_block = shape.grid.count();
  launch.index = device.launches++;
  if (device.unread) device.unread->went_on = true;
  launch.count_memory = device.settings.counts;
  launch.tier = warplens::exec::tier_from_environment();
  launch.workers = workers_for(device, function, shape);
  launch.kept = &function.kept;
  ++function.launches;
  note_source(function);
  note_host_pages(device);
  const double begin_us = warplens::recording::now_us();
  const std::optional<RecordedMemory> recorded = record_launch(
      device, function, {shape.grid, shape.block, shape.shared_bytes, shape.cooperative}, launch.parameters);
  GridMemory barrier{device};
  if (shape.cooperative) {
    barrier.allocation = device.memory.allocate(256, "the grid's barrier");
    if (barrier.allocation == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
    launch.cooperative = true;
    launch.grid_workspace = barrier.allocation->begin;
  }
  if (device.sanitizer) {
    const bool lockstep = spec.compute_capability.major < 7;
    device.sanitizer->start_launch(step_of(device, function, shape, launch.parameters), function.program,
                                   device.memory, launch.parameters, lockstep);
    launch.notes = &*device.sanitizer;
    if (device.sanitizer->follows_accesses()) {
      launch.watch = launch.notes;
      launch.recorder = launch.notes;
      launch.workers = 1;
    }
  }
  begin_following(device, shape.grid.count() * shape.block.count());
  NotedLaunch noted(device, function, launch.parameters, shape.grid.count() * shape.block.count());
  if (recorded) forget_page_uses(device);  // which was read
  const double run_us = warplens::recording::now_us();
  warplens::exec::GridOutcome outcome = run_grid(launch, {}, nullptr);
  const double host_us = warplens::recording::now_us() - run_us;
  out_of_reach.reset();
  DevicePages pages = end_device_pages(device);
  const warplens::streams::OperationPointer operation =
      begin_operation(device, stream, warplens::streams::Operation::Kind::kernel, function.name);
  if (recorded) record_end(device, *recorded, outcome.end == warplens::exec::GridOutcome::End::fault);
  if (outcome.end == warplens::exec::GridOutcome::End::out_of_memory)
    return device.refuse(CUDA_ERROR_OUT_OF_MEMORY, warplens::no_memory_for(launch, function.name).message);
  device.console += outcome.console.text;
  if (device.console.size() > warplens::exec::console_bytes) device.flush_console();
  warplens::recording::LaunchNote note{.kernel = function.name,
                                       .grid = shape.grid,
                                       .block = shape.block,
                                       .shared_bytes = launch.shared_bytes,
                                       .stream = number_of(stream),
                                       .at_us = begin_us,
                                       .host_us = host_us,
                                       .file = function.source_file,
                                       .line = function.source_line,
                                       .prints = !outcome.console.text.empty(),
                                       .place = host_place()};
  if (launches != nullptr && launches->depth != 0) {
    note.launched_by = launches->parent();
    note.depth = launches->depth;
  }
  const bool is_fault = outcome.end == warplens::exec::GridOutcome::End::fault;
  if (!is_fault && device.settings.counts) {
    const Function::Counted& counted =
        counted_by(function, shape, outcome, bytes_given(device, launch.parameters));
    note.device_us = counted.us;
    note.counters = &counted.counters;
  }
  // The kernel waits for the pages that it misses.
  if (note.device_us) *note.device_us += pages.us;
  // A device whose file lacks a number has no modelled times: then the interpreter's stand in for them.
  const Interval when =
      device.device_of(stream).clock.run(stream, note.device_us.value_or(host_us), Engine::kernels);
  note.begin_us = when.begin_us;
  device.journal.launch(note);
  note_device_pages(device, stream, when.begin_us, std::move(pages));
  // Findings are reported after their launch: readers of the journal take them as the newest launch's.
  if (!is_fault) note_stores(device, function, shape.grid, shape.block, launch.parameters);
  if (is_fault) context.pending = tell_fault(device, function, outcome, shape.block, launch.parameters);
  tell_passed(device, function, passed, shape.block, launch.parameters);
  if (parted.any() && !std::exchange(function.parted_told, true))
    tell_parted(device, function, parted, shape.block);
  if (!outcome.console.text.empty()) device.waits.printed = operation;
  noted.give(operation);
  if (device.sanitizer) note_findings(device, function);
  note_unknown_conversion(device, function, outcome.console.text);
  note_unread_error(device, function, outcome);
  if (!outcome.works.empty()) launches->give(function.name, std::move(outcome.works));
  return CUDA_SUCCESS;
}

// Runs a grid of the host, and what it gives to the device, in order. After a fault, nothing more runs.
CUresult run(Gpu& device, Context& context, Function& function, const Shape& shape,
             std::vector<std::byte> parameters, Stream* stream) {
  if (!function.program->calls_runtime)
    return run_one(device, context, function, shape, std::move(parameters), stream, nullptr);
  LaunchesOfKernels launches(device, context, *function.module);
  CUresult error = run_one(device, context, function, shape, std::move(parameters), stream, &launches);
  while (error == CUDA_SUCCESS && context.pending == CUDA_SUCCESS) {
    device.memory.forget_parameters();  // the launches have copies
    const warplens::exec::DeviceWork* work = launches.next();
    if (work == nullptr) break;
    if (work->kind != warplens::exec::DeviceWork::Kind::kernel) {
      perform_transfer(device, stream, *work);
    } else if (Function* child = launches.function_of_work(*work, error)) {
      error = run_one(device, context, *child, {work->grid, work->block, work->shared_bytes, false},
                      work->parameters, stream, &launches);
    }
  }
  return error;
}

// As a node, with the attributes that nodes have too.
CUresult capture(Gpu& device, Stream& stream, const void* handle, const Shape& shape,
                 std::span<const CUlaunchAttribute> attributes, void** each, void** extra) {
  KernelNode node;
  for (const CUlaunchAttribute& one : attributes)
    if (is_node_attribute(one.id)) node.attributes[one.id] = one.value;
  if (shape.cooperative) node.attributes[CU_LAUNCH_ATTRIBUTE_COOPERATIVE].cooperative = 1;
  node.attributes[CU_LAUNCH_ATTRIBUTE_PRIORITY].priority = stream.priority;
  CUDA_KERNEL_NODE_PARAMS_v3 asked{};
  asked.gridDimX = shape.grid.x;
  asked.gridDimY = shape.grid.y;
  asked.gridDimZ = shape.grid.z;
  asked.blockDimX = shape.block.x;
  asked.blockDimY = shape.block.y;
  asked.blockDimZ = shape.block.z;
  asked.sharedMemBytes = shape.shared_bytes;
  asked.kernelParams = each;
  asked.extra = extra;
  const CUresult error = make_kernel(device, *stream.context, handle, asked, node);
  return error != CUDA_SUCCESS ? error : capture_node(device, stream, std::move(node));
}

std::string words_on_stream(const Context& context, const Stream& stream) {
  const int its_device = stream.context->on->ordinal;
  if (stream.context->on == context.on)
    return "The stream belongs to another context than the one that is current.";
  return fmt::format(
      "The stream belongs to device {0}, and device {1} is current: call cudaSetDevice({0}) before the "
      "launch.",
      its_device, context.on->ordinal);
}

CUresult launch_function(const void* handle, const Shape& shape, CUstream stream_handle, void** each,
                         void** extra, std::span<const CUlaunchAttribute> attributes = {}) {
  const HostCall here;
  return with_context(Waits::gives_work, [&](Gpu& device, Context& context) -> CUresult {
    CUresult error = CUDA_SUCCESS;
    Function* function = find_function(device, context, handle, error);
    if (function == nullptr) return error;
    Stream* stream = stream_of(device, context, stream_handle, error, Waits::gives_node);
    if (error != CUDA_SUCCESS) return error;
    if (stream != nullptr && stream->context != &context)
      return device.refuse(CUDA_ERROR_INVALID_HANDLE, words_on_stream(context, *stream));
    if (is_captured(stream)) return capture(device, *stream, handle, shape, attributes, each, extra);
    error = check_shape(device, *function, shape);
    if (error != CUDA_SUCCESS) return error;
    std::vector<std::byte> parameters;
    error = gather(*function, each, extra, parameters);
    if (error != CUDA_SUCCESS) return error;
    return in_stream_order(
        device, context, stream,
        [&context, function, shape, stream, given = std::move(parameters)](Gpu& locked) mutable {
          return run(locked, context, *function, shape, std::move(given), stream);
        });
  });
}

}  // namespace

extern "C" {

CUresult cuLaunchKernel(CUfunction handle, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                        unsigned bz, unsigned shared, CUstream stream, void** each, void** extra) {
  return launch_function(handle, {{gx, gy, gz}, {bx, by, bz}, shared, false}, stream, each, extra);
}

CUresult cuLaunchCooperativeKernel(CUfunction handle, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                   unsigned by, unsigned bz, unsigned shared, CUstream stream, void** each) {
  return launch_function(handle, {{gx, gy, gz}, {bx, by, bz}, shared, true}, stream, each, nullptr);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction handle, void** each, void** extra) {
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Shape shape{{config->gridDimX, config->gridDimY, config->gridDimZ},
              {config->blockDimX, config->blockDimY, config->blockDimZ},
              config->sharedMemBytes,
              false};
  const std::span<const CUlaunchAttribute> attributes(config->attrs, config->numAttrs);
  for (const CUlaunchAttribute& attribute : attributes) {
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) shape.cooperative = attribute.value.cooperative != 0;
    if (attribute.id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) continue;
    const CUresult error = with_gpu([&](Gpu& device) { return check_attribute(device, attribute); });
    if (error != CUDA_SUCCESS) return error;
  }
  return launch_function(handle, shape, config->hStream, each, extra, attributes);
}

}  // extern "C"
