#include "app/views/code/change.h"

#include <gtest/gtest.h>

#include "app/state/update.h"

namespace warplens {
namespace THIS_FILE {

KernelDescription kernel_with(const std::string& name, const std::string& source) {
  KernelDescription kernel;
  kernel.name = kernel.entry = name;
  kernel.source = source;
  return kernel;
}

TEST(SourceChange, OfTheBoundsCheckIsTheParameterAndTheCheck) {
  const SourceChange change =
      source_change(**find_kernel("vector_add_unchecked"), **find_kernel("vector_add"));
  EXPECT_EQ(change.sentence, "vector_add in place of vector_add_unchecked: 2 lines changed");
  ASSERT_EQ(change.lines.size(), 4u);
  EXPECT_FALSE(change.lines[0].added);
  EXPECT_TRUE(change.lines[1].added);
  EXPECT_EQ(change.lines[2].text, "out[i] = x[i] + y[i];");
  EXPECT_EQ(change.lines[2].line, 6u);
  EXPECT_TRUE(change.lines[3].text.starts_with("if (i < n) out[i] = x[i] + y[i];"));
  EXPECT_EQ(change.lines[3].line, 6u);
}

TEST(SourceChange, CountsNewAndGoneLines) {
  const auto from = kernel_with("a", "void a() {\n  one();\n  two();\n  three();\n}\n"),
             to = kernel_with(
                 "b", "// another comment\nvoid b() {\n  one();\n  four();\n  five();\n  three();\n}\n");
  const SourceChange change = source_change(from, to);
  EXPECT_EQ(change.changed, 1u);
  EXPECT_EQ(change.added, 1u);
  EXPECT_EQ(change.removed, 0u);
  EXPECT_EQ(change.sentence, "b in place of a: 1 line changed, 1 line new");
  EXPECT_EQ(source_change(to, from).sentence, "a in place of b: 1 line changed, 1 line gone");
}

TEST(SourceChange, IgnoresCommentsBlanksAndTheName) {
  const auto from = kernel_with("a", "void a() {\n  one();  // this\n\n}"),
             to = kernel_with("b", "// new\nvoid b() {\none();\n}");
  EXPECT_TRUE(source_change(from, to).lines.empty());
  EXPECT_EQ(source_change(from, to).sentence, "b in place of a: the same code");
  EXPECT_EQ(source_change(kernel_with("a", ""), kernel_with("b", "x")).added, 1u);
}

TEST(SourceChange, IsShownAfterAFixAndUndone) {
  auto started = initial_state("vector_add_unchecked", "");
  ASSERT_TRUE(started);
  AppState state = *std::move(started);
  Fix fix;
  fix.label = "Add the bounds check";
  fix.kernel = "vector_add";
  update(state, ApplyFix{fix});
  EXPECT_EQ(state.setup.launch.kernel, "vector_add");
  EXPECT_EQ(state.code.changed_from, "vector_add_unchecked");
  EXPECT_EQ(state.frame.view, View::code);
  update(state, Undo{});
  EXPECT_EQ(state.setup.launch.kernel, "vector_add_unchecked");
  EXPECT_EQ(state.code.changed_from, "");
  update(state, ApplyFix{fix});
  update(state, ChooseKernel{"matmul_naive"});
  EXPECT_EQ(state.code.changed_from, "");
}

}  // namespace THIS_FILE
}  // namespace warplens
