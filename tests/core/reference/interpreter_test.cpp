// The reference interpreter on its own, since a mistake in it could hide one of the virtual GPU: values from
// the PTX ISA manual, and the ways in which a run ends.
#include "tests/core/reference/interpreter.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "core/ptx/parser/parse.h"
#include "tests/core/reference/random_kernel.h"

namespace warplens::reference {

namespace THIS_FILE {

struct Ran {
  Outcome outcome;
  std::vector<uint32_t> out;
};

// A kernel of one block; each thread stores %r0 in out.
Ran run_body(const std::string& body, uint32_t threads) {
  const std::string text =
      ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry test(.param .u64 out)\n{\n  .reg .b32 "
      "%r<8>;\n"
      "  .reg .b64 %d<4>;\n  .reg .f32 %f<4>;\n  .reg .pred %p<4>;\n  ld.param.u64 %d3, [out];\n  mov.u32 "
      "%r7, %tid.x;\n"
      "  mad.wide.u32 %d3, %r7, 4, %d3;\n" +
      body + "\n  st.global.u32 [%d3], %r0;\n}\n";
  const ptx::ParseResult parsed = ptx::parse(text, "test.ptx");
  EXPECT_NE(parsed.module, nullptr) << to_text(parsed.diagnostics);
  if (!parsed.module) return {};
  Ran ran;
  ran.out.resize(threads);
  Launch launch;
  launch.module = parsed.module.get();
  launch.entry = "test";
  launch.grid = {1, 1, 1};
  launch.block = {threads, 1, 1};
  launch.arguments = {4096};
  launch.buffers = {{4096, std::as_writable_bytes(std::span(ran.out))}};
  launch.most_instructions = 10'000;
  ran.outcome = run(launch);
  return ran;
}

uint32_t value_of(const std::string& body) {
  const Ran ran = run_body(body, 1);
  EXPECT_EQ(ran.outcome.end, End::finished) << ran.outcome.reason;
  return ran.out[0];
}

TEST(Reference, ComputesWhatTheManualSays) {
  EXPECT_EQ(value_of("mov.u32 %r1, 0xdeadbeef; bfe.u32 %r0, %r1, 8, 16;"), 0xadbeu);
  EXPECT_EQ(value_of("mov.u32 %r1, 0x00008000; bfe.s32 %r0, %r1, 8, 8;"), 0xffffff80u);
  EXPECT_EQ(value_of("mov.u32 %r1, 0xab; mov.u32 %r2, 0x11223344; bfi.b32 %r0, %r1, %r2, 8, 8;"),
            0x1122ab44u);
  EXPECT_EQ(value_of("mov.u32 %r1, 0x33221100; mov.u32 %r2, 0x77665584; prmt.b32 %r0, %r1, %r2, 0xc471;"),
            0xff847711u);
  EXPECT_EQ(value_of("mov.u32 %r1, -7; mov.u32 %r2, 2; rem.s32 %r0, %r1, %r2;"), 0xffffffffu);
  EXPECT_EQ(value_of("mov.u32 %r1, 0x80000000; mul.hi.s32 %r0, %r1, %r1;"), 0x40000000u);
  EXPECT_EQ(value_of("mov.u64 %d0, -3; mul.hi.s64 %d1, %d0, 5; cvt.u32.u64 %r0, %d1;"), 0xffffffffu);
  EXPECT_EQ(value_of("mov.u64 %d0, -2; mov.u32 %r1, 63; shr.u64 %d1, %d0, %r1; cvt.u32.u64 %r0, %d1;"), 1u);
  EXPECT_EQ(value_of("mov.u32 %r1, -2; mov.u32 %r2, 99; shr.s32 %r0, %r1, %r2;"), 0xffffffffu);
  EXPECT_EQ(value_of("mov.u32 %r1, 300; cvt.sat.u8.s32 %r0, %r1;"), 255u);
  EXPECT_EQ(value_of("mov.u32 %r1, 0x1ff; cvt.s8.s32 %r0, %r1;"), 0xffffffffu);
  EXPECT_EQ(value_of("mov.b32 %f0, 0x7f800001; cvt.rzi.s32.f32 %r0, %f0;"), 0u);
  EXPECT_EQ(value_of("mov.b32 %f0, 0x7f800001; add.rn.f32 %f1, %f0, %f0; mov.b32 %r0, %f1;"), 0x7fffffffu);
  EXPECT_EQ(value_of("mov.u32 %r1, 0x12345678; mov.u32 %r2, 0x9abcdef0; shf.l.wrap.b32 %r0, %r1, %r2, 36;"),
            0xabcdef01u);
}

TEST(Reference, ThreadsMeetInBothArmsOfABranch) {
  const Ran ran = run_body(
      "and.b32 %r1, %r7, 1; setp.eq.u32 %p0, %r1, 0; @%p0 bra EVEN;\n"
      "shfl.sync.bfly.b32 %r0, %r7, 1, 31, 0xffffffff; bra END;\n"
      "EVEN: shfl.sync.bfly.b32 %r0, %r7, 1, 31, 0xffffffff;\nEND:",
      32);
  ASSERT_EQ(ran.outcome.end, End::finished) << ran.outcome.reason;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(ran.out[i], i ^ 1) << i;
}

TEST(Reference, SaysHowItEnds) {
  EXPECT_EQ(run_body("LOOP: bra LOOP;", 1).outcome.end, End::too_long);
  EXPECT_EQ(run_body("ld.global.u32 %r0, [%d3+4096];", 1).outcome.end, End::fault);
  EXPECT_EQ(run_body("add.cc.u32 %r0, %r1, %r1;", 1).outcome.end, End::not_covered);
  // Lane 0 waits for lane 1, which waits at a barrier of the block.
  const Ran ran = run_body("setp.eq.u32 %p0, %r7, 0; @%p0 bar.warp.sync 3; @!%p0 bar.sync 0;", 2);
  EXPECT_EQ(ran.outcome.end, End::deadlock);
}

// The generator must not run dry: each kind of work is in some kernel, and every kernel is covered.
TEST(Reference, RandomKernelsHaveEverything) {
  std::string all;
  for (uint32_t seed = 1; seed <= 400; ++seed) all += random_kernel(seed);
  for (const char* part :
       {"shfl.sync.up", "match.any", "redux.sync", "bar.red", "brx.idx", "call.uni", "atom.global.cas",
        "red.global", "red.shared", "bra FINISH", "fma.rn", "ld.local", "vote.sync.uni"})
    EXPECT_NE(all.find(part), std::string::npos) << part;
}

}  // namespace THIS_FILE

}  // namespace warplens::reference
