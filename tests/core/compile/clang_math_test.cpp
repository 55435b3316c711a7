// The functions of mathematics that clang takes from libclc or from PTX, against glibc's of double: how far
// they are off, in units of the last place (ulp). docs/clang.md has the limits.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "core/compile/clang.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/launch/backend.h"

namespace warplens {
namespace THIS_FILE {

struct Function {
  const char* name;  // of float; that of double has no f
  double (*reference)(double);
  float from, to;
  double most_float, most_double;  // ulp
  double least = 0;                // smaller values are measured by the last place of this one
};

// Inverses, by Newton's steps in numbers of 80 bits. The steps have a limit, since the functions are flat far
// out.
double inverse(double at, long double (*function)(long double), long double (*slope)(long double)) {
  const auto wanted = static_cast<long double>(at);
  long double x = 0;
  for (int i = 0; i < 200; ++i) {
    const long double change = (function(x) - wanted) / slope(x);
    x -= std::clamp(change, -0.5L, 0.5L);
    if (std::abs(change) < 1e-19L * (1 + std::abs(x))) break;
  }
  return static_cast<double>(x);
}
constexpr long double two_over_root_pi = 1.12837916709551257390L, root_half = 0.70710678118654752440L;
long double error_function(long double x) { return std::erf(x); }
long double error_slope(long double x) { return two_over_root_pi * std::exp(-x * x); }
long double complement(long double x) { return std::erfc(x); }
long double complement_slope(long double x) { return -error_slope(x); }
long double normal(long double x) { return std::erfc(-root_half * x) / 2; }
long double normal_slope(long double x) { return error_slope(root_half * x) * root_half / 2; }
double true_erfinv(double x) { return inverse(x, error_function, error_slope); }
double true_erfcinv(double x) { return inverse(x, complement, complement_slope); }
double true_normcdfinv(double p) { return inverse(p, normal, normal_slope); }
double true_normcdf(double x) { return static_cast<double>(normal(x)); }

// In 80 bits: those of double are 21 places off.
double true_i0(double x) { return static_cast<double>(std::cyl_bessel_i(0.0L, static_cast<long double>(x))); }
double true_i1(double x) { return static_cast<double>(std::cyl_bessel_i(1.0L, static_cast<long double>(x))); }

constexpr Function functions[] = {{"erfinvf", true_erfinv, -0.9999f, 0.9999f, 1, 5},
                                  {"erfcinvf", true_erfcinv, 0, 2, 1, 5},
                                  {"normcdfinvf", true_normcdfinv, 0, 1, 1, 5},
                                  {"normcdff", true_normcdf, -8, 8, 1, 4},
                                  {"j0f", j0, -100, 100, 1, 4, 1},
                                  {"j1f", j1, -100, 100, 1, 4, 1},
                                  {"y0f", y0, 0, 100, 1, 4, 1},
                                  {"y1f", y1, 0, 100, 1, 4, 1},
                                  {"cyl_bessel_i0f", true_i0, 0, 80, 1, 8},
                                  {"cyl_bessel_i1f", true_i1, 0, 80, 1, 8},
                                  {"sqrtf", std::sqrt, 0, 1e6, 0.5, 0.5},
                                  {"cbrtf", std::cbrt, -1e3, 1e3, 2, 2},
                                  {"sinf", std::sin, -100, 100, 4, 4},
                                  {"cosf", std::cos, -100, 100, 4, 4},
                                  {"tanf", std::tan, -1.5, 1.5, 5, 5},
                                  {"asinf", std::asin, -1, 1, 4, 4},
                                  {"acosf", std::acos, -1, 1, 4, 4},
                                  {"atanf", std::atan, -50, 50, 5, 5},
                                  {"sinhf", std::sinh, -10, 10, 4, 4},
                                  {"coshf", std::cosh, -10, 10, 4, 4},
                                  {"tanhf", std::tanh, -5, 5, 5, 5},
                                  {"asinhf", std::asinh, -50, 50, 4, 4},
                                  {"acoshf", std::acosh, 1, 50, 4, 4},
                                  {"atanhf", std::atanh, -0.99f, 0.99f, 5, 5},
                                  {"expf", std::exp, -80, 80, 3, 3},
                                  {"exp2f", std::exp2, -100, 100, 3, 3},
                                  {"expm1f", std::expm1, -10, 10, 3, 3},
                                  {"logf", std::log, 1e-6f, 1e6, 3, 3},
                                  {"log2f", std::log2, 1e-6f, 1e6, 3, 3},
                                  {"log10f", std::log10, 1e-6f, 1e6, 3, 3},
                                  {"log1pf", std::log1p, -0.9f, 100, 2, 2},
                                  {"erff", std::erf, -4, 4, 16, 16},
                                  {"erfcf", std::erfc, -4, 4, 16, 16},
                                  {"floorf", std::floor, -100, 100, 0, 0},
                                  {"ceilf", std::ceil, -100, 100, 0, 0},
                                  {"truncf", std::trunc, -100, 100, 0, 0},
                                  {"roundf", std::round, -100, 100, 0, 0},
                                  {"rintf", std::rint, -100, 100, 0, 0}};
constexpr uint32_t inputs = 4096;

float input(const Function& function, uint32_t i) {
  return function.from + (function.to - function.from) * (static_cast<float>(i) + 0.5f) / inputs;
}

std::string source_of(const Function& function) {
  std::string of_double = function.name;
  of_double.pop_back();
  return fmt::format(
      "extern \"C\" __global__ void k(const float* x, float* y, double* z) {{\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  y[i] = {}(x[i]);\n  z[i] = {}(double(x[i]));\n}}\n",
      function.name, of_double);
}

template <class T>
std::shared_ptr<const Bytes> bytes_of(const std::vector<T>& values) {
  auto bytes = std::make_shared<Bytes>(values.size() * sizeof(T));
  std::memcpy(bytes->data(), values.data(), bytes->size());
  return bytes;
}

// How far it is from the true value, in steps between two numbers of its type at this place.
template <class T>
double ulps(T value, double truth, double least) {
  if (std::isnan(truth)) return std::isnan(value) ? 0 : HUGE_VAL;
  const T size = static_cast<T>(std::max(std::abs(truth), least));
  const T step = std::nextafter(size, std::numeric_limits<T>::infinity()) - size;
  return std::abs(static_cast<double>(value) - truth) / static_cast<double>(step);
}

RunResult run(const std::string& ptx, const Function& function) {
  auto request = std::make_shared<LaunchRequest>();
  auto text = std::make_shared<ModuleText>();
  text->ptx = ptx;
  request->module = text;
  std::vector<float> x(inputs);
  for (uint32_t i = 0; i < inputs; ++i) x[i] = input(function, i);
  const std::pair<const char*, uint32_t> arrays[] = {{"x", 4}, {"y", 4}, {"z", 8}};
  for (const auto& [name, size] : arrays) {
    BufferSpec spec;
    spec.name = name;
    spec.bytes = uint64_t{inputs} * size;
    spec.dtype = size == 4 ? DType::f32 : DType::f64;
    spec.output = !request->buffers.empty();
    if (!spec.output) spec.initial = bytes_of(x);
    request->buffers.push_back(std::move(spec));
  }
  LaunchStep step;
  step.entry = "k";
  step.grid = {inputs / 256, 1, 1};
  step.block = {256, 1, 1};
  step.arguments = {BufferArgument{0, 0}, BufferArgument{1, 0}, BufferArgument{2, 0}};
  request->steps.emplace_back(step);
  const auto result = make_virtual_gpu()->run(request, {}, nullptr);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return result.ok() ? *result : RunResult{};
}

class ClangMath : public testing::TestWithParam<Function> {};

TEST_P(ClangMath, IsAsNearAsThePageSays) {
  const Result<Clang> clang = find_clang();
  if (!clang) GTEST_SKIP() << clang.error().message;
  if (clang->libclc.empty()) GTEST_SKIP() << how_to_get_libclc(*clang);
  const Function& function = GetParam();
  CompileOptions options;
  options.architecture = {8, 6};
  const auto compiled = compile_with_clang(*clang, source_of(function), "math.cu", options);
  ASSERT_TRUE(compiled) << compiled.error().message;
  ASSERT_TRUE(compiled->ok) << compiled->log;
  const RunResult result = run(compiled->ptx, function);
  ASSERT_EQ(result.status, RunStatus::ok) << result.message;
  ASSERT_EQ(result.outputs.size(), 2u);
  double worst[2] = {0, 0};
  std::string at[2];
  for (uint32_t i = 0; i < inputs; ++i) {
    const double truth = function.reference(double(input(function, i)));
    float y = 0;
    double z = 0;
    std::memcpy(&y, result.outputs[0].bytes->data() + size_t{i} * 4, 4);
    std::memcpy(&z, result.outputs[1].bytes->data() + size_t{i} * 8, 8);
    const double off[2] = {ulps(y, truth, function.least), ulps(z, truth, function.least)};
    for (int k = 0; k < 2; ++k)
      if (off[k] > worst[k]) {
        worst[k] = off[k];
        at[k] = fmt::format("{}({:.9g}): {:.17g} in place of {:.17g}", function.name, input(function, i),
                            k == 0 ? double(y) : z, truth);
      }
  }
  RecordProperty("ulp", fmt::format("{:.2f} {:.2f}", worst[0], worst[1]));
  EXPECT_LE(worst[0], function.most_float) << at[0];
  EXPECT_LE(worst[1], function.most_double) << at[1] << ", of double";
}

INSTANTIATE_TEST_SUITE_P(Functions, ClangMath, testing::ValuesIn(functions),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace THIS_FILE
}  // namespace warplens
