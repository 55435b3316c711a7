// Launches: timed by events, noted, and recorded where they were chosen.
#include <algorithm>

#include "cuda/stand_in/driver/state/host_place.h"
#include "cuda/stand_in/relay/calls/record.h"
#include "cuda/stand_in/relay/next.h"

using namespace warplens::relay;
using warplens::recording::Journal;
using warplens::recording::LaunchNote;

namespace {

// What the journal has of a launch, with texts of its own.
struct Noted {
  std::string kernel, file;
  LaunchShape shape;
  uint32_t line = 0, shared_bytes = 0;
  uint64_t stream = 0;
  const warplens::recording::HostPlace* place = nullptr;
  double at_us = 0, host_us = 0;
};

void write(Journal& journal, const Noted& launch, const std::optional<Times>& times) {
  LaunchNote note{.kernel = launch.kernel,
                  .grid = launch.shape.grid,
                  .block = launch.shape.block,
                  .shared_bytes = launch.shared_bytes,
                  .stream = launch.stream,
                  .at_us = launch.at_us,
                  .host_us = launch.host_us,
                  .file = launch.file,
                  .line = launch.line,
                  .place = launch.place};
  if (times) {
    note.begin_us = times->begin_us;
    note.device_us = times->device_us;
  }
  journal.launch(note);
}

uint32_t static_shared_bytes(const void* handle) {
  int bytes = 0;
  auto* function = static_cast<CUfunction>(const_cast<void*>(handle));
  return NEXT(cuFuncGetAttribute)(&bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function) == CUDA_SUCCESS
             ? static_cast<uint32_t>(bytes)
             : 0;
}

// Whether the work only becomes part of a graph.
bool is_captured(CUstream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return has_next(warplens_next_cuStreamIsCapturing) &&
         NEXT(cuStreamIsCapturing)(stream, &status) == CUDA_SUCCESS &&
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

// call() → CUresult gives the launch to NVIDIA's driver.
template <class Call>
CUresult launched(const void* handle, const LaunchShape& shape, CUstream stream, void** each, void** extra,
                  Call call) {
  Program* notes = program();
  if (notes == nullptr || handle == nullptr || is_captured(stream)) return ended(call());
  const warplens::driver::HostCall here;
  std::unique_lock lock(notes->mutex);
  Function& function = notes->code.function_of(handle);
  const Noted noted{function.name,
                    function.source_file,
                    shape,
                    function.source_line,
                    shape.shared_bytes + static_shared_bytes(handle),
                    number_of(stream),
                    warplens::driver::host_place(),
                    warplens::recording::now_us()};
  ++function.launches;
  std::optional<RecordedMemory> recorded = record_launch(*notes, function, shape, each, extra);
  const std::optional<Timer> timer = notes->timers.begin(stream);
  // A recorded launch has the device to itself.
  if (!recorded) lock.unlock();
  const double before_us = warplens::recording::now_us();
  const CUresult code = call();
  const double took_us = warplens::recording::now_us() - before_us;
  if (!recorded) lock.lock();
  if (timer) notes->timers.end(*timer, stream);
  notes->last_kernel = noted.kernel;
  notes->last_file = noted.file;
  notes->last_line = noted.line;
  notes->last_place = noted.place;
  if (recorded) record_end(*notes, *recorded);
  if (code == CUDA_SUCCESS) {
    ++notes->launches;
    notes->note(timer, [noted, took_us](Journal& journal, const auto& times) {
      Noted whole = noted;
      whole.host_us = took_us;
      write(journal, whole, times);
    });
  } else {
    --notes->code.function_of(handle).launches;
    if (timer) notes->note(timer, [](Journal&, const auto&) {});  // its events are used again
    notes->refused(code, noted.kernel, shape.grid, shape.block);
  }
  lock.unlock();
  return ended(code);
}

CUstream own(CUstream stream) { return stream == nullptr ? CU_STREAM_PER_THREAD : stream; }

LaunchShape shape_of(const CUlaunchConfig& config) {
  LaunchShape shape{{config.gridDimX, config.gridDimY, config.gridDimZ},
                    {config.blockDimX, config.blockDimY, config.blockDimZ},
                    config.sharedMemBytes};
  for (unsigned i = 0; config.attrs != nullptr && i < config.numAttrs; ++i) {
    const CUlaunchAttribute& attribute = config.attrs[i];
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) shape.cooperative = attribute.value.cooperative != 0;
    const auto& cluster = attribute.value.clusterDim;
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      shape.clusters = cluster.x * cluster.y * cluster.z > 1;
  }
  return shape;
}

// Work whose kernels are not seen one by one.
CUresult not_seen(CUresult code, const char* name) {
  return after(code, [&](Program& notes) { notes.not_seen(name); });
}

warplens::Dim3 extent(int x, int y, int z) {
  return {static_cast<uint32_t>(x), static_cast<uint32_t>(y), static_cast<uint32_t>(z)};
}

// A part of a launch of the old kind, which the driver has taken.
template <class F>
CUresult put_together(CUfunction handle, CUresult code, F f) {
  return after(code, [&](Program& notes) { f(notes.code.function_of(handle).old_launch); });
}

CUresult parameter(CUfunction handle, CUresult code, int offset, const void* value, unsigned bytes) {
  return put_together(handle, code, [&](OldLaunch& launch) {
    const auto at = static_cast<size_t>(offset);
    if (launch.parameters.size() < at + bytes) launch.parameters.resize(at + bytes);
    std::copy_n(static_cast<const std::byte*>(value), bytes, launch.parameters.begin() + offset);
  });
}

template <class Call>
CUresult launched_old(CUfunction handle, int width, int height, CUstream stream, Call call) {
  OldLaunch launch;
  if (Program* notes = program(); notes != nullptr && handle != nullptr) {
    const std::scoped_lock lock(notes->mutex);
    launch = notes->code.function_of(handle).old_launch;
  }
  size_t bytes = launch.parameters.size();
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, launch.parameters.data(), CU_LAUNCH_PARAM_BUFFER_SIZE,
                   &bytes, CU_LAUNCH_PARAM_END};
  return launched(handle, {extent(width, height, 1), launch.block, launch.shared_bytes}, stream, nullptr,
                  extra, call);
}

}  // namespace

extern "C" {

CUresult cuLaunchKernel(CUfunction handle, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                        unsigned bz, unsigned shared, CUstream stream, void** each, void** extra) {
  return launched(handle, {{gx, gy, gz}, {bx, by, bz}, shared}, stream, each, extra, [&] {
    return NEXT(cuLaunchKernel)(handle, gx, gy, gz, bx, by, bz, shared, stream, each, extra);
  });
}
CUresult cuLaunchKernel_ptsz(CUfunction handle, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                             unsigned by, unsigned bz, unsigned shared, CUstream stream, void** each,
                             void** extra) {
  return launched(handle, {{gx, gy, gz}, {bx, by, bz}, shared}, own(stream), each, extra, [&] {
    return NEXT_LIKE(cuLaunchKernel_ptsz, cuLaunchKernel)(handle, gx, gy, gz, bx, by, bz, shared, stream,
                                                          each, extra);
  });
}
CUresult cuLaunchCooperativeKernel(CUfunction handle, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                   unsigned by, unsigned bz, unsigned shared, CUstream stream, void** each) {
  return launched(handle, {{gx, gy, gz}, {bx, by, bz}, shared, true}, stream, each, nullptr, [&] {
    return NEXT(cuLaunchCooperativeKernel)(handle, gx, gy, gz, bx, by, bz, shared, stream, each);
  });
}
CUresult cuLaunchCooperativeKernel_ptsz(CUfunction handle, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                        unsigned by, unsigned bz, unsigned shared, CUstream stream,
                                        void** each) {
  return launched(handle, {{gx, gy, gz}, {bx, by, bz}, shared, true}, own(stream), each, nullptr, [&] {
    return NEXT_LIKE(cuLaunchCooperativeKernel_ptsz, cuLaunchCooperativeKernel)(handle, gx, gy, gz, bx, by,
                                                                                bz, shared, stream, each);
  });
}
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction handle, void** each, void** extra) {
  if (config == nullptr) return NEXT(cuLaunchKernelEx)(config, handle, each, extra);
  return launched(handle, shape_of(*config), config->hStream, each, extra,
                  [&] { return NEXT(cuLaunchKernelEx)(config, handle, each, extra); });
}
CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig* config, CUfunction handle, void** each, void** extra) {
  const auto next = NEXT_LIKE(cuLaunchKernelEx_ptsz, cuLaunchKernelEx);
  if (config == nullptr) return next(config, handle, each, extra);
  return launched(handle, shape_of(*config), own(config->hStream), each, extra,
                  [&] { return next(config, handle, each, extra); });
}

CUresult cuGraphLaunch(CUgraphExec graph, CUstream stream) {
  return not_seen(NEXT(cuGraphLaunch)(graph, stream), "cuGraphLaunch");
}
CUresult cuGraphLaunch_ptsz(CUgraphExec graph, CUstream stream) {
  return not_seen(NEXT_LIKE(cuGraphLaunch_ptsz, cuGraphLaunch)(graph, stream), "cuGraphLaunch");
}
CUresult cuFuncSetBlockShape(CUfunction handle, int x, int y, int z) {
  return put_together(handle, NEXT(cuFuncSetBlockShape)(handle, x, y, z),
                      [&](OldLaunch& launch) { launch.block = extent(x, y, z); });
}
CUresult cuFuncSetSharedSize(CUfunction handle, unsigned bytes) {
  return put_together(handle, NEXT(cuFuncSetSharedSize)(handle, bytes),
                      [&](OldLaunch& launch) { launch.shared_bytes = bytes; });
}
CUresult cuParamSeti(CUfunction handle, int offset, unsigned value) {
  return parameter(handle, NEXT(cuParamSeti)(handle, offset, value), offset, &value, sizeof value);
}
CUresult cuParamSetf(CUfunction handle, int offset, float value) {
  return parameter(handle, NEXT(cuParamSetf)(handle, offset, value), offset, &value, sizeof value);
}
CUresult cuParamSetv(CUfunction handle, int offset, void* value, unsigned bytes) {
  return parameter(handle, NEXT(cuParamSetv)(handle, offset, value, bytes), offset, value, bytes);
}
CUresult cuLaunch(CUfunction handle) {
  return launched_old(handle, 1, 1, nullptr, [&] { return NEXT(cuLaunch)(handle); });
}
CUresult cuLaunchGrid(CUfunction handle, int width, int height) {
  return launched_old(handle, width, height, nullptr,
                      [&] { return NEXT(cuLaunchGrid)(handle, width, height); });
}
CUresult cuLaunchGridAsync(CUfunction handle, int width, int height, CUstream stream) {
  return launched_old(handle, width, height, stream,
                      [&] { return NEXT(cuLaunchGridAsync)(handle, width, height, stream); });
}

}  // extern "C"
