// Every built-in kernel on the virtual GPU, against its CPU reference.
#include <gtest/gtest.h>

#include "core/device/device.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/kernels/catalogue.h"
#include "core/launch/backend.h"

namespace warplens {
namespace THIS_FILE {

using Values = std::map<std::string, double>;

const KernelDescription& kernel(std::string_view name) { return **find_kernel(name); }

class RunAll : public testing::Test {
 protected:
  RunAll() : m_gpu(make_virtual_gpu()), m_device(*find_device("RTX 3060")) {}

  RunResult run(const KernelSetup& setup) {
    Result<LaunchRequest> request = make_request(kernel(setup.kernel), setup, m_device);
    EXPECT_TRUE(request) << (request ? "" : request.error().message);
    if (!request) return {};
    Result<RunResult> result =
        m_gpu->run(std::make_shared<const LaunchRequest>(std::move(*request)), std::stop_token(), nullptr);
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return result ? std::move(*result) : RunResult{};
  }

  void expect_right(const KernelSetup& setup, const std::string& what) {
    const RunResult result = run(setup);
    ASSERT_TRUE(result.request) << what;
    EXPECT_EQ(result.status, RunStatus::ok) << what << ": " << result.message;
    const CheckedAgainstCpu checked = check_against_cpu(kernel(setup.kernel), *result.request, result);
    ASSERT_EQ(checked.checks.size(), 1u) << what;
    EXPECT_TRUE(checked.checks[0].equal) << what << ": " << checked.checks[0].message;
    EXPECT_GT(checked.checks[0].elements, 0u) << what;
  }

  std::unique_ptr<Backend> m_gpu;
  Device m_device;
};

std::string name_of(Dim3 size) {
  return std::to_string(size.x) + "x" + std::to_string(size.y) + "x" + std::to_string(size.z);
}

constexpr Dim3 usual_block{0, 0, 0};  // the description's

KernelSetup setup_of(std::string_view name, Values values, Dim3 block) {
  KernelSetup setup = default_setup(kernel(name));
  setup.values = std::move(values);
  if (block != usual_block) setup.block = block;
  return setup;
}

constexpr Dim3 picture_blocks[] = {{16, 16, 1}, {32, 1, 1}, {1, 1, 1}, {7, 13, 1}, {32, 32, 1}, {5, 3, 2}};

// Every byte value in every channel, at no regular distance.
std::shared_ptr<const Image> picture(uint32_t width, uint32_t height) {
  Image image{width, height, 3, std::vector<uint8_t>(size_t{3} * width * height), "noise", {}};
  uint32_t state = 12345;
  for (uint8_t& byte : image.pixels) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<uint8_t>(state >> 24);
  }
  return std::make_shared<const Image>(std::move(image));
}

TEST_F(RunAll, Grayscale) {
  for (Dim3 size : {Dim3{1, 1, 1}, {1, 4097, 1}, {4096, 3, 1}, {61, 47, 1}})
    for (Dim3 block : picture_blocks) {
      KernelSetup setup = setup_of("grayscale", {}, block);
      setup.image = picture(size.x, size.y);
      expect_right(setup, name_of(size) + " by " + name_of(block));
    }
}

TEST_F(RunAll, VectorAdd) {
  for (double n : {1.0, 31.0, 32.0, 33.0, 255.0, 1000.0, 10000.0})
    for (Dim3 block : {Dim3{1, 1, 1}, {32, 1, 1}, {33, 1, 1}, {256, 1, 1}, {1024, 1, 1}})
      expect_right(setup_of("vector_add", {{"n", n}}, block), std::to_string(n) + " by " + name_of(block));
}

TEST_F(RunAll, VectorAddWithoutItsCheckIsRightWhereTheBlocksFit) {
  for (double n : {32.0, 256.0, 10240.0})
    expect_right(setup_of("vector_add_unchecked", {{"n", n}}, {32, 1, 1}), std::to_string(n));
}

TEST_F(RunAll, VectorAddWithoutItsCheckFaultsAtTheFirstThreadTooMany) {
  const RunResult result = run(default_setup(kernel("vector_add_unchecked")));
  EXPECT_EQ(result.status, RunStatus::fault);
  ASSERT_FALSE(result.faults.empty());
  const Incident& fault = result.faults.front();
  EXPECT_EQ(fault.kind, IncidentKind::out_of_bounds) << fault.message;
  EXPECT_EQ(fault.block, (Dim3{39, 0, 0}));
  EXPECT_EQ(fault.thread, (Dim3{16, 0, 0}));  // 39 * 256 + 16 = 10000
  EXPECT_EQ(fault.line, 6u);
  EXPECT_NE(fault.file.find("vector_add_unchecked.cu"), std::string::npos) << fault.file;
  // The engine can still be used.
  expect_right(setup_of("vector_add", {{"n", 100}}, usual_block), "after the fault");
}

TEST_F(RunAll, Mandelbrot) {
  for (Dim3 size : {Dim3{1, 1, 1}, {97, 61, 1}, {64, 32, 1}})
    for (Dim3 block : picture_blocks)
      expect_right(
          setup_of("mandelbrot",
                   {{"width", size.x}, {"height", size.y}, {"scale", 0.03}, {"max_iterations", 100}}, block),
          name_of(size) + " by " + name_of(block));
  expect_right(setup_of("mandelbrot",
                        {{"width", 64},
                         {"height", 64},
                         {"center_x", -0.7436},
                         {"center_y", 0.1318},
                         {"scale", 1e-6},
                         {"max_iterations", 700}},
                        {8, 4, 1}),
               "deep");
}

TEST_F(RunAll, MatmulTiled) {
  for (auto [m, n, k] : {std::tuple{1, 1, 1}, {16, 16, 16}, {17, 33, 15}, {64, 48, 80}, {5, 70, 31}})
    expect_right(setup_of("matmul_tiled", {{"m", m}, {"n", n}, {"k", k}}, usual_block),
                 std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k));
}

}  // namespace THIS_FILE
}  // namespace warplens
