// The IR of built-in kernels as text: tests/data/golden/ir. WARPLENS_WRITE_GOLDEN=1 writes the files again.
#include <cstdlib>
#include <utility>

#include "core/gpu/exec/jit/lower/units.h"
#include "core/gpu/exec/jit/runtime/observers.h"
#include "core/gpu/exec/state/routines.h"
#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::jit::test {

namespace THIS_FILE {

using exec::test::read_text;
using exec::test::source_file;

std::string ir_of(const std::string& folder, const std::string& kernel, const OpsTable& table, Dim3 block,
                  LanesAt lanes) {
  const ptx::ParseResult parsed =
      ptx::parse(read_text(source_file("tests/data/golden/" + folder + "/" + kernel + ".ptx")), kernel);
  if (parsed.module == nullptr) return {};
  const auto decoded = program::decode(parsed.module, kernel, table);
  if (decoded.program == nullptr) return {};
  std::vector<uint32_t> starts;
  for (uint32_t at = 0; at < decoded.program->ops.size(); ++at)
    if (decoded.program->ops[at].handlers.run[program::all_lanes] == &run_enter) starts.push_back(at);
  const Observers observers(true, block);
  std::string text;
  const CompileRequest request{.program = decoded.program.get(),
                               .ops = decoded.program->ops.data(),
                               .starts = &starts,
                               .mode = program::all_lanes,
                               .observers = &observers};
  for (const Unit& unit : units_of(request, lanes)) {
    EXPECT_EQ(verify(unit), "");
    const Result<Unit> again = parse(print(unit));
    EXPECT_TRUE(again && print(*again) == print(unit));
    text += print(unit);
  }
  return text;
}

struct Golden {
  const char *kernel, *file;
  Dim3 block;
  LanesAt lanes;
  const char* folder = "ptx";  // where the kernel is
};

TEST(IrGolden, OfKernelsIsAsRead) {
  const OpsTable& table = *exec::test::instruction_sets().back().table;
  const std::vector<Golden> goldens = {
      {"grayscale", "grayscale", {32, 8, 1}, LanesAt::frame},
      {"vector_add", "vector_add", {256, 1, 1}, LanesAt::frame},
      {"matmul_tiled", "matmul_tiled", {16, 16, 1}, LanesAt::frame},
      {"grayscale", "grayscale_by_16", {16, 16, 1}, LanesAt::frame},
      {"grayscale", "grayscale_in_registers", {32, 8, 1}, LanesAt::registers},
      {"reduce_shuffle", "reduce_shuffle", {256, 1, 1}, LanesAt::frame},
      {"reduce_shuffle", "reduce_shuffle_in_registers", {256, 1, 1}, LanesAt::registers},
      {"votes", "votes", {256, 1, 1}, LanesAt::frame, "ir"},
      {"votes", "votes_in_registers", {256, 1, 1}, LanesAt::registers, "ir"},
      {"reduce_in_a_loop", "reduce_in_a_loop", {256, 1, 1}, LanesAt::frame, "ir"},
      {"reduce_in_a_loop", "reduce_in_a_loop_in_registers", {256, 1, 1}, LanesAt::registers, "ir"},
      {"mandelbrot", "mandelbrot_in_registers", {32, 8, 1}, LanesAt::registers}};
  for (const Golden& golden : goldens) {
    const std::string path = std::string("tests/data/golden/ir/") + golden.file + ".txt",
                      text = ir_of(golden.folder, golden.kernel, table, golden.block, golden.lanes);
    ASSERT_FALSE(text.empty()) << golden.file;
    if (std::getenv("WARPLENS_WRITE_GOLDEN") != nullptr) std::ofstream(source_file(path)) << text;
    // Without links of handlers, decode marks fewer registers as the same in all lanes.
    if (exec::test::instruction_sets().size() < 2) GTEST_SKIP() << "no AVX2";
    EXPECT_EQ(text, read_text(source_file(path)))
        << "WARPLENS_WRITE_GOLDEN=1 writes it again; read the difference";
  }
}

// The page explains the first unit in parts, which together must be the whole unit.
TEST(IrGolden, ThePageOfTheDocsPrintsIt) {
  const std::string page = read_text(source_file("docs/machine-code.md")),
                    golden = read_text(source_file("tests/data/golden/ir/grayscale_in_registers.txt"));
  const std::string begin = "```ir\n", end = "```";
  std::string printed;
  for (size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at)) {
    at += begin.size();
    printed += page.substr(at, page.find(end, at) - at);
  }
  EXPECT_EQ(printed, golden.substr(0, golden.find("unit ", 1)))
      << "docs/machine-code.md: write what is in tests/data/golden/ir, and explain it";
}

}  // namespace THIS_FILE

}  // namespace warplens::exec::jit::test
