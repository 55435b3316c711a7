#include "core/compile/compiler_log.h"

#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

constexpr std::string_view nvrtc_log =
    R"(nvrtc: warning: Architectures prior to '<compute/sm>_75' are deprecated
bad.cu(4): error: identifier "q" is undefined
    p[0] = q;
           ^

bad.cu(3): warning #177-D: variable "unused" was declared but never referenced
    int unused = 3;
        ^

Remark: The warnings can be suppressed with "-diag-suppress <warning-number>"

my (new).cu(7): error: expression must have class type but it has type "int"
  template<class T> __device__ T f(T x) { return x.y; }
                                                 ^
          detected during instantiation of "T f(T) [with T=int]" at line 8

3 errors detected in the compilation of "bad.cu".
)";

TEST(NvrtcLog, GivesLineColumnAndSeverity) {
  auto diagnostics = parse_nvrtc_log(nvrtc_log);
  ASSERT_EQ(diagnostics.size(), 3u);
  EXPECT_EQ(diagnostics[0].file, "bad.cu");
  EXPECT_EQ(diagnostics[0].line, 4u);
  EXPECT_EQ(diagnostics[0].column, 10u);
  EXPECT_EQ(diagnostics[0].message, "identifier \"q\" is undefined");
  EXPECT_EQ(diagnostics[0].severity, Severity::error);
  EXPECT_EQ(diagnostics[1].severity, Severity::warning);
  EXPECT_EQ(diagnostics[1].column, 7u);
}

TEST(NvrtcLog, KeepsParenthesesInNamesAndTheInstantiation) {
  auto diagnostics = parse_nvrtc_log(nvrtc_log);
  ASSERT_EQ(diagnostics.size(), 3u);
  EXPECT_EQ(diagnostics[2].file, "my (new).cu");
  EXPECT_NE(diagnostics[2].message.find("at line 8"), std::string::npos);
}

TEST(NvrtcLog, IgnoresOtherText) {
  EXPECT_TRUE(parse_nvrtc_log("").empty());
  EXPECT_TRUE(parse_nvrtc_log("f(3): call\n(4): error: x\nx(): error: y\n   ^\n").empty());
}

TEST(NvrtcLog, DropsTheDeprecationNoteOnly) {
  std::string log = without_deprecation_note(nvrtc_log);
  EXPECT_EQ(log.find("Architectures"), std::string::npos);
  EXPECT_NE(log.find("3 errors"), std::string::npos);
  EXPECT_EQ(without_deprecation_note("Architectures prior to 'sm_75' are deprecated\n\n"), "");
}

TEST(PtxasLog, GivesTheLine) {
  auto diagnostics = parse_ptxas_errors(
      "ptxas application ptx input, line 112; error   : Not a name of any known instruction: 'fmx'\n"
      "ptxas fatal   : Ptx assembly aborted due to errors\nERROR NVJITLINK_ERROR_PTX_COMPILE: JIT\n",
      "x.ptx");
  ASSERT_EQ(diagnostics.size(), 2u);
  EXPECT_EQ(diagnostics[0].line, 112u);
  EXPECT_EQ(diagnostics[0].message, "Not a name of any known instruction: 'fmx'");
  EXPECT_EQ(diagnostics[1].line, 0u);
}

TEST(PtxasLog, ReadsTheEntryThatIsAskedFor) {
  constexpr std::string_view log =
      "ptxas info    : Compiling entry function 'f' for 'sm_86'\n"
      "ptxas info    : Function properties for f\n"
      "ptxas         .     8 bytes stack frame, 16 bytes spill stores, 24 bytes spill loads\n"
      "ptxas info    : Used 36 registers, used 1 barriers, 2048 bytes smem, 388 bytes cmem[0]\n"
      "ptxas info    : Compiling entry function 'ff' for 'sm_86'\n"
      "ptxas info    : Function properties for ff\n"
      "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 8 registers\n";
  PtxasInfo f = parse_ptxas_info(log, "f"), ff = parse_ptxas_info(log, "ff");
  EXPECT_EQ(f.registers, 36u);
  EXPECT_EQ(f.stack_bytes, 8u);
  EXPECT_EQ(f.spill_store_bytes, 16u);
  EXPECT_EQ(f.spill_load_bytes, 24u);
  EXPECT_EQ(f.shared_bytes, 2048u);
  EXPECT_EQ(ff.registers, 8u);
  EXPECT_FALSE(ff.shared_bytes);
  EXPECT_FALSE(parse_ptxas_info(log, "g").registers);
  EXPECT_FALSE(parse_ptxas_info("nothing of the kind", "f").registers);
}

}  // namespace THIS_FILE
}  // namespace warplens
