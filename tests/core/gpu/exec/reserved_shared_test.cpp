// The system's part of shared memory: its offset, that a kernel that reads it may use it, and that others
// have none.
#include "core/gpu/exec/state/reserved_shared.h"

#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::test {
namespace THIS_FILE {

// Each thread leaves its number there for the one before it; then the registers' values.
const std::string kernel = R"(
.shared .align 4 .b8 room[100];
.visible .entry exchange(.param .u64 results)
{
  .reg .u32 %r<9>; .reg .u64 %a<4>;
  ld.param.u64 %a1, [results];
  mov.u32 %r1, %tid.x;
  st.shared.u32 [room], %r1;
  mov.u32 %r2, %reserved_smem_offset_1;
  mad.lo.u32 %r3, %r1, 4, %r2;
  st.shared.u32 [%r3], %r1;
  bar.sync 0;
  xor.b32 %r4, %r1, 63;
  mad.lo.u32 %r4, %r4, 4, %r2;
  ld.shared.u32 %r5, [%r4];
  mul.wide.u32 %a2, %r1, 4;
  add.u64 %a2, %a1, %a2;
  st.global.u32 [%a2], %r5;
  mov.u32 %r6, %reserved_smem_offset_begin;
  st.global.u32 [%a1+256], %r6;
  mov.u32 %r6, %reserved_smem_offset_end;
  st.global.u32 [%a1+260], %r6;
  mov.u32 %r6, %reserved_smem_offset_cap;
  st.global.u32 [%a1+264], %r6;
  mov.u32 %r6, %reserved_smem_offset_0;
  st.global.u32 [%a1+268], %r6;
  mov.u32 %r6, %total_smem_size;
  st.global.u32 [%a1+272], %r6;
  ret;
}
.visible .entry past(.param .u64 results)
{
  .reg .u32 %r<3>;
  mov.u32 %r1, SPECIAL;
  st.shared.u32 [room], %r1;
  st.shared.u32 [%r1+OFFSET], %r1;
  ret;
}
)";

std::string past(const std::string& special, const std::string& offset) {
  std::string text = kernel;
  text.replace(text.find("SPECIAL"), 7, special);
  text.replace(text.find("OFFSET"), 6, offset);
  return module_text(text);
}

GridOutcome::End end_of(const std::string& text) {
  const Decoded decoded = decode(text, "past", *instruction_sets().front().table);
  EXPECT_NE(decoded.program, nullptr) << decoded.errors;
  Bench bench(decoded.program);
  bench.buffer(std::vector<std::byte>(8));
  return bench.run({1, 1, 1}, {1, 1, 1}).end;
}

TEST(ReservedShared, LiesBehindTheVariablesAndMayBeUsed) {
  for (const InstructionSet& set : instruction_sets()) {
    const Decoded decoded = decode(past("%reserved_smem_offset_begin", "0"), "exchange", *set.table);
    ASSERT_NE(decoded.program, nullptr) << decoded.errors;
    Bench bench(decoded.program);
    const Allocation& results = bench.buffer(std::vector<std::byte>(276));
    ASSERT_EQ(bench.run({3, 1, 1}, {64, 1, 1}).end, GridOutcome::End::finished);
    uint32_t words[69];
    std::memcpy(words, results.host, sizeof words);
    for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(words[i], i ^ 63);
    // An H100 has the same size and capacity, and 288 bytes from its begin to its end.
    EXPECT_EQ(words[64], 128u);
    EXPECT_EQ(words[65], 128u + 288);
    EXPECT_EQ(words[66], 1024u);
    EXPECT_EQ(words[67], 128u);
    EXPECT_EQ(words[68], 112u);  // the room, up to a multiple of 16
  }
}

TEST(ReservedShared, EndsWhereItSays) {
  EXPECT_EQ(end_of(past("%reserved_smem_offset_end", "-4")), GridOutcome::End::finished);
  EXPECT_EQ(end_of(past("%reserved_smem_offset_end", "0")), GridOutcome::End::fault);
}

TEST(ReservedShared, KernelsThatDoNotAskHaveNone) {
  EXPECT_EQ(end_of(past("108", "0")), GridOutcome::End::finished);
  EXPECT_EQ(end_of(past("108", "4")), GridOutcome::End::fault);
}

}  // namespace THIS_FILE
}  // namespace warplens::exec::test
