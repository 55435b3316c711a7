// The bins of the address heat map add up to what the run counts.
#include "core/gpu/engine/heat.h"

#include <numeric>

#include "tests/core/gpu/engine/support.h"

namespace warplens {
namespace THIS_FILE {

using test::kernel;
using test::Request;

uint64_t sum(const std::vector<uint64_t>& bins) {
  return std::accumulate(bins.begin(), bins.end(), uint64_t{0});
}

// Thread i of a block reads p0[32 · i], writes p1[i] and adds to p2[0].
const char* strided_body = R"(
    mov.u32 %r0, %tid.x;
    mul.lo.u32 %r1, %r0, 128;
    cvt.u64.u32 %d0, %r1;
    add.u64 %d0, %p0, %d0;
    ld.global.u32 %r2, [%d0];
    mul.wide.u32 %d1, %r0, 4;
    add.u64 %d1, %p1, %d1;
    st.global.u32 [%d1], %r2;
    red.global.add.u32 [%p2], %r2;
    ret;)";

Request strided(uint32_t blocks) {
  Request request(kernel("strided", 3, strided_body));
  request.buffer("in", std::vector<uint32_t>(64 * 32, 1))
      .buffer("out", std::vector<uint32_t>(64, 0))
      .buffer("sum", std::vector<uint32_t>(1, 0))
      .launch("strided", {blocks, 1, 1}, {64, 1, 1});
  return request;
}

TEST(AddressHeat, BinsAddUpToTheRunsSectors) {
  const Request request = strided(5);
  const Result<RunResult> run = request.run();
  ASSERT_TRUE(run) << run.error().message;
  const Result<AddressHeat> heat = record_heat(request.value, {});
  ASSERT_TRUE(heat) << heat.error().message;
  ASSERT_EQ(heat->buffers.size(), 3u);
  EXPECT_EQ(sum(heat->buffers[0].loads), run->counters->global_load_sectors);
  EXPECT_EQ(sum(heat->buffers[1].stores), run->counters->global_store_sectors);
  EXPECT_EQ(sum(heat->buffers[2].atomics), run->counters->atomic_sectors);
  EXPECT_EQ(sum(heat->buffers[1].loads), 0u);
  EXPECT_EQ(heat->elsewhere, 0u);
  EXPECT_TRUE(heat->message.empty());
  // Every fourth sector of the input, five times; the others never.
  for (size_t bin = 0; bin < heat->buffers[0].loads.size(); ++bin)
    EXPECT_EQ(heat->buffers[0].loads[bin], bin % 4 == 0 ? 5u : 0u) << bin;
}

TEST(AddressHeat, MemoryIsBoundedAndNothingIsLost) {
  const Request request = strided(3);
  const Result<AddressHeat> fine = record_heat(request.value, {});
  ASSERT_TRUE(fine);
  for (const size_t most : {1u, 2u, 7u, 16u}) {
    const Result<AddressHeat> coarse = record_heat(request.value, {}, most);
    ASSERT_TRUE(coarse);
    for (size_t b = 0; b < coarse->buffers.size(); ++b) {
      EXPECT_LE(coarse->buffers[b].loads.size(), most);
      EXPECT_EQ(sum(coarse->buffers[b].loads), sum(fine->buffers[b].loads));
      EXPECT_EQ(sum(coarse->buffers[b].stores), sum(fine->buffers[b].stores));
    }
  }
}

TEST(AddressHeat, ALongLaunchEndsAndSaysSo) {
  const Request request = strided(2000);
  const Result<AddressHeat> heat = record_heat(request.value, {}, 4096, 5000);
  ASSERT_TRUE(heat) << heat.error().message;
  EXPECT_NE(heat->message.find("first part"), std::string::npos) << heat->message;
  EXPECT_GT(sum(heat->buffers[0].loads), 0u);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(record_heat(request.value, stop.get_token()));
}

TEST(AddressHeat, AFaultEndsIt) {
  Request request = strided(1);
  auto& launch = std::get<LaunchStep>(request.value.steps.back());
  launch.block = {128, 1, 1};  // reads past the end of its input
  const Result<AddressHeat> heat = record_heat(request.value, {});
  ASSERT_TRUE(heat) << heat.error().message;
  EXPECT_NE(heat->message.find("fault"), std::string::npos) << heat->message;
}

}  // namespace THIS_FILE
}  // namespace warplens
