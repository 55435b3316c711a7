// A race in both orders.
#include "core/gpu/stepping/two_orders.h"

#include <gtest/gtest.h>

#include "core/compile/compiler.h"
#include "core/device/device.h"
#include "core/job/named_variables.h"

namespace warplens {
namespace THIS_FILE {

using stepping::BlockStepper;
using stepping::RacedBytes;
using stepping::TwoOrders;

// One block of 64 threads on out[64].
std::shared_ptr<const LaunchRequest> request_of(const std::string& body) {
  auto request = std::make_shared<LaunchRequest>();
  auto module = std::make_shared<ModuleText>();
  module->source = "extern \"C\" __global__ void k(int* out) {\n" + body + "\n}\n";
  module->source_name = "k.cu";
  request->module = std::move(module);
  request->device = built_in_devices().front();
  BufferSpec out;
  out.name = "out";
  out.dtype = DType::i32;
  out.bytes = 256;
  out.output = true;
  request->buffers.push_back(out);
  LaunchStep launch;
  launch.entry = "k";
  launch.block = {64, 1, 1};
  launch.arguments.emplace_back(BufferArgument{0, 0});
  request->steps.emplace_back(launch);
  const Result<LaunchRequest> named = with_named_variables(*request);
  EXPECT_TRUE(named) << (named ? "" : named.error().message);
  return named ? std::make_shared<const LaunchRequest>(*named) : nullptr;
}

RacedBytes word(uint64_t index, uint32_t one = 0, uint32_t other = 1) {
  RacedBytes raced;
  raced.address = 4 * index;
  raced.warps[0] = one;
  raced.warps[1] = other;
  return raced;
}

const char* reversed_without_barrier =
    "__shared__ int part[64];\n int t = threadIdx.x;\n part[t] = t + 1;\n out[t] = part[63 - t];";

TEST(TwoOrders, LeaveDifferentValuesWhereABarrierIsMissing) {
  if (!compiler_version()) GTEST_SKIP() << "there is no NVRTC here";
  const auto request = request_of(reversed_without_barrier);
  ASSERT_TRUE(request);
  const Result<TwoOrders> orders = stepping::two_orders_of(request, {0, 0, 0}, {}, word(63));
  ASSERT_TRUE(orders) << orders.error().message;
  EXPECT_EQ(orders->first.warp, 0u) << "warp 0 has the first turn";
  EXPECT_EQ(orders->first.kind, AccessKind::load);
  EXPECT_EQ(orders->first.line, 5u);
  EXPECT_EQ(orders->second.warp, 1u);
  EXPECT_EQ(orders->second.kind, AccessKind::store);
  EXPECT_EQ(orders->second.line, 4u);
  EXPECT_EQ(orders->count, 32u) << "what warp 0 read too early";
  ASSERT_EQ(orders->differences.size(), stepping::most_differences);
  EXPECT_EQ(orders->differences[0].place, "out[0]");
  EXPECT_EQ(orders->differences[0].before, "0");
  EXPECT_EQ(orders->differences[0].behind, "64");

  Result<BlockStepper> stepper = BlockStepper::open(request, {0, 0, 0});
  ASSERT_TRUE(stepper);
  stepping::take_order(*stepper, *orders, true);
  EXPECT_TRUE(stepper->breakpoints().empty());
  const Result<Bytes> written = stepper->read(Space::shared, 4 * 63, 4);
  ASSERT_TRUE(written);
  EXPECT_EQ((*written)[0], std::byte{64}) << "the write has come first";
}

TEST(TwoOrders, AreNotThereBehindABarrierOrWithinAWarp) {
  if (!compiler_version()) GTEST_SKIP() << "there is no NVRTC here";
  const auto fine = request_of(
      "__shared__ int part[64];\n int t = threadIdx.x;\n part[t] = t + 1;\n __syncthreads();\n out[t] = "
      "part[63 - t];");
  ASSERT_TRUE(fine);
  const Result<TwoOrders> none = stepping::two_orders_of(fine, {0, 0, 0}, {}, word(63));
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("barrier"), std::string::npos);
  const Result<TwoOrders> same = stepping::two_orders_of(fine, {0, 0, 0}, {}, word(63, 1, 1));
  ASSERT_FALSE(same);
  EXPECT_NE(same.error().message.find("same warp"), std::string::npos);
}

TEST(TwoOrders, MayLeaveTheSame) {
  if (!compiler_version()) GTEST_SKIP() << "there is no NVRTC here";
  const auto request =
      request_of("__shared__ int one[1];\n one[0] = 7;\n __syncthreads();\n out[threadIdx.x] = one[0];");
  ASSERT_TRUE(request);
  const Result<TwoOrders> orders = stepping::two_orders_of(request, {0, 0, 0}, {}, word(0));
  ASSERT_TRUE(orders) << orders.error().message;
  EXPECT_FALSE(orders->differ());
  EXPECT_EQ(orders->first.kind, AccessKind::store);
}

}  // namespace THIS_FILE
}  // namespace warplens
