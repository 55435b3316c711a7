#include "core/job/named_variables.h"

#include <gtest/gtest.h>

#include <optional>

#include "core/compile/compiler.h"
#include "core/device/device.h"

namespace warplens {
namespace THIS_FILE {

LaunchRequest request_of(const std::string& source, const std::string& ptx = "") {
  LaunchRequest request;
  auto module = std::make_shared<ModuleText>();
  module->source = source;
  module->source_name = "k.cu";
  module->ptx = ptx;
  request.module = std::move(module);
  request.device = built_in_devices().front();
  return request;
}

TEST(NamedVariablesOf, APtxAloneAreMissing) {
  const Result<LaunchRequest> named = with_named_variables(request_of("", ".version 7.0"));
  ASSERT_FALSE(named);
  EXPECT_EQ(named.error().kind, ErrorKind::missing);
}

TEST(NamedVariablesOf, ATextThatHasThemAreLeftAsTheyAre) {
  const std::string ptx = ".version 7.0\n.section .debug_info {}";
  const Result<LaunchRequest> named = with_named_variables(request_of("no C++ at all", ptx));
  ASSERT_TRUE(named);
  EXPECT_EQ(named->module->ptx, ptx);
}

TEST(NamedVariablesOf, ASourceComeFromASecondCompilation) {
  if (!compiler_version()) GTEST_SKIP() << "there is no NVRTC here";
  const Result<LaunchRequest> named =
      with_named_variables(request_of("extern \"C\" __global__ void k(int* out) { int x = 3; *out = x; }"));
  ASSERT_TRUE(named) << named.error().message;
  EXPECT_TRUE(has_named_variables(*named->module));
  EXPECT_NE(named->module->source.find("int x = 3"), std::string::npos);
  EXPECT_NE(named->module->ptx.find("sm_100"), std::string::npos);
  const Result<LaunchRequest> asks = with_named_variables(
      request_of("extern \"C\" __global__ void k(int* out) { int x = __CUDA_ARCH__; *out = x; }"));
  ASSERT_TRUE(asks);
  EXPECT_NE(asks->module->ptx.find("sm_86"), std::string::npos);
  const Result<LaunchRequest> wrong = with_named_variables(request_of("__global__ void k( {"));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, ErrorKind::bad_input);
}

// Runs one thread on out = {0.1, 0.2, 0.3}, and holds its result against that of the code that runs. Empty
// where something failed, which is said.
std::optional<Agreement> agreement(const std::string& body) {
  LaunchRequest request = request_of("extern \"C\" __global__ void k(float* out) { " + body + " }");
  CompileOptions options;
  options.architecture = request.device.compute_capability;
  const Result<Compilation> compiled = compile_cuda(request.module->source, "k.cu", options);
  EXPECT_TRUE(compiled) << compiled.error().message;
  if (!compiled) return std::nullopt;
  auto module = std::make_shared<ModuleText>(*request.module);
  module->ptx = compiled->ptx;
  request.module = module;
  const float values[3] = {0.1f, 0.2f, 0.3f};
  BufferSpec buffer;
  buffer.name = "out";
  buffer.bytes = sizeof values;
  buffer.initial = std::make_shared<Bytes>(reinterpret_cast<const std::byte*>(values),
                                           reinterpret_cast<const std::byte*>(values + 3));
  request.buffers.push_back(buffer);
  LaunchStep step;
  step.entry = "k";
  step.grid = step.block = {1, 1, 1};
  step.arguments.emplace_back(BufferArgument{0, 0});
  request.steps.emplace_back(step);
  const Result<LaunchRequest> named = with_named_variables(request);
  EXPECT_TRUE(named) << named.error().message;
  if (!named) return std::nullopt;
  Result<stepping::BlockStepper> stepper =
      stepping::BlockStepper::open(std::make_shared<LaunchRequest>(*named), {0, 0, 0});
  EXPECT_TRUE(stepper) << stepper.error().message;
  if (!stepper) return std::nullopt;
  stepper->run({});
  const Result<Agreement> found = agreement_of(*stepper, request, {});
  EXPECT_TRUE(found) << found.error().message;
  return found ? std::optional(*found) : std::nullopt;
}

TEST(NamedVariablesOf, ASourceAreThoseOfTheCodeThatRunsButForRounding) {
  if (!compiler_version()) GTEST_SKIP() << "there is no NVRTC here";
  EXPECT_EQ(agreement("out[0] = out[1] + out[2];"), Agreement::same);
  EXPECT_EQ(agreement("out[0] = out[0] * out[0] - 0.01f;"), Agreement::rounding);
  EXPECT_EQ(agreement("out[0] = clock() % 1000;"), Agreement::other);
}

}  // namespace THIS_FILE
}  // namespace warplens
