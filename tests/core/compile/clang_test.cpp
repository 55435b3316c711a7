// clang in place of NVRTC: how it is found and called, what it says, and that every built-in kernel is right
// with it.
#include "core/compile/clang.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stop_token>

#include "core/compile/choice.h"
#include "core/device/device.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/kernels/catalogue.h"
#include "core/launch/backend.h"
#include "tests/core/kernels/kernel_names.h"
#include "tests/environment.h"

namespace warplens {
namespace THIS_FILE {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

CompileOptions options_for(uint32_t architecture) {
  CompileOptions options;
  options.kind = CompilerKind::clang;
  options.architecture = {architecture / 10, architecture % 10};
  return options;
}

Clang of_version(uint32_t major) {
  return {"/usr/bin/clang", major, std::to_string(major) + ".0.0", "/clc/nvptx64.bc"};
}

std::vector<std::string> command(uint32_t major, uint32_t architecture, std::vector<std::string> extra = {},
                                 bool libclc = false) {
  CompileOptions options = options_for(architecture);
  options.extra = std::move(extra);
  const auto words = clang_words(of_version(major), options, "/headers");
  EXPECT_TRUE(words) << (words ? "" : words.error().message);
  return words ? clang_command(*words, of_version(major), libclc, "") : std::vector<std::string>();
}

TEST(ClangCommand, TakesTheNewestArchitectureThatThisVersionKnows) {
  EXPECT_THAT(command(14, 86), Contains("--cuda-gpu-arch=sm_86"));
  EXPECT_THAT(command(14, 90), Contains("--cuda-gpu-arch=sm_86"));
  EXPECT_THAT(command(19, 90), Contains("--cuda-gpu-arch=sm_90"));
  EXPECT_THAT(command(19, 120), Contains("--cuda-gpu-arch=sm_90"));
  EXPECT_THAT(command(14, 50), Contains("+ptx63"));
  const auto old = clang_words(of_version(14), options_for(35), "/headers");
  ASSERT_FALSE(old);
  EXPECT_THAT(old.error().message, HasSubstr("3.5"));
}

TEST(ClangCommand, HasNoFileOfNvidias) {
  const std::vector<std::string> words = command(19, 86);
  EXPECT_THAT(words, Contains("-nocudainc"));
  EXPECT_THAT(words, Contains("-nocudalib"));
  for (const std::string& word : words) EXPECT_THAT(word, Not(HasSubstr("/usr/local/cuda")));
}

TEST(ClangCommand, SaysNvrtcsOptionsInItsOwnWords) {
  EXPECT_THAT(command(14, 86), Contains("-ffp-contract=fast-honor-pragmas"));
  const std::vector<std::string> unfused = command(14, 86, {"--fmad=false"});
  EXPECT_EQ(*std::find_if(unfused.rbegin(), unfused.rend(),
                          [](const std::string& word) { return word.starts_with("-ffp-contract"); }),
            "-ffp-contract=off")
      << "the last one counts";
  EXPECT_THAT(command(14, 86, {"-DN=3", "--define-macro=M=4", "--std=c++20"}),
              testing::IsSupersetOf({"-DN=3", "-DM=4", "-std=c++20"}));
  EXPECT_THAT(command(14, 86, {}, true), Contains("/clc/nvptx64.bc"));
  CompileOptions options = options_for(86);
  options.extra = {"--relocatable-device-code=true"};
  EXPECT_THAT(clang_words(of_version(14), options, "/headers").error().message,
              HasSubstr("--relocatable-device-code=true"));
  options.extra = {"-I"};  // it would take clang's next word
  EXPECT_THAT(clang_words(of_version(14), options, "/headers").error().message,
              HasSubstr("must follow without a space"));
}

TEST(ClangLog, IsReadWithItsPlaces) {
  const auto read = parse_clang_log(
      "add.cu:4:7: error: use of undeclared identifier 'q'\n"
      "In file included from a:1:\n"
      "odd:name.cu:12:1: warning: unused variable 'x'\n"
      "add.cu:3:1: note: declared here\n"
      "clang: error: no such file or directory: 'x.cu'\n"
      "fatal error: cannot open file '/clc/x.bc': Opaque pointers\n"
      "1 error generated when compiling for sm_86.\n");
  ASSERT_EQ(read.size(), 5u);
  EXPECT_EQ(read[4].message, "cannot open file '/clc/x.bc': Opaque pointers");
  EXPECT_EQ(to_text({read[0]}),
            to_text({{Severity::error, "add.cu", 4, 7, "use of undeclared identifier 'q'"}}));
  EXPECT_EQ(read[1].file, "odd:name.cu");
  EXPECT_EQ(read[1].line, 12u);
  EXPECT_EQ(read[1].severity, Severity::warning);
  EXPECT_EQ(read[2].severity, Severity::note);
  EXPECT_EQ(read[3].line, 0u);
  EXPECT_THAT(parse_clang_log(""), IsEmpty());
  EXPECT_THAT(parse_clang_log("error"), IsEmpty());
}

TEST(ClangLog, FunctionsThatNobodyDefines) {
  EXPECT_THAT(
      missing_functions(".extern .func  (.param .b32 func_retval0) _Z3sinf\n(\n\t.param .b32 a\n)\n;\n"
                        ".extern .func (.param .b32 r) vprintf\n(\n);\n.extern .func trap_it\n();\n"
                        ".extern .shared .align 4 .b8 s[];\n"),
      ElementsAre("sin(float)", "trap_it"));
  EXPECT_THAT(missing_functions(".extern .func"), IsEmpty());
  EXPECT_THAT(missing_functions(".extern .func ("), testing::SizeIs(testing::Le(1)));
}

TEST(ChosenCompiler, IsTheOneThatTheEnvironmentNames) {
  for (const auto& [word, kind] : {std::pair{"", CompilerKind::what_is_there},
                                   {"nvrtc", CompilerKind::nvrtc},
                                   {"clang", CompilerKind::clang}}) {
    const ScopedEnvironment chosen("WARPLENS_COMPILER", word);
    EXPECT_EQ(*chosen_compiler(), kind) << word;
  }
  const ScopedEnvironment chosen("WARPLENS_COMPILER", "gcc");
  EXPECT_THAT(chosen_compiler().error().message, HasSubstr("nvrtc and clang"));
  EXPECT_EQ(compile_cuda("", "a.cu", {}).error().kind, ErrorKind::bad_input);
}

TEST(ChosenCompiler, WithNeitherBothSayHowTheyCome) {
  const ScopedEnvironment no_nvrtc("WARPLENS_NVRTC", "/nowhere/libnvrtc.so"),
      no_clang("WARPLENS_CLANG", "/nowhere/clang");
  const Result<Compilation> none = compile_cuda("", "a.cu", {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::missing);
  EXPECT_THAT(none.error().message,
              testing::AllOf(HasSubstr("warplens fetch"), HasSubstr("apt install clang")));
}

class ClangTest : public testing::Test {
 protected:
  void SetUp() override {
    const Result<Clang> clang = find_clang();
    if (!clang) GTEST_SKIP() << clang.error().message;
    if (clang->libclc.empty()) GTEST_SKIP() << "libclc is not here";
  }
};

TEST_F(ClangTest, ErrorsStandAtTheirLines) {
  const auto compiled =
      compile_cuda("extern \"C\" __global__ void k(int* x) {\n  *x = q;\n}\n", "mine.cu", options_for(86));
  ASSERT_TRUE(compiled) << compiled.error().message;
  EXPECT_FALSE(compiled->ok);
  ASSERT_FALSE(compiled->diagnostics.empty());
  EXPECT_EQ(compiled->diagnostics[0].file, "mine.cu");
  EXPECT_EQ(compiled->diagnostics[0].line, 2u);
  EXPECT_EQ(compiled->diagnostics[0].column, 8u);
}

TEST_F(ClangTest, InstructionsBelongToTheLinesOfTheSource) {
  const auto compiled = compile_cuda(
      "extern \"C\" __global__ void k(int* x) {\n  atomicAdd(x, 1);\n  x[1] = __popc(threadIdx.x);\n}\n",
      "mine.cu", options_for(86));
  ASSERT_TRUE(compiled && compiled->ok);
  EXPECT_THAT(compiled->compiler, HasSubstr("clang "));
  EXPECT_THAT(compiled->ptx, HasSubstr(".file\t1 \"mine.cu\""));
  EXPECT_THAT(compiled->ptx, Not(HasSubstr(".file\t2"))) << "our headers have no lines";
  EXPECT_THAT(compiled->ptx, HasSubstr("popc.b32"));
}

TEST_F(ClangTest, WhatIsDefinedNowhereIsNamed) {
  const auto compiled =
      compile_cuda("__device__ int mine(int);\nextern \"C\" __global__ void k(int* x) { *x = mine(1); }\n",
                   "mine.cu", options_for(86));
  ASSERT_TRUE(compiled);
  EXPECT_FALSE(compiled->ok);
  EXPECT_THAT(to_text(compiled->diagnostics), HasSubstr("mine(int) is defined nowhere"));
}

// LLVM moves accesses to variables of the module past intrinsics of its own.
TEST_F(ClangTest, SharedVariablesAreReadAfterTheBarrier) {
  for (const char* barrier :
       {"__syncthreads()", "__syncthreads_count(1)", "__syncthreads_and(1)", "__syncthreads_or(1)",
        "__syncwarp()", "__threadfence_block()", "__threadfence()", "__threadfence_system()"}) {
    const auto compiled = compile_cuda(fmt::format("extern \"C\" __global__ void k(int* x) {{\n  __shared__ "
                                                   "int mine;\n  if (threadIdx.x == 0) mine = x[0];\n"
                                                   "  {};\n  x[threadIdx.x] = mine;\n}}\n",
                                                   barrier),
                                       "mine.cu", options_for(86));
    ASSERT_TRUE(compiled && compiled->ok) << (compiled ? compiled->log : compiled.error().message);
    const size_t store = compiled->ptx.find("st.shared"), load = compiled->ptx.find("ld.shared");
    const size_t waits = std::min(compiled->ptx.find("bar."), compiled->ptx.find("membar."));
    EXPECT_LT(store, waits) << barrier << compiled->ptx;
    EXPECT_LT(waits, load) << barrier << compiled->ptx;
    EXPECT_NE(load, std::string::npos) << barrier;
  }
}

// Kernels with curand_kernel.h. Its numbers are tests/cuda/stand_in/libraries/rand_device.cu's.
std::string with_random(const std::string& statement) {
  return "#include <curand_kernel.h>\nextern \"C\" __global__ void k(unsigned* x) {\n  curandState state;\n "
         " " +
         statement + "\n}\n";
}

TEST_F(ClangTest, AKernelAloneHasRandomNumbers) {
  const auto compiled =
      compile_cuda(with_random("curand_init(1, threadIdx.x, 0, &state);\n  *x = curand(&state);"), "mine.cu",
                   options_for(86));
  ASSERT_TRUE(compiled);
  EXPECT_TRUE(compiled->ok) << compiled->log;
  EXPECT_THAT(compiled->ptx, Not(HasSubstr(".file\t2"))) << "our headers have no lines";
}

TEST_F(ClangTest, WhatOfLibrariesThereIsNotSaysSo) {
  const std::pair<std::string, const char*> rows[] = {
      {with_random("*x = curand_discrete(&state, 0);"), "clang has no tables of distributions here"},
      {with_random("curandStateMtgp32 other;"), "clang has no MTGP32 here"},
      {with_random("curandStateScrambledSobol64_t other;"), "clang has no Sobol sequences of 64 bits here"},
      {with_random("curandStateSobol32_t other;\n  *x = curand_poisson(&other, 3);"),
       "clang has no Poisson numbers"},
      {"#include <cublas.h>\n", "include cublas_v2.h"},
      {"#include <curand_mtgp32_host.h>\n", "comes with NVIDIA's toolkit alone"}};
  for (const auto& [source, sentence] : rows) {
    const auto compiled = compile_cuda(source, "mine.cu", options_for(86));
    ASSERT_TRUE(compiled);
    EXPECT_FALSE(compiled->ok) << source;
    EXPECT_THAT(to_text(compiled->diagnostics), HasSubstr(sentence)) << source;
  }
}

TEST_F(ClangTest, AZeroByteAndAStopEndWell) {
  EXPECT_FALSE(compile_cuda(std::string_view("a\0b", 3), "mine.cu", options_for(86))->ok);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(compile_cuda("int x;", "mine.cu", options_for(86), stop.get_token()).error().kind,
            ErrorKind::cancelled);
}

class ClangKernels : public testing::TestWithParam<std::string> {};

TEST_P(ClangKernels, AreRight) {
  const Result<Clang> clang = find_clang();
  if (!clang) GTEST_SKIP() << clang.error().message;
  KernelDescription kernel = **find_kernel(GetParam());
  const auto compiled = compile_cuda(kernel.source, kernel.source_name, options_for(86));
  ASSERT_TRUE(compiled) << compiled.error().message;
  ASSERT_TRUE(compiled->ok) << compiled->log;
  EXPECT_THAT(compiled->diagnostics, IsEmpty()) << compiled->log;
  kernel.ptx = compiled->ptx;
  if (kernel.intentionally_broken) return;  // its lesson is the fault
  Result<LaunchRequest> request = make_request(kernel, default_setup(kernel), *find_device("RTX 3060"));
  ASSERT_TRUE(request) << request.error().message;
  const auto result =
      make_virtual_gpu()->run(std::make_shared<const LaunchRequest>(std::move(*request)), {}, nullptr);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->status, RunStatus::ok) << result->message;
  const CheckedAgainstCpu checked = check_against_cpu(kernel, *result->request, *result);
  ASSERT_EQ(checked.checks.size(), kernel.checks.size());
  for (const Check& check : checked.checks) EXPECT_TRUE(check.equal) << check.message;
}

TEST(ClangText, IsWhatNvccTakesAndClangDoesNot) {
  EXPECT_EQ(text_for_clang("__shared__ alignas(16) int a;"), "__shared__ _Alignas(16) int a;");
  EXPECT_EQ(text_for_clang("add << <1, 2>> > (a);"), "add  <<<1, 2>>>  (a);");
  EXPECT_EQ(text_for_clang("std::vector<std::vector<int> > a; x << 1; f<<<1, 2>>>(a);"),
            "std::vector<std::vector<int> > a; x << 1; f<<<1, 2>>>(a);");
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ClangKernels, testing::ValuesIn(test_files::built_in_kernel_names()),
                         [](const auto& info) { return info.param; });

}  // namespace THIS_FILE
}  // namespace warplens
