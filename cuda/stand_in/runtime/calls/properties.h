// cudaDeviceProp of the major version that is built: the fields and their order are rows of
// cuda/stand_in/runtime/properties.def, which tests/cuda/stand_in/runtime compares with NVIDIA's headers.
#pragma once

#include "cuda/stand_in/runtime/api.h"

namespace warplens::runtime {

struct DeviceProperties {
#define FIELD(majors, type, name, dimensions) MAJOR_##majors(type name dimensions;)
#define FIELD_1(majors, type, name, a) MAJOR_##majors(type name;)
#define FIELD_2(majors, type, name, a, b) MAJOR_##majors(type name[2];)
#define FIELD_3(majors, type, name, a, b, c) MAJOR_##majors(type name[3];)
#include "cuda/stand_in/runtime/properties.def"
#undef FIELD
#undef FIELD_1
#undef FIELD_2
#undef FIELD_3
};

// Errors: cudaErrorInvalidValue, cudaErrorInvalidDevice.
cudaError_t fill_properties(DeviceProperties* properties, int device);

}  // namespace warplens::runtime
