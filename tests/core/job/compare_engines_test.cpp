#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/compare_engines.h"
#include "core/job/preflight.h"
#include "core/job/report/report.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

template <class T>
Bytes bytes_of_values(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}
BufferSpec buffer_of(DType type, uint64_t elements) {
  BufferSpec buffer;
  buffer.name = "out";
  buffer.dtype = type;
  buffer.bytes = elements * bytes_of(type);
  buffer.width = static_cast<uint32_t>(elements);
  return buffer;
}

TEST(CompareOutputs, SameBitsNeedNoWords) {
  const Bytes bytes = bytes_of_values<float>({1, 2});
  const Comparison c = compare_outputs(buffer_of(DType::f32, 2), bytes, bytes, 0, nullptr);
  EXPECT_TRUE(c.equal);
  EXPECT_EQ(c.elements, 2u);
  EXPECT_EQ(c.different, 0u);
  EXPECT_TRUE(c.message.empty());
}

TEST(CompareOutputs, NamesTheFirstDifferenceAndItsThread) {
  WriterMap writers;
  writers.grid = {2, 2, 1};
  writers.block = {4, 2, 1};
  writers.writer = {0, 8 * 3 + 5 + 1, 1};  // block 3, thread 5
  const Comparison c =
      compare_outputs(buffer_of(DType::f32, 3), bytes_of_values<float>({1, 2.0000002f, -0.0f}),
                      bytes_of_values<float>({1, 2, 0}), 0, &writers);
  EXPECT_FALSE(c.equal);
  EXPECT_EQ(c.different, 2u);
  EXPECT_EQ(c.beyond, 2u);
  EXPECT_EQ(c.first, 1u);
  EXPECT_EQ(c.max_ulps, 1u);  // -0 and 0 are no number apart
  EXPECT_EQ(c.block, (Dim3{1, 1, 0}));
  EXPECT_EQ(c.thread, (Dim3{1, 1, 0}));
  EXPECT_THAT(c.message, HasSubstr("out[1] is 2.0000002 (0x40000001) on the real GPU"));
  EXPECT_THAT(c.message, HasSubstr("thread (1, 1, 0) of block (1, 1, 0) wrote it"));
}

TEST(CompareOutputs, TakesATolerance) {
  const auto got = bytes_of_values<float>({100.001f, 1}), want = bytes_of_values<float>({100, 1});
  const Comparison near = compare_outputs(buffer_of(DType::f32, 2), got, want, 1e-3, nullptr);
  EXPECT_TRUE(near.equal);
  EXPECT_EQ(near.different, 1u);
  EXPECT_THAT(near.message, HasSubstr("within the tolerance"));
  EXPECT_FALSE(compare_outputs(buffer_of(DType::f32, 2), got, want, 1e-6, nullptr).equal);
}

TEST(CompareOutputs, PlacesPicturesAndSizes) {
  BufferSpec picture = buffer_of(DType::u8, 12);
  picture.width = 2;
  picture.height = 2;
  picture.channels = 3;
  Bytes want(12), got(12);
  got[10] = std::byte{9};
  const Comparison c = compare_outputs(picture, got, want, 0, nullptr);
  EXPECT_THAT(c.message, HasSubstr("out[10] (column 1, row 1, channel 1) is 9"));
  EXPECT_FALSE(c.max_ulps.has_value());
  EXPECT_FALSE(compare_outputs(picture, Bytes(3), want, 0, nullptr).equal);
}

TEST(OrderTolerance, IsForFloatsThatAtomicsAdd) {
  EXPECT_GT(order_tolerance("red.global.add.f32 [%rd1], %f1;", DType::f32), 0);
  EXPECT_GT(order_tolerance("\tatom.global.gpu.add.noftz.f16x2 %r1, [%rd1], %r2;", DType::f16), 0);
  EXPECT_EQ(order_tolerance("red.global.add.f32 [%rd1], %f1;", DType::u32), 0);
  EXPECT_EQ(order_tolerance("atom.global.add.u32 %r1, [%rd1], 1; add.f32 %f1, %f2, %f3;", DType::f32), 0);
}

// A device that gets every byte of one output wrong by one, or right.
class Imitation final : public Backend {
 public:
  explicit Imitation(bool wrong) : m_wrong(wrong) {}
  Result<RunResult> run(std::shared_ptr<const LaunchRequest> request, std::stop_token stop,
                        Progress* progress) override {
    contract = request->contract;
    preflight = request->preflight;
    auto result = m_virtual->run(std::move(request), std::move(stop), progress);
    if (!result) return result;
    result->measured.emplace().kernel_us = spread_of({10.0, 11.0, 12.0});
    result->time.kernel = 11;
    result->time.source = Provenance::measured;
    if (!m_wrong) return result;
    Bytes bytes = *result->outputs.at(0).bytes;
    bytes[4] ^= std::byte{1};
    result->outputs[0].bytes = std::make_shared<const Bytes>(bytes);
    return result;
  }
  bool contract = true, preflight = true;

 private:
  bool m_wrong;
  std::unique_ptr<Backend> m_virtual = make_virtual_gpu();
};

Result<RunResult> compare_vector_add(bool wrong) {
  Device device = *find_device("3060");
  device.is_virtual = false;
  device.id = "cuda:0";
  RunOptions options;
  options.check = false;
  const auto kernel = find_kernel("vector_add");
  const auto job = make_job(borrowed(**kernel), default_setup(**kernel), device, options);
  auto real = std::make_unique<Imitation>(wrong);
  const Imitation* seen = real.get();
  const auto both = make_preflighted(make_virtual_gpu(), std::move(real));
  auto result = run_on_both(*job, *both, {}, nullptr);
  EXPECT_FALSE(seen->contract);
  EXPECT_FALSE(seen->preflight);
  return result;
}

TEST(RunOnBoth, HoldsTheOutputsAgainstEachOther) {
  const auto result = compare_vector_add(false);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->status, RunStatus::ok);
  ASSERT_EQ(result->comparisons.size(), 1u);
  EXPECT_TRUE(result->comparisons[0].equal);
  EXPECT_TRUE(result->counters.has_value());
  const std::string text = report_text(*result), json = report_json(*result);
  EXPECT_THAT(text, HasSubstr("the same bits in all"));
  EXPECT_THAT(text, HasSubstr("Measured on the GPU"));
  if (!result->occupancy) GTEST_SKIP() << "no linker, so no modelled time";
  EXPECT_THAT(text, HasSubstr("kernel, by the time model"));
  EXPECT_THAT(json, HasSubstr("\"error_percent\""));
}

TEST(RunOnBoth, FailsWhereTheyDiffer) {
  const auto result = compare_vector_add(true);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->status, RunStatus::check_failed);
  EXPECT_THAT(result->message, HasSubstr("The two engines differ: out[1] is"));
  EXPECT_THAT(result->message, HasSubstr("thread (1, 0, 0) of block (0, 0, 0) wrote it"));
}

TEST(RunOnBoth, NeedsARealGpu) {
  const auto kernel = find_kernel("vector_add");
  const auto job = make_job(borrowed(**kernel), default_setup(**kernel), *find_device("3060"), {});
  const auto backend = make_virtual_gpu();
  const auto result = run_on_both(*job, *backend, {}, nullptr);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::bad_input);
}

}  // namespace THIS_FILE
}  // namespace warplens
