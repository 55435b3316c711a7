// Every value that stepping shows before a line equals what printf, put there, prints. With
// WARPLENS_LIST_VARIABLES in the environment, what has no value is listed.
#include <fmt/format.h>

#include <cstdlib>

#include "core/base/system/files.h"
#include "core/compile/compiler.h"
#include "tests/core/gpu/stepping/probes.h"
#include "tests/core/gpu/stepping/support.h"
#include "tests/paths.h"

namespace warplens {
namespace THIS_FILE {

// NVVM 7 writes what is for GPUs before sm_100, NVVM 20 the rest; they describe variables differently.
constexpr ComputeCapability architectures[] = {{7, 5}, {10, 0}};

bool has_compiler() { return compiler_version().ok(); }

struct Totals {
  uint64_t compared = 0, missing = 0, of_callers = 0, frames = 0, common = 0;
};

void expect_right(const LaunchRequest& request, const std::string& source, const std::string& name,
                  Dim3 block, uint64_t most, Totals& totals) {
  for (const ComputeCapability architecture : architectures) {
    SCOPED_TRACE(fmt::format("{} for sm_{}", name, architecture.number()));
    test::ProbeOptions options;
    options.architecture = architecture;
    options.block = block;
    options.most_instructions = most;
    options.callers_keep = source.starts_with("// callees write nothing");
    options.common = source.find("\n// common") != std::string::npos;
    // Paths take turns at every branch, so that what the lanes have gets mixed.
    if (architecture.major < 10) options.stepping.turn_steps = 1;
    const Result<test::ProbeResult> probed = test::probe(request, source, name, options);
    ASSERT_TRUE(probed) << probed.error().message;
    EXPECT_EQ(probed->wrong, 0u) << probed->first_wrong;
    EXPECT_GT(probed->compared, 0u);
    EXPECT_EQ(probed->uneven, 0u);
    EXPECT_EQ(probed->wrong_of_callers, 0u) << probed->first_wrong;
    totals.of_callers += probed->of_callers;
    totals.frames += probed->frames;
    totals.common += probed->common;
    const uint64_t missing = probed->not_set + probed->no_place + probed->unreadable;
    totals.compared += probed->compared;
    totals.missing += missing;
    if (std::getenv("WARPLENS_LIST_VARIABLES") == nullptr) continue;
    fmt::print("{} for sm_{}: {} values on {} lines, {} without (not set {}, no place {}, unreadable {})\n",
               name, architecture.number(), probed->compared, probed->lines, missing, probed->not_set,
               probed->no_place, probed->unreadable);
    for (const std::string& one : probed->missing) fmt::print("  {}\n", one);
  }
}

// --- programs of the test's own

struct Program {
  std::string name, source;
  LaunchRequest request;
};

Program program_of(const std::filesystem::path& path) {
  Program program;
  program.name = path.filename().string();
  program.source = *read_text(path.string(), 1 << 20);
  std::vector<int> in(512), out(512, 0);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>((i * 7919 + 13) % 101) - 40;
  auto module = std::make_shared<ModuleText>();
  LaunchRequest& request = program.request;
  module->source = program.source;
  request.module = std::move(module);
  request.kernel = program.name;
  request.device = built_in_devices().front();
  LaunchStep step;
  step.entry = "k";
  step.grid = {2, 1, 1};
  step.block = program.source.starts_with("// block 8 8")    ? Dim3{8, 8, 1}
               : program.source.starts_with("// block 32 1") ? Dim3{32, 1, 1}
                                                             : Dim3{64, 1, 1};
  uint32_t number = 0;
  for (const std::vector<int>* data : {&out, &in}) {
    BufferSpec buffer;
    buffer.name = data == &in ? "in" : "out";
    buffer.bytes = data->size() * sizeof(int);
    buffer.dtype = DType::i32;
    const auto* first = reinterpret_cast<const std::byte*>(data->data());
    buffer.initial = std::make_shared<Bytes>(first, first + buffer.bytes);
    request.buffers.push_back(std::move(buffer));
    step.arguments.emplace_back(BufferArgument{number++, 0});
  }
  step.arguments.emplace_back(ScalarArgument{DType::i32, 100});
  request.steps.emplace_back(std::move(step));
  return program;
}

std::vector<std::filesystem::path> all_programs() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(test_files::source_dir() / "tests/data/step"))
    if (entry.path().extension() == ".cu") paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

TEST(NamedVariables, OfOwnProgramsAreWhatPrintfPrints) {
  if (!has_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  Totals totals;
  for (const std::filesystem::path& path : all_programs()) {
    const Program program = program_of(path);
    expect_right(program.request, program.source, program.name, {1, 0, 0}, 100'000, totals);
  }
  EXPECT_GE(all_programs().size(), 20u);
  EXPECT_GT(totals.of_callers, 10'000u);
  EXPECT_GT(totals.frames, 1000u);
  EXPECT_GT(totals.common, 1000u);
  EXPECT_LT(static_cast<double>(totals.missing), 0.05 * static_cast<double>(totals.compared));
}

// --- the built-in kernels

TEST(NamedVariables, OfBuiltInKernelsAreWhatPrintfPrints) {
  if (!has_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  Totals totals;
  for (const KernelDescription& kernel : built_in_kernels()) {
    KernelSetup setup = default_setup(kernel);
    setup.grid = *fitted_grid(kernel, setup);
    const Result<LaunchRequest> request = make_request(kernel, setup, built_in_devices().front());
    ASSERT_TRUE(request) << kernel.name;
    const LaunchStep* launch = first_launch(*request);
    if (launch == nullptr || launch->cooperative) continue;
    expect_right(*request, kernel.source, kernel.source_name, {0, 0, 0}, 15'000, totals);
  }
  EXPECT_LT(static_cast<double>(totals.missing), 0.05 * static_cast<double>(totals.compared));
}

}  // namespace THIS_FILE
}  // namespace warplens
