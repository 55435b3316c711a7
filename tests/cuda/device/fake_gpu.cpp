#include "tests/cuda/device/fake_gpu.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

namespace warplens::cuda {

namespace {

FakeGpu* gpu = nullptr;  // a driver's entries are plain functions

using Lock = std::lock_guard<std::recursive_mutex>;

template <class To>
To handle(uint64_t number) {
  return reinterpret_cast<To>(number);
}

std::byte* bytes_at(CUdeviceptr address) { return reinterpret_cast<std::byte*>(address); }

void later(std::function<void()> work) { gpu->pending.push_back(std::move(work)); }

CUresult CUDAAPI device_get(CUdevice* device, int ordinal) {
  *device = ordinal;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI context_create(CUcontext* context, unsigned, CUdevice) {
  while (gpu->stuck) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const Lock lock(gpu->mutex);
  *context = handle<CUcontext>(0x100);
  ++gpu->contexts;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI context_destroy(CUcontext) {
  const Lock lock(gpu->mutex);
  --gpu->contexts;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI context_use(CUcontext) { return CUDA_SUCCESS; }

CUresult CUDAAPI module_load(CUmodule* module, const void*, unsigned, CUjit_option*, void**) {
  const Lock lock(gpu->mutex);
  *module = handle<CUmodule>(0x200);
  ++gpu->modules;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI module_unload(CUmodule) {
  const Lock lock(gpu->mutex);
  --gpu->modules;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI module_function(CUfunction* function, CUmodule, const char*) {
  *function = handle<CUfunction>(0x300);
  return CUDA_SUCCESS;
}
CUresult CUDAAPI function_attribute(int* number, CUfunction_attribute, CUfunction) {
  *number = 16;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI occupancy(int* blocks, CUfunction, int, size_t) {
  *blocks = 1;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI allocate(CUdeviceptr* address, size_t bytes) {
  const Lock lock(gpu->mutex);
  std::vector<std::byte> memory(bytes);
  *address = reinterpret_cast<CUdeviceptr>(memory.data());
  gpu->memory.emplace(*address, std::move(memory));
  return CUDA_SUCCESS;
}
CUresult CUDAAPI release(CUdeviceptr address) {
  const Lock lock(gpu->mutex);
  return gpu->memory.erase(address) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult CUDAAPI allocate_host(void** pointer, size_t bytes, unsigned) {
  const Lock lock(gpu->mutex);
  std::vector<std::byte> memory(bytes);
  *pointer = memory.data();
  gpu->pinned.emplace(*pointer, std::move(memory));
  return CUDA_SUCCESS;
}
CUresult CUDAAPI release_host(void* pointer) {
  const Lock lock(gpu->mutex);
  return gpu->pinned.erase(pointer) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI to_device(CUdeviceptr to, const void* from, size_t bytes) {
  const Lock lock(gpu->mutex);
  std::memcpy(bytes_at(to), from, bytes);
  ++gpu->host_to_device;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI to_host_later(void* to, CUdeviceptr from, size_t bytes, CUstream) {
  const Lock lock(gpu->mutex);
  ++gpu->device_to_host;
  later([=] { std::memcpy(to, bytes_at(from), bytes); });
  return CUDA_SUCCESS;
}
CUresult CUDAAPI on_device_later(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream) {
  const Lock lock(gpu->mutex);
  later([=] { std::memcpy(bytes_at(to), bytes_at(from), bytes); });
  return CUDA_SUCCESS;
}
CUresult CUDAAPI clear_later(CUdeviceptr to, unsigned char value, size_t bytes, CUstream) {
  const Lock lock(gpu->mutex);
  later([=] { std::memset(bytes_at(to), value, bytes); });
  return CUDA_SUCCESS;
}

CUresult CUDAAPI stream_create(CUstream* stream, unsigned) {
  const Lock lock(gpu->mutex);
  *stream = handle<CUstream>(0x400);
  ++gpu->streams;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI stream_destroy(CUstream) {
  const Lock lock(gpu->mutex);
  --gpu->streams;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI stream_wait(CUstream) {
  gpu->finish();
  return gpu->query == CUDA_ERROR_NOT_READY ? CUDA_SUCCESS : gpu->query;
}
CUresult CUDAAPI stream_query(CUstream) {
  if (gpu->endless) return CUDA_ERROR_NOT_READY;
  return stream_wait(nullptr);
}
CUresult CUDAAPI event_create(CUevent* event, unsigned) {
  const Lock lock(gpu->mutex);
  auto made = std::make_unique<FakeGpu::Event>();
  *event = reinterpret_cast<CUevent>(made.get());
  gpu->events.emplace(made.get(), std::move(made));
  return CUDA_SUCCESS;
}
CUresult CUDAAPI event_destroy(CUevent event) {
  const Lock lock(gpu->mutex);
  return gpu->events.erase(event) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult CUDAAPI event_record(CUevent event, CUstream) {
  const Lock lock(gpu->mutex);
  auto* own = reinterpret_cast<FakeGpu::Event*>(event);
  own->recorded = false;
  later([own] { own->recorded = true; });
  return CUDA_SUCCESS;
}
CUresult CUDAAPI event_query(CUevent event) {
  const Lock lock(gpu->mutex);
  if (gpu->query != CUDA_SUCCESS) return gpu->query;
  return reinterpret_cast<FakeGpu::Event*>(event)->recorded ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}
CUresult CUDAAPI event_elapsed(float* ms, CUevent, CUevent) {
  *ms = 0.25f;
  return CUDA_SUCCESS;
}

// out, in, value, n
CUresult CUDAAPI launch_kernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                               unsigned, CUstream, void** arguments, void**) {
  const Lock lock(gpu->mutex);
  if (gpu->launch != CUDA_SUCCESS) return gpu->launch;
  CUdeviceptr out = 0, in = 0;
  uint32_t value = 0, n = 0;
  std::memcpy(&out, arguments[0], sizeof out);
  std::memcpy(&in, arguments[1], sizeof in);
  std::memcpy(&value, arguments[2], sizeof value);
  std::memcpy(&n, arguments[3], sizeof n);
  later([=] {
    for (uint32_t i = 0; i < n; ++i) {
      bytes_at(out)[i] = std::byte(std::to_integer<uint32_t>(bytes_at(in)[i]) + value);
      bytes_at(in)[i] = std::byte{0};  // the next frame must start from the first contents again
    }
  });
  return CUDA_SUCCESS;
}

CUresult CUDAAPI list_gl_devices(unsigned* count, CUdevice* devices, unsigned room, int) {
  if (gpu->get_devices != CUDA_SUCCESS) return gpu->get_devices;
  *count = static_cast<unsigned>(gpu->gl_devices.size());
  for (unsigned i = 0; i < std::min(*count, room); ++i) devices[i] = gpu->gl_devices[i];
  return CUDA_SUCCESS;
}
CUresult CUDAAPI gl_register(CUgraphicsResource* resource, unsigned name, unsigned) {
  const Lock lock(gpu->mutex);
  if (gpu->registers-- <= 0 || !gpu->gl_buffers.contains(name)) return CUDA_ERROR_UNKNOWN;
  auto made = std::make_unique<FakeGpu::Resource>(FakeGpu::Resource{name, false});
  *resource = reinterpret_cast<CUgraphicsResource>(made.get());
  gpu->resources.emplace(made.get(), std::move(made));
  ++gpu->registered;
  return CUDA_SUCCESS;
}
CUresult CUDAAPI gl_unregister(CUgraphicsResource resource) {
  const Lock lock(gpu->mutex);
  return gpu->resources.erase(resource) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult CUDAAPI gl_map(unsigned count, CUgraphicsResource* resources, CUstream) {
  const Lock lock(gpu->mutex);
  if (gpu->map != CUDA_SUCCESS) return gpu->map;
  for (unsigned i = 0; i < count; ++i) {
    bool& mapped = reinterpret_cast<FakeGpu::Resource*>(resources[i])->mapped;
    gpu->wrong_maps += mapped;
    mapped = true;
    ++gpu->maps;
  }
  return CUDA_SUCCESS;
}
CUresult CUDAAPI gl_unmap(unsigned count, CUgraphicsResource* resources, CUstream) {
  const Lock lock(gpu->mutex);
  for (unsigned i = 0; i < count; ++i) {
    bool& mapped = reinterpret_cast<FakeGpu::Resource*>(resources[i])->mapped;
    gpu->wrong_maps += !mapped;
    mapped = false;
  }
  return CUDA_SUCCESS;
}
CUresult CUDAAPI gl_pointer(CUdeviceptr* address, size_t* bytes, CUgraphicsResource resource) {
  const Lock lock(gpu->mutex);
  auto& buffer = gpu->gl_buffers.at(reinterpret_cast<FakeGpu::Resource*>(resource)->name);
  *address = reinterpret_cast<CUdeviceptr>(buffer.data());
  *bytes = buffer.size();
  return CUDA_SUCCESS;
}

CUresult CUDAAPI words(CUresult, const char** text) {
  *text = "the driver's words";
  return CUDA_SUCCESS;
}

}  // namespace

FakeGpu::FakeGpu() { gpu = this; }
FakeGpu::~FakeGpu() { gpu = nullptr; }

void FakeGpu::finish() {
  const Lock lock(mutex);
  while (!pending.empty()) {
    pending.front()();
    pending.pop_front();
  }
}

Driver FakeGpu::driver() const {
  Driver driver;
  driver.cuGetErrorString = words;
  driver.cuGetErrorName = words;
  driver.cuDeviceGet = device_get;
  driver.cuCtxCreate = context_create;
  driver.cuCtxDestroy = context_destroy;
  driver.cuCtxSetCurrent = context_use;
  driver.cuModuleLoadDataEx = module_load;
  driver.cuModuleUnload = module_unload;
  driver.cuModuleGetFunction = module_function;
  driver.cuFuncGetAttribute = function_attribute;
  driver.cuOccupancyMaxActiveBlocksPerMultiprocessor = occupancy;
  driver.cuMemAlloc = allocate;
  driver.cuMemFree = release;
  driver.cuMemHostAlloc = allocate_host;
  driver.cuMemFreeHost = release_host;
  driver.cuMemcpyHtoD = to_device;
  driver.cuMemcpyDtoHAsync = to_host_later;
  driver.cuMemcpyDtoDAsync = on_device_later;
  driver.cuMemsetD8Async = clear_later;
  driver.cuStreamCreate = stream_create;
  driver.cuStreamDestroy = stream_destroy;
  driver.cuStreamSynchronize = stream_wait;
  driver.cuStreamQuery = stream_query;
  driver.cuEventCreate = event_create;
  driver.cuEventDestroy = event_destroy;
  driver.cuEventRecord = event_record;
  driver.cuEventQuery = event_query;
  driver.cuEventElapsedTime = event_elapsed;
  driver.cuLaunchKernel = launch_kernel;
  driver.cuGraphicsMapResources = gl_map;
  driver.cuGraphicsUnmapResources = gl_unmap;
  driver.cuGraphicsResourceGetMappedPointer = gl_pointer;
  driver.cuGraphicsUnregisterResource = gl_unregister;
  const bool none = without_gl;
  driver.find = [none](const char* name, int) -> void* {
    if (none) return nullptr;
    if (std::string(name) == "cuGLGetDevices") return reinterpret_cast<void*>(&list_gl_devices);
    if (std::string(name) == "cuGraphicsGLRegisterBuffer") return reinterpret_cast<void*>(&gl_register);
    return nullptr;
  };
  return driver;
}

LaunchRequest fake_request(uint32_t width, uint32_t height, uint32_t value, std::byte first) {
  static const auto module = std::make_shared<const ModuleText>(ModuleText{
      ".version 7.0\n.target sm_50\n.address_size 64\n"
      ".visible .entry add_value(.param .u64 to, .param .u64 from, .param .u32 value, .param .u32 n)\n"
      "{\n  ret;\n}\n",
      "add_value.ptx", "", ""});
  LaunchRequest request;
  request.kernel = "add_value";
  request.module = module;
  request.device.compute_capability = {8, 6};
  const uint64_t bytes = uint64_t{3} * width * height;
  BufferSpec to{"to", bytes, DType::u8, nullptr, true, width, height, 3};
  BufferSpec from{"from", bytes, DType::u8, std::make_shared<const Bytes>(bytes, first),
                  false,  width, height,    3};
  request.buffers = {to, from};
  LaunchStep launch;
  launch.entry = "add_value";
  launch.grid = {1, 1, 1};
  launch.block = {32, 1, 1};
  launch.arguments = {BufferArgument{0, 0}, BufferArgument{1, 0}, ScalarArgument{DType::u32, value},
                      ScalarArgument{DType::u32, bytes}};
  request.steps = {launch};
  return request;
}

}  // namespace warplens::cuda
