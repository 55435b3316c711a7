#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/system/embedded.h"
#include "core/kernels/own/annotation.h"
#include "core/kernels/own/own_kernel.h"
#include "core/kernels/own/own_kernel_draft.h"
#include "core/launch/steps.h"
#include "core/ptx/parser/parse.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

std::string text_of(const std::string& name) { return std::string(find_embedded("kernels/" + name)); }

OwnKernel own(const std::string& annotation, const std::string& kernel = "vector_add") {
  return describe_own_kernel(
      {annotation + text_of(kernel + ".cu"), "my.cu", "", text_of(kernel + ".ptx"), ""});
}

const KernelArgument& argument(const KernelDescription& kernel, const std::string& name) {
  for (const auto* list : {&kernel.arguments, &kernel.settings})
    for (const KernelArgument& candidate : *list)
      if (candidate.name == name) return candidate;
  ADD_FAILURE() << "no argument " << name;
  return kernel.arguments.front();
}

TEST(OwnKernel, IsDescribedByItsAnnotation) {
  const OwnKernel made = own(
      "// warplens: x=float32[n] random(3), y=float32[n] index, out=float32[n] zero, n=500, grid=ceil(n/64), "
      "block=64\n");
  ASSERT_TRUE(made.kernel) << to_text(made.diagnostics);
  const KernelDescription& kernel = *made.kernel;
  EXPECT_TRUE(kernel.own);
  EXPECT_EQ(kernel.name, "my.cu");
  EXPECT_EQ(kernel.entry, "vector_add");
  EXPECT_EQ(kernel.index_formula.at(0), "i = blockIdx.x * blockDim.x + threadIdx.x");
  ASSERT_EQ(kernel.arguments.size(), 4u);
  EXPECT_EQ(argument(kernel, "y").fill, Fill::index);
  EXPECT_TRUE(argument(kernel, "out").output);
  EXPECT_FALSE(argument(kernel, "x").output);
  const KernelSetup setup = default_setup(kernel);
  const auto request = make_request(kernel, setup, built_in_devices().front());
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(first_launch(*request)->grid, (Dim3{8, 1, 1}));
  EXPECT_EQ(first_launch(*request)->block, (Dim3{64, 1, 1}));
  EXPECT_EQ(request->buffers[0].bytes, 2000u);
}

TEST(OwnKernel, GridFollowsTheBlockWhereItIsAQuotientByIt) {
  const OwnKernel made = own("// warplens: n=1000, grid=ceil(n/256), block=256\n");
  ASSERT_TRUE(made.kernel) << to_text(made.diagnostics);
  KernelSetup setup = default_setup(*made.kernel);
  EXPECT_EQ(fitted_grid(*made.kernel, setup)->x, 4u);
  setup.block = {64, 1, 1};
  EXPECT_EQ(fitted_grid(*made.kernel, setup)->x, 16u);
  // Any other expression is the number of blocks itself, at every block, with C's whole numbers.
  const OwnKernel fixed = own("// warplens: n=1000, grid=(n+255)/256\n");
  ASSERT_TRUE(fixed.kernel) << to_text(fixed.diagnostics);
  for (const uint32_t block : {32u, 256u}) {
    setup = default_setup(*fixed.kernel);
    setup.block = {block, 1, 1};
    EXPECT_EQ(fitted_grid(*fixed.kernel, setup)->x, 4u);
  }
}

TEST(OwnKernel, HasDefaultsForEveryParameter) {
  const OwnKernel made = own("");
  ASSERT_TRUE(made.kernel) << to_text(made.diagnostics);
  const KernelDescription& kernel = *made.kernel;
  EXPECT_EQ(argument(kernel, "x").fill, Fill::random);
  EXPECT_EQ(argument(kernel, "x").width, "n");
  EXPECT_EQ(argument(kernel, "out").fill, Fill::zero);
  EXPECT_EQ(argument(kernel, "n").control, Control::log_slider);
  EXPECT_EQ(fitted_grid(kernel, default_setup(kernel))->x, 40u);
  // Width and height make planes, and blocks with two axes.
  const OwnKernel gray = own("", "grayscale");
  ASSERT_TRUE(gray.kernel) << to_text(gray.diagnostics);
  EXPECT_EQ(gray.kernel->default_block, (Dim3{16, 16, 1}));
  EXPECT_EQ(argument(*gray.kernel, "gray").height, "height");
}

TEST(OwnKernel, ReadsPtxAlone) {
  const OwnKernel made = describe_own_kernel({"", "add.ptx", "", text_of("vector_add.ptx"), ""});
  ASSERT_TRUE(made.kernel) << to_text(made.diagnostics);
  const KernelDescription& kernel = *made.kernel;
  ASSERT_EQ(kernel.arguments.size(), 4u);
  EXPECT_TRUE(kernel.arguments[0].is_buffer);
  EXPECT_EQ(kernel.arguments[0].dtype, DType::f32);
  EXPECT_FALSE(kernel.arguments[0].output) << "only read";
  EXPECT_TRUE(kernel.arguments[2].output) << "written";
  EXPECT_FALSE(kernel.arguments[3].is_buffer);
  EXPECT_EQ(kernel.settings.at(0).name, "n");
  const OwnKernel with = describe_own_kernel(
      {"", "add.ptx", "", "// warplens: arg0=float32[8], arg3=8\n" + text_of("vector_add.ptx"),
       "vector_add"});
  ASSERT_TRUE(with.kernel) << to_text(with.diagnostics);
  EXPECT_EQ(with.kernel->arguments[3].value, 8);
}

TEST(OwnKernel, TakesThePictureWhereItIsAsked) {
  const OwnKernel made =
      own("// warplens: image=rgb8, gray=gray8 zero, width=image_width, height=image_height\n", "grayscale");
  ASSERT_TRUE(made.kernel) << to_text(made.diagnostics);
  EXPECT_EQ(argument(*made.kernel, "rgb").fill, Fill::image);
  EXPECT_EQ(argument(*made.kernel, "rgb").channels, "3");
  EXPECT_EQ(argument(*made.kernel, "gray").fill, Fill::zero);
  EXPECT_EQ(argument(*made.kernel, "width").expression, "image_width");
}

TEST(OwnKernel, SaysWhatIsWrongWithItsLine) {
  const std::pair<const char*, const char*> wrongs[] = {
      {"// warplens: q=float32[n]\n", "q is no parameter of vector_add, which has x, y, out, n"},
      {"// warplens: q=m\n", "a size of your own needs a number"},
      {"// warplens: x=3\n", "x is a pointer"},
      {"// warplens: n=int32[4]\n", "n is a number"},
      {"// warplens: n=2.5\n", "whole number"},
      {"// warplens: n=99999999999\n", "cannot be"},
      {"// warplens: x=float32[m]\n", "as in n=10000"},
      {"// warplens: grid=ceil(m/3)\n", "as in n=10000"},
      {"// warplens: block_x=3\n", "belongs to the program"},
  };
  for (const auto& [line, says] : wrongs) {
    const OwnKernel made = own(line);
    EXPECT_FALSE(made.kernel) << line;
    ASSERT_FALSE(made.diagnostics.empty()) << line;
    EXPECT_THAT(made.diagnostics[0].message, HasSubstr(says)) << line;
    EXPECT_EQ(made.diagnostics[0].line, 1u) << line;
    EXPECT_GE(made.diagnostics[0].column, 14u) << line;
  }
  const OwnKernel types = own("// warplens: x=float64[n]\n");
  ASSERT_TRUE(types.kernel) << "another type is a warning";
  EXPECT_EQ(types.diagnostics.at(0).severity, Severity::warning);
  EXPECT_FALSE(describe_own_kernel({"", "a.ptx", "", "nonsense", ""}).kernel);
  const OwnKernel none = describe_own_kernel({"", "a.ptx", "", text_of("vector_add.ptx"), "sub"});
  EXPECT_THAT(none.diagnostics.at(0).message, HasSubstr("it has vector_add"));
}

TEST(OwnKernel, KeepsValuesOverAnEdit) {
  const OwnKernel before = own("// warplens: n=500, m=3\n"),
                  after = own("// warplens: n=500, m=4, extra=1\n");
  ASSERT_TRUE(before.kernel && after.kernel);
  KernelSetup setup = default_setup(*before.kernel);
  setup.values = {{"n", 700}, {"m", 9}};
  setup.block = {128, 1, 1};
  setup.data_seed = 5;
  const KernelSetup next = carried_over(*before.kernel, setup, *after.kernel);
  EXPECT_EQ(next.values.at("n"), 700) << "the user's value stays";
  EXPECT_FALSE(next.values.contains("m")) << "the annotation says something new";
  EXPECT_EQ(next.block, (Dim3{128, 1, 1}));
  EXPECT_EQ(next.data_seed, 5u);
  const OwnKernel gone = own("// warplens: n=100 in 0..600\n");
  setup.values = {{"n", 700}, {"m", 9}};
  const KernelSetup last = carried_over(*after.kernel, setup, *gone.kernel);
  EXPECT_TRUE(last.values.empty()) << "what is gone or out of range falls away";
  EXPECT_TRUE(make_request(*gone.kernel, last, built_in_devices().front()));
}

TEST(OwnKernel, BeginsAsTheBuiltInKernelThatItIsACopyOf) {
  const KernelDescription& like = **find_kernel("vector_add");
  const std::string source = text_of("vector_add.cu"), ptx = text_of("vector_add.ptx");
  const OwnKernel copy = describe_own_kernel({source, "vector_add.cu", "", ptx, "vector_add", &like});
  ASSERT_TRUE(copy.kernel) << to_text(copy.diagnostics);
  EXPECT_EQ(copy.kernel->reference, like.reference) << "so that an edit is compared with it";
  EXPECT_EQ(copy.kernel->problem, like.problem);
  EXPECT_TRUE(copy.kernel->own);
  // A parameter under another name: the others keep their data, the new one has a default.
  std::string other = source;
  other.replace(other.find("* y,") + 2, 1, "second");
  const OwnKernel renamed = describe_own_kernel({other, "vector_add.cu", "", ptx, "vector_add", &like});
  ASSERT_TRUE(renamed.kernel) << to_text(renamed.diagnostics);
  EXPECT_EQ(renamed.kernel->arguments[1].name, "second");
  EXPECT_EQ(renamed.kernel->arguments[1].fill, Fill::random);
  EXPECT_EQ(renamed.kernel->arguments[0].title, like.arguments[0].title);
  EXPECT_TRUE(renamed.kernel->reference.empty()) << "its right result is not known";
}

TEST(OwnKernel, AnnotationTextSaysTheSameAgain) {
  for (const KernelDescription& kernel : built_in_kernels()) {
    if (!kernel.steps.empty() || !kernel.constants.empty() || !kernel.buffers.empty()) continue;
    // An annotation cannot describe a texture.
    if (std::ranges::any_of(kernel.arguments, [](const auto& a) { return a.texture.has_value(); })) continue;
    const OwnKernel again = describe_own_kernel(
        {annotation_text(kernel) + kernel.source, kernel.source_name, "", kernel.ptx, kernel.entry});
    ASSERT_TRUE(again.kernel) << kernel.name << ": " << to_text(again.diagnostics) << annotation_text(kernel);
    ASSERT_EQ(again.kernel->arguments.size(), kernel.arguments.size());
    const KernelSetup before = default_setup(kernel), after = default_setup(*again.kernel);
    EXPECT_EQ(problem_size(*again.kernel, after).value(), problem_size(kernel, before).value())
        << kernel.name;
    for (size_t i = 0; i < kernel.arguments.size(); ++i) {
      const KernelArgument &a = kernel.arguments[i], &b = again.kernel->arguments[i];
      EXPECT_EQ(a.fill, b.fill) << kernel.name << " " << a.name;
      EXPECT_EQ(a.output, b.output) << kernel.name << " " << a.name;
      EXPECT_EQ(a.expression, b.expression);
      EXPECT_TRUE(!a.expression.empty() || a.value == b.value) << kernel.name << " " << a.name;
      EXPECT_EQ(a.dtype, b.dtype) << kernel.name << " " << a.name;
    }
  }
}

TEST(PtxSignature, FollowsAddressesThroughArithmetic) {
  const auto parsed = ptx::parse(text_of("grayscale.ptx"), "g.ptx");
  ASSERT_TRUE(parsed.module);
  const auto parameters = ptx_parameters(*parsed.module->find_entry("grayscale"));
  ASSERT_EQ(parameters.size(), 4u);
  EXPECT_TRUE(parameters[0].pointer && parameters[0].read && !parameters[0].written);
  EXPECT_EQ(parameters[0].element, DType::u8);
  EXPECT_TRUE(parameters[1].pointer && parameters[1].written && !parameters[1].read);
  EXPECT_FALSE(parameters[2].pointer);
  EXPECT_EQ(parameters[2].dtype, DType::i32);
}

}  // namespace THIS_FILE
}  // namespace warplens
