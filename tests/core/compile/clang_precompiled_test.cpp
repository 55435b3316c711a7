// The header that each source begins with is read once, and kept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/base/system/files.h"
#include "core/compile/clang.h"
#include "tests/environment.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;

class PrecompiledCompileTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder);
    const Result<Clang> found = find_clang();
    if (!found) GTEST_SKIP() << found.error().message;
    clang = *found;
    headers = *clang_header_folder();
    options.architecture = {8, 6};
  }

  void TearDown() override { fs::remove_all(folder); }

  std::string ptx_of(const std::string& source) const {
    const Result<Compilation> compiled = compile_with_clang(clang, source, "kernel.cu", options);
    EXPECT_TRUE(compiled && compiled->ok) << (compiled ? compiled->log : compiled.error().message);
    return compiled ? compiled->ptx : "";
  }

  // The name of the test, since others run at the same time.
  std::string folder = testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name();
  ScopedEnvironment cache{"XDG_CACHE_HOME", folder.c_str()};
  Clang clang;
  std::string headers;
  CompileOptions options;
};

constexpr const char* source =
    "extern \"C\" __global__ void add(float* x) {\n  x[threadIdx.x] += tanf(x[threadIdx.x]);\n}\n";

TEST_F(PrecompiledCompileTest, GivesTheSameCodeAndMessages) {
  const std::string kept = precompiled_header(clang, options, headers);
  ASSERT_TRUE(fs::exists(kept)) << kept;
  const std::string with = ptx_of(source);
  const Result<Compilation> wrong = compile_with_clang(clang, "\nint x = y;\n", "kernel.cu", options);
  ASSERT_TRUE(wrong);
  // Options that may change the header are compiled without it: this one changes nothing.
  options.extra = {"--maxrregcount=64"};
  EXPECT_EQ(precompiled_header(clang, options, headers), "");
  EXPECT_EQ(ptx_of(source), with);
  const Result<Compilation> without = compile_with_clang(clang, "\nint x = y;\n", "kernel.cu", options);
  ASSERT_TRUE(without);
  EXPECT_THAT(wrong->log, testing::HasSubstr("kernel.cu:2:9: error"));
  EXPECT_EQ(wrong->log, without->log);
}

TEST_F(PrecompiledCompileTest, EachArchitectureAndDebuggingHaveTheirOwn) {
  const std::string first = precompiled_header(clang, options, headers);
  EXPECT_EQ(precompiled_header(clang, options, headers), first);
  options.debug = true;
  const std::string debug = precompiled_header(clang, options, headers);
  options.architecture = {7, 0};
  const std::string older = precompiled_header(clang, options, headers);
  EXPECT_NE(first, debug);
  EXPECT_NE(debug, older);
  EXPECT_NE(ptx_of(source).find(".target sm_70"), std::string::npos);
}

TEST_F(PrecompiledCompileTest, OneThatClangRefusesIsMadeAgain) {
  const std::string kept = precompiled_header(clang, options, headers);
  const std::string with = ptx_of(source);
  for (const char* damage : {"", "no header"}) {
    ASSERT_TRUE(write_text(kept, damage));
    EXPECT_EQ(ptx_of(source), with);
    EXPECT_FALSE(fs::exists(kept));
    EXPECT_EQ(ptx_of(source), with);
    EXPECT_GT(fs::file_size(kept), 100'000u);
  }
}

TEST_F(PrecompiledCompileTest, WhereItCannotBeWrittenThereIsNone) {
  EXPECT_EQ(precompiled_header(clang, options, "/nowhere"), "");
}

}  // namespace THIS_FILE
}  // namespace warplens
