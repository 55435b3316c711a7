#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "core/kernels/catalogue.h"
#include "core/launch/steps.h"

namespace warplens {
namespace THIS_FILE {

const KernelDescription& kernel(std::string_view name) { return **find_kernel(name); }

KernelSetup with(std::string_view name, std::map<std::string, double> values) {
  KernelSetup setup = default_setup(kernel(name));
  setup.values = std::move(values);
  return setup;
}

std::shared_ptr<const Image> picture(uint32_t width, uint32_t height, uint32_t channels = 3) {
  Image image{width, height, channels, {}, "test", {}};
  for (uint64_t i = 0; i < uint64_t{width} * height * channels; ++i) image.pixels.push_back(uint8_t(i * 7));
  return std::make_shared<const Image>(std::move(image));
}

int32_t int_argument(const LaunchRequest& request, size_t index) {
  return static_cast<int32_t>(std::get<ScalarArgument>(first_launch(request)->arguments[index]).bits);
}

TEST(MakeRequest, VectorAddIsFortyBlocks) {
  auto request = make_request(kernel("vector_add"), default_setup(kernel("vector_add")), {});
  ASSERT_TRUE(request) << request.error().message;
  const LaunchStep* launch = first_launch(*request);
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->grid, (Dim3{40, 1, 1}));
  EXPECT_EQ(launch->block, (Dim3{256, 1, 1}));
  EXPECT_EQ(launch->entry, "vector_add");
  ASSERT_EQ(request->buffers.size(), 3u);
  EXPECT_EQ(request->buffers[0].bytes, 40000u);
  EXPECT_EQ(request->buffers[0].initial->size(), 40000u);
  EXPECT_FALSE(request->buffers[2].initial);
  EXPECT_TRUE(request->buffers[2].output);
  EXPECT_EQ(int_argument(*request, 3), 10000);
  EXPECT_NE(*request->buffers[0].initial, *request->buffers[1].initial);
  EXPECT_FALSE(request->module->ptx.empty());
  // allocate ×3, copy in ×2, launch, copy out, free ×3
  ASSERT_EQ(request->steps.size(), 10u);
  EXPECT_TRUE(std::holds_alternative<CopyInStep>(request->steps[4]));
  EXPECT_TRUE(std::holds_alternative<LaunchStep>(request->steps[5]));
  EXPECT_EQ(std::get<CopyOutStep>(request->steps[6]).buffer, 2u);
  EXPECT_TRUE(std::holds_alternative<FreeStep>(request->steps[9]));
}

TEST(MakeRequest, UncheckedBuffersEndWithTheElements) {
  auto request =
      make_request(kernel("vector_add_unchecked"), with("vector_add_unchecked", {{"n", 1000}}), {});
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(first_launch(*request)->grid, (Dim3{4, 1, 1}));
  for (const BufferSpec& buffer : request->buffers) EXPECT_EQ(buffer.bytes, 4000u);
  EXPECT_EQ(first_launch(*request)->arguments.size(), 3u);
}

TEST(MakeRequest, GrayscaleFollowsThePicture) {
  for (auto [width, height] : {std::pair{1u, 1u}, {1u, 4097u}, {4096u, 3u}, {50u, 33u}}) {
    KernelSetup setup = default_setup(kernel("grayscale"));
    setup.image = picture(width, height);
    auto request = make_request(kernel("grayscale"), setup, {});
    ASSERT_TRUE(request) << request.error().message;
    EXPECT_EQ(first_launch(*request)->grid, (Dim3{(width + 15) / 16, (height + 15) / 16, 1}));
    EXPECT_EQ(request->buffers[0].bytes, uint64_t{3} * width * height);
    EXPECT_EQ(request->buffers[0].channels, 3u);
    EXPECT_EQ(request->buffers[1].bytes, uint64_t{width} * height);
    EXPECT_EQ(0, std::memcmp(request->buffers[0].initial->data(), setup.image->pixels.data(),
                             setup.image->pixels.size()));
    EXPECT_EQ(int_argument(*request, 2), static_cast<int>(width));
    EXPECT_EQ(int_argument(*request, 3), static_cast<int>(height));
  }
}

TEST(MakeRequest, PicturesOfOtherChannelsAreConverted) {
  KernelSetup setup = default_setup(kernel("grayscale"));
  setup.image = picture(4, 2, 1);
  auto request = make_request(kernel("grayscale"), setup, {});
  ASSERT_TRUE(request) << request.error().message;
  const Bytes& rgb = *request->buffers[0].initial;
  ASSERT_EQ(rgb.size(), 24u);
  EXPECT_EQ(rgb[3], std::byte{7});
  EXPECT_EQ(rgb[5], std::byte{7});
}

TEST(MakeRequest, WithoutAPictureThereIsTheSample) {
  auto request = make_request(kernel("grayscale"), default_setup(kernel("grayscale")), {});
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_GT(request->buffers[0].bytes, 100'000u);
}

TEST(MakeRequest, GridsFitOrAreTheUsers) {
  KernelSetup setup = with("mandelbrot", {{"width", 100}, {"height", 33}});
  setup.block = {7, 13, 1};
  EXPECT_EQ(*problem_size(kernel("mandelbrot"), setup), (Dim3{100, 33, 1}));
  EXPECT_EQ(*fitted_grid(kernel("mandelbrot"), setup), (Dim3{15, 3, 1}));
  setup.fit_grid = false;
  setup.grid = {2, 3, 4};
  auto request = make_request(kernel("mandelbrot"), setup, {});
  ASSERT_TRUE(request);
  EXPECT_EQ(first_launch(*request)->grid, (Dim3{2, 3, 4}));
}

TEST(MakeRequest, NothingToDoGivesAGridThatCudaRefuses) {
  auto request = make_request(kernel("vector_add"), with("vector_add", {{"n", 0}}), {});
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(first_launch(*request)->grid, (Dim3{0, 1, 1}));
  EXPECT_EQ(request->buffers[0].bytes, 0u);
  KernelSetup no_threads = default_setup(kernel("vector_add"));
  no_threads.block = {0, 1, 1};
  auto refused = make_request(kernel("vector_add"), no_threads, {});
  ASSERT_TRUE(refused);
  EXPECT_EQ(first_launch(*refused)->grid.x, 0u);
}

TEST(MakeRequest, BadValuesAreErrorsThatNameThem) {
  auto fails = [](std::string_view name, std::map<std::string, double> values, std::string_view word) {
    auto request = make_request(kernel(name), with(name, std::move(values)), {});
    ASSERT_FALSE(request) << word;
    EXPECT_EQ(request.error().kind, ErrorKind::bad_input);
    EXPECT_NE(request.error().message.find(word), std::string::npos) << request.error().message;
  };
  fails("vector_add", {{"n", std::nan("")}}, "not a number");
  fails("vector_add", {{"n", HUGE_VAL}}, "from 0 to");
  fails("vector_add", {{"n", -1}}, "from 0 to");
  fails("vector_add", {{"n", 1e300}}, "from 0 to");
  fails("vector_add", {{"n", 1.5}}, "whole number");
  fails("vector_add", {{"size", 1}}, "it has n");
  fails("vector_add", {{"x", 1}}, "named x");
  fails("grayscale", {{"width", 10}}, "cannot be set");
  fails("mandelbrot", {{"scale", 0}}, "scale");
  fails("mandelbrot", {{"width", 5000}}, "width");
}

TEST(MakeRequest, ABlockThatTheCodeCountsOnIsRequired) {
  KernelSetup setup = default_setup(kernel("matmul_tiled"));
  setup.block = {32, 8, 1};
  auto request = make_request(kernel("matmul_tiled"), setup, {});
  ASSERT_FALSE(request);
  EXPECT_NE(request.error().message.find("16×16×1"), std::string::npos) << request.error().message;
}

TEST(MakeRequest, MoreThanTwoGibibytesAreRefusedBeforeAnythingIsFilled) {
  KernelDescription huge = kernel("vector_add");
  for (KernelArgument& argument : huge.arguments) argument.maximum = 2e9;
  KernelSetup setup = default_setup(huge);
  setup.values["n"] = 1e9;
  auto request = make_request(huge, setup, {});
  ASSERT_FALSE(request);
  EXPECT_NE(request.error().message.find("2 GiB"), std::string::npos);
  huge.arguments[0].height = huge.arguments[0].channels = "4000000000";
  EXPECT_FALSE(make_request(huge, setup, {}));
  huge.arguments[0].height = "1 / 0";
  EXPECT_FALSE(make_request(huge, setup, {}));
  huge.arguments[0].height = "-1";
  EXPECT_FALSE(make_request(huge, setup, {}));
  huge.arguments[0].height = "n / 3";
  EXPECT_FALSE(make_request(huge, setup, {}));
}

TEST(MakeRequest, TheSeedChoosesTheData) {
  KernelSetup setup = default_setup(kernel("vector_add"));
  auto one = make_request(kernel("vector_add"), setup, {}),
       same = make_request(kernel("vector_add"), setup, {});
  setup.data_seed = 2;
  auto other = make_request(kernel("vector_add"), setup, {});
  ASSERT_TRUE(one && same && other);
  EXPECT_EQ(*one->buffers[0].initial, *same->buffers[0].initial);
  EXPECT_NE(*one->buffers[0].initial, *other->buffers[0].initial);
}

TEST(MakeRequest, FormulasFillArraysUpToALimit) {
  KernelDescription description = kernel("ufunc_add");
  KernelSetup setup = default_setup(description);
  auto request = make_request(description, setup, {});
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ((*request->buffers[1].initial)[8], std::byte{20});  // the second of 10, 20, 30, 40
  description.arguments.back().maximum = 1e8;
  setup.values["n"] = 2e7;
  request = make_request(description, setup, {});
  ASSERT_FALSE(request);
  EXPECT_NE(request.error().message.find("x is filled by a formula"), std::string::npos)
      << request.error().message;
}

TEST(MakeRequest, ProgramsHaveTheirStepsAndConstants) {
  const KernelDescription& equalise = kernel("histogram_equalisation");
  KernelSetup setup = default_setup(equalise);
  setup.image = std::make_shared<const Image>(Image{20, 10, 3, std::vector<uint8_t>(600, 90), "flat", {}});
  setup.block = {64, 1, 1};
  auto request = make_request(equalise, setup, {});
  ASSERT_TRUE(request) << request.error().message;
  std::vector<std::string> steps;
  for (const Step& step : request->steps) steps.push_back(describe(step, *request));
  const std::vector<std::string> wanted{"allocate gray on the device: 200 bytes",
                                        "allocate bins on the device: 1024 bytes",
                                        "allocate table on the device: 256 bytes",
                                        "allocate out on the device: 200 bytes",
                                        "copy gray to the device: 200 bytes",
                                        "launch count_grays: 4 blocks of 64 threads",
                                        "launch make_table: 1 block of 256 threads",
                                        "launch apply_table: 4 blocks of 64 threads",
                                        "copy out to the host: 200 bytes",
                                        "free gray",
                                        "free bins",
                                        "free table",
                                        "free out"};
  EXPECT_EQ(steps, wanted);

  const KernelDescription& convolution = kernel("convolution_constant");
  setup = default_setup(convolution);
  setup.image = std::make_shared<const Image>(Image{2, 2, 3, std::vector<uint8_t>(12, 90), "flat", {}});
  setup.values["sharpen"] = -1;
  request = make_request(convolution, setup, {});
  ASSERT_TRUE(request) << request.error().message;
  ASSERT_EQ(request->globals.size(), 1u);
  EXPECT_EQ(request->globals[0].symbol, "weights");
  ASSERT_EQ(request->globals[0].bytes.size(), 100u);
  float corner = 0;
  std::memcpy(&corner, request->globals[0].bytes.data(), 4);
  EXPECT_EQ(corner, 1.f / 256);
}

}  // namespace THIS_FILE
}  // namespace warplens
