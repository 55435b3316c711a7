// Where managed memory is: what a program advised about it and fetched ahead, and its questions about that.
// Pages do not move here, so that a piece of memory is where it was last asked to be, as a whole.
#include <algorithm>
#include <iterator>

#include "cuda/stand_in/driver/calls/blocks.h"
#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/calls/ranges.h"

namespace warplens::driver {

namespace {

void note_accessed_by(Block::Placing& placing, CUdevice place, bool is_set) {
  if (place == CU_DEVICE_CPU) {
    placing.accessed_by_host = is_set;
    return;
  }
  const uint32_t bit = uint32_t{1} << place;
  placing.accessed_by_devices =
      is_set ? placing.accessed_by_devices | bit : placing.accessed_by_devices & ~bit;
}

}  // namespace

void note_advice(Block& block, CUmem_advise advice, CUdevice place) {
  Block::Placing& placing = block.placing;
  switch (advice) {
    case CU_MEM_ADVISE_SET_READ_MOSTLY:
    case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
      placing.read_mostly = advice == CU_MEM_ADVISE_SET_READ_MOSTLY;
      break;
    case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
    case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
      placing.preferred = advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION ? place : CU_DEVICE_INVALID;
      break;
    default:
      note_accessed_by(placing, place, advice == CU_MEM_ADVISE_SET_ACCESSED_BY);
  }
}

namespace {

int type_of(CUdevice place) {
  return place == CU_DEVICE_INVALID ? CU_MEM_LOCATION_TYPE_INVALID
         : place == CU_DEVICE_CPU   ? CU_MEM_LOCATION_TYPE_HOST
                                    : CU_MEM_LOCATION_TYPE_DEVICE;
}

CUresult answer(const Block::Placing& placing, CUmem_range_attribute attribute, int* to, size_t count) {
  switch (attribute) {
    case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
      *to = placing.read_mostly ? 1 : 0;
      break;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
      *to = placing.preferred;
      break;
    case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY: {
      std::fill_n(to, count, CU_DEVICE_INVALID);
      int* const end = to + count;
      for (int place = 0; place < 32 && to != end; ++place)
        if ((placing.accessed_by_devices >> place & 1) != 0) *to++ = place;
      if (placing.accessed_by_host && to != end) *to = CU_DEVICE_CPU;
      break;
    }
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
      *to = placing.last_prefetch;
      break;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
      *to = type_of(placing.preferred);
      break;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
      *to = std::max(0, placing.preferred);
      break;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
      *to = type_of(placing.last_prefetch);
      break;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
      *to = std::max(0, placing.last_prefetch);
      break;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

}  // namespace

}  // namespace warplens::driver

using namespace warplens::driver;

extern "C" {

CUresult cuMemRangeGetAttribute(void* to, size_t bytes, CUmem_range_attribute attribute, CUdeviceptr address,
                                size_t range_bytes) {
  const bool is_list = attribute == CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY;
  if (to == nullptr || range_bytes == 0 || bytes == 0 || (is_list ? bytes % 4 != 0 : bytes != 4))
    return invalid_argument();
  return with_context(Waits::no, [&](Gpu& device, Context&) -> CUresult {
    if (range_at(device, address, range_bytes, "cuMemRangeGetAttribute") == nullptr)
      return CUDA_ERROR_INVALID_VALUE;
    const Block* block = device.block_of(address);
    if (block == nullptr || block->kind != Block::Kind::managed)
      return device.refuse(CUDA_ERROR_INVALID_VALUE, "cuMemRangeGetAttribute of " +
                                                         words_for(device, address) +
                                                         ": it is for memory of cuMemAllocManaged.");
    return answer(block->placing, attribute, static_cast<int*>(to), bytes / 4);
  });
}

CUresult cuMemRangeGetAttributes(void** to, size_t* bytes, CUmem_range_attribute* attributes, size_t count,
                                 CUdeviceptr address, size_t range_bytes) {
  if (to == nullptr || bytes == nullptr || attributes == nullptr || count == 0) return invalid_argument();
  for (size_t i = 0; i < count; ++i) {
    const CUresult error = cuMemRangeGetAttribute(to[i], bytes[i], attributes[i], address, range_bytes);
    if (error != CUDA_SUCCESS) return error;
  }
  return CUDA_SUCCESS;
}

}  // extern "C"
