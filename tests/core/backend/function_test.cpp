// Functions, jump tables and the stack, as PTX writes them: what compilers make rarely or never.
#include <numeric>

#include "core/ptx/parse.h"
#include "tests/core/backend/support.h"

namespace warplens::test {
namespace {

// One block of 64 threads; %r0 is the thread, %d0 the place of its word in the only buffer.
std::string threads(const std::string& body, const std::string& declarations = "") {
  return kernel("k", 1, "mov.u32 %r0, %tid.x; mad.wide.u32 %d0, %r0, 4, %p0;\n" + body, declarations);
}

RunResult run(const std::string& text, uint32_t grid = 1, uint32_t block = 64) {
  Request request(text);
  request.buffer("out", zeros(size_t{grid} * block)).launch("k", {grid, 1, 1}, {block, 1, 1});
  const auto result = request.run();
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return result.ok() ? *result : RunResult{};
}

std::vector<uint32_t> words(const std::string& text) {
  const RunResult result = run(text);
  EXPECT_EQ(result.status, RunStatus::ok) << result.message;
  return output<uint32_t>(result, 0);
}

std::string refusal(const std::string& text) {
  Request request(text);
  request.buffer("out", zeros(64)).launch("k", {1, 1, 1}, {64, 1, 1});
  const auto result = request.run();
  return result.ok() ? "ran" : result.error().message;
}

TEST(Call, PassesRegisters) {
  // Results and parameters in registers of all widths and a predicate, which PTX allows and old compilers
  // wrote.
  const std::string function =
      ".func (.reg .u32 %sum, .reg .pred %odd) pick(.reg .u32 %a, .reg .b64 %b, .reg .b16 %c, .reg .pred %d) "
      "{\n"
      ".reg .u32 %t<4>; cvt.u32.u64 %t0, %b; cvt.u32.u16 %t1, %c; add.u32 %sum, %a, %t0; add.u32 %sum, %sum, "
      "%t1;\n"
      "@%d add.u32 %sum, %sum, 1000; and.b32 %t2, %a, 1; setp.ne.u32 %odd, %t2, 0; ret; }\n";
  const auto out =
      words(function + threads("cvt.u64.u32 %d1, %r0; cvt.u16.u32 %h0, %r0; setp.gt.u32 %q0, %r0, 31;\n"
                               "call (%r1, %q1), pick, (%r0, %d1, %h0, %q0);\n"
                               "@%q1 add.u32 %r1, %r1, 5; st.global.u32 [%d0], %r1; ret;"));
  for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(out[t], 3 * t + (t > 31 ? 1000 : 0) + (t % 2 ? 5 : 0)) << t;
}

TEST(Call, SwapsItsOwnParametersInRecursion) {
  // f(a, b, n) = n == 0 ? a * 100 + b : f(b, a + 1, n - 1): the arguments are the parameters, crosswise.
  const std::string function =
      ".func (.reg .u32 %v) f(.reg .u32 %a, .reg .u32 %b, .reg .u32 %n) {\n"
      ".reg .pred %e; .reg .u32 %m; .reg .u32 %up; setp.eq.u32 %e, %n, 0; @%e bra END; sub.u32 %m, %n, 1;\n"
      "add.u32 %up, %a, 1; call (%v), f, (%b, %up, %m); add.u32 %v, %v, %n; ret;\n"
      "END: mad.lo.u32 %v, %a, 100, %b; ret; }\n";
  const auto out = words(function + threads("rem.u32 %r1, %r0, 7; call (%r2), f, (%r0, 3, %r1); "
                                            "st.global.u32 [%d0], %r2; ret;"));
  for (uint32_t t = 0; t < 64; ++t) {
    uint32_t a = t, b = 3, extra = 0;
    for (uint32_t n = t % 7; n > 0; --n) {
      extra += n;
      const uint32_t up = a + 1;
      a = b;
      b = up;
    }
    EXPECT_EQ(out[t], a * 100 + b + extra) << t;
  }
}

TEST(Call, PassesRegistersAndNumbersAsParam) {
  const std::string function =
      ".func (.param .b32 v) f(.param .b32 a, .param .b64 b, .param .b8 c) {\n"
      ".reg .u32 %t<4>; .reg .u64 %w; ld.param.u32 %t0, [a]; ld.param.u64 %w, [b]; ld.param.u8 %t1, [c];\n"
      "cvt.u32.u64 %t2, %w; add.u32 %t0, %t0, %t2; add.u32 %t0, %t0, %t1; st.param.b32 [v], %t0; ret; }\n";
  const auto out =
      words(function + threads("call (%r1), f, (%r0, 7000000000, 300); st.global.u32 [%d0], %r1; ret;"));
  for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(out[t], t + static_cast<uint32_t>(7000000000ull) + 44) << t;
}

TEST(Call, GuardedCallsAndAliasesAndForwardDeclarations) {
  const std::string functions =
      ".visible .func (.param .b32 v) later(.param .b32 a);\n"
      ".weak .func (.param .b32 v) twice(.param .b32 a) { .reg .u32 %t; ld.param.u32 %t, [a]; shl.b32 %t, "
      "%t, 1; "
      "st.param.b32 [v], %t; ret; }\n"
      ".func (.param .b32 v) name(.param .b32 a);\n.alias name, twice;\n";
  const std::string later =
      ".visible .func (.param .b32 v) later(.param .b32 a) { .reg .u32 %t; ld.param.u32 %t, [a]; add.u32 %t, "
      "%t, 9; "
      "st.param.b32 [v], %t; }\n";  // running into the end returns
  const auto out =
      words(functions +
            threads("setp.lt.u32 %q0, %r0, 10; mov.u32 %r1, %r0; .param .b32 x; .param .b32 y;\n"
                    "st.param.b32 [x], %r0; @%q0 call (y), name, (x); @%q0 ld.param.b32 %r1, [y];\n"
                    "setp.ge.u32 %q1, %r0, 50; st.param.b32 [x], %r1; @!%q1 bra OVER;\n"
                    "call.uni (y), later, (x); ld.param.b32 %r1, [y];\nOVER:\n"
                    "st.global.u32 [%d0], %r1; ret;") +
            later);
  for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(out[t], t < 10 ? 2 * t : t >= 50 ? t + 9 : t) << t;
}

TEST(Call, ByAddressWithATableOfTargets) {
  const std::string functions =
      ".func (.reg .u32 %v) one(.reg .u32 %a) { add.u32 %v, %a, 1; ret; }\n"
      ".func (.reg .u32 %v) two(.reg .u32 %a) { mul.lo.u32 %v, %a, 2; ret; }\n"
      ".global .u64 table[3] = {one, two, generic(one)};\n";
  const auto out = words(
      functions + threads("rem.u32 %r1, %r0, 3; mov.u64 %d1, table; mad.wide.u32 %d1, %r1, 8, %d1;\n"
                          "ld.global.u64 %d2, [%d1]; targets: .calltargets one, two;\n"
                          "call (%r2), %d2, (%r0), targets; mov.u64 %d3, two; setp.eq.u64 %q0, %d2, %d3;\n"
                          "@%q0 add.u32 %r2, %r2, 1000; st.global.u32 [%d0], %r2; ret;"));
  for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(out[t], t % 3 == 1 ? 2 * t + 1000 : t + 1) << t;
}

TEST(Call, OfNoFunctionIsAFaultAtItsLine) {
  const std::string functions = ".func (.reg .u32 %v) one(.reg .u32 %a) { add.u32 %v, %a, 1; ret; }\n";
  const std::string call =
      "shape: .callprototype (.reg .u32 _) _ (.reg .u32 _);\ncall (%r2), %d2, (%r0), shape; st.global.u32 "
      "[%d0], "
      "%r2; ret;";
  const RunResult null = run(functions + threads("setp.ne.u32 %q0, %r0, 37; mov.u64 %d2, one; @%q0 bra GO; "
                                                 "mov.u64 %d2, 0;\nGO:\n" +
                                                 call));
  ASSERT_EQ(null.status, RunStatus::fault);
  EXPECT_EQ(null.faults[0].kind, "invalid_pc");
  EXPECT_EQ(null.faults[0].thread.x, 37u);
  EXPECT_GT(null.faults[0].ptx_line, 0u);
  const RunResult shape = run(".func (.reg .u64 %v) wide(.reg .u32 %a) { mov.u64 %v, 1; ret; }\n" +
                              threads("mov.u64 %d2, wide;" + call));
  ASSERT_EQ(shape.status, RunStatus::fault);
  EXPECT_NE(shape.message.find("wide"), std::string::npos) << shape.message;
}

TEST(Call, RecursionWithoutEndOverflowsTheStack) {
  const RunResult result =
      run(".func f(.reg .u32 %n) { .reg .u32 %m; add.u32 %m, %n, 1; call f, (%m); ret; }\n" +
          threads("setp.ne.u32 %q0, %r0, 33; @%q0 ret; call f, (%r0); ret;"));
  ASSERT_EQ(result.status, RunStatus::fault);
  EXPECT_EQ(result.faults[0].kind, "stack_overflow");
  EXPECT_EQ(result.faults[0].thread.x, 33u);
}

TEST(Call, LanesMayExitAndWaitInsideFunctions) {
  // Half of each warp leaves in a function, the others meet at a barrier of another one.
  const std::string functions =
      ".func leave(.reg .u32 %t) { .reg .pred %p; .reg .u32 %b; and.b32 %b, %t, 1; setp.eq.u32 %p, %b, 0; "
      "@%p exit; "
      "ret; }\n"
      ".func (.reg .u32 %v) meet(.reg .u32 %t) { .shared .u32 sum; .reg .u32 %old; atom.shared.add.u32 %old, "
      "[sum], "
      "%t; bar.sync 0; ld.shared.u32 %v, [sum]; ret; }\n";
  const auto out =
      words(functions + threads("call leave, (%r0); call (%r1), meet, (%r0); st.global.u32 [%d0], %r1; "
                                "ret;"));
  for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(out[t], t % 2 ? 32u * 32u : 0u) << t;
}

TEST(Call, CountsAndLinesAreThoseOfTheFunctions) {
  const RunResult result = run(".func (.reg .u32 %v) f(.reg .u32 %a) { add.u32 %v, %a, 1; ret; }\n" +
                               threads("call (%r1), f, (%r0); st.global.u32 [%d0], %r1; ret;"));
  // ld.param, mov, mad, call, add, ret, st, ret: eight instructions of two warps.
  EXPECT_EQ(result.counters->warp_instructions, 16u);
  EXPECT_EQ(result.counters->thread_instructions, 16u * 32);
}

TEST(Call, WhatIsNotThereIsRefusedBeforeTheRun) {
  const std::string declared =
      ".extern .func (.param .b32 v) somewhere(.param .b32 a);\n"
      ".extern .func (.param .b32 v) cudaGetDevice(.param .b64 a);\n";
  EXPECT_NE(
      refusal(declared + threads(".param .b32 x, y; call (y), somewhere, (x); ret;")).find("defined nowhere"),
      std::string::npos);
  EXPECT_NE(refusal(declared + threads(".param .b64 x; .param .b32 y; call (y), cudaGetDevice, (x); ret;"))
                .find("on the host"),
            std::string::npos);
  EXPECT_NE(refusal(threads("call %d1, (%r0); ret;")).find("callprototype"), std::string::npos);
}

TEST(BranchTable, GoesToEveryTargetAndMeetsBehindThem) {
  const auto out =
      words(threads("rem.u32 %r1, %r0, 4; mov.u32 %r2, 0; places: .branchtargets A, B, C, B;\n"
                    "brx.idx %r1, places;\nA: add.u32 %r2, %r2, 1;\nB: add.u32 %r2, %r2, 10; bra END;\n"
                    "C: mov.u32 %r2, 7;\nEND: activemask.b32 %r3; popc.b32 %r3, %r3; mad.lo.u32 %r2, "
                    "%r3, 1000, %r2; st.global.u32 [%d0], %r2; ret;"));
  for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(out[t], 32000u + (t % 4 == 0 ? 11 : t % 4 == 2 ? 7 : 10)) << t;
  const RunResult outside = run(threads("places: .branchtargets A, A;\n brx.idx %r0, places;\nA: ret;"));
  EXPECT_EQ(outside.faults.at(0).kind, "invalid_pc");
  EXPECT_EQ(outside.faults.at(0).thread.x, 2u);
}

TEST(Stack, AllocaGivesEachLaneItsOwn) {
  const auto out =
      words(threads("shl.b32 %r1, %r0, 2; add.u32 %r1, %r1, 4; alloca.u32 %r2, %r1, 16; "
                    "and.b32 %r3, %r2, 15; add.u32 %r4, %r2, %r1; st.local.u32 [%r4+-4], %r0;\n"
                    "stacksave.u32 %r5; alloca.u32 %r6, 64; stackrestore.u32 %r5; alloca.u32 %r7, 64;\n"
                    "sub.u32 %r8, %r7, %r6; ld.local.u32 %r9, [%r4+-4]; add.u32 %r9, %r9, %r8; add.u32 "
                    "%r9, %r9, %r3; st.global.u32 [%d0], %r9; ret;"));
  for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(out[t], t);
  const RunResult result = run(threads("LOOP: alloca.u32 %r2, 1024; bra LOOP;"));
  EXPECT_EQ(result.faults.at(0).kind, "stack_overflow");
}

TEST(ModuleText, AnyNameMayBeAKernelOrAVariable) {
  for (const std::string name : {"add", "exit", "mov", "$weird$", "_", "printf", "tid", "x"}) {
    if (name == "_") continue;  // the sink
    Request request(
        ".global .u32 ld = 7;\n.visible .entry " + name +
        "(.param .u64 st) { .reg .u64 %p; .reg .u32 %r; ld.param.u64 %p, [st]; ld.global.u32 %r, [ld]; "
        "st.global.u32 [%p], %r; exit; }\n");
    request.buffer("out", zeros(1)).launch(name, {1, 1, 1}, {1, 1, 1});
    const auto result = request.run();
    ASSERT_TRUE(result.ok()) << name << ": " << result.error().message;
    EXPECT_EQ(output<uint32_t>(*result, 0)[0], 7u) << name;
  }
}

TEST(ModuleText, VariablesOfFunctionsAndCommonOnes) {
  const std::string text =
      ".common .global .u32 shared_name[4];\n.extern .shared .align 16 .b8 dynamic[];\n"
      ".func (.reg .u32 %v) count() { .global .u32 calls = 40; .const .u32 step = 2; .reg .u32 %s; "
      "ld.const.u32 %s, "
      "[step]; atom.global.add.u32 %v, [calls], %s; ret; }\n";
  Request request(
      text +
      ".visible .entry k(.param .u64 out) .maxntid 64, 1, 1 .minnctapersm 1 .pragma \"nounroll\";\n"
      "{ .reg .u64 %p; .reg .u32 %r<4>; ld.param.u64 %p, [out]; call (%r0), count, (); call (%r1), "
      "count, (); add.u32 %r0, %r0, %r1; st.global.u32 [%p], %r0; ret; }\n");
  request.buffer("out", zeros(1)).launch("k", {1, 1, 1}, {1, 1, 1}, 64);
  const auto result = request.run();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(output<uint32_t>(*result, 0)[0], 82u);
}

}  // namespace
}  // namespace warplens::test
