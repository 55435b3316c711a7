#include "core/device/launch_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace warplens {
namespace THIS_FILE {

using testing::AllOf;
using testing::HasSubstr;

const Device& h200() {
  static const Device device = *find_device("NVIDIA H200");
  return device;
}

Resources resources_of(uint32_t registers, uint32_t shared = 0) {
  Resources resources;
  resources.registers_per_thread = registers;
  resources.shared_static_bytes = shared;
  return resources;
}

std::string error_of(const Device& device, const LaunchShape& shape, const Resources* resources = nullptr,
                     uint32_t max_threads = 0) {
  const auto refusal = check_launch(device, shape, resources, max_threads);
  return refusal ? refusal->cuda_error : "cudaSuccess";
}

// Each row was launched on an NVIDIA H200 with CUDA runtime 12.9 under driver 13.0; the error is what
// cudaLaunchKernel returned and cudaGetLastError then told.
TEST(LaunchLimits, AreThoseOfTheRuntimeOnAnH200) {
  const std::string configuration = "cudaErrorInvalidConfiguration", value = "cudaErrorInvalidValue";
  const auto shape = [](Dim3 grid, Dim3 block, uint32_t shared = 0) {
    return LaunchShape{grid, block, shared};
  };
  EXPECT_EQ(error_of(h200(), shape({}, {32, 1, 1})), "cudaSuccess");
  EXPECT_EQ(error_of(h200(), shape({}, {32, 33, 1})), configuration);
  EXPECT_EQ(error_of(h200(), shape({}, {1025, 1, 1})), configuration);
  EXPECT_EQ(error_of(h200(), shape({}, {1, 1, 65})), configuration);
  EXPECT_EQ(error_of(h200(), shape({}, {0, 1, 1})), configuration);
  EXPECT_EQ(error_of(h200(), shape({0, 1, 1}, {32, 1, 1})), configuration);
  EXPECT_EQ(error_of(h200(), shape({1, 65536, 1}, {32, 1, 1})), configuration);
  EXPECT_EQ(error_of(h200(), shape({1, 1, 65536}, {32, 1, 1})), configuration);
  EXPECT_EQ(error_of(h200(), shape({2147483648u, 1, 1}, {32, 1, 1})), configuration);
  EXPECT_EQ(error_of(h200(), shape({UINT32_MAX, 1, 1}, {32, 1, 1})), configuration);
  EXPECT_EQ(error_of(h200(), shape({1, 65536, 1}, {32, 1, 1}, 300000)), configuration);
  EXPECT_EQ(error_of(h200(), shape({}, {1025, 1, 1}, 300000)), configuration);

  LaunchShape plain = shape({}, {32, 1, 1}, 49152);
  plain.shared_opt_in = false;
  EXPECT_EQ(error_of(h200(), plain), "cudaSuccess");
  plain.shared_dynamic_bytes = 49153;
  EXPECT_EQ(error_of(h200(), plain), value);
  plain.shared_dynamic_bytes = 300000;
  EXPECT_EQ(error_of(h200(), plain), value);
  EXPECT_EQ(error_of(h200(), shape({}, {32, 1, 1}, 232448)), "cudaSuccess");
  EXPECT_EQ(error_of(h200(), shape({}, {32, 1, 1}, 232449)), value);
  const Resources forty = resources_of(10, 40960);
  plain.shared_dynamic_bytes = 8192;
  EXPECT_EQ(error_of(h200(), plain, &forty), "cudaSuccess");
  plain.shared_dynamic_bytes = 8193;
  EXPECT_EQ(error_of(h200(), plain, &forty), value);
  EXPECT_EQ(error_of(h200(), shape({}, {32, 1, 1}, 200000), &forty), value);

  const Resources fat = resources_of(168);
  EXPECT_EQ(error_of(h200(), shape({}, {1024, 1, 1}), &fat), "cudaErrorLaunchOutOfResources");
  EXPECT_EQ(error_of(h200(), shape({}, {512, 1, 1}), &fat), "cudaErrorLaunchOutOfResources");
  EXPECT_EQ(error_of(h200(), shape({}, {384, 1, 1}), &fat), "cudaSuccess");  // its maxThreadsPerBlock
  EXPECT_EQ(error_of(h200(), shape({}, {256, 1, 1}), &fat), "cudaSuccess");
  EXPECT_EQ(error_of(h200(), shape({}, {1024, 1, 1}, 300000), &fat), value);

  EXPECT_EQ(error_of(h200(), shape({}, {129, 1, 1}), nullptr, 128), value);
  EXPECT_EQ(error_of(h200(), shape({}, {1024, 1, 1}), nullptr, 128), value);
  EXPECT_EQ(error_of(h200(), shape({}, {1025, 1, 1}), nullptr, 128), configuration);
  EXPECT_EQ(error_of(h200(), shape({}, {128, 1, 1}), nullptr, 128), "cudaSuccess");

  const Resources small = resources_of(20);
  LaunchShape cooperative{{8 * 132, 1, 1}, {256, 1, 1}, 0, true};
  EXPECT_EQ(error_of(h200(), cooperative, &small), "cudaSuccess");
  cooperative.grid.x += 1;
  EXPECT_EQ(error_of(h200(), cooperative, &small), "cudaErrorCooperativeLaunchTooLarge");
  EXPECT_EQ(error_of(h200(), cooperative), "cudaSuccess");  // resources not known yet
  cooperative.block.x = 1025;
  EXPECT_EQ(error_of(h200(), cooperative, &small), configuration);
}

TEST(LaunchLimits, SayWhatByHowMuchAndWhatTheProgramShows) {
  const auto refusal = check_launch(h200(), {{}, {32, 33, 1}}, nullptr);
  ASSERT_TRUE(refusal);
  EXPECT_THAT(refusal->message, AllOf(HasSubstr("32 × 33"), HasSubstr("1,056 threads"), HasSubstr("32 more"),
                                      HasSubstr("1,024"), HasSubstr("smaller block")));
  EXPECT_THAT(refusal->consequence, AllOf(HasSubstr("never ran"), HasSubstr("previous result"),
                                          HasSubstr("cudaErrorInvalidConfiguration")));
  const Resources fat = resources_of(168);
  EXPECT_THAT(check_launch(h200(), {{}, {512, 1, 1}}, &fat)->message,
              AllOf(HasSubstr("86,016"), HasSubstr("65,536"), HasSubstr("384 threads")));
  const Resources forty = resources_of(10, 40960);
  EXPECT_THAT(check_launch(h200(), {{}, {32, 1, 1}, 200000}, &forty)->message,
              AllOf(HasSubstr("40,960 static"), HasSubstr("200,000 dynamic"), HasSubstr("8,512 bytes more")));
  EXPECT_THAT(check_launch(h200(), {{1, 70000, 1}, {32, 1, 1}}, nullptr)->message,
              AllOf(HasSubstr("70,000 blocks in y"), HasSubstr("4,465 more")));
}

TEST(LaunchLimits, OfTheTeachingGpuAreItsOwn) {
  const Device teaching = *find_device("teaching");
  EXPECT_EQ(error_of(teaching, {{}, {256, 1, 1}}), "cudaSuccess");
  EXPECT_EQ(error_of(teaching, {{}, {257, 1, 1}}), "cudaErrorInvalidConfiguration");
  EXPECT_EQ(error_of(teaching, {{}, {32, 1, 1}, 16385}), "cudaErrorInvalidValue");
}

// What occupancy calls impossible is refused, and nothing else is.
TEST(LaunchLimits, RefuseExactlyWhatOccupancyCallsImpossible) {
  std::mt19937 random(7);
  for (const Device& device : built_in_devices()) {
    SCOPED_TRACE(device.name);
    for (int i = 0; i < 2000; ++i) {
      const LaunchShape shape{{1, 1, 1},
                              {static_cast<uint32_t>(1 + random() % 1100), 1, 1},
                              static_cast<uint32_t>(random() % 3 == 0 ? random() % 250000 : 0)};
      const Resources resources =
          resources_of(static_cast<uint32_t>(random() % 256),
                       static_cast<uint32_t>(random() % 3 == 0 ? random() % 49152 : 0));
      const Occupancy occupancy =
          occupancy_of(device, {shape.block.x, resources.registers_per_thread, resources.shared_static_bytes,
                                shape.shared_dynamic_bytes, 1});
      ASSERT_EQ(occupancy.active_blocks_per_sm == 0, check_launch(device, shape, &resources).has_value())
          << shape.block.x << " threads, " << resources.registers_per_thread << " registers, "
          << resources.shared_static_bytes << " + " << shape.shared_dynamic_bytes;
    }
  }
}

// PyCUDA takes as many threads: with 81 registers each 640 fit into a block, although 736 have fewer than
// 65,536 together.
TEST(LaunchLimits, KnowTheMostThreadsThatFindTheirRegisters) {
  EXPECT_EQ(most_threads_by_registers(h200(), 81), 640u);
  EXPECT_EQ(most_threads_by_registers(h200(), 64), 1024u);
  EXPECT_EQ(most_threads_by_registers(h200(), 256), 0u);
  for (const Device& device : built_in_devices())
    for (uint32_t registers = 1; registers < 256; ++registers) {
      const uint32_t most = most_threads_by_registers(device, registers);
      const Resources resources = resources_of(registers);
      if (most > 0) {
        ASSERT_EQ(error_of(device, {{}, {most, 1, 1}}, &resources), "cudaSuccess");
      }
      ASSERT_NE(error_of(device, {{}, {most + 1, 1, 1}}, &resources), "cudaSuccess")
          << device.name << ", " << registers << " registers";
    }
}

TEST(LaunchLimits, SurviveExtremeShapes) {
  const Resources resources = resources_of(255, UINT32_MAX);
  for (const uint32_t a : {0u, 1u, 65535u, UINT32_MAX}) {
    for (const uint32_t b : {0u, 1u, 1024u, UINT32_MAX}) {
      for (const bool cooperative : {false, true}) {
        const LaunchShape shape{{a, b, a}, {b, a, b}, a, cooperative};
        if (a == 1 && b == 1) continue;
        EXPECT_TRUE(check_launch(h200(), shape, &resources));
      }
    }
  }
}

}  // namespace THIS_FILE
}  // namespace warplens
