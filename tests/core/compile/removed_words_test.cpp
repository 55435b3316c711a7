// Sentences for what CUDA removed from the language, by both compilers, each once.
#include "core/compile/removed_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/compile/compiler.h"

namespace warplens {
namespace THIS_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(RemovedWords, ASentenceForEachKindOnce) {
  EXPECT_THAT(on_removed_words(
                  "error: texture is not a template\nerror: identifier \"cudaBindTexture\" is undefined"),
              ElementsAre(HasSubstr("Use a texture object")));
  EXPECT_THAT(on_removed_words("identifier \"__shfl_xor\" is undefined\nidentifier \"__any\" is undefined"),
              ElementsAre(HasSubstr("__shfl_xor_sync"), HasSubstr("__any_sync")));
  EXPECT_THAT(on_removed_words("use of undeclared identifier '__ballot'"),
              ElementsAre(HasSubstr("__ballot_sync")));
  EXPECT_THAT(on_removed_words("error: reference to __global__ function 'child' in __global__ function"),
              ElementsAre(HasSubstr("NVIDIA's compiler")));
  EXPECT_THAT(on_removed_words("surface is not a template"), ElementsAre(HasSubstr("surface object")));
  EXPECT_THAT(
      on_removed_words("identifier \"texture_size\" is undefined: identifier \"__shared\" is undefined"),
      IsEmpty());
}

TEST(RemovedWords, StandAtTheFirstMessageOfACompiler) {
  if (const Result<std::string> version = compiler_version(); !version)
    GTEST_SKIP() << version.error().message;
  CompileOptions options;
  options.architecture = {8, 6};
  const Result<Compilation> made = compile_cuda(
      "texture<float, 1, cudaReadModeElementType> t;\n"
      "extern \"C\" __global__ void k(float* o) { o[0] = __shfl_down(o[1], 1) + __shfl(o[2], 0); }\n",
      "old.cu", options);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_FALSE(made->ok);
  EXPECT_THAT(made->diagnostics.front().message, HasSubstr("Use a texture object"));
  int shuffles = 0;
  for (const Diagnostic& diagnostic : made->diagnostics)
    shuffles += diagnostic.message.find("Shuffles without a mask") != std::string::npos ? 1 : 0;
  EXPECT_EQ(shuffles, 1);
}

}  // namespace THIS_FILE
}  // namespace warplens
