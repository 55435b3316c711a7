#include "app/views/code/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/base/draw/save_picture.h"
#include "app/views/code/forms.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

TEST(CodeLinks, JoinLinesBothWays) {
  const KernelDescription& kernel = **find_kernel("vector_add");
  const CodeLinks links = link_code(kernel);
  ASSERT_EQ(links.source_of.size(), links.ptx_lines.size());
  size_t linked = 0;
  for (const auto& [line, of] : links.ptx_of)
    for (const uint32_t ptx : of) {
      ++linked;
      EXPECT_EQ(links.source_of.at(ptx - 1), line) << "nothing is inlined here";
    }
  EXPECT_GT(linked, 10u);
  // Line 6 loads, adds and stores.
  bool stores = false;
  for (const uint32_t ptx : links.ptx_of.at(6))
    stores |= links.ptx_lines[ptx - 1].find("st.global") != std::string_view::npos;
  EXPECT_TRUE(stores);
  EXPECT_THAT(std::string(links.ptx_lines[links.entry_line - 1]), HasSubstr(".entry vector_add"));
}

TEST(CodeLinks, InlinedCodeBelongsToItsCallerToo) {
  KernelDescription kernel;
  kernel.name = kernel.source_name = "k.cu";
  kernel.entry = "k";
  kernel.ptx =
      ".version 8.0\n.target sm_50\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<3>;\n.loc 1 9 1\n"
      "mov.u32 %r1, 1;\n.loc 1 2 3, function_name $L__info_string0, inlined_at 1 9 1\nadd.s32 %r2, %r1, "
      "%r1;\nret;\n}\n"
      ".file 1 \"/somewhere/k.cu\"\n.section .debug_str\n{\n$L__info_string0:\n.b8 102\n.b8 0\n}\n";
  const CodeLinks links = link_code(kernel);
  EXPECT_EQ(links.source_of.at(7), 9u);
  EXPECT_EQ(links.source_of.at(9), 2u);
  EXPECT_TRUE(std::ranges::binary_search(links.ptx_of.at(9), 10u));
  EXPECT_TRUE(std::ranges::binary_search(links.ptx_of.at(2), 10u));
}

TEST(CodeView, ShowsTheCountersOfEachLine) {
  const KernelDescription& kernel = **find_kernel("vector_add");
  const CodeLinks links = link_code(kernel);
  RunResult result;
  LineCounters line;
  line.file = "vector_add.cu";
  line.line = 6;
  line.warp_instructions = 12345;
  line.thread_instructions = 12345 * 16;
  line.global_sectors = 300;
  line.global_sectors_ideal = 100;
  result.lines = {line};
  EXPECT_EQ(costliest_line(&result, kernel), 6u);
  EXPECT_EQ(counters_of_line(&result, kernel, 5), nullptr);
  EXPECT_THAT(line_sentence(line), HasSubstr("50 %"));
  Picture picture;
  picture.width = 1280;
  picture.height = 720;
  draw_code_view(picture, paper_style(Theme::dark), {0, 0, 1280, 720}, {&kernel, &links, &result, 0});
  std::string words;
  for (const Shape& shape : picture.shapes)
    if (const auto* text = std::get_if<Text>(&shape)) words += text->words + "\n";
  EXPECT_THAT(words, HasSubstr("12,345"));
  EXPECT_THAT(words, HasSubstr("! 3 ×"));
  EXPECT_THAT(words, HasSubstr("out[i] = x[i] + y[i]"));
  EXPECT_THAT(words, HasSubstr("st.global"));
}

TEST(CodeForms, HaveTodaysNumbers) {
  const KernelDescription& kernel = **find_kernel("vector_add");
  KernelSetup setup = default_setup(kernel);
  setup.values["n"] = 1000;
  setup.block = {128, 1, 1};
  const auto cupy = code_in(CodeForm::cupy, kernel, setup);
  ASSERT_TRUE(cupy) << cupy.error().message;
  EXPECT_THAT(*cupy, HasSubstr("kernel((8, 1, 1), (128, 1, 1), (d_x, d_y, d_out, n,))"));
  EXPECT_THAT(*cupy, HasSubstr("n = np.int32(1000)"));
  EXPECT_THAT(*code_in(CodeForm::numba, kernel, setup),
              HasSubstr("vector_add[(8, 1, 1), (128, 1, 1)](d_x, d_y, d_out, n)"));
  EXPECT_THAT(*code_in(CodeForm::pycuda, kernel, setup), HasSubstr("grid=(8, 1, 1), block=(128, 1, 1)"));
  EXPECT_THAT(*code_in(CodeForm::opencl, kernel, setup), HasSubstr("global_size = (1024, 1, 1)"));
}

TEST(CodeForms, SayWhereThereIsNone) {
  KernelDescription kernel = **find_kernel("vector_add");
  kernel.name = "mine.cu";
  EXPECT_THAT(code_in(CodeForm::numba, kernel, default_setup(kernel)).error().message,
              HasSubstr("mine.cu has not been ported to Numba"));
  kernel.source.clear();
  EXPECT_THAT(code_in(CodeForm::cupy, kernel, default_setup(kernel)).error().message,
              HasSubstr("only as PTX"));
}

}  // namespace THIS_FILE
}  // namespace warplens
