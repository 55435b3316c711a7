// Every kernel of the catalogue at many sizes and block shapes, against its CPU reference. A new kernel is
// tested by being there: sizes are the names that its problem is made of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>

#include "core/device/device.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/gpu/stepping/trace/trace.h"
#include "core/kernels/catalogue.h"
#include "core/launch/backend.h"
#include "tests/core/kernels/kernel_names.h"
#include "tests/environment.h"

namespace warplens {
namespace THIS_FILE {

// Every byte value in every channel, at no regular distance.
std::shared_ptr<const Image> noise(uint32_t width, uint32_t height) {
  Image image{width, height, 3, std::vector<uint8_t>(size_t{3} * width * height), "noise", {}};
  uint32_t state = 12345;
  for (uint8_t& byte : image.pixels) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<uint8_t>(state >> 24);
  }
  return std::make_shared<const Image>(std::move(image));
}

bool takes_picture(const KernelDescription& kernel) {
  return std::ranges::any_of(kernel.arguments, [](const KernelArgument& a) { return a.fill == Fill::image; });
}

// The names in an expression.
std::set<std::string> names_in(const std::string& expression) {
  std::set<std::string> names;
  std::string name;
  for (const char c : expression + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      name += c;
    } else if (!name.empty()) {
      names.insert(std::exchange(name, ""));
    }
  }
  return names;
}

// Scalars that the user sets and that the problem's extents name, in the description's order.
std::vector<const KernelArgument*> sizes_of(const KernelDescription& kernel) {
  std::set<std::string> names;
  for (const std::string& extent : kernel.problem) names.merge(names_in(extent));
  std::vector<const KernelArgument*> sizes;
  for (const auto* list : {&kernel.settings, &kernel.arguments})
    for (const KernelArgument& argument : *list)
      if (!argument.is_buffer && argument.expression.empty() && names.contains(argument.name))
        sizes.push_back(&argument);
  return sizes;
}

// What costs time and does not change the size: few turns, so that many shapes can be tried.
const std::map<std::string, double> cheap = {
    {"loops", 37}, {"turns", 3}, {"max_iterations", 50}, {"k", 19}, {"each", 21}};

// Work that grows faster than the size.
double largest_size(const KernelDescription& kernel, const KernelArgument& size) {
  return kernel.name == "lucas_recursive" ? 11 : size.maximum;
}

std::string name_of(Dim3 extent) {
  return std::to_string(extent.x) + "x" + std::to_string(extent.y) + "x" + std::to_string(extent.z);
}

struct Case {
  KernelSetup setup;
  std::string name;
};

std::vector<Dim3> extents_for(size_t axes) {
  if (axes <= 1) return {{1, 1, 1}, {2, 1, 1}, {31, 1, 1}, {32, 1, 1}, {33, 1, 1}, {257, 1, 1}, {1009, 1, 1}};
  if (axes == 2) return {{1, 1, 1}, {1, 67, 1}, {67, 1, 1}, {16, 16, 1}, {33, 17, 1}, {61, 47, 1}};
  return {{1, 1, 1}, {1, 1, 13}, {13, 1, 1}, {7, 5, 3}, {8, 16, 4}};
}

std::vector<Case> cases_of(const KernelDescription& kernel) {
  std::vector<Case> cases;
  const std::vector<const KernelArgument*> sizes = sizes_of(kernel);
  for (const Dim3 extent : extents_for(takes_picture(kernel) ? 2 : sizes.size())) {
    Case c{default_setup(kernel), kernel.name + " at " + name_of(extent)};
    if (takes_picture(kernel)) c.setup.image = noise(extent.x, extent.y);
    for (const auto& [name, value] : cheap)
      for (const KernelArgument& argument : kernel.arguments)
        if (argument.name == name) c.setup.values[name] = value;
    const uint32_t values[] = {extent.x, extent.y, extent.z};
    for (size_t i = 0; i < sizes.size() && i < 3; ++i)
      c.setup.values[sizes[i]->name] =
          std::clamp<double>(values[i], sizes[i]->minimum, largest_size(kernel, *sizes[i]));
    cases.push_back(std::move(c));
  }
  return cases;
}

// Blocks of any shape that the description allows.
std::vector<Dim3> blocks_of(const KernelDescription& kernel) {
  std::vector<Dim3> blocks;
  for (const Dim3 block : {kernel.default_block,
                           Dim3{1, 1, 1},
                           {32, 1, 1},
                           {33, 1, 1},
                           {96, 1, 1},
                           {1024, 1, 1},
                           {7, 13, 1},
                           {32, 32, 1},
                           {8, 8, 1},
                           {5, 3, 2}}) {
    const Dim3 required = kernel.required_block;
    const auto fits = [](uint32_t chosen, uint32_t wanted) { return wanted == 0 || chosen == wanted; };
    if (fits(block.x, required.x) && fits(block.y, required.y) && fits(block.z, required.z))
      blocks.push_back(block);
  }
  return blocks;
}

class EveryKernel : public testing::TestWithParam<std::string> {
 protected:
  EveryKernel() : m_gpu(make_virtual_gpu()), m_device(*find_device("RTX 3060")) {}

  void expect_right(const KernelDescription& kernel, const KernelSetup& setup, const std::string& what) {
    Result<LaunchRequest> request = make_request(kernel, setup, m_device);
    ASSERT_TRUE(request) << what << ": " << request.error().message;
    Result<RunResult> result =
        m_gpu->run(std::make_shared<const LaunchRequest>(std::move(*request)), std::stop_token(), nullptr);
    ASSERT_TRUE(result) << what << ": " << result.error().message;
    ASSERT_EQ(result->status, RunStatus::ok) << what << ": " << result->message;
    const CheckedAgainstCpu checked = check_against_cpu(kernel, *result->request, *result);
    ASSERT_EQ(checked.checks.size(), kernel.checks.size()) << what;
    for (const Check& check : checked.checks) {
      EXPECT_TRUE(check.equal) << what << ": " << check.message;
      EXPECT_GT(check.elements, 0u) << what;
    }
  }

  std::unique_ptr<Backend> m_gpu;
  Device m_device;
};

TEST_P(EveryKernel, IsRightAtEverySizeAndBlockShape) {
  const KernelDescription& kernel = **find_kernel(GetParam());
  if (kernel.intentionally_broken) GTEST_SKIP() << "its lesson is the fault";
  for (Case& c : cases_of(kernel))
    for (const Dim3 block : blocks_of(kernel)) {
      c.setup.block = block;
      expect_right(kernel, c.setup, c.name + " by " + name_of(block));
      if (HasFailure()) return;
    }
}

TEST_P(EveryKernel, IsRightWithOtherData) {
  const KernelDescription& kernel = **find_kernel(GetParam());
  if (kernel.intentionally_broken) GTEST_SKIP() << "its lesson is the fault";
  Case c = cases_of(kernel).back();
  c.setup.data_seed = 99;
  for (const auto* list : {&kernel.settings, &kernel.arguments})
    for (const KernelArgument& argument : *list) {
      if (argument.is_buffer || !argument.expression.empty() || c.setup.values.contains(argument.name))
        continue;
      for (const double value : {argument.minimum, std::min(argument.maximum, argument.value + 3)}) {
        Case other = c;
        other.setup.values[argument.name] = value;
        expect_right(kernel, other.setup,
                     other.name + " with " + argument.name + " = " + std::to_string(value));
      }
    }
}

// A grid that does not fit: too few threads for kernels whose threads go on to further elements, too many for
// all.
TEST_P(EveryKernel, IsRightWithMoreBlocksThanNeeded) {
  const KernelDescription& kernel = **find_kernel(GetParam());
  if (kernel.intentionally_broken) GTEST_SKIP() << "its lesson is the fault";
  Case c = cases_of(kernel).back();
  const Result<Dim3> fitting = fitted_grid(kernel, c.setup);
  ASSERT_TRUE(fitting);
  c.setup.fit_grid = false;
  c.setup.grid = {fitting->x + 2, fitting->y + 1, fitting->z};
  if (kernel.required_block.y == 1)
    c.setup.grid.y = 1;  // a kernel that is flat by its blocks is so by its grid
  expect_right(kernel, c.setup, c.name + " with a grid too large");
  c.setup.grid = {2, 1, 1};
  if (kernel.grid_stride) expect_right(kernel, c.setup, c.name + " with two blocks");
}

// What instructions learn of their addresses (core/gpu/exec/state/access_shape.h) and machine code
// (core/gpu/exec/jit) change nothing but the time.
RunResult run_with(Backend& gpu, const LaunchRequest& request, bool shapes, const char* tier = "hot") {
  const ScopedEnvironment shapes_wish("WARPLENS_SHAPES", shapes ? "on" : "off"),
      tier_wish("WARPLENS_TIER", tier);
  const Result<RunResult> result = gpu.run(std::make_shared<const LaunchRequest>(request), {}, nullptr);
  EXPECT_TRUE(result) << result.error().message;
  return *result;
}

void expect_equal(const RunResult& a, const RunResult& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.message, b.message);
  EXPECT_EQ(a.counters, b.counters);
  EXPECT_EQ(a.console, b.console);
  ASSERT_EQ(a.lines.size(), b.lines.size());
  for (size_t i = 0; i < a.lines.size(); ++i) {
    EXPECT_EQ(a.lines[i].global_sectors, b.lines[i].global_sectors) << i;
    EXPECT_EQ(a.lines[i].bank_conflicts, b.lines[i].bank_conflicts) << i;
  }
  ASSERT_EQ(a.findings.size(), b.findings.size());
  for (size_t i = 0; i < a.findings.size(); ++i) {
    EXPECT_EQ(a.findings[i].message, b.findings[i].message);
    EXPECT_EQ(a.findings[i].count, b.findings[i].count);
  }
  ASSERT_EQ(a.outputs.size(), b.outputs.size());
  for (size_t i = 0; i < a.outputs.size(); ++i) EXPECT_EQ(*a.outputs[i].bytes, *b.outputs[i].bytes) << i;
  ASSERT_EQ(a.trace == nullptr, b.trace == nullptr);
  if (a.trace == nullptr) return;
  EXPECT_EQ(a.trace->complete, b.trace->complete);
  EXPECT_TRUE(a.trace->entries() == b.trace->entries());
}

TEST_P(EveryKernel, EndsAndCountsAlikeWithoutShapes) {
  const KernelDescription& kernel = **find_kernel(GetParam());
  for (const Case& c : cases_of(kernel)) {
    Result<LaunchRequest> request = make_request(kernel, c.setup, m_device);
    ASSERT_TRUE(request) << c.name << ": " << request.error().message;
    // Blocks of a broken kernel may fault or race on several workers in another order each time.
    for (const uint32_t workers : {1u, 2u, 5u}) {
      if (workers > 1 && kernel.intentionally_broken) break;
      SCOPED_TRACE(c.name + " on " + std::to_string(workers));
      request->workers = workers;
      request->observe = Observe::counters;
      request->sanitize = workers == 1 ? Sanitize::all : Sanitize::memory;
      const RunResult with = run_with(*m_gpu, *request, true);
      expect_equal(with, run_with(*m_gpu, *request, false));
      request->sanitize = Sanitize::off;
      expect_equal(run_with(*m_gpu, *request, true), run_with(*m_gpu, *request, false));
      if (HasFailure()) return;
    }
  }
}

TEST_P(EveryKernel, EndsAndCountsAlikeCompiled) {
  const KernelDescription& kernel = **find_kernel(GetParam());
  for (const Case& c : cases_of(kernel)) {
    Result<LaunchRequest> request = make_request(kernel, c.setup, m_device);
    ASSERT_TRUE(request) << c.name << ": " << request.error().message;
    for (const uint32_t workers : {1u, 2u, 5u}) {
      if (workers > 1 && kernel.intentionally_broken) break;
      SCOPED_TRACE(c.name + " on " + std::to_string(workers));
      request->workers = workers;
      request->observe = Observe::counters;
      request->sanitize = workers == 2 ? Sanitize::off : Sanitize::memory;
      const RunResult compiled = run_with(*m_gpu, *request, true, "always");
      expect_equal(compiled, run_with(*m_gpu, *request, true, "off"));
      // The executor of the IR (core/gpu/exec/jit/executor), which every machine has.
      if (workers == 2) expect_equal(run_with(*m_gpu, *request, true, "executor"), compiled);
      request->observe = Observe::none;
      expect_equal(run_with(*m_gpu, *request, true, "always"), run_with(*m_gpu, *request, true, "off"));
      if (HasFailure()) return;
    }
  }
}

TEST_P(EveryKernel, IsObservedAlikeCompiled) {
  const KernelDescription& kernel = **find_kernel(GetParam());
  for (const Case& c : cases_of(kernel)) {
    SCOPED_TRACE(c.name);
    Result<LaunchRequest> request = make_request(kernel, c.setup, m_device);
    ASSERT_TRUE(request) << c.name << ": " << request.error().message;
    request->workers = 1;
    request->observe = Observe::trace;
    request->sanitize = Sanitize::memory;
    for (const bool caches : {false, true}) {
      request->model_caches = caches;
      request->trace_limit = caches ? 30'000 : 1'000'000;
      expect_equal(run_with(*m_gpu, *request, true, "always"), run_with(*m_gpu, *request, false, "off"));
    }
    request->trace_limit = 0;
    expect_equal(run_with(*m_gpu, *request, true, "always"), run_with(*m_gpu, *request, false, "off"));
    request->sanitize = Sanitize::all;
    expect_equal(run_with(*m_gpu, *request, true, "always"), run_with(*m_gpu, *request, false, "off"));
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryKernel, testing::ValuesIn(test_files::built_in_kernel_names()),
                         [](const auto& kernel) { return kernel.param; });

TEST(KernelNames, AreThoseOfTheCatalogue) {
  std::vector<std::string> names;
  for (const KernelDescription& kernel : built_in_kernels()) names.push_back(kernel.name);
  EXPECT_THAT(test_files::built_in_kernel_names(), testing::UnorderedElementsAreArray(names));
}

}  // namespace THIS_FILE
}  // namespace warplens
