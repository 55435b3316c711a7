// Accesses that add different offsets to one register of addresses: one check and one count for all
// (core/gpu/exec/state/access_group.h). Outputs and counters are those of the handlers.
#include <fmt/format.h>

#include "core/gpu/exec/jit/compiled.h"
#include "core/gpu/exec/jit/targets.h"
#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::test {

namespace THIS_FILE {

// %r8: a row of the tile for each y; %r9: one place for each y; %r10: one row for all y. %d2: an array, a
// number further each round, so that rows begin anywhere in a line. %d3: `far` numbers further each round.
std::string grouped_text(const std::string& between) {
  return module_text(
             ".visible .entry k(.param .u64 out, .param .u64 in, .param .u32 rounds, .param .u32 far)\n{\n"
             ".reg .b64 %d<8>; .reg .b32 %r<32>; .reg .pred %p<4>;\n.shared .align 4 .b8 tile[2048];\n"
             "ld.param.u64 %d1, [out]; ld.param.u64 %d2, [in]; ld.param.u32 %r1, [rounds]; ld.param.u32 %r2, "
             "[far];\n"
             "mov.u32 %r3, %tid.x; mov.u32 %r4, %tid.y; mov.u32 %r5, %ntid.x; mad.lo.u32 %r6, %r4, %r5, "
             "%r3;\n"
             "mov.u32 %r7, tile; shl.b32 %r8, %r6, 2; add.u32 %r8, %r8, %r7; shl.b32 %r9, %r4, 6; add.u32 "
             "%r9, "
             "%r9, %r7;\n"
             "shl.b32 %r10, %r3, 2; add.u32 %r10, %r10, %r7;\n"
             "mul.wide.u32 %d4, %r6, 4; add.u64 %d2, %d2, %d4; mov.u64 %d3, %d2; mul.wide.u32 %d5, %r2, 4;\n"
             "mov.u32 %r11, 0; mov.u32 %r12, %r6;\n"
             "LOOP:\n"
             "st.shared.u32 [%r8], %r12; st.shared.u32 [%r8+1024], %r11;\nbar.sync 0;\n"
             "ld.shared.u32 %r13, [%r9]; ld.shared.u32 %r14, [%r10]; ld.global.u32 %r15, [%d2];\n"
             "ld.shared.u32 %r16, [%r9+4]; ld.global.u32 %r17, [%d2+4];\n") +
         between +
         "ld.shared.u32 %r18, [%r10+64]; ld.shared.u32 %r19, [%r9+8]; ld.global.u32 %r20, [%d2+128];\n"
         "add.u32 %r12, %r13, %r14; mad.lo.u32 %r12, %r12, 3, %r15; xor.b32 %r12, %r12, %r16;\n"
         "add.u32 %r12, %r12, %r17; add.u32 %r12, %r12, %r18; mad.lo.u32 %r12, %r12, 5, %r19; xor.b32 %r12, "
         "%r12, %r20;\nbar.sync 0;\n"
         "add.u64 %d2, %d2, 4; add.u64 %d3, %d3, %d5; add.u32 %r11, %r11, 1; setp.lt.u32 %p1, %r11, %r1;\n"
         "@%p1 bra LOOP;\n"
         "add.u64 %d1, %d1, %d4; st.global.u32 [%d1], %r12; ret;\n}\n";
}

struct Ended {
  GridOutcome outcome;
  std::vector<std::byte> out;
};

Ended run_grouped(const Decoded& decoded, Tier tier, Dim3 block, uint32_t far, bool counts = true) {
  constexpr uint32_t rounds = 40;
  Bench bench(decoded.program);
  const Allocation& out = bench.buffer(std::vector<std::byte>(4 * block.count()));
  std::vector<uint32_t> numbers(block.count() + rounds + 64);
  for (uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = 2654435761u * i;
  const auto bytes = std::as_bytes(std::span(numbers));
  bench.buffer({bytes.begin(), bytes.end()});
  bench.parameter(rounds);
  bench.parameter(far);
  Ended ended{bench.run({2, 1, 1}, block, 1, true, tier, counts), {}};
  ended.out.assign(out.host, out.host + (out.end - out.begin));
  return ended;
}

void expect_alike(const Ended& a, const Ended& b) {
  EXPECT_EQ(a.outcome.end, b.outcome.end);
  EXPECT_EQ(a.out, b.out);
  expect_same_accesses(a.outcome, b.outcome);
}

TEST(GroupedAccesses, AreCountedAsOneByOne) {
  for (const InstructionSet& set : instruction_sets())
    for (const Dim3 block : {Dim3{16, 16, 1}, Dim3{32, 4, 1}, Dim3{8, 8, 1}, Dim3{24, 4, 1}, Dim3{16, 3, 1}})
      for (const bool counts : {true, false}) {
        SCOPED_TRACE(fmt::format("{}, blocks of {} x {}, counts {}", set.name, block.x, block.y, counts));
        const Decoded decoded = decode(grouped_text(""), "k", *set.table);
        ASSERT_NE(decoded.program, nullptr) << decoded.errors;
        expect_alike(run_grouped(decoded, Tier::always, block, 0, counts),
                     run_grouped(decoded, Tier::off, block, 0, counts));
      }
}

// The members after the fault are counted when it happens, and not executed.
TEST(GroupedAccesses, OfAWarpThatFaultsAreThoseBeforeTheFault) {
  for (const InstructionSet& set : instruction_sets())
    for (const Dim3 block : {Dim3{16, 16, 1}, Dim3{32, 4, 1}, Dim3{8, 8, 1}})
      for (const uint32_t far : {1u, 2u, 7u, 1000u}) {
        SCOPED_TRACE(
            fmt::format("{}, blocks of {} x {}, {} numbers each round", set.name, block.x, block.y, far));
        const Decoded decoded = decode(grouped_text("ld.global.u32 %r21, [%d3];\n"), "k", *set.table);
        ASSERT_NE(decoded.program, nullptr) << decoded.errors;
        const Ended compiled = run_grouped(decoded, Tier::always, block, far);
        EXPECT_EQ(compiled.outcome.end == GridOutcome::End::fault, far > 2);
        expect_alike(compiled, run_grouped(decoded, Tier::off, block, far));
      }
}

// Lanes whose addresses are no rows, and lie otherwise in every other round.
TEST(GroupedAccesses, GoOnWhereLanesLieOtherwise) {
  for (const InstructionSet& set : instruction_sets()) {
    const Decoded decoded = decode(
        grouped_text(
            "and.b32 %r22, %r11, 1; xor.b32 %r23, %r3, %r22; shl.b32 %r24, %r23, 2; add.u32 %r24, %r24, "
            "%r7;\n"
            "ld.shared.u32 %r25, [%r24]; ld.shared.u32 %r26, [%r24+4]; ld.shared.u32 %r27, [%r24+64];\n"
            "add.u32 %r14, %r14, %r25; add.u32 %r14, %r14, %r26; add.u32 %r14, %r14, %r27;\n"),
        "k", *set.table);
    ASSERT_NE(decoded.program, nullptr) << decoded.errors;
    for (const Dim3 block : {Dim3{16, 16, 1}, Dim3{32, 4, 1}}) {
      SCOPED_TRACE(fmt::format("{}, blocks of {} x {}", set.name, block.x, block.y));
      expect_alike(run_grouped(decoded, Tier::always, block, 0), run_grouped(decoded, Tier::off, block, 0));
    }
  }
}

}  // namespace THIS_FILE

}  // namespace warplens::exec::test
