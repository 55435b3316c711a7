// Functions, jump tables and the stack, as PTX writes them: what compilers make rarely or never.
#include <numeric>

#include "core/ptx/parser/parse.h"
#include "core/ptx/print/print.h"
#include "tests/core/gpu/engine/support.h"

namespace warplens::test {
namespace THIS_FILE {

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
  EXPECT_EQ(null.faults[0].kind, IncidentKind::invalid_pc);
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
  EXPECT_EQ(result.faults[0].kind, IncidentKind::stack_overflow);
  EXPECT_EQ(result.faults[0].thread.x, 33u);
}

TEST(Call, LargeVariablesOfRecursiveFunctionsHaveRoom) {
  const auto out = words(
      ".func (.reg .u32 %v) f(.reg .u32 %n) { .local .align 4 .b8 room[200000]; .reg .pred %p; .reg .u32 "
      "%m; st.local.u32 [room+199996], %n; setp.eq.u32 %p, %n, 0; @%p bra END; sub.u32 %m, %n, 1; "
      "END: ld.local.u32 %v, [room+199996]; setp.gt.u32 %p, %n, 1000; @%p call (%m), f, (%m); ret; "
      "}\n" +
      threads("call (%r1), f, (%r0); st.global.u32 [%d0], %r1; ret;"));
  for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(out[t], t);
}

TEST(Call, MoreFunctionsThanAnyProgramHasAreRefused) {
  std::string functions;
  for (int i = 0; i < 5000; ++i) {
    const std::string next = i == 0 ? "" : "call f" + std::to_string(i - 1) + ", ();";
    functions += ".func f" + std::to_string(i) + "() {" + next + " ret; }\n";
  }
  EXPECT_NE(refusal(functions + threads("call f4999, (); ret;")).find("4096 functions"), std::string::npos);
  EXPECT_EQ(refusal(functions + threads("call f99, (); ret;")), "ran");
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
      ".extern .func (.param .b32 v) cudaGraphLaunch(.param .b64 a);\n"
      ".extern .func (.param .b32 v) __cudaCDP2LaunchDeviceV2(.param .b64 a);\n";
  EXPECT_NE(
      refusal(declared + threads(".param .b32 x, y; call (y), somewhere, (x); ret;")).find("defined nowhere"),
      std::string::npos);
  // The second is declared with fewer values than it has.
  for (const std::string name : {"cudaGraphLaunch", "__cudaCDP2LaunchDeviceV2"})
    EXPECT_NE(refusal(declared + threads(".param .b64 x; .param .b32 y; call (y), " + name + ", (x); ret;"))
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
  EXPECT_EQ(outside.faults.at(0).kind, IncidentKind::invalid_pc);
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
  EXPECT_EQ(result.faults.at(0).kind, IncidentKind::stack_overflow);
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

TEST(ModuleText, InitialValuesMayBePartsOfAddresses) {
  // mask(symbol): a byte of an address each, as compilers write packed structures.
  const auto out = words(
      ".global .u32 far = 77;\n.global .align 8 .b8 parts[8] = {0xFF(far), 0xFF00(far), "
      "0xFF0000(far), 0xFF000000(far), 0xFF00000000(far), 0xFF0000000000(far), "
      "0xFF000000000000(far), 0xFF00000000000000(far)};\n" +
      threads("ld.global.u64 %d1, [parts]; ld.global.u32 %r1, [%d1]; st.global.u32 [%d0], %r1; "
              "ret;"));
  EXPECT_EQ(out[9], 77u);
}

TEST(Address, EverySpaceHasItsWindow) {
  const std::string text =
      ".const .u32 fixed = 11;\n.global .u32 everywhere = 22;\n"
      ".func (.reg .u32 %v) what(.reg .u64 %a) { .reg .pred %p<5>; .reg .u32 %b<5>; isspacep.global %p0, %a; "
      "isspacep.shared %p1, %a; isspacep.local %p2, %a; isspacep.const %p3, %a; isspacep.param %p4, %a; "
      "selp.u32 %v, 1, 0, %p0; selp.u32 %b1, 2, 0, %p1; selp.u32 %b2, 4, 0, %p2; selp.u32 %b3, 8, 0, %p3; "
      "selp.u32 "
      "%b4, 16, 0, %p4; or.b32 %v, %v, %b1; or.b32 %v, %v, %b2; or.b32 %v, %v, %b3; or.b32 %v, %v, %b4; ret; "
      "}\n" +
      threads(
          ".shared .u32 room; .local .u32 own; mov.u64 %d1, everywhere; cvta.global.u64 %d1, %d1;\n"
          "mov.u64 %d2, room; cvta.shared.u64 %d2, %d2; mov.u64 %d3, own; cvta.local.u64 %d3, %d3;\n"
          "mov.u64 %d4, fixed; cvta.const.u64 %d4, %d4; mov.b64 %d5, p0; cvta.param.u64 %d5, %d5;\n"
          "call (%r1), what, (%d1); call (%r2), what, (%d2); call (%r3), what, (%d3); call (%r4), what, "
          "(%d4);\n"
          "call (%r5), what, (%d5); mad.lo.u32 %r1, %r1, 100, %r2; mad.lo.u32 %r1, %r1, 100, %r3;\n"
          "mad.lo.u32 %r1, %r1, 100, %r4; ld.u64 %d6, [%d5]; setp.eq.u64 %q0, %d6, %p0; @!%q0 mov.u32 %r1, "
          "0;\n"
          "ld.u32 %r6, [%d4]; mul.lo.u32 %r5, %r5, %r6; add.u32 %r1, %r1, %r5; st.global.u32 [%d0], %r1; "
          "ret;");
  EXPECT_EQ(words(text)[40], 1u * 1000000 + 2 * 10000 + 4 * 100 + 8 + 16 * 11);
  // A kernel cannot write what it was given.
  const RunResult result = run(threads("mov.b64 %d5, p0; cvta.param.u64 %d5, %d5; st.u32 [%d5], %r0; ret;"));
  EXPECT_EQ(result.faults.at(0).kind, IncidentKind::read_only);
}

TEST(Address, GenericAccessesAreCountedWhereTheyEnd) {
  const RunResult result = run(
      threads(".shared .b8 room[256]; .local .u32 own; mov.u64 %d2, room; cvta.shared.u64 %d2, %d2; "
              "mad.wide.u32 %d2, %r0, 4, "
              "%d2;\nst.u32 [%d2], %r0; ld.u32 %r1, [%d2]; ld.u32 %r3, [%d2]; atom.add.u32 %r2, [%d2], 1;\n"
              "mov.u64 %d3, own; cvta.local.u64 %d3, %d3; st.u32 [%d3], %r0; st.u32 [%d0], %r1; ret;"));
  ASSERT_EQ(result.status, RunStatus::ok) << result.message;
  const Counters& c = *result.counters;
  EXPECT_EQ(c.shared_store_requests, 2u);  // two warps
  EXPECT_EQ(c.shared_atomic_requests, 2u);
  EXPECT_EQ(c.shared_load_requests, 4u);
  EXPECT_EQ(c.local_store_sectors, 2u * 4);
  EXPECT_EQ(c.global_store_requests, 2u);
  EXPECT_EQ(c.global_load_requests, 0u);
  EXPECT_EQ(c.atomic_requests, 0u);
}

TEST(Address, AClusterIsOneBlock) {
  const auto out = words(threads(
      ".shared .u32 room; mov.u32 %r1, room; mapa.shared::cluster.u32 %r2, %r1, 0; sub.u32 %r2, %r2, %r1;\n"
      "getctarank.shared::cluster.u32 %r3, %r1; mov.u32 %r4, %cluster_ctarank; mov.u32 %r5, "
      "%cluster_nctarank; mov.pred %q0, %is_explicit_cluster; mov.u32 %r6, %nclusterid.x; mov.u32 %r7, "
      "%clusterid.x;\nmov.u32 %r8, %cluster_nctaid.y; selp.u32 %r9, 1000, 0, %q0; mad.lo.u32 %r2, %r2, 7, "
      "%r3; add.u32 %r2, %r2, %r4; mad.lo.u32 %r2, %r5, 10, %r2; mad.lo.u32 %r2, %r6, 100, %r2;\n"
      "add.u32 %r2, %r2, %r7; add.u32 %r2, %r2, %r8; add.u32 %r2, %r2, %r9; st.global.u32 [%d0], %r2; ret;"));
  EXPECT_EQ(out[3], 111u);
}

TEST(Clock, RunsForwardAndIsTheSameInEveryRun) {
  const std::string text = threads(
      "mov.u32 %r1, %clock; mov.u64 %d1, %clock64; mov.u64 %d2, %globaltimer; mov.u32 %r2, %clock_hi; "
      "mov.u32 %r3, "
      "%globaltimer_lo;\nmov.u32 %r4, 0;\nLOOP: add.u32 %r4, %r4, 1; mov.u32 %r5, %clock; sub.u32 %r5, %r5, "
      "%r1; "
      "setp.lt.u32 %q0, %r5, 5000; @%q0 bra LOOP;\nmov.u64 %d3, %clock64; setp.gt.u64 %q1, %d3, %d1; @!%q1 "
      "mov.u32 "
      "%r4, 0; setp.ge.u64 %q1, %d2, %d1; @!%q1 mov.u32 %r4, 0; st.global.u32 [%d0], %r4; ret;");
  const auto out = words(text);
  EXPECT_GT(out[0], 100u);
  EXPECT_EQ(out, words(text));
}

const char* const print =
    ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
    ".extern .func (.param .b64 r) malloc (.param .b64 n);\n.extern .func free (.param .b64 p);\n"
    ".extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 u, "
    ".param .b64 c);\n"
    ".global .align 1 .b8 text[12] = {115, 97, 121, 32, 37, 100, 10, 0};\n";

TEST(DeviceLibrary, PrintsInTheOrderOfTheThreads) {
  const std::string body =
      ".local .align 8 .b8 list[8]; mov.u64 %d1, list; cvta.local.u64 %d1, %d1; mov.u32 %r2, %ctaid.x;\n"
      "mad.lo.u32 %r1, %r2, 64, %r0; st.u32 [%d1], %r1; mov.u64 %d2, text; cvta.global.u64 %d2, %d2; and.b32 "
      "%r3, %r0, "
      "3; setp.ne.u32 %q0, %r3, 0; .param .b32 r; @!%q0 call (r), vprintf, (%d2, %d1); ret;";
  std::string wanted;
  for (uint32_t t = 0; t < 256; t += 4) wanted += "say " + std::to_string(t) + "\n";
  for (const uint32_t workers : {1u, 3u}) {
    Request request(print + threads(body));
    request.buffer("out", zeros(1)).launch("k", {4, 1, 1}, {64, 1, 1});
    request.value.workers = workers;
    const auto result = request.run();
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_EQ(result->console, wanted) << workers;
  }
}

TEST(DeviceLibrary, TheConsoleIsBoundedAndSaysSo) {
  const RunResult result = run(
      print +
      threads(".local .align 8 .b8 list[8]; mov.u64 %d1, list; cvta.local.u64 %d1, %d1; mov.u64 %d2, text; "
              "cvta.global.u64 %d2, %d2; mov.u32 %r1, 0; .param .b32 r;\nLOOP: st.u32 [%d1], %r1; call "
              "(r), vprintf, (%d2, %d1); add.u32 %r1, %r1, 1; setp.lt.u32 %q0, %r1, 3000; @%q0 bra LOOP; "
              "ret;"));
  ASSERT_EQ(result.status, RunStatus::ok) << result.message;
  EXPECT_LT(result.console.size(), (1u << 20) + 200);
  EXPECT_EQ(result.console.front(), '[');
  EXPECT_EQ(result.console.substr(result.console.size() - 9), "say 2999\n");
}

TEST(DeviceLibrary, WhatWasPrintedBeforeAFaultStays) {
  const RunResult result =
      run(print +
          threads(".local .align 8 .b8 list[8]; mov.u64 %d1, list; cvta.local.u64 %d1, %d1; st.u32 [%d1], 8; "
                  "mov.u64 %d2, text; cvta.global.u64 %d2, %d2; .param .b32 r; setp.ne.u32 %q0, %r0, 5; @%q0 "
                  "ret; call (r), vprintf, (%d2, %d1); trap;"));
  EXPECT_EQ(result.faults.at(0).kind, IncidentKind::trap);
  EXPECT_EQ(result.console, "say 8\n");
}

TEST(DeviceLibrary, AStringThatIsNowhereIsAFault) {
  const RunResult result = run(print + threads(".param .b32 r; call (r), vprintf, (4096, 0); ret;"));
  EXPECT_EQ(result.faults.at(0).kind, IncidentKind::out_of_bounds);
  EXPECT_EQ(result.faults.at(0).address, 4096u);
}

TEST(DeviceLibrary, TheHeapFindsWhatPeopleDoWrong) {
  const std::string get = ".param .b64 r; call (r), malloc, (24); ld.param.b64 %d1, [r];\n";
  EXPECT_EQ(run(print + threads(get + "call free, (%d1); call free, (%d1); ret;")).faults.at(0).kind,
            IncidentKind::invalid_free);
  EXPECT_EQ(run(print + threads(get + "add.u64 %d1, %d1, 8; call free, (%d1); ret;")).faults.at(0).kind,
            IncidentKind::invalid_free);
  const RunResult past = run(print + threads(get + "st.global.u32 [%d1+24], 1; ret;"));
  EXPECT_EQ(past.faults.at(0).kind, IncidentKind::out_of_bounds);
  EXPECT_NE(past.message.find("just past the end of malloc (24 bytes)"), std::string::npos) << past.message;
  const RunResult freed = run(print + threads(get + "call free, (%d1); ld.global.u32 %r1, [%d1]; ret;"));
  EXPECT_EQ(freed.faults.at(0).kind, IncidentKind::out_of_bounds);
  EXPECT_NE(freed.message.find("freed"), std::string::npos) << freed.message;
}

TEST(DeviceLibrary, TheHeapIsFullAtEightMebibytes) {
  // Each thread takes 1 MiB until there is none, and counts.
  const auto out =
      words(print + threads("setp.ne.u32 %q0, %r0, 0; @%q0 ret; mov.u32 %r1, 0; .param .b64 r;\n"
                            "LOOP: call (r), malloc, (1048576); ld.param.b64 %d1, [r]; setp.eq.u64 %q1, "
                            "%d1, 0; @%q1 bra END; add.u32 %r1, %r1, 1; bra LOOP;\nEND: st.global.u32 "
                            "[%d0], %r1; ret;"));
  EXPECT_EQ(out[0], 7u);
}

TEST(DeviceLibrary, AnAssertionSaysWhatCudaSays) {
  const std::string texts =
      ".global .align 1 .b8 what[6] = {120, 32, 60, 32, 53, 0};\n.global .align 1 .b8 where[5] = {97, 46, "
      "99, 117, 0};\n";
  const RunResult result =
      run(print + texts +
          threads("setp.lt.u32 %q0, %r0, 37; @%q0 ret; mov.u64 %d1, what; mov.u64 %d2, where; call "
                  "__assertfail, (%d1, %d2, 12, %d2, 1); ret;"));
  ASSERT_EQ(result.status, RunStatus::fault);
  EXPECT_EQ(result.faults[0].kind, IncidentKind::assertion);
  EXPECT_EQ(result.message, "a.cu:12: a.cu: block: [0,0,0], thread: [37,0,0] Assertion `x < 5` failed.");
}

TEST(Breakpoint, EndsTheKernel) {
  const RunResult result = run(threads("setp.eq.u32 %q0, %r0, 3; @%q0 brkpt; ret;"));
  ASSERT_EQ(result.status, RunStatus::fault);
  EXPECT_EQ(result.faults[0].thread.x, 3u);
  EXPECT_NE(result.message.find("breakpoint"), std::string::npos);
}

}  // namespace THIS_FILE
}  // namespace warplens::test
