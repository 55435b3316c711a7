// Several devices: what each has of its own, peers, and what a recording says of them.
#include <gmock/gmock.h>

#include "tests/cuda/stand_in/driver/recorded.h"

namespace warplens::test {
namespace THIS_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct Devices : DriverRecording {
  // Each has a primary context; that of the first is current.
  void begin_with(const std::string& names) {
    set_variable("WARPLENS_PROGRAM_DEVICE", names);
    begin();
    int count = 0;
    FINE(CALL(cuDeviceGetCount)(&count));
    for (int i = 0; i < count; ++i) {
      contexts.push_back(nullptr);
      FINE(CALL(cuDevicePrimaryCtxRetain)(&contexts.back(), i));
    }
  }
  void use(size_t device) { FINE(CALL(cuCtxSetCurrent)(contexts[device])); }
  std::vector<std::string> findings() {
    std::vector<std::string> found;
    for (const recording::Event& event : read().events)
      if (event.kind == recording::Event::Kind::finding) found.push_back(event.name);
    return found;
  }
  std::vector<CUcontext> contexts;
};

int ordinal_of(CUdeviceptr address) {
  int ordinal = -1;
  EXPECT_EQ(CALL(cuPointerGetAttribute)(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address),
            CUDA_SUCCESS);
  return ordinal;
}

TEST_F(Devices, AreThoseThatTheLauncherNames) {
  begin_with("h100,t4");
  ASSERT_THAT(contexts, SizeIs(2));
  const char* const names[] = {"NVIDIA H100 80GB HBM3", "Tesla T4"};
  for (int i : {0, 1}) {
    CUdevice device = -1;
    char name[64];
    FINE(CALL(cuDeviceGet)(&device, i));
    EXPECT_EQ(device, i);
    FINE(CALL(cuDeviceGetName)(name, sizeof name, device));
    EXPECT_STREQ(name, names[i]);
    use(static_cast<size_t>(i));
    FINE(CALL(cuCtxGetDevice)(&device));
    EXPECT_EQ(device, i);
  }
  CUdevice device = -1;
  EXPECT_EQ(CALL(cuDeviceGet)(&device, 2), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(CALL(cuDeviceGet)(&device, -1), CUDA_ERROR_INVALID_DEVICE);
  CUcontext none = nullptr;
  EXPECT_EQ(CALL(cuDevicePrimaryCtxRetain)(&none, 2), CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(Devices, HaveMemoryOfTheirOwnInOneSpaceOfAddresses) {
  begin_with("t4,t4");
  size_t left[2], total = 0;
  for (size_t i : {0u, 1u}) {
    use(i);
    FINE(CALL(cuMemGetInfo_v2)(&left[i], &total));
  }
  CUdeviceptr a = 0, b = 0;
  FINE(CALL(cuMemAlloc_v2)(&b, 1 << 20));
  use(0);
  FINE(CALL(cuMemAlloc_v2)(&a, 2 << 20));
  EXPECT_EQ(ordinal_of(a), 0);
  EXPECT_EQ(ordinal_of(b + 100), 1);
  EXPECT_TRUE(a + (2 << 20) <= b || b + (1 << 20) <= a);
  const size_t taken[] = {2 << 20, 1 << 20};
  for (size_t i : {0u, 1u}) {
    size_t now = 0;
    use(i);
    FINE(CALL(cuMemGetInfo_v2)(&now, &total));
    EXPECT_EQ(left[i] - now, taken[i]);
  }
  // The end of one device's context takes nothing of the other's.
  FINE(CALL(cuDevicePrimaryCtxReset_v2)(1));
  EXPECT_EQ(ordinal_of(a), 0);
  int ordinal = 0;
  EXPECT_EQ(CALL(cuPointerGetAttribute)(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, b),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Devices, ArePeersIfTheirGenerationIsTheSame) {
  begin_with("h100,t4,h200");
  int can = -1;
  FINE(CALL(cuDeviceCanAccessPeer)(&can, 0, 1));
  EXPECT_EQ(can, 0);
  FINE(CALL(cuDeviceCanAccessPeer)(&can, 0, 2));
  EXPECT_EQ(can, 1);
  FINE(CALL(cuDeviceGetP2PAttribute)(&can, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 2, 0));
  EXPECT_EQ(can, 1);
  EXPECT_EQ(CALL(cuDeviceGetP2PAttribute)(&can, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 2, 2),
            CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(CALL(cuCtxEnablePeerAccess)(contexts[0], 0), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(CALL(cuCtxEnablePeerAccess)(contexts[1], 0), CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
  EXPECT_EQ(CALL(cuCtxDisablePeerAccess)(contexts[2]), CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
  EXPECT_EQ(CALL(cuCtxEnablePeerAccess)(contexts[2], 1), CUDA_ERROR_INVALID_VALUE);
  FINE(CALL(cuCtxEnablePeerAccess)(contexts[2], 0));
  EXPECT_EQ(CALL(cuCtxEnablePeerAccess)(contexts[2], 0), CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
  // A reset of the other one ends it.
  FINE(CALL(cuDevicePrimaryCtxReset_v2)(2));
  EXPECT_EQ(CALL(cuCtxDisablePeerAccess)(contexts[2]), CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
}

TEST_F(Devices, AKernelReachesAPeersMemoryOnceItMay) {
  begin_with("t4,t4");
  use(1);
  CUdeviceptr p = upload(std::vector<uint32_t>(64, 41));
  use(0);
  unsigned n = 64;
  const CUfunction add = load(kernel("add", add_one), "add");
  FINE(CALL(cuCtxEnablePeerAccess)(contexts[1], 0));
  FINE(launch(add, 1, 64, {&p, &n}));
  FINE(CALL(cuCtxSynchronize)());
  EXPECT_EQ(download<uint32_t>(p, 64)[63], 42u);
  FINE(CALL(cuCtxDisablePeerAccess)(contexts[1]));
  FINE(launch(add, 1, 64, {&p, &n}));
  EXPECT_EQ(CALL(cuCtxSynchronize)(), CUDA_ERROR_ILLEGAL_ADDRESS);
  // The other device goes on, and has what it had.
  use(1);
  EXPECT_EQ(download<uint32_t>(p, 64)[63], 42u);
  if (is_relayed()) return;
  EXPECT_THAT(findings(), ElementsAre(HasSubstr("It is on device 1, and the kernel runs on device 0: call "
                                                "cudaDeviceEnablePeerAccess(1, 0)")));
}

TEST_F(Devices, LoadOnlyWhatTheyCanRun) {
  begin_with("h100,t4");
  std::string ptx = kernel("add", add_one);
  ptx.replace(ptx.find("7.0"), 3, "8.0").replace(ptx.find("sm_50"), 5, "sm_90");
  CUmodule module = nullptr;
  FINE(CALL(cuModuleLoadData)(&module, ptx.c_str()));
  use(1);
  EXPECT_EQ(CALL(cuModuleLoadData)(&module, ptx.c_str()), CUDA_ERROR_NO_BINARY_FOR_GPU);
}

TEST_F(Devices, ARecordingSaysOnWhichEachLaunchAndCopyWas) {
  if (is_relayed()) GTEST_SKIP() << "our driver's recording";
  begin_with("h100,t4");
  unsigned n = 64;
  CUdeviceptr p[2];
  for (size_t i : {0u, 1u}) {
    use(i);
    p[i] = upload(std::vector<uint32_t>(64, 41));
    FINE(launch(load(kernel("add", add_one), "add"), 1, 64, {&p[i], &n}));
  }
  CUstream stream = nullptr;
  FINE(CALL(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING));
  FINE(CALL(cuMemcpyPeer)(p[0], contexts[0], p[1], contexts[1], 256));
  FINE(CALL(cuCtxSynchronize)());
  FINE(CALL(cuMemcpyDtoHAsync_v2)(&n, p[1], 4, stream));
  const recording::Recording made = read();
  EXPECT_THAT(made.devices, ElementsAre("h100", "tesla_t4"));
  ASSERT_THAT(made.launches, SizeIs(2));
  EXPECT_EQ(made.device_of(*made.launches[0]), "h100");
  EXPECT_EQ(made.device_of(*made.launches[1]), "tesla_t4");
  EXPECT_TRUE(made.launches[1]->on_default_stream);
  std::vector<std::pair<std::string, uint32_t>> copies;
  std::vector<uint32_t> allocations;
  for (const recording::Event& event : made.events) {
    if (event.kind == recording::Event::Kind::copy) copies.emplace_back(event.name, event.device);
    if (event.kind == recording::Event::Kind::allocate) allocations.push_back(event.device);
  }
  EXPECT_THAT(allocations, ElementsAre(0, 1));
  using Copy = std::pair<std::string, uint32_t>;
  EXPECT_THAT(copies, ElementsAre(Copy{"host to device", 0}, Copy{"host to device", 1},
                                  Copy{"peer to peer", 1}, Copy{"device to host", 1}));
}

// The default streams of two devices are not ordered; only cuMemcpyPeer orders all work of both.
TEST_F(Devices, DoNotWaitForEachOther) {
  if (is_relayed()) GTEST_SKIP() << "our driver's findings";
  begin_with("t4,t4");
  unsigned n = 64;
  CUdeviceptr p = upload(std::vector<uint32_t>(64, 41)), q = 0, r = 0;
  const CUfunction add = load(kernel("add", add_one), "add");
  use(1);
  FINE(CALL(cuMemAlloc_v2)(&q, 256));
  FINE(CALL(cuMemAlloc_v2)(&r, 256));
  use(0);
  FINE(launch(add, 1, 64, {&p, &n}));
  FINE(CALL(cuMemcpyPeer)(q, contexts[1], p, contexts[0], 256));
  EXPECT_THAT(findings(), IsEmpty());
  FINE(launch(add, 1, 64, {&p, &n}));
  use(1);
  FINE(CALL(cuMemcpyPeerAsync)(r, contexts[1], p, contexts[0], 256, nullptr));
  EXPECT_THAT(findings(), ElementsAre(HasSubstr("Nothing orders the two")));
}

}  // namespace THIS_FILE
}  // namespace warplens::test
