// Which pages of managed memory a program and its kernels use, and what moves.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstring>

#include "core/recording/managed_arrays.h"
#include "tests/cuda/stand_in/driver/recorded.h"

namespace warplens::test {
namespace {

using recording::Event;
using testing::ElementsAre;

constexpr uint64_t unit = pages::unit_bytes;

class DriverManagedPages : public DriverRecording {
 public:
  void SetUp() override {
    DriverRecording::SetUp();
    if (access("/proc/self/pagemap", R_OK) != 0)
      GTEST_SKIP() << "this system does not tell which pages are used";
    begin();
    add = load(kernel("add_one", add_one), "add_one");
  }
  uint32_t* managed(uint64_t bytes) {
    CUdeviceptr made = 0;
    EXPECT_EQ(CALL(cuMemAllocManaged)(&made, bytes, CU_MEM_ATTACH_GLOBAL), CUDA_SUCCESS);
    return reinterpret_cast<uint32_t*>(made);
  }
  void run(uint32_t* array, uint32_t count) {
    auto address = reinterpret_cast<CUdeviceptr>(array);
    FINE(launch(add, (count + 255) / 256, 256, {&address, &count}));
    FINE(CALL(cuCtxSynchronize)());
  }
  // "kernel to device 4 units, 3 misses" of each event that moved pages.
  std::vector<std::string> moves() {
    std::vector<std::string> lines;
    const recording::Recording made = read();
    for (const Event& event : made.events) {
      if (event.kind != Event::Kind::pages) continue;
      lines.push_back(event.name + (event.pages->to == pages::Side::host ? " to host " : " to device ") +
                      std::to_string(event.bytes / unit) + ", " + std::to_string(event.pages->misses));
    }
    return lines;
  }
  CUfunction add = nullptr;
};

TEST_F(DriverManagedPages, MoveToTheSideThatUsesThem) {
  uint32_t* array = managed(4 * unit);
  std::memset(array, 0, 4 * unit);
  run(array, 4 * unit / 4);
  run(array, 4 * unit / 4);
  EXPECT_EQ(array[0], 2u);
  run(array, 4);
  array[unit / 4] = 7;
  FINE(CALL(cuMemFree_v2)(reinterpret_cast<CUdeviceptr>(array)));
  EXPECT_THAT(moves(), ElementsAre("host to host 0, 0", "kernel to device 4, 3", "host to host 1, 1",
                                   "kernel to device 1, 1", "host to host 1, 1"));
}

// A system call into pages that are on the device does what it does elsewhere, and counts for the host.
TEST_F(DriverManagedPages, SystemCallsCount) {
  uint32_t* array = managed(2 * unit);
  run(array, 2 * unit / 4);
  const int zeros = open("/dev/zero", O_RDONLY);
  EXPECT_EQ(::read(zeros, array, 8), 8);
  close(zeros);
  FINE(CALL(cuMemFree_v2)(reinterpret_cast<CUdeviceptr>(array)));
  EXPECT_THAT(moves(), ElementsAre("kernel to device 0, 2", "host to host 1, 1"));
}

TEST_F(DriverManagedPages, CopiesAndPrefetchesMoveThem) {
  uint32_t* array = managed(4 * unit);
  const auto address = reinterpret_cast<CUdeviceptr>(array);
  std::memset(array, 0, 4 * unit);
  uint32_t value = 5;
  FINE(CALL(cuMemcpyHtoD_v2)(address, &value, 4));
  FINE(CALL(cuMemPrefetchAsync)(address + unit, 2 * unit, 0, nullptr));
  FINE(CALL(cuMemPrefetchAsync)(address, 4 * unit, CU_DEVICE_CPU, nullptr));
  EXPECT_EQ(array[0], 5u);
  FINE(CALL(cuMemFree_v2)(address));
  EXPECT_THAT(moves(), ElementsAre("host to host 0, 0", "copy to device 1, 1", "prefetch to device 2, 0",
                                   "prefetch to host 3, 0"));
}

TEST_F(DriverManagedPages, AdviceKeepsThem) {
  uint32_t* array = managed(unit);
  uint32_t* stays = managed(unit);
  const auto address = reinterpret_cast<CUdeviceptr>(array);
  FINE(CALL(cuMemAdvise)(address, unit, CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
  FINE(CALL(cuMemAdvise)(reinterpret_cast<CUdeviceptr>(stays), unit, CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
                         CU_DEVICE_CPU));
  array[0] = stays[0] = 1;
  FINE(CALL(cuMemPrefetchAsync)(address, unit, 0, nullptr));
  EXPECT_EQ(array[0], 1u);  // a copy is left
  run(stays, 1);
  array[1] = 2;  // which a write takes from the device
  FINE(CALL(cuMemFree_v2)(address));
  FINE(CALL(cuMemFree_v2)(reinterpret_cast<CUdeviceptr>(stays)));
  EXPECT_THAT(moves(), ElementsAre("host to host 0, 0", "host to host 0, 0", "prefetch to device 1, 0",
                                   "kernel to device 0, 0", "host to host 0, 1"));
}

TEST_F(DriverManagedPages, AreSummedByArray) {
  uint32_t* array = managed(unit);
  array[0] = 1;
  run(array, 16);
  EXPECT_EQ(array[0], 2u);
  FINE(CALL(cuMemFree_v2)(reinterpret_cast<CUdeviceptr>(array)));
  const std::vector<recording::ManagedArray> arrays = managed_arrays_of(read());
  ASSERT_EQ(arrays.size(), 1u);
  EXPECT_EQ(arrays[0].bytes, unit);
  EXPECT_EQ(arrays[0].to_device, unit);
  EXPECT_EQ(arrays[0].to_host, unit);
  EXPECT_EQ(arrays[0].device_misses, 1u);
  EXPECT_GT(arrays[0].device_us, arrays[0].fetched_us);
}

}  // namespace
}  // namespace warplens::test
