// The Step view's information on memory: which thread wrote a value, shared arrays, and what a thread has
// read and written.
#include <bit>

#include "app/views/step/picture.h"
#include "tests/ui/step_driver.h"

namespace warplens {
namespace THIS_FILE {

using namespace step_view;

class StepMemory : public WindowTest {};

bool wait_for_log(Driver& d) {
  return d.wait_until([&] { return step_of(d).shown->log && !step_of(d).moving; });
}

TEST_F(StepMemory, GoesBackToTheWriteOfTheAccessUnderWay) {
  drive([](Driver& d) {
    ASSERT_TRUE(open_step(d, "reduce_shared"));
    // The first sum: values[t] += values[t + half].
    ASSERT_TRUE(click(d, "line:13"));
    const auto& shown = step_of(d).shown;
    const std::string words = words_of_access(*shown, 12, 5);
    EXPECT_NE(words.find("reads values[133] = "), std::string::npos) << words;
    EXPECT_NE(words.find("writes values[5] = "), std::string::npos) << words;
    d.screenshots("step_access");
    d.ui->ItemClick("//###step/lane:5");
    d.ui->Yield(3);
    const auto target = step_target(d.state());
    ASSERT_TRUE(target);
    EXPECT_EQ(target->name, "values[5]");
    const uint64_t here = shown->position;
    ASSERT_TRUE(press(d, ImGuiKey_U));
    EXPECT_LT(step_of(d).shown->position, here);
    EXPECT_EQ(step_of(d).shown->last->warp, 0u);
  });
}

TEST_F(StepMemory, LooksForWritesToAChosenCell) {
  drive([](Driver& d) {
    ASSERT_TRUE(open_step(d, "histogram_shared"));
    ASSERT_TRUE(press(d, ImGuiKey_End));
    ASSERT_FALSE(step_of(d).shown->arrays.empty());
    const StepArray& bins = step_of(d).shown->arrays[0];
    EXPECT_TRUE(std::ranges::any_of(bins.writers, [](uint8_t w) { return w != 0; }));
    // A counter that is cleared, counted and read.
    ASSERT_TRUE(wait_for_log(d));
    const auto& log = step_of(d).shown->log->accesses;
    const auto counts = std::ranges::find_if(log, [](const stepping::LoggedAccess& access) {
      return access.space == Space::shared && access.kind == AccessKind::atomic;
    });
    ASSERT_NE(counts, log.end());
    const uint64_t address = counts->address[static_cast<size_t>(std::countr_zero(counts->lanes))];
    const StepTarget cell{Space::shared, address, 4, "a counter"};
    d.shell.actions().push(ChooseCell{cell});
    d.ui->Yield(4);
    EXPECT_EQ(step_target(d.state())->name, "a counter");
    ASSERT_TRUE(press(d, ImGuiKey_U));
    const uint64_t last = step_of(d).shown->position;
    const auto touches = [&] {
      return std::ranges::any_of(step_of(d).shown->accesses, [&](const stepping::SteppedAccess& access) {
        return access.kind != AccessKind::load &&
               std::ranges::find(access.address, cell.address) != access.address.end();
      });
    };
    EXPECT_TRUE(touches());
    ASSERT_TRUE(press(d, ImGuiKey_U));
    EXPECT_LT(step_of(d).shown->position, last);
    ASSERT_TRUE(press(d, ImGuiKey_N));
    EXPECT_EQ(step_of(d).shown->position, last);
    ASSERT_TRUE(press(d, ImGuiKey_Home));
    ASSERT_TRUE(press(d, ImGuiKey_U));
    EXPECT_EQ(step_of(d).shown->position, 0u);
    EXPECT_NE(step_of(d).shown->message.find("No thread of this block"), std::string::npos);
  });
}

TEST_F(StepMemory, RunsToTheWriteOfThePinnedElement) {
  drive([](Driver& d) {
    ASSERT_TRUE(open_step(d, "vector_add"));
    Pick pick;
    const auto& buffers = d.state().runs.result->request->buffers;
    uint32_t out = 0;
    for (uint32_t i = 0; i < buffers.size(); ++i)
      if (buffers[i].output) out = i;
    pick.element = ElementPick{out, 300};
    pick.block = Dim3{1, 0, 0};
    pick.thread = Dim3{44, 0, 0};
    d.shell.actions().push(Pin{pick});
    ASSERT_TRUE(d.wait_until([&] { return step_of(d).block == (Dim3{1, 0, 0}); }));
    ASSERT_TRUE(wait_for_step(d));
    ASSERT_TRUE(press(d, ImGuiKey_N));
    EXPECT_NE(words_of_access(*step_of(d).shown, step_of(d).shown->touched.back().line, 12).find("[300] = "),
              std::string::npos);
    EXPECT_EQ(step_of(d).shown->warp, 1u);
  });
}

TEST_F(StepMemory, ListsWhatAThreadHasDoneSoFar) {
  drive([](Driver& d) {
    ASSERT_TRUE(open_step(d, "reduce_shared"));
    ASSERT_TRUE(press(d, ImGuiKey_End));
    ASSERT_TRUE(wait_for_log(d));
    const stepping::AccessLog& log = *step_of(d).shown->log;
    EXPECT_EQ(log.warp, step_of(d).shown->warp);
    ASSERT_GT(log.accesses.size(), 4u);
    const uint64_t first = log.accesses[1].position;
    d.screenshots("step_thread");
    ASSERT_TRUE(moved_by(d, [&] {
      StepMove move{StepMoveKind::to_position};
      move.value = first;
      d.shell.actions().push(StepBy{move});
    }));
    d.ui->ItemClick(("//###step/at:" + std::to_string(log.accesses[0].position)).c_str());
    ASSERT_TRUE(d.wait_until([&] { return step_of(d).shown->position == log.accesses[0].position; }))
        << "a click goes to where it was done";
    ASSERT_TRUE(press(d, ImGuiKey_W));
    EXPECT_EQ(step_of(d).shown->warp, 1u);
    ASSERT_TRUE(wait_for_log(d)) << "another warp has a log of its own";
    EXPECT_EQ(step_of(d).shown->log->warp, 1u);
  });
}

TEST_F(StepMemory, SaysWhatIsReadByALineOfATile) {
  drive([](Driver& d) {
    ASSERT_TRUE(open_step(d, "transpose_tiled"));
    ASSERT_TRUE(click(d, id_of(StepMoveKind::conflict)));
    EXPECT_FALSE(step_of(d).shown->access.accesses.empty());
    ASSERT_FALSE(step_of(d).shown->touched.empty());
    d.screenshots("step_tile");
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
