#include "cuda/stand_in/runtime/calls/properties.h"

#include <algorithm>
#include <cstring>

#include "cuda/stand_in/runtime/state/thread.h"

namespace warplens::runtime {

namespace {

template <class T>
void set_field(T& field, CUdevice_attribute which, CUdevice device) {
  int value = 0;
  if (cuDeviceGetAttribute(&value, which, device) == CUDA_SUCCESS) field = static_cast<T>(value);
}

}  // namespace

cudaError_t fill_properties(DeviceProperties* properties, int device) {
  if (properties == nullptr) return cudaErrorInvalidValue;
  if (!is_device(device)) return cudaErrorInvalidDevice;
  std::memset(static_cast<void*>(properties), 0, sizeof *properties);
  DeviceProperties& to = *properties;
  CUresult error = cuDeviceGetName(to.name, sizeof to.name, device);
  CUuuid uuid{};
  if (error == CUDA_SUCCESS) error = cuDeviceGetUuid(&uuid, device);
  if (error == CUDA_SUCCESS) error = cuDeviceTotalMem(&to.totalGlobalMem, device);
  if (error != CUDA_SUCCESS) return code_of(error);
  static_assert(sizeof to.uuid == sizeof uuid);
  std::memcpy(&to.uuid, &uuid, sizeof uuid);
#define FIELD(majors, type, name, dimensions)
#define FIELD_1(majors, type, name, a) MAJOR_##majors(set_field(to.name, CU_DEVICE_ATTRIBUTE_##a, device);)
#define FIELD_2(majors, type, name, a, b)                                \
  MAJOR_##majors(set_field(to.name[0], CU_DEVICE_ATTRIBUTE_##a, device); \
                 set_field(to.name[1], CU_DEVICE_ATTRIBUTE_##b, device);)
#define FIELD_3(majors, type, name, a, b, c)                             \
  MAJOR_##majors(set_field(to.name[0], CU_DEVICE_ATTRIBUTE_##a, device); \
                 set_field(to.name[1], CU_DEVICE_ATTRIBUTE_##b, device); \
                 set_field(to.name[2], CU_DEVICE_ATTRIBUTE_##c, device);)
#include "cuda/stand_in/runtime/properties.def"
#undef FIELD
#undef FIELD_1
#undef FIELD_2
#undef FIELD_3
  return cudaSuccess;
}

}  // namespace warplens::runtime
