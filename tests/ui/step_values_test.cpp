// Variables that open, what a step changed, and where the lanes of a warp are.
#include "tests/ui/step_driver.h"

namespace warplens {
namespace THIS_FILE {

using namespace step_view;

class StepValues : public WindowTest {
 protected:
  OwnKernels kernels;
};

const char* particles =
    "// warplens: out=float32[n] index, n=256, grid=ceil(n/64), block=64\n"
    "struct Point { float x; float y; };\n"
    "struct Particle { Point at; int age; };\n"
    "__global__ void particles(float* out, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  Particle p;\n"
    "  p.at.x = 1.5f * i;\n"
    "  p.at.y = 2.0f;\n"
    "  p.age = i + 7;\n"
    "  float last[3];\n"
    "  for (int k = 0; k < 3; ++k) last[k] = p.at.x + k;\n"
    "  if (i < n) out[i] = last[i % 3] + p.at.y + p.age;\n"
    "}\n";

const StepValue* value_at(Driver& d, const std::string& path) {
  const auto& values = step_of(d).shown->variables;
  const auto found = std::ranges::find(values, path, &StepValue::path);
  return found == values.end() ? nullptr : &*found;
}

TEST_F(StepValues, StructuresAndArraysOpenAndClose) {
  drive([&](Driver& d) {
    if (!kernels.open(d, "particles.cu", particles)) GTEST_SKIP() << "no CUDA compiler";
    ASSERT_TRUE(go_to_step(d));
    ASSERT_TRUE(click(d, "line:12"));
    ASSERT_NE(value_at(d, "p"), nullptr);
    EXPECT_TRUE(value_at(d, "p")->opens);
    EXPECT_EQ(value_at(d, "p/at"), nullptr) << "closed at first";
    ASSERT_TRUE(click(d, "part:p"));
    ASSERT_NE(value_at(d, "p/at"), nullptr);
    ASSERT_NE(value_at(d, "p/age"), nullptr);
    EXPECT_EQ(value_at(d, "p/age")->lanes[3], "10");
    EXPECT_EQ(value_at(d, "p/age")->depth, 1u);
    ASSERT_TRUE(moved_by(d, [&] { d.shell.actions().push(OpenPart{"p/at", true}); }));
    ASSERT_NE(value_at(d, "p/at/x"), nullptr);
    EXPECT_EQ(value_at(d, "p/at/x")->lanes[4], "6");
    ASSERT_TRUE(moved_by(d, [&] { d.shell.actions().push(OpenPart{"last", true}); }));
    ASSERT_NE(value_at(d, "last/[2]"), nullptr);
    EXPECT_EQ(value_at(d, "last/[2]")->lanes[4], "8");
    d.screenshots("step_parts");
    ASSERT_TRUE(press(d, ImGuiKey_F10));
    EXPECT_NE(value_at(d, "p/at/x"), nullptr) << "what is open stays open";
    ASSERT_TRUE(click(d, "part:p"));
    EXPECT_EQ(value_at(d, "p/age"), nullptr);
  });
}

TEST_F(StepValues, SayWhatIsNotSetAndWhatHasChanged) {
  drive([&](Driver& d) {
    if (!kernels.open(d, "particles.cu", particles)) GTEST_SKIP() << "no CUDA compiler";
    ASSERT_TRUE(go_to_step(d));
    ASSERT_TRUE(click(d, "line:7"));
    ASSERT_NE(value_at(d, "i"), nullptr);
    EXPECT_EQ(value_at(d, "i")->set, 0xffffffffu);
    EXPECT_EQ(value_at(d, "k"), nullptr) << "out of scope";
    ASSERT_TRUE(click(d, "line:9"));
    ASSERT_TRUE(moved_by(d, [&] { d.shell.actions().push(OpenPart{"p", true}); }));
    ASSERT_NE(value_at(d, "p/age"), nullptr);
    EXPECT_EQ(value_at(d, "p/age")->set, 0u);
    EXPECT_EQ(value_at(d, "p/age")->folded, "not set yet");
    ASSERT_TRUE(press(d, ImGuiKey_F10));
    ASSERT_NE(value_at(d, "p/age"), nullptr);
    EXPECT_EQ(value_at(d, "p/age")->changed, 0xffffffffu) << "the line has set it";
    ASSERT_TRUE(press(d, ImGuiKey_F10));
    ASSERT_NE(value_at(d, "i"), nullptr);
    EXPECT_EQ(value_at(d, "i")->changed, 0u) << "the step did not change it";
  });
}

TEST_F(StepValues, PathsThatPartAreDrawnAsATree) {
  drive([](Driver& d) {
    ASSERT_TRUE(open_step(d, "vector_add"));
    Pick pick;
    pick.block = Dim3{39, 0, 0};
    d.shell.actions().push(Pin{pick});
    ASSERT_TRUE(d.wait_until([&] { return step_of(d).block == (Dim3{39, 0, 0}); }));
    ASSERT_TRUE(wait_for_step(d));
    ASSERT_TRUE(press(d, ImGuiKey_D));
    const stepping::WarpView& warp = step_of(d).shown->warps[step_of(d).shown->warp];
    ASSERT_EQ(warp.paths.size(), 2u);
    for (const stepping::PathView& path : warp.paths) {
      ASSERT_EQ(path.meetings.size(), 1u);
      EXPECT_EQ(path.meetings[0].lanes, 0xffffffffu);
    }
    d.screenshots("step_paths");
    // The same with the keys for lanes and warps.
    const uint32_t lane = step_of(d).lane;
    d.ui->KeyPress(ImGuiKey_L);
    d.ui->Yield(3);
    EXPECT_EQ(step_of(d).lane, lane + 1);
    d.ui->KeyPress(ImGuiMod_Shift | ImGuiKey_L);
    d.ui->Yield(3);
    EXPECT_EQ(step_of(d).lane, lane);
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
