// Matrix products, asynchronous copies and mbarriers in whole kernels.
#include <gtest/gtest.h>

#include <cstring>

#include "core/base/half.h"
#include "core/program/op/fragment.h"
#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::test {

namespace THIS_FILE {

constexpr uint32_t side = 64;

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// Small whole numbers, so that sums are exact in any order.
int value_at(uint32_t i, uint32_t salt) { return static_cast<int>((i * 2654435761u + salt) >> 20 & 15u) - 7; }

std::vector<uint16_t> halves(uint32_t salt) {
  std::vector<uint16_t> values(side * side);
  for (uint32_t i = 0; i < values.size(); ++i) values[i] = f16_of(value_at(i, salt));
  return values;
}

std::vector<float> product(int factor) {
  std::vector<float> c(side * side);
  for (uint32_t i = 0; i < side; ++i) {
    for (uint32_t j = 0; j < side; ++j) {
      int sum = 0;
      for (uint32_t k = 0; k < side; ++k) sum += value_at(i * side + k, 1) * value_at(k * side + j, 2);
      c[i * side + j] = static_cast<float>(factor * sum);
    }
  }
  return c;
}

void multiply(const std::string& entry, Dim3 grid, Dim3 block, int factor) {
  const std::string ptx = read_text(source_file("tests/core/gpu/exec/data/gemm.ptx"));
  for (const InstructionSet& set : instruction_sets()) {
    const Decoded decoded = decode(ptx, entry, *set.table);
    ASSERT_NE(decoded.program, nullptr) << decoded.errors;
    Bench bench(decoded.program);
    bench.buffer(bytes_of(halves(1)));
    bench.buffer(bytes_of(halves(2)));
    const Allocation& c = bench.buffer(std::vector<std::byte>(side * side * sizeof(float)));
    bench.parameter(side);
    bench.parameter(side);
    ASSERT_EQ(bench.run(grid, block, 2).end, GridOutcome::End::finished) << set.name;
    std::vector<float> got(side * side);
    std::memcpy(got.data(), c.host, got.size() * sizeof(float));
    EXPECT_EQ(got, product(factor)) << entry << " on " << set.name;
  }
}

TEST(Matrix, GemmWithWmmaEqualsTheCpu) { multiply("gemm_wmma", {side / 16, side / 16, 1}, {32, 1, 1}, 2); }
TEST(Matrix, GemmWithMmaSyncEqualsTheCpu) { multiply("gemm_mma", {side / 16, side / 32, 1}, {64, 1, 1}, 1); }

TEST(Matrix, EveryFragmentHoldsEveryElementOnce) {
  for (const uint32_t bits : {4u, 8u, 16u}) {
    const auto fragment = fragment_of(MatrixPart::a, 16, 256 / bits, bits);
    ASSERT_TRUE(fragment) << bits;
    std::vector<int> seen(fragment->size());
    for (const uint16_t place : fragment->place) ++seen[place];
    EXPECT_EQ(seen, std::vector<int>(fragment->size(), 1)) << bits;
    EXPECT_EQ(fragment->registers(), 4u);
  }
  EXPECT_FALSE(fragment_of(MatrixPart::a, 16, 64, 16));
  EXPECT_FALSE(fragment_of(MatrixPart::a, 24, 16, 16));
}

// Runs one block of the body; out gets one word of each thread, %w1.
struct Outcome {
  GridOutcome outcome;
  std::vector<uint32_t> words;
};
Outcome run_body(const std::string& body, uint32_t threads) {
  const std::string ptx = module_text(
      ".visible .entry test(.param .u64 in, .param .u64 out) {\n  .reg .b32 %w<16>; .reg .b64 %l<8>; .reg "
      ".pred %p<4>;\n"
      "  .shared .align 16 .b8 room[4096]; .shared .align 8 .b64 bar;\n  ld.param.u64 %l0, [in]; "
      "ld.param.u64 %l1, [out];\n"
      "  mov.u32 %w0, %tid.x; mov.u32 %w1, 0; mul.lo.u32 %w2, %w0, 4;\n  cvt.u64.u32 %l2, %w2;\n"
      "  add.u64 %l0, %l0, %l2; add.u64 %l1, %l1, %l2; mov.u32 %w3, room; add.u32 %w3, %w3, %w2;\n" +
      body + "\n  st.global.u32 [%l1], %w1;\n  ret;\n}\n");
  const Decoded decoded = decode(ptx, "test", best_ops());
  EXPECT_NE(decoded.program, nullptr) << decoded.errors;
  if (decoded.program == nullptr) return {};
  Bench bench(decoded.program);
  std::vector<uint32_t> in(threads);
  for (uint32_t i = 0; i < threads; ++i) in[i] = 100 + i;
  bench.buffer(bytes_of(in));
  const Allocation& out = bench.buffer(std::vector<std::byte>(threads * 4));
  Outcome result{bench.run({1, 1, 1}, {threads, 1, 1}), std::vector<uint32_t>(threads)};
  std::memcpy(result.words.data(), out.host, threads * 4);
  return result;
}

TEST(AsyncCopy, IsNotThereBeforeTheWait) {
  const std::string copy = "cp.async.ca.shared.global [%w3], [%l0], 4;\n";
  const Outcome early = run_body(copy + "ld.shared.u32 %w1, [%w3];\n", 40);
  ASSERT_EQ(early.outcome.end, GridOutcome::End::finished);
  EXPECT_EQ(early.words[39], 0u);
  const Outcome late = run_body(copy + "cp.async.wait_all;\nld.shared.u32 %w1, [%w3];\n", 40);
  EXPECT_EQ(late.words[0], 100u);
  EXPECT_EQ(late.words[39], 139u);
}

TEST(AsyncCopy, GroupsOfALaneEndInTheirOrder) {
  // Two groups; after wait_group 1 the first has been written, and the second has not.
  const Outcome one = run_body(
      "cp.async.ca.shared.global [%w3], [%l0], 4;\ncp.async.commit_group;\n"
      "cp.async.ca.shared.global [%w3+1024], [%l0], 4;\ncp.async.commit_group;\ncp.async.wait_group 1;\n"
      "ld.shared.u32 %w1, [%w3];\nld.shared.u32 %w4, [%w3+1024];\nmad.lo.u32 %w1, %w4, 1000, %w1;\n",
      32);
  ASSERT_EQ(one.outcome.end, GridOutcome::End::finished);
  EXPECT_EQ(one.words[5], 105u);
}

TEST(AsyncCopy, FaultsWhereItsSourceEnds) {
  const Outcome beyond = run_body("cp.async.ca.shared.global [%w3], [%l0+128], 4;\n", 32);
  ASSERT_EQ(beyond.outcome.end, GridOutcome::End::fault);
  EXPECT_EQ(beyond.outcome.fault.kind, FaultKind::out_of_bounds);
  EXPECT_EQ(beyond.outcome.fault.lane, 0u);
  // Ignored bytes are not read.
  const Outcome ignored = run_body(
      "setp.eq.u32 %p0, %w0, %w0;\ncp.async.ca.shared.global [%w3], [%l0+128], 4, %p0;\ncp.async.wait_all;\n",
      32);
  EXPECT_EQ(ignored.outcome.end, GridOutcome::End::finished);
}

TEST(Mbarrier, AWarpThatWaitsLetsOthersArrive) {
  // Warp 0 waits for the stores of warp 1, although it runs first.
  const Outcome result = run_body(
      "setp.ne.u32 %p0, %w0, 0;\n@%p0 bra READY;\nmbarrier.init.shared.b64 [bar], 32;\nREADY:\nbar.sync 0;\n"
      "setp.lt.u32 %p1, %w0, 32;\n@%p1 bra WAIT;\nst.shared.u32 [%w3], %w0;\nmbarrier.arrive.shared.b64 %l3, "
      "[bar];\n"
      "bra.uni DONE;\nWAIT:\nmbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;\n@!%p2 bra WAIT;\n"
      "ld.shared.u32 %w1, [%w3+128];\nDONE:\n",
      64);
  ASSERT_EQ(result.outcome.end, GridOutcome::End::finished);
  EXPECT_EQ(result.words[0], 32u);
  EXPECT_EQ(result.words[31], 63u);
}

TEST(Mbarrier, AWaitForEverUsesUpTheBudget) {
  const Outcome result = run_body(
      "mbarrier.init.shared.b64 [bar], 64;\nWAIT:\nmbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;\n@!%p2 "
      "bra WAIT;\n",
      1);
  ASSERT_EQ(result.outcome.end, GridOutcome::End::fault);
  EXPECT_EQ(result.outcome.fault.kind, FaultKind::step_limit);
}

TEST(Mbarrier, ABulkCopyCompletesItsBytes) {
  const Outcome result = run_body(
      "setp.eq.u32 %p0, %w0, 0;\n@%p0 mbarrier.init.shared.b64 [bar], 1;\nbar.sync 0;\n"
      "@%p0 mbarrier.arrive.expect_tx.shared.b64 %l3, [bar], 128;\n"
      "@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [room], [%l0], 128, [bar];\n"
      "WAIT:\nmbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;\n@!%p2 bra WAIT;\nld.shared.u32 %w1, "
      "[%w3];\n",
      32);
  ASSERT_EQ(result.outcome.end, GridOutcome::End::finished);
  EXPECT_EQ(result.words[31], 131u);
}

TEST(Matrix, AWarpThatIsNotWholeIsAFault) {
  const std::string load = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%w1}, [room];\n";
  const Outcome partial = run_body(load, 16);
  ASSERT_EQ(partial.outcome.end, GridOutcome::End::fault);
  EXPECT_EQ(partial.outcome.fault.kind, FaultKind::incomplete_warp);
  const Outcome guarded = run_body("setp.lt.u32 %p0, %w0, 5;\n@%p0 " + load, 32);
  ASSERT_EQ(guarded.outcome.end, GridOutcome::End::fault);
  const Outcome nobody = run_body("setp.gt.u32 %p0, %w0, 99;\n@%p0 " + load, 32);
  EXPECT_EQ(nobody.outcome.end, GridOutcome::End::finished);
}

TEST(Matrix, RefusesWhatDoesNotFit) {
  const auto errors = [](const std::string& line) {
    return decode(module_text(".visible .entry t() { .reg .b32 %r<20>; .reg .f32 %f<20>; .reg .b64 %l<4>; " +
                              line + " ret; }"),
                  "t", best_ops())
        .errors;
  };
  EXPECT_NE(errors("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0}, {%r2}, "
                   "{%f0,%f1,%f2,%f3};")
                .find("2 registers; 1 are given"),
            std::string::npos);
  EXPECT_NE(
      errors("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, "
             "{%r0,%r1,%r2,%r3}, {%f0,%f1,%f2,%f3}, %r4, 2;")
          .find("selector of this shape is below 2"),
      std::string::npos);
  EXPECT_NE(errors("cp.async.cg.shared.global [%l0], [%l1], 8;").find("copies 16 bytes"), std::string::npos);
  EXPECT_NE(errors("cp.async.bulk.tensor.2d.shared::cluster.global.tile [%l0], [%l1];").find("tensor map"),
            std::string::npos);
  EXPECT_NE(errors("wgmma.fence.sync.aligned;").find("Hopper"), std::string::npos);
}

}  // namespace THIS_FILE

}  // namespace warplens::exec::test
