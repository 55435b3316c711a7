// Copies, fills, pools and what the driver tells of an address: the calls that Numba, PyCUDA and cuda-core
// make most.
#include <gmock/gmock.h>

#include <cstring>
#include <numeric>

#include "tests/cuda/stand_in/driver/library.h"

namespace warplens::test {
namespace THIS_FILE {

using testing::Each;
using testing::ElementsAreArray;

class DriverMemoryCalls : public DriverTest {};

std::vector<uint32_t> counted(size_t count) {
  std::vector<uint32_t> values(count);
  std::iota(values.begin(), values.end(), 1u);
  return values;
}

TEST_F(DriverMemoryCalls, EveryWayOfCopying) {
  const auto values = counted(64);
  const size_t bytes = 4 * values.size();
  CUdeviceptr a = upload(std::vector<uint32_t>(64)), b = upload(std::vector<uint32_t>(64));
  CUstream stream = nullptr;
  FINE(CALL(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING));
  FINE(CALL(cuMemcpyHtoDAsync_v2)(a, values.data(), bytes, stream));
  FINE(CALL(cuMemcpyDtoDAsync_v2)(b, a, bytes, stream));
  std::vector<uint32_t> got(64);
  FINE(CALL(cuMemcpyDtoHAsync_v2)(got.data(), b, bytes, stream));
  FINE(CALL(cuStreamSynchronize)(stream));
  EXPECT_EQ(got, values);
  FINE(CALL(cuMemsetD8_v2)(b, 0, bytes));
  FINE(CALL(cuMemcpyDtoD_v2)(b + 16, a, 16));
  EXPECT_EQ(download<uint32_t>(b, 64)[7], 4u);
  // With addresses of host and device: the driver finds out which is which.
  got.assign(64, 0);
  FINE(CALL(cuMemcpy)(reinterpret_cast<CUdeviceptr>(got.data()), a, bytes));
  EXPECT_EQ(got, values);
  FINE(CALL(cuMemcpyAsync)(b, reinterpret_cast<CUdeviceptr>(values.data()), bytes, stream));
  EXPECT_EQ(download<uint32_t>(b, 64), values);
  FINE(CALL(cuMemcpyPeer)(a, context, b + 4, context, 4));
  EXPECT_EQ(download<uint32_t>(a, 1)[0], 2u);
  EXPECT_EQ(CALL(cuMemcpyDtoD_v2)(b, a + 4, bytes), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverMemoryCalls, EveryWidthOfFill) {
  CUdeviceptr p = upload(std::vector<uint8_t>(64, 9));
  FINE(CALL(cuMemsetD8_v2)(p, 1, 4));
  FINE(CALL(cuMemsetD16_v2)(p + 4, 0x0302, 2));
  FINE(CALL(cuMemsetD32_v2)(p + 8, 0x07060504, 1));
  FINE(CALL(cuMemsetD8Async)(p + 12, 8, 2, nullptr));
  FINE(CALL(cuMemsetD16Async)(p + 14, 0x0101, 1, nullptr));
  FINE(CALL(cuMemsetD32Async)(p + 16, 0, 1, nullptr));
  EXPECT_THAT(download<uint8_t>(p, 21),
              ElementsAreArray({1, 1, 1, 1, 2, 3, 2, 3, 4, 5, 6, 7, 8, 8, 1, 1, 0, 0, 0, 0, 9}));
  // Two rows of 3, 16 bytes apart.
  FINE(CALL(cuMemsetD8_v2)(p, 0, 64));
  FINE(CALL(cuMemsetD2D8_v2)(p, 16, 7, 3, 2));
  auto rows = download<uint8_t>(p, 32);
  EXPECT_EQ(std::accumulate(rows.begin(), rows.end(), 0), 42);
  EXPECT_EQ(rows[18], 7);
  EXPECT_EQ(rows[19], 0);
  FINE(CALL(cuMemsetD2D16_v2)(p, 16, 0x0101, 8, 2));
  FINE(CALL(cuMemsetD2D32_v2)(p + 32, 16, 0x01010101, 4, 2));
  EXPECT_THAT(download<uint8_t>(p, 64), Each(1));
  EXPECT_EQ(CALL(cuMemsetD16_v2)(p + 1, 0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CALL(cuMemsetD8_v2)(p, 0, 65), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverMemoryCalls, WhatAnAddressIs) {
  CUdeviceptr p = upload(std::vector<uint8_t>(100, 9)), base = 0;
  size_t bytes = 0;
  FINE(CALL(cuMemGetAddressRange_v2)(&base, &bytes, p + 10));
  EXPECT_EQ(base, p);
  EXPECT_EQ(bytes, 100u);
  unsigned type = 0;
  FINE(CALL(cuPointerGetAttribute)(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p + 10));
  EXPECT_EQ(type, unsigned{CU_MEMORYTYPE_DEVICE});
  CUcontext owner = nullptr;
  FINE(CALL(cuPointerGetAttribute)(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, p));
  EXPECT_EQ(owner, context);
  int local = 0;
  EXPECT_EQ(CALL(cuPointerGetAttribute)(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                        reinterpret_cast<CUdeviceptr>(&local)),
            CUDA_ERROR_INVALID_VALUE);
  void* pinned = nullptr;
  FINE(CALL(cuMemAllocHost_v2)(&pinned, 64));
  FINE(CALL(cuPointerGetAttribute)(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                   reinterpret_cast<CUdeviceptr>(pinned)));
  EXPECT_EQ(type, unsigned{CU_MEMORYTYPE_HOST});
  unsigned flags = 0;
  FINE(CALL(cuMemHostGetFlags)(&flags, pinned));
  FINE(CALL(cuMemFreeHost)(pinned));
}

TEST_F(DriverMemoryCalls, PoolsGiveAndTakeInStreamOrder) {
  CUmemoryPool pool = nullptr, current = nullptr;
  FINE(CALL(cuDeviceGetDefaultMemPool)(&pool, 0));
  FINE(CALL(cuDeviceGetMemPool)(&current, 0));
  EXPECT_EQ(pool, current);
  CUdeviceptr p = 0, q = 0;
  FINE(CALL(cuMemAllocAsync)(&p, 256, nullptr));
  FINE(CALL(cuMemAllocFromPoolAsync)(&q, 256, pool, nullptr));
  EXPECT_NE(p, q);
  FINE(CALL(cuMemsetD8_v2)(q, 5, 256));
  EXPECT_THAT(download<uint8_t>(q, 256), Each(5));
  uint64_t used = 0;
  FINE(CALL(cuMemPoolGetAttribute)(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  EXPECT_GE(used, 512u);
  FINE(CALL(cuMemFreeAsync)(p, nullptr));
  FINE(CALL(cuMemFreeAsync)(q, nullptr));
  FINE(CALL(cuMemPoolTrimTo)(pool, 0));
  FINE(CALL(cuMemPoolGetAttribute)(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  EXPECT_EQ(used, 0u);
  EXPECT_NE(CALL(cuMemFreeAsync)(p, nullptr), CUDA_SUCCESS);
}

TEST_F(DriverMemoryCalls, MappedMemoryIsCountedWhileSomethingHoldsIt) {
  begin();
  const auto used = [] {
    size_t free = 0, total = 0;
    EXPECT_EQ(CALL(cuMemGetInfo_v2)(&free, &total), CUDA_SUCCESS);
    return total - free;
  };
  constexpr size_t page = size_t{2} << 20;
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  const CUmemAccessDesc access{properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  const size_t before = used();
  // As a growing array does it: pieces side by side, whose handles are given back at once.
  CUdeviceptr at = 0;
  FINE(CALL(cuMemAddressReserve)(&at, 16 * page, 0, 0, 0));
  EXPECT_EQ(used(), before) << "addresses alone";
  for (size_t i = 0; i < 4; ++i) {
    CUmemGenericAllocationHandle handle = 0;
    FINE(CALL(cuMemCreate)(&handle, page, &properties, 0));
    FINE(CALL(cuMemMap)(at + i * page, page, 0, handle, 0));
    FINE(CALL(cuMemRelease)(handle));
    EXPECT_EQ(CALL(cuMemRelease)(handle), CUDA_ERROR_INVALID_VALUE) << "it is given back";
    FINE(CALL(cuMemSetAccess)(at + i * page, page, &access, 1));
  }
  EXPECT_EQ(used(), before + 4 * page);
  std::vector<uint32_t> words(4 * page / 4), back(words.size());
  std::iota(words.begin(), words.end(), 7u);
  FINE(CALL(cuMemcpyHtoD_v2)(at, words.data(), 4 * page));
  FINE(CALL(cuMemcpyDtoH_v2)(back.data(), at, 4 * page));
  EXPECT_EQ(back, words);
  CUdeviceptr p = at + 3 * page;
  unsigned n = 64;
  const CUfunction add = load(kernel("add", add_one), "add");
  FINE(launch(add, 1, 64, {&p, &n}));
  EXPECT_EQ(download<uint32_t>(p, 65)[63], words[3 * page / 4 + 63] + 1);
  FINE(CALL(cuMemUnmap)(at, 4 * page));
  EXPECT_EQ(used(), before);
  FINE(CALL(cuMemAddressFree)(at, 16 * page));
  CUmemGenericAllocationHandle handle = 0;
  EXPECT_EQ(CALL(cuMemCreate)(&handle, size_t{1} << 50, &properties, 0), CUDA_ERROR_OUT_OF_MEMORY);
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  EXPECT_EQ(CALL(cuMemCreate)(&handle, page, &properties, 0), CUDA_ERROR_NOT_SUPPORTED);
}

}  // namespace THIS_FILE
}  // namespace warplens::test
