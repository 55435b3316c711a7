#include "app/views/program/compile_mistakes.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>

#include "core/base/system/files.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

ProgramRun failed_run(const std::string& path) {
  ProgramRun run;
  run.path = path;
  run.status = 2;
  // As nvcc writes it (13.5).
  run.output = {path + "(2): warning #177-D: variable \"q\" was declared but never referenced",
                "    int q;",
                "        ^",
                "",
                "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"",
                "",
                path + "(3): error: identifier \"x\" is undefined",
                "    return x;",
                "           ^",
                "",
                "/usr/include/other.h(3): error: of another file",
                "1 error detected in the compilation of \"" + path + "\"."};
  return run;
}

TEST(CompileMistakes, StandAtTheLinesOfTheFile) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("warplens-mistakes-" + std::to_string(getpid()) + ".cu"))
          .string();
  ASSERT_TRUE(write_text(path, "int main() {\n  int q;\n  return x;\n}\n"));
  const CompileMistakes found = compile_mistakes(failed_run(path));
  ASSERT_THAT(found.all, SizeIs(2));
  EXPECT_EQ(found.all[0].severity, Severity::warning);
  EXPECT_EQ(found.all[1].line, 3u);
  EXPECT_THAT(found.all[1].message, HasSubstr("identifier \"x\" is undefined"));
  ASSERT_THAT(found.source.lines, SizeIs(4));
  EXPECT_EQ(found.source.lines[2], "  return x;");

  // A file that is gone keeps what was said of it.
  std::filesystem::remove(path);
  EXPECT_THAT(compile_mistakes(failed_run(path)).all, SizeIs(2));
  EXPECT_THAT(compile_mistakes(failed_run(path)).source.lines, IsEmpty());
}

TEST(CompileMistakes, AreNoneOfAProgramThatRan) {
  ProgramRun run = failed_run("/tmp/a.cu");
  run.used_device = true;
  EXPECT_THAT(compile_mistakes(run).all, IsEmpty()) << "it ran, and printed that";
  run = failed_run("/tmp/a.cu");
  run.status = 0;
  EXPECT_THAT(compile_mistakes(run).all, IsEmpty());
  run = failed_run("/tmp/a.py");
  EXPECT_THAT(compile_mistakes(run).all, IsEmpty());
  run = failed_run("/tmp/a.cu");
  run.output.resize(2);
  EXPECT_THAT(compile_mistakes(run).all, IsEmpty()) << "a warning alone ends nothing";
}

}  // namespace THIS_FILE
}  // namespace warplens
