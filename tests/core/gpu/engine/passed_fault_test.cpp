// Launches that go on after accesses outside of memory: what each kind of instruction reads and leaves
// unwritten, and what is found.
#include <gmock/gmock.h>

#include "core/base/text.h"
#include "tests/core/gpu/engine/support.h"

namespace warplens::test {
namespace THIS_FILE {

using testing::HasSubstr;

constexpr const char* zero_read = "The read gives 0, and the kernel goes on.";
constexpr const char* nothing_written = "Nothing is written, and the kernel goes on.";

std::vector<uint32_t> counting(size_t n) {
  std::vector<uint32_t> values(n);
  for (size_t i = 0; i < n; ++i) values[i] = static_cast<uint32_t>(i) + 1;
  return values;
}

// One warp. %r0: the thread; %d0 and %d1: its words of `out` and `in`; %d2: a place far outside; %r8 and %r7:
// its word of `room` in shared memory, and that word for generic addresses in %d3; %q1: the last thread.
Request request_of(const std::string& body, size_t out = 32, size_t in = 32) {
  const std::string head =
      "mov.u32 %r0, %tid.x; mad.wide.u32 %d0, %r0, 4, %p0; mad.wide.u32 %d1, %r0, 4, %p1; add.u64 %d2, %p1, "
      "67108864; mov.u32 %r7, room; mad.lo.u32 %r8, %r0, 4, %r7; setp.eq.u32 %q1, %r0, 31;\n";
  Request request(kernel("k", 2, head + body + "\nret;",
                         ".shared .align 128 .b8 room[512];\n"
                         ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"));
  auto text = std::make_shared<ModuleText>(*request.value.module);
  text->ptx = replace_all(text->ptx, ".version 7.8\n.target sm_80", ".version 8.0\n.target sm_90");
  request.value.module = text;
  request.value.passes_faults = true;
  request.buffer("out", zeros(out)).buffer("in", counting(in)).launch("k", {1, 1, 1}, {32, 1, 1});
  return request;
}

RunResult run(const Request& request) {
  const auto result = request.run();
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return result.ok() ? *result : RunResult{};
}

// Runs it both ways: with the fault, and with one finding in its place that ends like this and names this
// thread.
RunResult passes(Request request, const char* end, uint32_t thread, uint64_t count = 1) {
  request.value.passes_faults = false;
  const RunResult stopped = run(request);
  EXPECT_EQ(stopped.status, RunStatus::fault) << stopped.message;
  request.value.passes_faults = true;
  RunResult result = run(request);
  EXPECT_EQ(result.status, RunStatus::ok) << result.message;
  EXPECT_EQ(result.findings.size(), 1u);
  if (result.findings.empty() || stopped.faults.empty()) return result;
  const Incident& found = result.findings.front();
  EXPECT_EQ(found.kind, IncidentKind::out_of_bounds);
  EXPECT_EQ(found.thread, (Dim3{thread, 0, 0})) << found.message;
  EXPECT_EQ(found.count, count) << found.message;
  EXPECT_EQ(found.ptx_line, stopped.faults.front().ptx_line);
  EXPECT_THAT(found.message, HasSubstr(end));
  return result;
}

TEST(PassedFaults, LoadsAndStoresByGenericAddresses) {
  const RunResult read =
      passes(request_of("@%q1 mov.u64 %d1, %d2; ld.u32 %r1, [%d1]; st.u32 [%d0], %r1;"), zero_read, 31);
  EXPECT_EQ(output<uint32_t>(read, 0)[30], 31u);
  EXPECT_EQ(output<uint32_t>(read, 0)[31], 0u);
  const RunResult write = passes(request_of("@%q1 mov.u64 %d0, %d2; st.u32 [%d0], 5;"), nothing_written, 31);
  EXPECT_EQ(output<uint32_t>(write, 0)[30], 5u);
  EXPECT_EQ(output<uint32_t>(write, 0)[31], 0u);
}

TEST(PassedFaults, Atomics) {
  const std::string store = " st.global.u32 [%d0], %r1;";
  const RunResult global =
      passes(request_of("@%q1 mov.u64 %d1, %d2; mov.u32 %r1, 9; atom.global.add.u32 %r1, [%d1], 2;" + store),
             nothing_written, 31);
  EXPECT_EQ(output<uint32_t>(global, 0)[3], 4u);
  EXPECT_EQ(output<uint32_t>(global, 0)[31], 9u);
  EXPECT_EQ(output<uint32_t>(global, 1)[3], 6u);
  passes(request_of("@%q1 mov.u64 %d1, %d2; atom.cas.b32 %r1, [%d1], 4, 7;" + store), nothing_written, 31);
  passes(request_of("@%q1 mov.u32 %r8, 4096; red.shared.max.u32 [%r8], 2;"), nothing_written, 31);
}

TEST(PassedFaults, AsynchronousCopies) {
  const std::string head = "st.shared.u32 [%r8], 77; mov.u32 %r9, %r8; mov.u32 %r1, 4;\n";
  const std::string end = " cp.async.wait_all; ld.shared.u32 %r2, [%r9]; st.global.u32 [%d0], %r2;";
  const std::string copy = "cp.async.ca.shared.global [%r8], [%d1], 4;";
  const RunResult read = passes(request_of(head + "@%q1 mov.u64 %d1, %d2; " + copy + end), zero_read, 31);
  EXPECT_EQ(output<uint32_t>(read, 0)[30], 31u);
  EXPECT_EQ(output<uint32_t>(read, 0)[31], 0u);
  const RunResult write =
      passes(request_of(head + "@%q1 mov.u32 %r8, 4096; " + copy + end), nothing_written, 31);
  EXPECT_EQ(output<uint32_t>(write, 0)[30], 31u);
  EXPECT_EQ(output<uint32_t>(write, 0)[31], 77u);
  // A part of the bytes, the rest of which are zeros.
  const RunResult part =
      passes(request_of(head +
                        "and.b32 %r3, %r0, 30; mad.lo.u32 %r8, %r3, 4, %r7; @%q1 mov.u64 "
                        "%d1, %d2; setp.ne.u32 %q2, %r3, %r0; @!%q2 bra WAIT; "
                        "and.b64 %d1, %d1, -8; cp.async.ca.shared.global [%r8], [%d1], 8, %r1;\nWAIT:\n" +
                        end),
             zero_read, 31);
  EXPECT_EQ(output<uint32_t>(part, 0)[28], 29u);
  EXPECT_EQ(output<uint32_t>(part, 0)[30], 0u);
}

TEST(PassedFaults, BulkCopies) {
  const std::string text =
      "setp.eq.u32 %q0, %r0, 0; st.shared.u32 [%r8], 77; @%q0 mbarrier.init.shared.b64 [room+256], 1; "
      "bar.sync 0;\n"
      "@%q0 mbarrier.arrive.expect_tx.shared.b64 %d5, [room+256], 128;\n"
      "@%q0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [room], [%d2], 128, "
      "[room+256];\n"
      "WAIT:\nmbarrier.try_wait.parity.shared.b64 %q2, [room+256], 0; @!%q2 bra WAIT;\n"
      "ld.shared.u32 %r1, [%r8]; st.global.u32 [%d0], %r1;";
  const RunResult read = passes(request_of(text), zero_read, 0);
  EXPECT_EQ(output<uint32_t>(read, 0), zeros(32));
}

TEST(PassedFaults, MatricesInSharedMemory) {
  const std::string head =
      "st.shared.u32 [%r8], %r0; and.b32 %r2, %r0, 7; mad.lo.u32 %r6, %r2, 16, %r7; setp.eq.u32 "
      "%q2, %r0, 3; @%q2 mov.u32 %r6, 65536;\n";
  // The fourth row is outside; four threads share a row.
  const RunResult load = passes(
      request_of(head + "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r6]; st.global.u32 [%d0], %r1;"),
      zero_read, 3);
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(output<uint32_t>(load, 0)[t], t / 4 == 3 ? 0 : t) << t;
  const RunResult store = passes(
      request_of(head + "mov.u32 %r1, 5; stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r6], {%r1}; bar.sync 0; "
                        "ld.shared.u32 %r1, [%r8]; st.global.u32 [%d0], %r1;"),
      nothing_written, 3);
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(output<uint32_t>(store, 0)[t], t / 4 == 3 ? t : 5) << t;
}

TEST(PassedFaults, MatricesOfWmma) {
  const std::string fragment = "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}";
  const std::string copy = "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 " + fragment + ", [%p1];\n" +
                           "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%p0], " + fragment + ";";
  // Eight rows of sixteen are there.
  Request short_input = request_of(copy, 256, 128);
  const RunResult load = run(short_input);
  ASSERT_EQ(load.status, RunStatus::ok) << load.message;
  ASSERT_FALSE(load.findings.empty());
  EXPECT_THAT(load.findings[0].message, HasSubstr(zero_read));
  for (uint32_t i : {0u, 127u, 128u, 255u}) EXPECT_EQ(output<uint32_t>(load, 0)[i], i < 128 ? i + 1 : 0) << i;
  const RunResult store = run(request_of(copy, 128, 256));
  ASSERT_EQ(store.status, RunStatus::ok) << store.message;
  ASSERT_FALSE(store.findings.empty());
  EXPECT_THAT(store.findings[0].message, HasSubstr(nothing_written));
  EXPECT_EQ(output<uint32_t>(store, 0), counting(128));
}

TEST(PassedFaults, TextOfPrintf) {
  const RunResult result =
      passes(request_of(".param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], 4096; st.param.b64 "
                        "[a], 0; call (r), "
                        "vprintf, (f, a); ld.param.b32 %r1, [r]; st.global.u32 [%d0], %r1;"),
             zero_read, 0, 32);
  EXPECT_EQ(output<uint32_t>(result, 0)[31], 0xffffffffu);
}

// Other faults end the launch.
TEST(PassedFaults, AMisalignedAccessIsStillAFault) {
  const RunResult result =
      run(request_of("add.u64 %d1, %d1, 2; ld.global.u32 %r1, [%d1]; st.global.u32 [%d0], %r1;"));
  EXPECT_EQ(result.status, RunStatus::fault);
  EXPECT_TRUE(result.findings.empty());
}

TEST(PassedFaults, BesideWhatTheSanitizerFinds) {
  Request request = request_of(
      "@%q1 mov.u64 %d1, %d2; ld.global.u32 %r1, [%d1]; div.u32 %r2, %r1, %r0; "
      "st.global.u32 [%d0], %r2;");
  request.value.sanitize = Sanitize::all;
  const RunResult result = run(request);
  ASSERT_EQ(result.findings.size(), 2u);
  EXPECT_EQ(result.findings[0].kind, IncidentKind::division_by_zero);
  EXPECT_EQ(result.findings[1].kind, IncidentKind::out_of_bounds);
}

}  // namespace THIS_FILE
}  // namespace warplens::test
