// What the compiler said of a program's file, out of the output of its run.
#include <gmock/gmock.h>

#include "app/state/parts/program_run.h"

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
  run.output.lines = {path + "(2): warning #177-D: variable \"q\" was declared but never referenced",
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

TEST(CompileMistakes, AreThoseOfTheFileItself) {
  const std::vector<Diagnostic> found = compile_mistakes(failed_run("/tmp/a.cu"));
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].severity, Severity::warning);
  EXPECT_EQ(found[1].line, 3u);
  EXPECT_THAT(found[1].message, HasSubstr("identifier \"x\" is undefined"));
}

TEST(CompileMistakes, AreNoneOfAProgramThatRan) {
  ProgramRun run = failed_run("/tmp/a.cu");
  run.used_device = true;
  EXPECT_THAT(compile_mistakes(run), IsEmpty()) << "it ran, and printed that";
  run = failed_run("/tmp/a.cu");
  run.status = 0;
  EXPECT_THAT(compile_mistakes(run), IsEmpty());
  run = failed_run("/tmp/a.py");
  EXPECT_THAT(compile_mistakes(run), IsEmpty());
  run = failed_run("/tmp/a.cu");
  run.output.lines.resize(2);
  EXPECT_THAT(compile_mistakes(run), IsEmpty()) << "a warning alone ends nothing";
}

}  // namespace THIS_FILE
}  // namespace warplens
