// Mistakes: CUDA's own code for each, and one sentence that says what happened.
#include <gmock/gmock.h>

#include <csignal>

#include "tests/cuda/stand_in/driver/library.h"

namespace warplens::test {
namespace THIS_FILE {

using testing::HasSubstr;
using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

class DriverFaults : public DriverTest {
 protected:
  // Runs one thread and returns the result of the next synchronising call.
  CUresult fault_of(const std::string& body, CUdeviceptr p, const std::string& in_front = {}) {
    unsigned n = 1;
    const CUfunction function = load(kernel("faulty", body, in_front), "faulty");
    EXPECT_EQ(launch(function, 1, 32, {&p, &n}), CUDA_SUCCESS);
    return CALL(cuCtxSynchronize)();
  }
};

TEST_F(DriverFaults, OutOfBoundsStaysUntilTheContextEnds) {
  const CUdeviceptr p = upload(std::vector<uint32_t>(4));
  CaptureStderr();
  EXPECT_EQ(fault_of("add.u64 %a, %p, %o;\nst.global.u32 [%a], %n;", p), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THAT(GetCapturedStderr(),
              HasSubstr("block (0,0,0) thread (4,0,0) writes 4 bytes, just past the end of array"));
  size_t bytes = 0;
  EXPECT_EQ(CALL(cuMemGetInfo_v2)(&bytes, &bytes), CUDA_ERROR_ILLEGAL_ADDRESS);
  uint32_t value = 0;
  EXPECT_EQ(CALL(cuMemcpyDtoH_v2)(&value, p, 4), CUDA_ERROR_ILLEGAL_ADDRESS);
  CUcontext current = nullptr;
  EXPECT_EQ(CALL(cuCtxGetCurrent)(&current), CUDA_SUCCESS);
  FINE(CALL(cuDevicePrimaryCtxReset_v2)(0));
  FINE(CALL(cuMemGetInfo_v2)(&bytes, &bytes));
}

// Lane l of 64 arrives l % 3 + 1 times at the barrier in the loop; then it counts and exits, which an H200
// allows.
constexpr const char* leaves_a_loop = R"(
rem.u32 %x, %i, 3;
again: bar.sync 0;
sub.s32 %x, %x, 1;
setp.ge.s32 %q, %x, 0;
@%q bra again;
atom.global.add.u32 %x, [%p], 1;)";

TEST_F(DriverFaults, AWarpMayComeToABarrierInPartsAsOnGpusSinceVolta) {
  CUdeviceptr p = upload(std::vector<uint32_t>(1));
  unsigned n = 1;
  CaptureStderr();
  const CUfunction function = load(kernel("parts", leaves_a_loop), "parts");
  EXPECT_EQ(launch(function, 3, 64, {&p, &n}), CUDA_SUCCESS);
  EXPECT_EQ(launch(function, 3, 64, {&p, &n}), CUDA_SUCCESS);
  EXPECT_EQ(CALL(cuCtxSynchronize)(), CUDA_SUCCESS);
  uint32_t count = 0;
  FINE(CALL(cuMemcpyDtoH_v2)(&count, p, 4));
  EXPECT_EQ(count, 2 * 3 * 64u);
  const std::string said = GetCapturedStderr();
  const size_t first = said.find("block (0,0,0) thread (");
  EXPECT_NE(first, said.npos) << said;
  EXPECT_THAT(said, HasSubstr("and goes on; others do not"));
  EXPECT_EQ(said.find("block (", first + 1), said.npos) << "it is reported once: " << said;
  // Another barrier after the loop: an H200 hangs.
  CaptureStderr();
  const CUfunction other = load(kernel("other", std::string(leaves_a_loop) + "\nbar.sync 0;"), "other");
  EXPECT_EQ(launch(other, 1, 64, {&p, &n}), CUDA_SUCCESS);
  EXPECT_EQ(CALL(cuCtxSynchronize)(), CUDA_ERROR_LAUNCH_TIMEOUT);
  EXPECT_THAT(GetCapturedStderr(), HasSubstr("waits at a barrier"));
}

TEST_F(DriverFaults, Misaligned) {
  CUdeviceptr p = upload(std::vector<uint32_t>(4)) + 2;
  EXPECT_EQ(fault_of("st.global.u32 [%p], %n;", p), CUDA_ERROR_MISALIGNED_ADDRESS);
}

TEST_F(DriverFaults, NullPointer) {
  CaptureStderr();
  EXPECT_EQ(fault_of("st.global.u32 [%p], %n;", 0), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THAT(GetCapturedStderr(), HasSubstr("null pointer"));
}

TEST_F(DriverFaults, HostPointer) {
  std::vector<uint32_t> own(1024);
  CaptureStderr();
  EXPECT_EQ(
      fault_of("ld.global.u32 %x, [%p];\nst.global.u32 [%p], %x;", reinterpret_cast<uintptr_t>(own.data())),
      CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THAT(GetCapturedStderr(), HasSubstr("host's memory"));
}

TEST_F(DriverFaults, UseAfterFree) {
  const CUdeviceptr p = upload(std::vector<uint32_t>(64));
  FINE(CALL(cuMemFree_v2)(p));
  CaptureStderr();
  EXPECT_EQ(fault_of("st.global.u32 [%p], %n;", p), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THAT(GetCapturedStderr(), HasSubstr("which was freed"));
}

TEST_F(DriverFaults, FreedTwice) {
  const CUdeviceptr p = upload(std::vector<uint32_t>(64));
  FINE(CALL(cuMemFree_v2)(p));
  CaptureStderr();
  EXPECT_EQ(CALL(cuMemFree_v2)(p), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(GetCapturedStderr(), HasSubstr("freed twice"));
  CaptureStderr();
  const CUdeviceptr q = upload(std::vector<uint32_t>(64));
  EXPECT_EQ(CALL(cuMemFree_v2)(q + 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(GetCapturedStderr(), HasSubstr("inside array"));
  EXPECT_EQ(CALL(cuMemFree_v2)(0), CUDA_SUCCESS);
}

TEST_F(DriverFaults, CopiesPastTheEnd) {
  const CUdeviceptr p = upload(std::vector<uint32_t>(4));
  std::vector<uint32_t> values(8);
  CaptureStderr();
  EXPECT_EQ(CALL(cuMemcpyDtoH_v2)(values.data(), p, 32), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(GetCapturedStderr(), HasSubstr("it ends 16 B too late"));
  EXPECT_EQ(CALL(cuMemsetD32_v2)(p, 0, 5), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CALL(cuMemcpyHtoD_v2)(12345, values.data(), 4), CUDA_ERROR_INVALID_VALUE);
}

TEST(DriverEndless, KernelsEnd) {
  set_variable("WARPLENS_PROGRAM_STEPS", "1000000");
  struct Case : DriverTest {
    void TestBody() override {}
  } test;
  test.begin();
  unsigned n = 0;
  CUdeviceptr p = 0;
  const CUfunction endless = test.load(kernel("endless", "again: bra again;"), "endless");
  CaptureStderr();
  FINE(test.launch(endless, 1, 1, {&p, &n}));
  EXPECT_EQ(CALL(cuCtxSynchronize)(), CUDA_ERROR_LAUNCH_TIMEOUT);
  EXPECT_THAT(GetCapturedStderr(), HasSubstr("it may loop forever"));
}

TEST_F(DriverFaults, Deadlock) {
  CaptureStderr();
  EXPECT_EQ(fault_of("barrier.sync 0, 64;", 0), CUDA_ERROR_LAUNCH_TIMEOUT);
  EXPECT_THAT(GetCapturedStderr(), HasSubstr("wait forever"));
}

TEST_F(DriverFaults, TrapAndAssert) { EXPECT_EQ(fault_of("trap;", 0), CUDA_ERROR_LAUNCH_FAILED); }

TEST_F(DriverFaults, BadLaunches) {
  CUdeviceptr p = upload(std::vector<uint32_t>(4));
  unsigned n = 0;
  const CUfunction add = load(kernel("add", add_one), "add");
  CaptureStderr();
  EXPECT_EQ(launch(add, 1, 1025, {&p, &n}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT(GetCapturedStderr(), HasSubstr("1 more than the device's 1,024"));
  EXPECT_EQ(launch(add, 0, 1, {&p, &n}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(add, 1, 1, {&p, &n}, 49 * 1024), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(nullptr, 1, 1, {&p, &n}), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(CALL(cuLaunchKernel)(add, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
            CUDA_ERROR_INVALID_VALUE);
  // None of them ends the context.
  FINE(launch(add, 1, 1, {&p, &n}));
}

TEST_F(DriverFaults, KernelOfAnotherContext) {
  CUdeviceptr p = upload(std::vector<uint32_t>(4));
  unsigned n = 0;
  const CUfunction add = load(kernel("add", add_one), "add");
  CUcontext other = nullptr;
  FINE(CALL(cuCtxCreate_v2)(&other, 0, 0));
  CaptureStderr();
  EXPECT_EQ(launch(add, 1, 1, {&p, &n}), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_THAT(GetCapturedStderr(), HasSubstr("belongs to another context"));
  FINE(CALL(cuCtxDestroy_v2)(other));
  FINE(launch(add, 1, 1, {&p, &n}));
}

TEST(DriverSanitizer, FindsRaces) {
  set_variable("WARPLENS_PROGRAM_SANITIZE", "all");
  struct Case : DriverTest {
    void TestBody() override {}
  } test;
  test.begin();
  CUdeviceptr p = 0;
  FINE(CALL(cuMemAlloc_v2)(&p, 4));
  unsigned n = 0;
  CaptureStderr();
  FINE(test.launch(test.load(kernel("race", "st.global.u32 [%p], %i;"), "race"), 1, 64, {&p, &n}));
  FINE(CALL(cuCtxSynchronize)());
  EXPECT_THAT(GetCapturedStderr(), HasSubstr("race"));
}

TEST_F(DriverFaults, TheHostReadsMemoryOfTheDevice) {
  const CUdeviceptr p = upload(std::vector<uint32_t>(4));
  const auto read = [](uint64_t address) { return *reinterpret_cast<volatile uint32_t*>(address); };
  EXPECT_EXIT(read(p + 4), testing::KilledBySignal(SIGSEGV),
              "0x0*[1-9a-f][0-9a-f]*4, which is memory of the device");
  EXPECT_EXIT(read(8), testing::KilledBySignal(SIGSEGV), "^$");
}

}  // namespace THIS_FILE
}  // namespace warplens::test
