// Textures on both engines: the same bits.
#include <cstring>

#include "core/compile/compiler.h"
#include "core/job/compare_engines.h"
#include "fixture.h"

namespace warplens {
namespace THIS_FILE {

constexpr const char* source = R"(
extern "C" __global__ void sample(cudaTextureObject_t texture, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float u = (i % 37) / 31.f - 0.05f, v = (i % 23) / 21.f - 0.05f, level = (i % 41) / 10.f - 0.5f;
  out[i] = tex2DLod<float>(texture, u, v, level);
}
)";

class GpuTextures : public Gpu {};

TEST_F(GpuTextures, MipmapsGiveTheSameBitsOnBoth) {
  CompileOptions options;
  options.architecture = device.compute_capability;
  const auto compiled = compile_cuda(source, "sample.cu", options);
  if (!compiled) GTEST_SKIP() << compiled.error().message;
  ASSERT_TRUE(compiled->ok) << compiled->log;
  for (const bool linear : {false, true})
    for (const bool linear_levels : {false, true}) {
      const auto request = request_for(compiled->ptx, "sample");
      TextureArgument texture;
      texture.buffer = 0;
      texture.spec.width = 17;
      texture.spec.height = 9;
      texture.spec.levels = 4;
      texture.spec.normalized = true;
      texture.spec.linear = linear;
      texture.spec.linear_levels = linear_levels;
      texture.spec.max_level = 3;
      BufferSpec texels, out;
      texels.name = "texels";
      texels.bytes = texture.spec.bytes();
      Bytes bytes(texels.bytes);
      for (size_t i = 0; i < bytes.size() / sizeof(float); ++i) {
        const auto value = static_cast<float>((i * 7919) % 1000) / 8;
        std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
      }
      texels.initial = std::make_shared<const Bytes>(std::move(bytes));
      out.name = "out";
      out.dtype = DType::f32;
      out.bytes = 1024 * sizeof(float);
      out.output = true;
      request->buffers = {texels, out};
      auto& launch = std::get<LaunchStep>(request->steps.front());
      launch.grid = {8, 1, 1};
      launch.block = {128, 1, 1};
      launch.arguments = {texture, BufferArgument{1, 0}};
      Job job;
      job.request = request;
      const auto backend = both();
      const auto result = run_on_both(job, *backend, {}, nullptr);
      ASSERT_TRUE(result.ok()) << result.error().message;
      EXPECT_EQ(result->status, RunStatus::ok) << result->message;
      ASSERT_EQ(result->comparisons.size(), 1u);
      EXPECT_EQ(result->comparisons[0].different, 0u) << "linear " << linear << ", levels " << linear_levels;
    }
}

}  // namespace THIS_FILE
}  // namespace warplens
