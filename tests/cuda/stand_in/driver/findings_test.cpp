// Findings in kernels of programs: what the host may write, the lines of library headers, and kernels that go
// on after an access outside of memory.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "tests/cuda/stand_in/driver/library.h"

namespace warplens::test {
namespace THIS_FILE {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

struct Case : DriverTest {
  void TestBody() override {}
};

constexpr const char* no_writer = "which no thread has written";

// What is said of a kernel that adds one to 32 numbers.
std::string said_of_adding(Case& test, CUdeviceptr p) {
  unsigned n = 32;
  CaptureStderr();
  EXPECT_EQ(test.launch(test.load(kernel("add", add_one), "add"), 1, 32, {&p, &n}), CUDA_SUCCESS);
  EXPECT_EQ(CALL(cuCtxSynchronize)(), CUDA_SUCCESS);
  return GetCapturedStderr();
}

TEST(DriverFindings, MemoryThatTheHostMayWriteCountsAsWritten) {
  set_variable("WARPLENS_PROGRAM_SANITIZE", "all");
  Case test;
  test.begin();
  void* pinned = nullptr;
  FINE(CALL(cuMemHostAlloc)(&pinned, 128, CU_MEMHOSTALLOC_DEVICEMAP));
  EXPECT_EQ(said_of_adding(test, reinterpret_cast<uintptr_t>(pinned)), "");
  alignas(4096) static uint32_t own[1024];
  FINE(CALL(cuMemHostRegister_v2)(own, sizeof own, CU_MEMHOSTREGISTER_DEVICEMAP));
  EXPECT_EQ(said_of_adding(test, reinterpret_cast<uintptr_t>(own)), "");
  CUdeviceptr array = 0;
  FINE(CALL(cuMemAlloc_v2)(&array, 128));
  EXPECT_THAT(said_of_adding(test, array), HasSubstr(no_writer));
}

// By pages: those that the host has not touched are unwritten.
TEST(DriverFindings, ManagedMemoryThatTheHostHasTouchedCountsAsWritten) {
  if (access("/proc/self/pagemap", R_OK) != 0)
    GTEST_SKIP() << "this system does not tell which pages are used";
  set_variable("WARPLENS_PROGRAM_SANITIZE", "all");
  Case test;
  test.begin();
  CUdeviceptr touched = 0, untouched = 0;
  FINE(CALL(cuMemAllocManaged)(&touched, 1 << 20, CU_MEM_ATTACH_GLOBAL));
  FINE(CALL(cuMemAllocManaged)(&untouched, 1 << 20, CU_MEM_ATTACH_GLOBAL));
  std::memset(reinterpret_cast<void*>(touched), 0, 1 << 19);
  EXPECT_EQ(said_of_adding(test, touched), "");
  EXPECT_THAT(said_of_adding(test, touched + (1 << 19)), HasSubstr(no_writer));
  FINE(CALL(cuMemsetD8_v2)(untouched, 0, 128));
  EXPECT_EQ(said_of_adding(test, untouched), "");
}

TEST(DriverFindings, WhatCallsWriteCountsAsWritten) {
  set_variable("WARPLENS_PROGRAM_SANITIZE", "all");
  Case test;
  test.begin();
  const auto fresh = [] {
    CUdeviceptr p = 0;
    EXPECT_EQ(CALL(cuMemAlloc_v2)(&p, 128), CUDA_SUCCESS);
    return p;
  };
  const CUdeviceptr rows = fresh(), copied = fresh(), by_address = fresh();
  FINE(CALL(cuMemsetD2D8_v2)(rows, 64, 1, 64, 2));
  EXPECT_EQ(said_of_adding(test, rows), "");
  FINE(CALL(cuMemcpyDtoD_v2)(copied, rows, 128));
  EXPECT_EQ(said_of_adding(test, copied), "");
  uint32_t values[32] = {};
  FINE(CALL(cuMemcpy)(by_address, reinterpret_cast<uintptr_t>(values), sizeof values));
  EXPECT_EQ(said_of_adding(test, by_address), "");
}

// Line 112 of a header of the toolkit, which line 7 of the user's file calls.
std::string in_header(const std::string& header, const std::string& body) {
  return ".version 7.2\n.target sm_50\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n.reg .b64 %p;\n"
         ".reg .b32 %x;\n$begin:\nld.param.u64 %p, [a];\n.loc 1 7 3\n.loc 2 112 3, function_name $name, "
         "inlined_at 1 7 3\n" +
         body + "\nret;\n}\n.file 1 \"/home/me/bins.cu\"\n.file 2 \"" + header +
         "\"\n.section .debug_str\n{\n$name:\n.b8 102,0\n}\n";
}

TEST(DriverFindings, NameTheUsersLineBeforeThatOfALibrary) {
  const auto said_of = [](Case& test, const std::string& header) {
    CUdeviceptr none = 0;
    CaptureStderr();
    EXPECT_EQ(
        test.launch(test.load(in_header(header, "ld.global.u32 %x, [%p];\nst.global.u32 [%p], %x;"), "k"), 1,
                    1, {&none}),
        CUDA_SUCCESS);
    EXPECT_EQ(CALL(cuCtxSynchronize)(), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_EQ(CALL(cuDevicePrimaryCtxReset_v2)(0), CUDA_SUCCESS);
    return GetCapturedStderr();
  };
  Case test;
  test.begin();
  const char* const toolkit =
      "/usr/local/cuda-13.0/bin/../targets/x86_64-linux/include/device_atomic_functions.hpp";
  EXPECT_THAT(said_of(test, toolkit),
              AllOf(HasSubstr("bins.cu:7: "), HasSubstr("This is in device_atomic_functions.hpp:112.")));
  test.begin();
  EXPECT_THAT(
      said_of(test, "/v/lib/python3/site-packages/nvidia/cuda_runtime/include/sm_60_atomic_functions.hpp"),
      HasSubstr("bins.cu:7: "));
  test.begin();
  EXPECT_THAT(
      said_of(test, "/home/me/include/mine.h"),
      AllOf(HasSubstr("mine.h:112: "), HasSubstr("(inlined at bins.cu:7)"), Not(HasSubstr("This is in"))));
}

// Reads one number before the array and one past it, and writes to its own place and past the end.
constexpr const char* stencil =
    "add.u64 %a, %p, %o;\nld.global.u32 %x, [%a+-4];\nld.global.u32 %y, [%a+4];\nadd.u32 %x, %x, %y;\n"
    "add.u32 %x, %x, 1;\nst.global.u32 [%a], %x;\nst.global.u32 [%a+4], %x;";

TEST(DriverFindings, AKernelGoesOnAfterABadAccessWhereThatIsAsked) {
  set_variable("WARPLENS_PROGRAM_ON_FAULT", "continue");
  for (const char* const tier : {"never", "always"}) {
    set_variable("WARPLENS_TIER", tier);
    Case test;
    test.begin();
    CUdeviceptr p = test.upload(std::vector<uint32_t>(32, 5));
    unsigned n = 32;
    CaptureStderr();
    const CUfunction function = test.load(kernel("stencil", stencil), "stencil");
    FINE(test.launch(function, 1, 32, {&p, &n}));
    FINE(CALL(cuCtxSynchronize)());
    std::vector<uint32_t> values(32);
    FINE(CALL(cuMemcpyDtoH_v2)(values.data(), p, 128));
    EXPECT_EQ(values.front(), 6u) << tier;  // 0 + 5 + 1; the neighbour's second store comes after it
    EXPECT_EQ(values[1], 6u) << tier;
    EXPECT_EQ(values[31], 11u) << tier;  // 5 + 5 + 1 of its neighbour
    EXPECT_THAT(GetCapturedStderr(), AllOf(HasSubstr("The read gives 0, and the kernel goes on."),
                                           HasSubstr("Nothing is written, and the kernel goes on.")))
        << tier;
  }
}

TEST(DriverFindings, AnAtomicOutsideOfMemoryIsNotMade) {
  set_variable("WARPLENS_PROGRAM_ON_FAULT", "continue");
  Case test;
  test.begin();
  CUdeviceptr p = test.upload(std::vector<uint32_t>(4));
  unsigned n = 1;
  CaptureStderr();
  FINE(test.launch(test.load(kernel("count", "add.u64 %a, %p, %o;\nred.global.add.u32 [%a], %n;"), "count"),
                   2, 32, {&p, &n}));
  FINE(CALL(cuCtxSynchronize)());
  std::vector<uint32_t> values(4);
  FINE(CALL(cuMemcpyDtoH_v2)(values.data(), p, 16));
  EXPECT_EQ(values, std::vector<uint32_t>(4, 1));
  EXPECT_THAT(GetCapturedStderr(), HasSubstr("thread (4,0,0) updates 4 bytes, just past the end"));
}

}  // namespace THIS_FILE
}  // namespace warplens::test
