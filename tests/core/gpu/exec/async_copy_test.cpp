// cp.async in addition to the tests of tests/data/ptx/cp.warp: with a cache policy as its last operand (PTX
// ISA 9.7.9.25.3.1).
#include <array>

#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::test {

namespace THIS_FILE {

TEST(AsyncCopy, TakesACachePolicyBehindTheSize) {
  const std::string ptx = module_text(
      ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n  .reg .b64 %rd<4>;\n  .reg .b32 %r<8>;\n"
      "  .shared .align 16 .b8 room[32];\n  ld.param.u64 %rd1, [in];\n  ld.param.u64 %rd2, [out];\n"
      "  mov.u32 %r1, room;\n  mov.u32 %r2, 4;\n  createpolicy.fractional.L2::evict_last.b64 %rd3, 1.0;\n"
      "  cp.async.cg.shared.global.L2::cache_hint [%r1], [%rd1], 16, %rd3;\n"
      "  cp.async.ca.shared.global.L2::cache_hint.L2::128B [%r1+16], [%rd1], 8, %r2, %rd3;\n"
      "  cp.async.wait_all;\n  ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [room];\n"
      "  st.global.v4.u32 [%rd2], {%r3, %r4, %r5, %r6};\n  ld.shared.v2.u32 {%r3, %r4}, [room+16];\n"
      "  st.global.v2.u32 [%rd2+16], {%r3, %r4};\n  ret;\n}\n");
  for (const InstructionSet& set : instruction_sets()) {
    const Decoded decoded = decode(ptx, "k", *set.table);
    ASSERT_NE(decoded.program, nullptr) << decoded.errors;
    Bench bench(decoded.program);
    const std::array<uint32_t, 4> values{11, 22, 33, 44};
    std::vector<std::byte> in(16);
    std::memcpy(in.data(), values.data(), 16);
    bench.buffer(in);
    const Allocation& out = bench.buffer(std::vector<std::byte>(24));
    ASSERT_EQ(bench.run({1, 1, 1}, {1, 1, 1}).end, GridOutcome::End::finished);
    std::array<uint32_t, 6> got{};
    std::memcpy(got.data(), out.host, 24);
    // The second copy reads four bytes; the others are zeros.
    EXPECT_EQ(got, (std::array<uint32_t, 6>{11, 22, 33, 44, 11, 0}));
  }
}

}  // namespace THIS_FILE

}  // namespace warplens::exec::test
