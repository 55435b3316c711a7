// What a launch may need of a device in addition to running its code.
#include <gmock/gmock.h>

#include <cstring>

#include "core/compile/compiler.h"
#include "core/job/compare_engines.h"
#include "cuda/device/backend/gpu_backend.h"
#include "fixture.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

constexpr const char* source = R"(
#include <cooperative_groups.h>
struct Pair { float scale; const float* from; };
__device__ int counter;
__constant__ float factor;
extern "C" __global__ void large_shared(int* out, int n) {
  extern __shared__ int room[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) room[i] = i * 3;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = room[n - 1 - i];
}
extern "C" __global__ void with_struct(Pair pair, float* out) {
  out[threadIdx.x] = pair.scale * pair.from[threadIdx.x] * factor;
}
extern "C" __global__ void counts(int* out) {
  if (threadIdx.x == 0) out[0] = ++counter;
}
extern "C" __global__ void prints() { if (threadIdx.x < 2) printf("thread %d\n", threadIdx.x); }
extern "C" __global__ void whole_grid(int* out, int n) {
  atomicAdd(&out[n], 1);
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) out[blockIdx.x] = out[n];
}
)";

class GpuFeatures : public Gpu {
 protected:
  void SetUp() override {
    Gpu::SetUp();
    if (IsSkipped()) return;
    CompileOptions options;
    options.architecture = device.compute_capability;
    const auto compiled = compile_cuda(source, "features.cu", options);
    if (!compiled) GTEST_SKIP() << compiled.error().message;
    ASSERT_TRUE(compiled->ok) << compiled->log;
    m_ptx = compiled->ptx;
  }
  std::shared_ptr<LaunchRequest> feature(const std::string& entry) { return request_for(m_ptx, entry); }
  static LaunchStep& launch(LaunchRequest& request) { return std::get<LaunchStep>(request.steps.front()); }
  static void add_output(LaunchRequest& request, uint64_t elements, DType type) {
    BufferSpec out;
    out.name = "out";
    out.bytes = elements * bytes_of(type);
    out.dtype = type;
    out.output = true;
    request.buffers.push_back(out);
  }
  template <class T>
  static std::vector<T> output(const RunResult& result) {
    const Bytes& bytes = *result.outputs.at(0).bytes;
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  // The device's answer; the virtual GPU ran it too where it could, and found nothing.
  RunResult run(std::shared_ptr<LaunchRequest> request) {
    const auto result = m_backend->run(std::move(request), {}, nullptr);
    EXPECT_TRUE(result.ok()) << (result ? "" : result.error().message);
    if (!result) return {};
    EXPECT_EQ(result->status, RunStatus::ok) << result->message;
    return *result;
  }

  std::string m_ptx;
  std::unique_ptr<Backend> m_backend = both();
};

TEST_F(GpuFeatures, DynamicSharedMemoryAbove48KiB) {
  auto request = feature("large_shared");
  const uint32_t n = 24'000;
  add_output(*request, n, DType::i32);
  launch(*request).shared_dynamic_bytes = n * 4;
  launch(*request).arguments = {BufferArgument{0, 0}, ScalarArgument{DType::i32, n}};
  const auto values = output<int>(run(request));
  EXPECT_EQ(values[0], static_cast<int>(n - 1) * 3);
  EXPECT_EQ(values[n - 1], 0);
}

TEST_F(GpuFeatures, StructuresAndConstants) {
  auto request = feature("with_struct");
  add_output(*request, 32, DType::f32);
  BufferSpec from;
  from.name = "from";
  from.bytes = 32 * 4;
  from.dtype = DType::f32;
  std::vector<float> numbers(32);
  for (size_t i = 0; i < 32; ++i) numbers[i] = static_cast<float>(i);
  Bytes bytes(from.bytes);
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  from.initial = std::make_shared<const Bytes>(bytes);
  request->buffers.push_back(from);
  StructArgument pair;
  pair.bytes.resize(16);
  const float scale = 2, factor = 10;
  std::memcpy(pair.bytes.data(), &scale, 4);
  pair.pointers = {{8, {1, 0}}};
  launch(*request).arguments = {pair, BufferArgument{0, 0}};
  GlobalInit constant{"factor", Bytes(4)};
  std::memcpy(constant.bytes.data(), &factor, 4);
  request->globals = {constant};
  EXPECT_EQ(output<float>(run(request))[5], 100.0f);
}

TEST_F(GpuFeatures, EachRunBeginsWithTheVariablesAsTheyWere) {
  auto request = feature("counts");
  add_output(*request, 1, DType::i32);
  launch(*request).arguments = {BufferArgument{0, 0}};
  request->repeat = 5;
  const RunResult result = run(request);
  EXPECT_EQ(output<int>(result)[0], 1);
  EXPECT_EQ(result.measured->kernel_us->samples.size(), 5u);
  EXPECT_EQ(output<int>(run(request))[0], 1);
}

TEST_F(GpuFeatures, PrintfIsCollectedOnce) {
  const RunResult result = run(feature("prints"));
  EXPECT_EQ(result.console, "thread 0\nthread 1\n");
}

TEST_F(GpuFeatures, CooperativeLaunches) {
  auto request = feature("whole_grid");
  add_output(*request, 65, DType::i32);
  launch(*request).grid = {64, 1, 1};
  launch(*request).cooperative = true;
  launch(*request).arguments = {BufferArgument{0, 0}, ScalarArgument{DType::i32, 64}};
  const auto values = output<int>(run(request));
  EXPECT_EQ(values[0], 64 * 32);
  EXPECT_EQ(values[63], 64 * 32);
}

TEST_F(GpuFeatures, ALaunchThatCudaRefusesIsRefused) {
  auto request = feature("whole_grid");
  request->preflight = false;
  add_output(*request, 1 << 20, DType::i32);
  launch(*request).grid = {1 << 16, 1, 1};
  launch(*request).block = {1024, 1, 1};
  launch(*request).cooperative = true;
  launch(*request).arguments = {BufferArgument{0, 0}, ScalarArgument{DType::i32, 1 << 16}};
  const auto result = m_backend->run(request, {}, nullptr);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->status, RunStatus::refused);
  EXPECT_EQ(result->cuda_error, "cudaErrorCooperativeLaunchTooLarge");
}

TEST_F(GpuFeatures, BadPtxIsAnErrorWithTheCompilersWords) {
  auto request =
      request_for(".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry k() { nonsense; }\n", "k");
  const auto result = m_backend->run(request, {}, nullptr);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::bad_input) << result.error().message;
}

}  // namespace THIS_FILE
}  // namespace warplens
