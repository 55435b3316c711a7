// The order of warps as a choice, a race in both orders, and what the engine says of a block.
#include "app/views/step/picture.h"
#include "tests/ui/step_driver.h"

namespace warplens {
namespace THIS_FILE {

using namespace step_view;

class StepOrders : public WindowTest {
 protected:
  OwnKernels kernels;
};

const char* reversed =
    "// warplens: out=int32[n] index, n=64, grid=1, block=64\n"
    "__global__ void reversed(int* out, int n) {\n"
    "  __shared__ int part[64];\n"
    "  int t = threadIdx.x;\n"
    "  part[t] = t + 1;\n"
    "  out[t] = part[63 - t];\n"
    "}\n";

size_t race_of(const AppState& state) {
  for (size_t i = 0; i < state.problems.all.size(); ++i)
    if (state.problems.all[i].finding) return i;
  return SIZE_MAX;
}

TEST_F(StepOrders, ARaceIsRunInBothOrdersOneClickFromItsFinding) {
  drive([&](Driver& d) {
    if (!kernels.open(d, "reversed.cu", reversed)) GTEST_SKIP() << "no CUDA compiler";
    ASSERT_NE(race_of(d.state()), SIZE_MAX) << "a finding of two warps";
    d.open_bottom();
    d.ui->ItemClick("//###problems/**/Both orders ›##orders");
    ASSERT_TRUE(d.wait_until([&] { return step_of(d).shown && step_of(d).shown->orders; }))
        << (step_of(d).shown ? step_of(d).shown->no_orders : "");
    ASSERT_TRUE(wait_for_step(d));
    EXPECT_EQ(d.state().frame.view, View::step);
    const stepping::TwoOrders& orders = *step_of(d).shown->orders;
    EXPECT_NE(orders.first.warp, orders.second.warp);
    EXPECT_EQ(orders.count, 32u);
    EXPECT_NE(orders.differences[0].before, orders.differences[0].behind);
    d.screenshots("step_two_orders");
    ASSERT_TRUE(click(d, id_of(StepMoveKind::other_order)));
    ASSERT_TRUE(wait_for_step(d));
    // The other warp has gone first, and the block ends as was said.
    ASSERT_TRUE(press(d, ImGuiKey_End));
    ASSERT_TRUE(step_of(d).shown->last);
    const stepping::NamedArray* out = nullptr;
    for (const auto& array : step_of(d).shown->named)
      if (array.name == "out") out = &array;
    ASSERT_NE(out, nullptr);
    ASSERT_TRUE(click(d, id_of(StepMoveKind::first_order)));
    // The length of the run is known a moment later, when the block has been run to its end.
    ASSERT_TRUE(d.wait_until([&] { return step_of(d).shown->length.has_value(); }));
    EXPECT_LT(step_of(d).shown->position, *step_of(d).shown->length);
  });
}

TEST_F(StepOrders, ASeedChoosesAndAnyWarpCanGoFirst) {
  drive([](Driver& d) {
    ASSERT_TRUE(open_step(d, "reduce_shared"));
    const auto course = [&] {
      std::vector<uint32_t> warps;
      for (int i = 0; i < 6 && press(d, ImGuiMod_Alt | ImGuiKey_F10); ++i)
        warps.push_back(step_of(d).shown->last->warp);
      return warps;
    };
    EXPECT_EQ(course(), std::vector<uint32_t>(6, 0)) << "in turn, warp 0 goes first";
    d.ui->KeyPress(ImGuiKey_O);
    ASSERT_TRUE(d.wait_until([&] { return step_of(d).choice.seed == 1; }));
    ASSERT_TRUE(wait_for_step(d));
    EXPECT_EQ(step_of(d).shown->position, 0u) << "another order is another way through the block";
    EXPECT_NE(course(), std::vector<uint32_t>(6, 0));
    d.ui->ItemClick("//###step/in turn");
    ASSERT_TRUE(d.wait_until([&] { return step_of(d).choice.seed == 0; }));
    ASSERT_TRUE(wait_for_step(d));
    ASSERT_TRUE(click(d, "warp:3"));
    ASSERT_TRUE(press(d, ImGuiKey_T));
    EXPECT_EQ(step_of(d).shown->last->warp, 3u);
    d.screenshot("step_order_1920x1080_dark");
  });
}

TEST_F(StepOrders, ALaunchOfSeveralIsChosenAndEarlierBlocksRunFirst) {
  drive([](Driver& d) {
    ASSERT_TRUE(open_step(d, "reduce_two_launches"));
    const auto launches = launches_of(*step_of(d).request);
    ASSERT_GE(launches.size(), 2u);
    const uint32_t line = step_of(d).shown->line;
    d.ui->KeyPress(ImGuiKey_G);
    ASSERT_TRUE(d.wait_until([&] { return step_of(d).choice.launch == 1; }));
    ASSERT_TRUE(wait_for_step(d)) << step_of(d).error;
    StepViewInput input;
    input.choice = step_of(d).choice;
    EXPECT_NE(words_of_block(input).find("launches before this one have run"), std::string::npos);
    (void)line;
    d.ui->ItemClick("//###step/launch");
    ASSERT_TRUE(d.wait_until([&] { return step_of(d).choice.launch == 2 % launches.size(); }));
    ASSERT_TRUE(wait_for_step(d));
    Pick pick;
    pick.block = Dim3{3, 0, 0};
    d.shell.actions().push(Pin{pick});
    ASSERT_TRUE(d.wait_until([&] { return step_of(d).block == (Dim3{3, 0, 0}); }));
    ASSERT_TRUE(wait_for_step(d));
    d.ui->KeyPress(ImGuiKey_E);
    ASSERT_TRUE(d.wait_until([&] { return step_of(d).choice.earlier_blocks; }));
    ASSERT_TRUE(wait_for_step(d)) << step_of(d).error;
    input.choice = step_of(d).choice;
    EXPECT_NE(words_of_block(input).find("blocks before this one have run"), std::string::npos);
  });
}

const char* waits_for_another =
    "// warplens: flag=int32[1] zero, out=int32[n] index, n=64, grid=2, block=32\n"
    "__global__ void waits(int* flag, int* out, int n) {\n"
    "  volatile int* f = flag;\n"
    "  if (blockIdx.x == 0) {\n"
    "    if (threadIdx.x == 0) *f = 1;\n"
    "  } else {\n"
    "    while (*f == 0) {}\n"
    "  }\n"
    "  out[blockIdx.x * 32 + threadIdx.x] = 1;\n"
    "}\n";

TEST_F(StepOrders, ABlockThatWaitsForAnotherSaysSo) {
  drive([&](Driver& d) {
    if (!kernels.open(d, "waits.cu", waits_for_another)) GTEST_SKIP() << "no CUDA compiler";
    Pick pick;
    pick.block = Dim3{1, 0, 0};
    d.shell.actions().push(Pin{pick});
    ASSERT_TRUE(go_to_step(d)) << step_of(d).error;
    ASSERT_TRUE(press(d, ImGuiKey_End));
    EXPECT_EQ(step_of(d).shown->end, stepping::End::waits);
    EXPECT_NE(step_of(d).shown->message.find("only another block can write"), std::string::npos)
        << step_of(d).shown->message;
    d.screenshot("step_waits_1920x1080_dark");
    d.ui->ItemClick("//###step/earlier");
    ASSERT_TRUE(d.wait_until([&] { return step_of(d).choice.earlier_blocks; }));
    ASSERT_TRUE(wait_for_step(d));
    ASSERT_TRUE(press(d, ImGuiKey_End));
    EXPECT_EQ(step_of(d).shown->end, stepping::End::finished) << "the block before it has raised the flag";
  });
}

TEST_F(StepOrders, TheResultIsHeldAgainstTheCodeThatRuns) {
  drive([](Driver& d) {
    ASSERT_TRUE(open_step(d, "vector_add"));
    if (!step_of(d).shown->no_variables.empty()) GTEST_SKIP() << "no CUDA compiler";
    ASSERT_TRUE(d.wait_until([&] { return step_of(d).shown->agreement.has_value(); }));
    EXPECT_EQ(*step_of(d).shown->agreement, Agreement::same);
    StepViewInput input;
    input.shown = step_of(d).shown.get();
    EXPECT_NE(words_of_block(input).find("leaves the same in memory"), std::string::npos);
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
