#include "core/compile/compiler.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <stop_token>

#include "core/compile/nvrtc.h"
#include "tests/core/compile/tools.h"
#include "tests/environment.h"

namespace warplens {
namespace THIS_FILE {

class Compiler : public testing::Test {
 protected:
  void SetUp() override {
    auto version = compiler_version();
    if (!version) GTEST_SKIP() << version.error().message;
    m_version = *version;
  }
  // For an architecture that this compiler knows: from 13 on, none before sm_75.
  CompileOptions options() const {
    CompileOptions chosen;
    if (m_version.substr(0, 3) != "12.") chosen.architecture = {7, 5};
    return chosen;
  }
  std::string m_version;
};

constexpr const char* bad_source =
    "extern \"C\" __global__ void k(int* p) {\n"
    "  int unused = 3;\n"
    "  p[0] = q;\n"
    "}\n";

TEST_F(Compiler, BuiltInKernelsGiveTheCheckedInPtx) {
  if (m_version != "12.9") GTEST_SKIP() << "the checked-in PTX is NVRTC 12.9's, this one is " << m_version;
  for (const char* name : {"grayscale", "vector_add", "vector_add_unchecked", "mandelbrot", "matmul_tiled"}) {
    auto compilation = compile_cuda(kernel_source(name), std::string(name) + ".cu", {});
    ASSERT_TRUE(compilation) << compilation.error().message;
    EXPECT_TRUE(compilation->ok) << compilation->log;
    EXPECT_EQ(compilation->log, "") << name;
    EXPECT_EQ(compilation->ptx, golden_ptx(name))
        << "run tests/data/golden/remake_ptx.sh and read the difference";
    EXPECT_GT(compilation->compile_ms, 0);
  }
}

TEST_F(Compiler, BadSourceGivesDiagnosticsAtItsLines) {
  auto compilation = compile_cuda(bad_source, "my kernel.cu", options());
  ASSERT_TRUE(compilation) << compilation.error().message;
  EXPECT_FALSE(compilation->ok);
  EXPECT_EQ(compilation->ptx, "");
  ASSERT_EQ(compilation->diagnostics.size(), 2u) << compilation->log;
  EXPECT_EQ(compilation->diagnostics[0].file, "my kernel.cu");
  EXPECT_EQ(compilation->diagnostics[0].line, 3u);
  EXPECT_EQ(compilation->diagnostics[0].column, 10u);
  EXPECT_EQ(compilation->diagnostics[0].severity, Severity::error);
  EXPECT_EQ(compilation->diagnostics[1].line, 2u);
  EXPECT_EQ(compilation->diagnostics[1].severity, Severity::warning);
}

TEST_F(Compiler, MissingHeaderEmptyAndBinarySources) {
  auto header = compile_cuda("\n#include \"no_such_header.h\"\n", "a.cu", options());
  ASSERT_TRUE(header);
  EXPECT_FALSE(header->ok);
  ASSERT_FALSE(header->diagnostics.empty()) << header->log;
  EXPECT_EQ(header->diagnostics[0].line, 2u);

  EXPECT_EQ(header->diagnostics[0].message.find("warplens fetch"), std::string::npos);
  const ScopedEnvironment none("WARPLENS_CUDA_INCLUDE_DIRS", "");
  auto without = compile_cuda("#include <cuda_fp16.h>", "a.cu", options());
  ASSERT_TRUE(without && !without->diagnostics.empty());
  EXPECT_NE(without->diagnostics[0].message.find("run warplens fetch"), std::string::npos) << without->log;

  auto empty = compile_cuda("", "", options());
  ASSERT_TRUE(empty);
  EXPECT_TRUE(empty->ok) << empty->log;

  auto binary = compile_cuda(std::string_view("int x;\0int y;", 13), "b.cu", options());
  ASSERT_TRUE(binary);
  EXPECT_FALSE(binary->ok);
  ASSERT_EQ(binary->diagnostics.size(), 1u);
}

// Students include them by habit. The line of a mistake stays that of the text.
TEST_F(Compiler, HeadersOfTheHostAreThere) {
  std::string all;
  for (const KernelHeader& header : kernel_headers())
    if (header.name != "type_traits" && header.name != "utility" && header.name != "tuple")  // slow
      all += fmt::format("#include <{}>\n", header.name);
  const std::string kernel =
      "using namespace std;\n"
      "extern \"C\" __global__ void k(float* x, uint32_t* n) {\n"
      "  x[0] = std::sqrt(x[1]) + std::max(x[1], FLT_EPSILON) + std::numeric_limits<float>::max();\n"
      "  n[0] = UINT32_MAX - INT_MAX + abs(-3);\n"
      "  static_assert(sizeof(std::int64_t) == 8 && sizeof(size_t) == 8);\n"
      "  assert(n[1] > 0);\n"
      "  printf(\"%f\", x[0]);\n"
      "}\n";
  const auto compiled = compile_cuda(all + kernel, "a.cu", options());
  ASSERT_TRUE(compiled);
  EXPECT_TRUE(compiled->ok) << compiled->log;
  EXPECT_EQ(compiled->log, "");
  const auto wrong =
      compile_cuda("#include <iostream>\n__global__ void k() {\n  std::cout << 1;\n}\n", "a.cu", options());
  ASSERT_TRUE(wrong && !wrong->diagnostics.empty());
  EXPECT_EQ(wrong->diagnostics[0].line, 3u);
  const auto thrust = compile_cuda("#include <thrust/device_vector.h>\n", "a.cu", options());
  ASSERT_TRUE(thrust && !thrust->diagnostics.empty());
  EXPECT_NE(thrust->log.find("Write a main()"), std::string::npos) << thrust->log;
}

// What nvcc has of <math.h> without an #include, in functions and in constants.
TEST_F(Compiler, MathConstantsAreThereUnlessTheSourceHasItsOwn) {
  const auto used = compile_cuda(
      "__constant__ float low = -INFINITY;\n"
      "extern \"C\" __global__ void k(float* x, double* y) {\n"
      "  constexpr float big = INFINITY;\n"
      "  x[0] = big; x[1] = NAN; x[2] = HUGE_VALF; x[3] = low; y[0] = HUGE_VAL; y[1] = M_PI;\n"
      "}\n",
      "a.cu", options());
  ASSERT_TRUE(used) << used.error().message;
  ASSERT_TRUE(used->ok) << used->log;
  EXPECT_EQ(used->log, "");
  EXPECT_NE(used->ptx.find("low = 0fFF800000"), std::string::npos) << used->ptx;
  for (const char* own :
       {"#define INFINITY 3.0f\n", "#  define  INFINITY 3.0f\n", "#undef INFINITY\n#define INFINITY 1\n",
        "enum { NOT_INFINITY, INFINITY_TOO };\n"}) {
    const auto compiled =
        compile_cuda(std::string(own) + "extern \"C\" __global__ void k() {}\n", "a.cu", options());
    ASSERT_TRUE(compiled);
    EXPECT_TRUE(compiled->ok) << own << compiled->log;
    EXPECT_EQ(compiled->log, "") << own;
  }
}

TEST_F(Compiler, UnknownOptionIsAnError) {
  CompileOptions unknown = options();
  unknown.extra = {"--no-such-option"};
  auto compilation = compile_cuda("", "a.cu", unknown);
  ASSERT_FALSE(compilation);
  EXPECT_NE(compilation.error().message.find("no-such-option"), std::string::npos)
      << compilation.error().message;
}

TEST_F(Compiler, ArchitecturesFollowTheDevice) {
  CompileOptions wanted;
  wanted.architecture = {8, 6};
  auto ampere = compile_cuda("", "a.cu", wanted);
  ASSERT_TRUE(ampere) << ampere.error().message;
  EXPECT_NE(ampere->ptx.find(".target sm_86"), std::string::npos);
  wanted.architecture = {99, 0};  // newer than any compiler: its newest
  auto future = compile_cuda("", "a.cu", wanted);
  ASSERT_TRUE(future) << future.error().message;
  EXPECT_TRUE(future->ok) << future->log;
  wanted.architecture = {3, 5};
  auto past = compile_cuda("", "a.cu", wanted);
  ASSERT_FALSE(past);
  EXPECT_EQ(past.error().kind, ErrorKind::missing);
}

TEST_F(Compiler, CudaHeadersAreFound) {
  auto compilation = compile_cuda(
      "#include <cuda_fp16.h>\nextern \"C\" __global__ void k(__half* p) { p[0] = __float2half(1.f); }\n",
      "h.cu", CompileOptions{{7, 5}, {}, {}, {}});
  ASSERT_TRUE(compilation) << compilation.error().message;
  if (!compilation->ok && compilation->log.find("cuda_fp16.h") != std::string::npos)
    GTEST_SKIP() << "no CUDA headers on this machine: " << compilation->log;
  EXPECT_TRUE(compilation->ok) << compilation->log;
}

// NVRTC asks between its phases whether it shall stop. The request to stop is made at its second question, so
// that the test depends on no clock; later questions are counted.
struct Asking {
  std::stop_source stop;
  int asked = 0;
  int (*ask)(void*, void*) = nullptr;
  void* payload = nullptr;
  int (*set_flow_callback)(NvrtcProgram*, int (*)(void*, void*), void*) = nullptr;
};
Asking* asking = nullptr;

int stop_at_the_second(void*, void* of_nvrtc) {
  if (++asking->asked == 2) asking->stop.request_stop();
  return asking->ask(asking->payload, of_nvrtc);
}

int listen(NvrtcProgram* program, int (*ask)(void*, void*), void* payload) {
  asking->ask = ask;
  asking->payload = payload;
  return asking->set_flow_callback(program, stop_at_the_second, nullptr);
}

TEST_F(Compiler, ACancelledCompilationEndsEarly) {
  std::stop_source stopped;
  stopped.request_stop();
  auto at_once = compile_cuda("", "a.cu", options(), stopped.get_token());
  ASSERT_FALSE(at_once);
  EXPECT_EQ(at_once.error().kind, ErrorKind::cancelled);

  auto nvrtc = load_nvrtc();
  ASSERT_TRUE(nvrtc) << nvrtc.error().message;
  if (!nvrtc->set_flow_callback) GTEST_SKIP() << "this NVRTC cannot cancel";
  Asking state;
  asking = &state;
  state.set_flow_callback = nvrtc->set_flow_callback;
  nvrtc->set_flow_callback = listen;
  const char* source =
      "extern \"C\" __global__ void k(float* p) { p[threadIdx.x] = sinf(p[threadIdx.x]); }\n";
  auto whole = compile_with_nvrtc(*nvrtc, source, "a.cu", options());
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_TRUE(whole->ok) << whole->log;
  EXPECT_EQ(state.asked, 0) << "a compilation that nobody can stop is not asked about";
  auto cancelled = compile_with_nvrtc(*nvrtc, source, "a.cu", options(), state.stop.get_token());
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().kind, ErrorKind::cancelled) << cancelled.error().message;
  EXPECT_EQ(state.asked, 2) << "NVRTC went on after the wish to stop";
  asking = nullptr;
}

TEST(CompilerMissing, SaysWhatStillWorks) {
  ScopedEnvironment nowhere("WARPLENS_NVRTC", "/no/such/libnvrtc.so.12"),
      chosen("WARPLENS_COMPILER", "nvrtc");
  for (const Error& error : {compile_cuda("", "a.cu", {}).error(), compiler_version().error()}) {
    EXPECT_EQ(error.kind, ErrorKind::missing);
    EXPECT_NE(error.message.find("PTX files still run"), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("/no/such/libnvrtc.so.12"), std::string::npos) << error.message;
  }
}

TEST(CompilerMissing, ALibraryOfAnotherKindIsNoCompiler) {
  ScopedEnvironment wrong("WARPLENS_NVRTC", "libm.so.6");
  auto version = compiler_version();
  if (!version) {
    EXPECT_EQ(version.error().kind, ErrorKind::missing);
    EXPECT_NE(version.error().message.find("libm.so.6"), std::string::npos);
  } else {
    ADD_FAILURE() << "libm is no compiler";
  }
}

}  // namespace THIS_FILE
}  // namespace warplens

// NVIDIA's libraries keep what they allocate until the process ends; their leaks are not ours.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libnvrtc\n"; }
