// Channel formats of the runtime and those of the driver.
#pragma once

#include "cuda/stand_in/runtime/api.h"

namespace warplens::runtime {

struct DriverFormat {
  CUarray_format format = CU_AD_FORMAT_UNSIGNED_INT8;
  unsigned channels = 0;  // 0: the driver has no such format
};
DriverFormat format_of(const cudaChannelFormatDesc& channels);
cudaChannelFormatDesc channels_of(const DriverFormat& format);
// Bytes of one element.
size_t element_bytes(const DriverFormat& format);

}  // namespace warplens::runtime
