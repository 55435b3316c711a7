// Compiled and never run: cudaDeviceProp of the major version as cuda/stand_in/runtime/properties.def has it,
// against NVIDIA's header.
#include <cstddef>

#include "cuda/stand_in/runtime/calls/properties.h"

using warplens::runtime::DeviceProperties;

#define SAME(name)                                                                                          \
  static_assert(offsetof(DeviceProperties, name) == offsetof(cudaDeviceProp, name), #name " is elsewhere"); \
  static_assert(sizeof(DeviceProperties::name) == sizeof(cudaDeviceProp::name), #name " has another size")
#define FIELD(majors, type, name, dimensions) MAJOR_##majors(SAME(name);)
#define FIELD_1(majors, type, name, a) MAJOR_##majors(SAME(name);)
#define FIELD_2(majors, type, name, a, b) MAJOR_##majors(SAME(name);)
#define FIELD_3(majors, type, name, a, b, c) MAJOR_##majors(SAME(name);)
#include "cuda/stand_in/runtime/properties.def"

static_assert(sizeof(DeviceProperties) == sizeof(cudaDeviceProp));
static_assert(CUDART_VERSION / 1000 == WARPLENS_CUDART_MAJOR);
// Handed to the driver as they are.
static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(sizeof(cudaMemPoolProps) == sizeof(CUmemPoolProps));
static_assert(sizeof(cudaMemAccessDesc) == sizeof(CUmemAccessDesc));
static_assert(sizeof(cudaMemLocation) == sizeof(CUmemLocation));
static_assert(offsetof(cudaLaunchAttribute, val) == offsetof(CUlaunchAttribute, value));
