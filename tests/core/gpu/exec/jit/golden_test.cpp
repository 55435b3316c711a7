// The IR of built-in kernels, in words: tests/golden/ir. With WARPLENS_WRITE_GOLDEN=1 they are written anew.
#include <cstdlib>
#include <utility>

#include "core/gpu/exec/jit/lower/units.h"
#include "core/gpu/exec/jit/runtime/lookers.h"
#include "core/gpu/exec/state/routines.h"
#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::jit::test {

namespace THIS_FILE {

using exec::test::read_text;
using exec::test::source_file;

std::string ir_of(const std::string& kernel, const OpsTable& table, Dim3 block) {
  const ptx::ParseResult parsed =
      ptx::parse(read_text(source_file("tests/golden/ptx/" + kernel + ".ptx")), kernel);
  if (parsed.module == nullptr) return {};
  const auto decoded = program::decode(parsed.module, kernel, table);
  if (decoded.program == nullptr) return {};
  std::vector<uint32_t> starts;
  for (uint32_t at = 0; at < decoded.program->ops.size(); ++at)
    if (decoded.program->ops[at].handlers.run[program::all_lanes] == &run_enter) starts.push_back(at);
  const Lookers lookers(true, block);
  std::string text;
  for (const Unit& unit : units_of({.program = decoded.program.get(),
                          .ops = decoded.program->ops.data(),
                          .starts = &starts,
                          .mode = program::all_lanes,
                          .lookers = &lookers})) {
    EXPECT_EQ(verify(unit), "");
    const Result<Unit> again = parse(print(unit));
    EXPECT_TRUE(again && print(*again) == print(unit));
    text += print(unit);
  }
  return text;
}

TEST(IrGolden, OfKernelsIsAsRead) {
  const OpsTable& table = *exec::test::instruction_sets().back().table;
  for (const auto& [kernel, block] : {std::pair<std::string, Dim3>{"grayscale", {32, 8, 1}},
                                      {"vector_add", {256, 1, 1}},
                                      {"matmul_tiled", {16, 16, 1}}}) {
    const std::string path = "tests/golden/ir/" + kernel + ".txt", text = ir_of(kernel, table, block);
    ASSERT_FALSE(text.empty()) << kernel;
    if (std::getenv("WARPLENS_WRITE_GOLDEN") != nullptr) std::ofstream(source_file(path)) << text;
    // Without links of handlers decode says of fewer registers that they are the same in all lanes.
    if (exec::test::instruction_sets().size() < 2) GTEST_SKIP() << "no AVX2";
    EXPECT_EQ(text, read_text(source_file(path)))
        << "WARPLENS_WRITE_GOLDEN=1 writes it anew; read the difference";
  }
}

}  // namespace THIS_FILE

}  // namespace warplens::exec::jit::test
