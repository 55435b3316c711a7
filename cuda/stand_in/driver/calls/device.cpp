// The device and its attributes, from the device's file and the table of its compute capability.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "cuda/stand_in/driver/calls/arrays.h"
#include "cuda/stand_in/driver/calls/device_launches.h"
#include "cuda/stand_in/driver/calls/entry.h"

using namespace warplens::driver;

namespace {

int whole(double value) { return static_cast<int>(std::min(value, 2147483647.0)); }

// The attributes that follow from the device. The rest of the list is in attributes.def.
int attribute_of(const warplens::Device& device, CUdevice_attribute which) {
  const warplens::DeviceLimits& limits = device.limits;
  switch (which) {
#define ATTRIBUTE(name, value)     \
  case CU_DEVICE_ATTRIBUTE_##name: \
    return static_cast<int>(value);
#include "cuda/stand_in/driver/calls/attributes.def"
#undef ATTRIBUTE
    default:
      return 0;
  }
}

// Stable for a device: the same program sees the same device again.
void write_uuid(const DeviceState& on, CUuuid* uuid) {
  std::memset(uuid->bytes, 0, sizeof uuid->bytes);
  const uint64_t hash = std::hash<std::string>{}(on.spec.id) + static_cast<uint64_t>(on.ordinal);
  std::memcpy(uuid->bytes, "WarpLens", 8);
  std::memcpy(uuid->bytes + 8, &hash, 8);
}

std::string bus_id_of(const DeviceState& on) { return fmt::format("0000:{:02x}:00.0", on.ordinal + 1); }

// f(DeviceState&) → CUresult.
template <class F>
CUresult with_device(CUdevice ordinal, F f) {
  return with_gpu([&](Gpu& device) -> CUresult {
    DeviceState* on = device.device_of(ordinal);
    return on == nullptr ? CUDA_ERROR_INVALID_DEVICE : f(*on);
  });
}

}  // namespace

std::optional<int32_t> warplens::driver::device_attribute(const Device& device, int32_t number) {
  if (number <= 0 || number >= 1024) return {};
  return attribute_of(device, static_cast<CUdevice_attribute>(number));
}

extern "C" {

CUresult cuDeviceGetCount(int* count) {
  return with_gpu([&](Gpu& device) -> CUresult {
    if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *count = static_cast<int>(device.devices.size());
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return with_device(ordinal, [&](const DeviceState&) -> CUresult {
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *device = ordinal;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetName(char* name, int length, CUdevice ordinal) {
  return with_device(ordinal, [&](const DeviceState& device) -> CUresult {
    if (name == nullptr || length <= 0) return CUDA_ERROR_INVALID_VALUE;
    const auto size = std::min(device.spec.name.size(), static_cast<size_t>(length) - 1);
    std::memcpy(name, device.spec.name.data(), size);
    name[size] = 0;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice ordinal) {
  return with_device(ordinal, [&](const DeviceState& device) -> CUresult {
    if (uuid == nullptr) return CUDA_ERROR_INVALID_VALUE;
    write_uuid(device, uuid);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice ordinal) { return cuDeviceGetUuid(uuid, ordinal); }

CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice ordinal) {
  return with_device(ordinal, [&](const DeviceState& device) -> CUresult {
    if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *bytes = device.total_bytes();
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice ordinal) {
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_device(ordinal, [&](const DeviceState& device) -> CUresult {
    const auto known = device_attribute(device.spec, which);
    if (!known) return CUDA_ERROR_INVALID_VALUE;
    *value = *known;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice ordinal) {
  return with_device(ordinal, [&](const DeviceState& device) -> CUresult {
    if (major == nullptr || minor == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *major = static_cast<int>(device.spec.compute_capability.major);
    *minor = static_cast<int>(device.spec.compute_capability.minor);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice ordinal) {
  return with_device(ordinal, [&](const DeviceState& device) -> CUresult {
    if (properties == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const warplens::DeviceLimits& limits = device.spec.limits;
    *properties = {};
    properties->maxThreadsPerBlock = static_cast<int>(limits.max_threads_per_block);
    const auto put = [](int* to, warplens::Dim3 from) {
      to[0] = static_cast<int>(from.x);
      to[1] = static_cast<int>(from.y);
      to[2] = static_cast<int>(from.z);
    };
    put(properties->maxThreadsDim, limits.max_block);
    put(properties->maxGridSize, limits.max_grid);
    properties->sharedMemPerBlock = static_cast<int>(limits.shared_bytes_per_block);
    properties->totalConstantMemory = 65536;
    properties->SIMDWidth = 32;
    properties->memPitch = 2147483647;
    properties->regsPerBlock = static_cast<int>(limits.registers_per_block);
    properties->clockRate = whole(1000 * device.spec.boost_clock_mhz.value_or(0));
    properties->textureAlign = 512;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice ordinal) {
  return with_device(ordinal, [&](const DeviceState& device) -> CUresult {
    const std::string id = bus_id_of(device);
    if (text == nullptr || length <= static_cast<int>(id.size())) return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(text, id.c_str(), id.size() + 1);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  return with_gpu([&](Gpu& gpu) -> CUresult {
    if (device == nullptr || text == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const std::string_view asked = text;
    const bool is_one =
        asked.find(':') != asked.npos && asked.find_first_not_of("0123456789abcdefABCDEF:.") == asked.npos;
    if (!is_one) return CUDA_ERROR_INVALID_VALUE;
    for (const auto& on : gpu.devices) {
      const std::string id = bus_id_of(*on);
      // With or without its domain and its function.
      if (asked != id && asked != id.substr(0, id.size() - 2) && asked != id.substr(5)) continue;
      *device = on->ordinal;
      return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_DEVICE;
  });
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t* width, CUarray_format format, unsigned channels,
                                            CUdevice ordinal) {
  return with_device(ordinal, [&](const DeviceState&) -> CUresult {
    CUresult error = CUDA_SUCCESS;
    dtype_of(format, error);
    if (width == nullptr || (channels != 1 && channels != 2 && channels != 4))
      return CUDA_ERROR_INVALID_VALUE;
    if (error != CUDA_SUCCESS) return error;
    *width = size_t{1} << 27;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetExecAffinitySupport(int* supported, CUexecAffinityType which, CUdevice ordinal) {
  return with_device(ordinal, [&](const DeviceState&) -> CUresult {
    if (supported == nullptr || which < 0 || which >= CU_EXEC_AFFINITY_TYPE_MAX)
      return CUDA_ERROR_INVALID_VALUE;
    *supported = 0;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
