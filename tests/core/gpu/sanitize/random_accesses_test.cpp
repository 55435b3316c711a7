// Random programs of loads, stores and what orders them, most of them full of races: what is found does not
// depend on whether accesses are noted and compared by shape, or each by itself, nor on compiled code, and a
// trace and the model of the caches say the same.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <random>

#include "core/gpu/stepping/trace/trace.h"
#include "tests/core/gpu/engine/support.h"
#include "tests/core/reference/random_kernel.h"
#include "tests/environment.h"

namespace warplens::test {
namespace THIS_FILE {

class RandomKernel {
 public:
  explicit RandomKernel(uint32_t seed) : m_random(seed), m_careful(below(3) == 0) {}

  std::string text() {
    std::string body =
        "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; shl.b32 %r3, %r1, 2; mov.u32 %r4, tile;\n"
        "mov.u32 %r20, 0; mov.b64 %d5, {%r1, %r2}; mov.u32 %r6, 7; mov.u16 %h1, 3;\n";
    if (below(2) == 0) fill(body);
    body += "LOOP:\n";
    const uint32_t steps = 4 + below(12);
    for (uint32_t i = 0; i < steps; ++i) step(body);
    if (below(4) != 0) body += "bar.sync 0;\n";
    body += "add.u32 %r20, %r20, 1; setp.lt.u32 %q1, %r20, " + std::to_string(1 + below(3)) +
            "; @%q1 bra LOOP;\nret;";
    return kernel("k", 2, body, ".shared .align 16 .b8 tile[" + std::to_string(shared_bytes) + "];\n");
  }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(m_random() % n); }

 private:
  static constexpr uint32_t shared_bytes = 2048;

  // Or else much of it is uninitialised.
  void fill(std::string& body) {
    for (uint32_t at = 0; at < shared_bytes; at += 384)
      body += "add.u32 %r5, %r3, " + std::to_string(at) +
              "; and.b32 %r5, %r5, 2047; add.u32 %r5, %r5, %r4; st.shared.u32 [%r5], %r1;\n";
    body += "bar.sync 0;\n";
  }
  // A multiple of `bytes` in %r5, below 2,048.
  void address(std::string& body, uint32_t bytes) {
    const std::string own = std::to_string(bytes), some = std::to_string(below(512));
    switch (below(m_careful ? 2 : 8)) {
      case 0:
      case 1:
        body += "mul.lo.u32 %r5, %r1, " + own + ";";
        break;
      case 2:
        body += "and.b32 %r5, %r1, 15; mul.lo.u32 %r5, %r5, " + own +
                "; shr.u32 %r7, %r1, 4; mad.lo.u32 %r5, %r7, " + std::to_string(bytes * (16 + below(40))) +
                ", %r5;";
        break;
      case 3:
        body += "xor.b32 %r5, %r1, " + some + "; mul.lo.u32 %r5, %r5, " + own + ";";
        break;
      case 4:
        body += "shr.u32 %r5, %r1, " + std::to_string(below(6)) + "; mul.lo.u32 %r5, %r5, " + own + ";";
        break;
      case 5:
        body += "mul.lo.u32 %r5, %r1, " + std::to_string(bytes * (1 + below(5))) + "; add.u32 %r5, %r5, " +
                std::to_string(bytes * below(64)) + ";";
        break;
      case 6:
        body += "mad.lo.u32 %r5, %r1, 1103515245, " + some + "; shr.u32 %r5, %r5, 7; mul.lo.u32 %r5, %r5, " +
                own + ";";
        break;
      default:  // another one each time
        body += "add.u32 %r5, %r1, %r20; mad.lo.u32 %r5, %r20, %r5, %r1; mul.lo.u32 %r5, %r5, " + own + ";";
    }
    body += " and.b32 %r5, %r5, " + std::to_string(shared_bytes - bytes) + ";\n";
  }
  std::string guard() {
    if (below(3) != 0) return "";
    static constexpr const char* tests[] = {"setp.lt.u32 %q2, %r1, 40;", "setp.gt.u32 %q2, %r1, 16;",
                                            "and.b32 %r8, %r1, 3; setp.eq.u32 %q2, %r8, 1;",
                                            "setp.eq.u32 %q2, %r1, 0;", "setp.ge.u32 %q2, %r1, 32;"};
    m_before = tests[below(std::size(tests))];
    return below(2) == 0 ? "@%q2 " : "@!%q2 ";
  }
  void access(std::string& body, const char* space) {
    static constexpr struct {
      uint32_t bytes;
      const char *type, *load, *store;
    } kinds[] = {{4, "u32", "%r6", "%r6"},
                 {4, "u32", "%r6", "%r1"},
                 {4, "f32", "%f1", "%f1"},
                 {1, "u8", "%h1", "%h1"},
                 {2, "u16", "%h1", "%h1"},
                 {8, "u64", "%d5", "%d5"},
                 {8, "v2.u32", "{%r6, %r9}", "{%r6, %r1}"},
                 {4, "u32", "%r6", "7"}};
    const auto& kind = kinds[below(m_careful ? 3 : std::size(kinds))];
    const bool load = below(2) == 0;
    const bool strong = below(12) == 0 && std::string_view(kind.type).front() != 'v';
    address(body, kind.bytes);
    m_before.clear();
    const std::string run = guard();
    body += m_before + "\n";
    const bool shared = std::string_view(space) == "shared";
    body += shared ? "add.u32 %r5, %r5, %r4;\n"
                   : std::string("cvt.u64.u32 %d1, %r5; add.u64 %d1, %d1, ") +
                         (below(2) == 0 ? "%p0" : "%p1") + ";\n";
    const std::string place = shared ? "[%r5]" : "[%d1]";
    const std::string form = std::string(strong ? "volatile." : "") + space + "." + kind.type;
    if (load) {
      body += run + "ld." + form + " " + kind.load + ", " + place + ";\n";
    } else {
      std::string value = kind.store;
      if (value == "7") {
        body += "mov.u32 %r9, 7;\n";
        value = "%r9";
      }
      body += run + "st." + form + " " + place + ", " + value + ";\n";
    }
  }
  void step(std::string& body) {
    switch (below(18)) {
      case 0:
      case 1:
      case 2:
        body += "bar.sync 0;\n";
        return;
      case 3:
        body += "bar.warp.sync 0xffffffff;\n";
        return;
      case 4:
        body += below(2) == 0 ? "membar.gl;\n" : "membar.cta;\n";
        return;
      case 5:
        address(body, 4);
        body += "add.u32 %r5, %r5, %r4; atom.shared.add.u32 %r6, [%r5], 1;\n";
        return;
      case 6:
      case 7:
        return access(body, "global");
      case 8:
        body += "bar.arrive 1, 192; bar.sync 1, 192;\n";  // each warp counts twice
        return;
      case 9:
        body += "setp.ge.u32 %q3, %r1, 32; @%q3 bar.sync 2, 64;\n";  // two of the three warps
        return;
      case 10:
        address(body, 8);
        body += "add.u32 %r5, %r5, %r4; setp.eq.u32 %q3, %r1, " + std::to_string(below(96)) +
                "; @%q3 mbarrier.init.shared.b64 [%r5], 1;\n";
        return;
      default:
        access(body, "shared");
    }
  }

  std::mt19937 m_random;
  bool m_careful;
  std::string m_before;  // what the guard needs
};

Result<RunResult> run(const LaunchRequest& request, bool by_shape, const char* tier) {
  const ScopedEnvironment shapes("WARPLENS_SHAPES", by_shape ? "on" : "off"),
      tier_wish("WARPLENS_TIER", tier);
  return make_virtual_gpu()->run(std::make_shared<LaunchRequest>(request), {}, nullptr);
}

void expect_equal(const RunResult& a, const RunResult& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.message, b.message);
  EXPECT_EQ(a.counters, b.counters);
  ASSERT_EQ(a.findings.size(), b.findings.size());
  for (size_t i = 0; i < a.findings.size(); ++i) {
    EXPECT_EQ(a.findings[i].message, b.findings[i].message);
    EXPECT_EQ(a.findings[i].count, b.findings[i].count) << a.findings[i].message;
    EXPECT_EQ(a.findings[i].ptx_line, b.findings[i].ptx_line);
  }
  for (size_t i = 0; i < a.outputs.size(); ++i) EXPECT_EQ(*a.outputs[i].bytes, *b.outputs[i].bytes) << i;
  ASSERT_EQ(a.trace == nullptr, b.trace == nullptr);
  if (a.trace == nullptr) return;
  EXPECT_EQ(a.trace->complete, b.trace->complete);
  ASSERT_EQ(a.trace->entries().size(), b.trace->entries().size());
  for (size_t i = 0; i < a.trace->entries().size(); ++i)
    ASSERT_EQ(a.trace->entries()[i], b.trace->entries()[i]) << i;
  ASSERT_EQ(a.trace->turns.size(), b.trace->turns.size());
  for (size_t i = 0; i < a.trace->turns.size(); ++i)
    EXPECT_EQ(a.trace->turns[i].first, b.trace->turns[i].first);
}

Request random_request(uint32_t seed, RandomKernel& kernel) {
  Request request(kernel.text());
  const size_t words = seed % 7 == 3 ? 300 + 4 * (seed % 32) : 1024;  // of few, some accesses miss
  request.buffer("a", zeros(words)).buffer("b", zeros(words));
  request.launch("k", {3, 1, 1}, {96, 1, 1});
  request.value.observe = Observe::counters;
  request.value.seed = seed % 5 == 4 ? seed : 0;
  request.value.device.l1_bytes_per_sm = 16384;
  request.value.device.l2_bytes = 65536;
  return request;
}

// By shapes, by handlers and compiled, against each access by itself.
void expect_alike_by_shape(const LaunchRequest& request, const Result<RunResult>& each) {
  ASSERT_TRUE(each) << each.error().message;
  for (const char* tier : {"off", "always"}) {
    const Result<RunResult> by_shape = run(request, true, tier);
    ASSERT_TRUE(by_shape) << by_shape.error().message;
    expect_equal(*by_shape, *each);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(RandomAccesses, AreFoundAlikeByShapeAndEachByItself) {
  size_t found = 0, ended = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    RandomKernel kernel(seed);
    Request request = random_request(seed, kernel);
    request.value.sanitize = Sanitize::all;
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + request.value.module->ptx);
    const Result<RunResult> each = run(request.value, false, "off");
    expect_alike_by_shape(request.value, each);
    if (testing::Test::HasFailure()) return;
    found += each->findings.size();
    ended += each->status == RunStatus::ok;
  }
  EXPECT_GT(found, 1000u);
  EXPECT_GT(ended, 300u);
}

TEST(RandomAccesses, AreTracedAlikeByShapeAndEachByItself) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    RandomKernel kernel(seed);
    Request request = random_request(seed, kernel);
    request.value.sanitize = seed % 3 == 0 ? Sanitize::all : Sanitize::memory;
    request.value.observe = Observe::trace;
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + request.value.module->ptx);
    for (const uint32_t what : {0u, 1u, 2u}) {
      request.value.model_caches = what != 0;
      request.value.trace_limit = what == 1 ? 0 : seed % 2 == 0 ? 1'000'000 : 1 + kernel.below(700);
      expect_alike_by_shape(request.value, run(request.value, false, "off"));
      if (testing::Test::HasFailure()) return;
    }
  }
}

// Kernels with branches, loops and calls in which lanes separate and meet, and with all kinds of warp
// instructions.
TEST(RandomAccesses, AreObservedAlikeWherePathsPart) {
  constexpr uint32_t threads_of[] = {1, 31, 32, 45, 64};
  for (uint32_t seed = 1; seed <= 150; ++seed) {
    const uint32_t blocks = 1 + seed % 3, threads = threads_of[seed % 5];
    const reference::KernelMemory memory(blocks * threads);
    Request request("");
    auto text = std::make_shared<ModuleText>();
    text->ptx = reference::random_kernel(seed);
    text->ptx_name = "random.ptx";
    request.value.module = std::move(text);
    request.buffer("out", memory.out).buffer("sums", memory.sums).buffer("scratch", memory.scratch);
    request.launch("test", {blocks, 1, 1}, {threads, 1, 1});
    request.value.observe = Observe::trace;
    request.value.seed = seed % 6 == 5 ? seed : 0;
    request.value.device.l1_bytes_per_sm = 16384;
    request.value.device.l2_bytes = 65536;
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + request.value.module->ptx);
    for (const Sanitize sanitize : {Sanitize::memory, Sanitize::all}) {
      request.value.sanitize = sanitize;
      request.value.model_caches = sanitize == Sanitize::all;
      for (const uint64_t limit : {uint64_t{0}, uint64_t{1'000'000}, uint64_t{1 + seed * 7}}) {
        request.value.trace_limit = limit;
        const Result<RunResult> each = run(request.value, false, "off");
        ASSERT_TRUE(each) << each.error().message;
        ASSERT_EQ(each->status, RunStatus::ok) << each->message;
        const Result<RunResult> compiled = run(request.value, true, "always");
        ASSERT_TRUE(compiled) << compiled.error().message;
        expect_equal(*compiled, *each);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

// What is no load or store of a warp is not noted either: it must be remembered all the same where some warps
// meet at a barrier and another one, which made it, does not.
TEST(NotedAccesses, OfAnObjectAreNotForgottenAtABarrierOfOthers) {
  for (const char* store : {"@%q2 st.shared.u32 [%r5], %r1;", "@%q3 st.shared.u32 [%r5], %r1;"}) {
    Request request(kernel("k", 1,
                           std::string("mov.u32 %r1, %tid.x; mov.u32 %r4, tile; shl.b32 %r5, %r1, 2;\n"
                                       "add.u32 %r5, %r5, %r4; sub.u32 %r5, %r5, 128;\n"
                                       "setp.eq.u32 %q1, %r1, 0; setp.ge.u32 %q2, %r1, 32;\n"
                                       "setp.eq.u32 %q3, %r1, 32;\n"
                                       "@%q1 mbarrier.init.shared.b64 [%r4], 1;\n"
                                       "@%q2 bar.sync 1, 64;\n") +
                               store + "\nbar.sync 0;\nret;",
                           ".shared .align 16 .b8 tile[2048];\n"));
    request.buffer("a", zeros(1)).launch("k", {1, 1, 1}, {96, 1, 1});
    request.value.sanitize = Sanitize::all;
    SCOPED_TRACE(store);
    for (const bool by_shape : {false, true}) {
      const Result<RunResult> result = run(request.value, by_shape, "off");
      ASSERT_TRUE(result) << result.error().message;
      ASSERT_EQ(result->status, RunStatus::ok) << result->message;
      ASSERT_EQ(result->findings.size(), 1u) << by_shape;
      EXPECT_EQ(result->findings.front().kind, IncidentKind::race);
    }
  }
}

}  // namespace THIS_FILE
}  // namespace warplens::test
