// Programs of tests/data/truth/functions, compiled here by NVRTC, against what an H200 printed and wrote.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "core/compile/clang.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/launch/backend.h"
#include "tests/core/compile/tools.h"
#include "tests/paths.h"

namespace warplens {
namespace THIS_FILE {

struct Program {
  std::string source, expected;
  LaunchStep launch;
  uint32_t words = 0;
};

Program read_program(const std::string& name) {
  const std::string stem = test_files::source_dir().string() + "/tests/data/truth/functions/" + name;
  Program program{file_text(stem + ".cu"), file_text(stem + ".expected"), {}, 0};
  std::istringstream first(program.source.substr(2));
  std::string word;
  first >> word >> program.launch.grid.x >> word >> program.launch.block.x >> word >> program.words;
  program.launch.grid.y = program.launch.grid.z = program.launch.block.y = program.launch.block.z = 1;
  const std::string line = program.source.substr(0, program.source.find('\n'));
  program.launch.cooperative = line.find("cooperative") != std::string::npos;
  program.launch.entry = "run";
  program.launch.arguments = {BufferArgument{0, 0}};
  return program;
}

std::string words_text(const Bytes& bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size() / 4; ++i) {
    uint32_t word = 0;
    std::memcpy(&word, bytes.data() + 4 * i, 4);
    text += fmt::format("{:08x}{}", word, i % 8 == 7 ? '\n' : ' ');
  }
  return text;
}

// Warps and blocks print in an order of their own on a GPU.
std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

class Functions : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (const auto version = compiler_version(); !version) GTEST_SKIP() << version.error().message;
  }
  // NVRTC does not always write the same PTX.
  static std::shared_ptr<ModuleText> compile(const Program& program, uint32_t architecture,
                                             CompilerKind kind = CompilerKind::nvrtc) {
    CompileOptions options;
    options.kind = kind;
    options.architecture = {architecture / 10, architecture % 10};
    options.extra = {"--fmad=false", "--std=c++17"};
    auto compiled = compile_cuda(program.source, std::string(GetParam()) + ".cu", options);
    EXPECT_TRUE(compiled.ok() && compiled->ok) << (compiled.ok() ? compiled->log : compiled.error().message);
    auto text = std::make_shared<ModuleText>();
    if (compiled.ok()) text->ptx = compiled->ptx;
    return text;
  }
  static RunResult run(const Program& program, std::shared_ptr<ModuleText> text, uint32_t workers) {
    auto request = std::make_shared<LaunchRequest>();
    request->module = std::move(text);
    BufferSpec out;
    out.name = "out";
    out.bytes = uint64_t{program.words} * 4;
    out.dtype = DType::u32;
    out.output = true;
    request->buffers.push_back(std::move(out));
    request->steps.emplace_back(program.launch);
    request->device.sms = 4;
    request->workers = workers;
    const auto result = make_virtual_gpu()->run(request, {}, nullptr);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
    return result.ok() ? *result : RunResult{};
  }
};

void expect_same(const Program& program, const RunResult& result) {
  const size_t end = program.expected.find('\n'), words = program.expected.find("=== words\n");
  const std::string status = program.expected.substr(0, end);
  const std::string printed = program.expected.substr(end + 1, words - end - 1);
  if (status != "cudaSuccess") {
    EXPECT_EQ(result.status, RunStatus::fault);
    return;
  }
  EXPECT_EQ(result.status, RunStatus::ok) << result.message;
  EXPECT_EQ(sorted_lines(result.console), sorted_lines(printed));
  if (program.launch.grid.x * program.launch.block.x == 1) {
    EXPECT_EQ(result.console, printed);
  }
  ASSERT_EQ(result.outputs.size(), 1u);
  EXPECT_EQ(words_text(*result.outputs[0].bytes), program.expected.substr(words + 10));
}

TEST_P(Functions, DoWhatTheyDoOnHardware) {
  const Program program = read_program(GetParam());
  for (const uint32_t architecture : {75u, 90u}) {
    SCOPED_TRACE(architecture);
    const auto text = compile(program, architecture);
    const RunResult one = run(program, text, 1), three = run(program, text, 3);
    expect_same(program, one);
    expect_same(program, three);
    EXPECT_EQ(one.console, three.console);
    EXPECT_TRUE(one.counters == three.counters);
  }
}

// Its headers of our own do the same as NVIDIA's.
TEST_P(Functions, DoItWithClangToo) {
  const Result<Clang> clang = find_clang();
  if (!clang) GTEST_SKIP() << clang.error().message;
  // A grid cannot wait for itself with clang's headers; clang folds 0/0 to a number without a sign.
  for (const char* other : {"grid_sync", "formats"})
    if (GetParam() == std::string(other)) return;
  const Program program = read_program(GetParam());
  const auto text = compile(program, 75, CompilerKind::clang);
  expect_same(program, run(program, text, 1));
}

INSTANTIATE_TEST_SUITE_P(Programs, Functions,
                         testing::Values("assertion", "breakpoint", "divergence", "formats", "grid_sync",
                                         "heap", "jumps", "pointers", "recursion", "spaces", "stack",
                                         "structures", "table", "voices"),
                         [](const auto& program) { return std::string(program.param); });

}  // namespace THIS_FILE
}  // namespace warplens
