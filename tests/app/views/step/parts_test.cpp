// The parts of the Step view other than source and lanes.
#include <gmock/gmock.h>

#include <set>

#include "app/base/draw/save_picture.h"
#include "app/views/step/commands.h"
#include "app/views/step/picture.h"
#include "core/device/device.h"
#include "core/kernels/catalogue.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

// A block of a built-in kernel after a move of one line.
struct MovedBlock {
  MovedBlock(const char* kernel, Dim3 block, uint64_t position, uint32_t warp = 0) {
    const auto found = find_kernel(kernel);
    Result<LaunchRequest> made = make_request(**found, default_setup(**found), *find_device("3060"));
    EXPECT_TRUE(made);
    request = std::make_shared<const LaunchRequest>(std::move(made).value());
    auto opened = stepping::BlockStepper::open(request, block);
    EXPECT_TRUE(opened);
    stepper.emplace(std::move(opened).value());
    stepper->jump(UINT64_MAX);
    const auto timeline =
        std::make_shared<const stepping::Timeline>(stepping::timeline_of(*stepper, timeline_parts));
    const auto log = std::make_shared<const stepping::AccessLog>(
        stepping::log_accesses(*stepper, warp, 0, stepper->recorded(), 1000));
    stepper->jump(position);
    const uint64_t from = stepper->position();
    stepper->run({stepping::Goal::Kind::line, warp});
    shown = snapshot_of(*stepper, warp, nullptr);
    note_touched(shown, *stepper, from);
    shown.timeline = timeline;
    shown.log = log;
    input.shown = &shown;
    input.request = request.get();
    input.source = request->module->source;
    input.source_name = request->module->source_name;
    input.block = block;
    input.threads = stepper->launch().block;
  }
  StepLayout draw(float width, float height, float scale = 1) {
    picture = {};
    return draw_step_view(picture, paper_style(Theme::dark, scale), {0, 0, width, height}, input);
  }
  bool has_area(const std::string& id) const {
    return std::ranges::any_of(picture.areas, [&](const Area& area) { return area.click.id() == id; });
  }
  bool says(const std::string& words) const {
    return std::ranges::any_of(picture.shapes, [&](const Shape& shape) {
      const auto* text = std::get_if<Text>(&shape);
      return text != nullptr && text->words.find(words) != std::string::npos;
    });
  }
  std::shared_ptr<const LaunchRequest> request;
  std::optional<stepping::BlockStepper> stepper;
  StepSnapshot shown;
  StepViewInput input;
  Picture picture;
};

TEST(StepCommands, EachHasAKeyOfItsOwnAndMovesNameTheirKind) {
  std::set<std::string> keys;
  for (const StepCommand& command : step_commands()) {
    EXPECT_FALSE(command.key.name.empty()) << command.words;
    EXPECT_TRUE(keys.insert(key_text(command.key)).second) << key_text(command.key);
    EXPECT_FALSE(command.words.empty());
  }
  const auto words = [](StepMoveKind kind) { return step_command(StepVerb::move, kind).words; };
  EXPECT_THAT(std::string(words(StepMoveKind::line)), HasSubstr("next line of the shown"));
  EXPECT_THAT(std::string(words(StepMoveKind::over)), HasSubstr("past the functions"));
  EXPECT_THAT(std::string(words(StepMoveKind::back_line)), HasSubstr("Back by a line"));
  EXPECT_THAT(std::string(words(StepMoveKind::instruction)), HasSubstr("next instruction"));
  EXPECT_THAT(std::string(words(StepMoveKind::back_instruction)), HasSubstr("Back by an instruction"));
  EXPECT_THAT(std::string(words(StepMoveKind::this_warp)), HasSubstr("shown warp, though"));
  EXPECT_THAT(std::string(words(StepMoveKind::barrier)), HasSubstr("__syncthreads"));
  EXPECT_THAT(std::string(words(StepMoveKind::divergence)), HasSubstr("part"));
  EXPECT_THAT(std::string(words(StepMoveKind::conflict)), HasSubstr("bank"));
  EXPECT_THAT(std::string(words(StepMoveKind::who_wrote)), HasSubstr("Back to the write"));
  EXPECT_THAT(std::string(words(StepMoveKind::next_write)), HasSubstr("next write"));
  EXPECT_THAT(std::string(words(StepMoveKind::next_stop)), HasSubstr("next breakpoint"));
  EXPECT_THAT(std::string(words(StepMoveKind::last_stop)), HasSubstr("breakpoint before"));
  EXPECT_THAT(std::string(words(StepMoveKind::to_end)), HasSubstr("end"));
}

TEST(StepParts, PathsThatPartGrowTogetherWhereTheyMeet) {
  MovedBlock tail("vector_add", {39, 0, 0}, 0);
  while (tail.shown.warps[0].paths.size() < 2) {
    tail.stepper->run({stepping::Goal::Kind::instructions});
    ASSERT_EQ(tail.stepper->end(), stepping::End::none);
    tail.shown = snapshot_of(*tail.stepper, 0, &tail.shown);
  }
  const StepLayout layout = tail.draw(1400, 800);
  ASSERT_EQ(layout.meetings.size(), 1u);
  EXPECT_TRUE(tail.says("line 7"));
  EXPECT_TRUE(tail.says("waits"));
  MovedBlock whole("vector_add", {0, 0, 0}, 0);
  EXPECT_TRUE(whole.draw(1400, 800).meetings.empty());
}

TEST(StepParts, ALineSaysWhatItsLaneReadAndWrote) {
  MovedBlock block("reduce_shared", {0, 0, 0}, 0);
  for (int i = 0; i < 20 && words_of_access(block.shown, 7, 3).empty(); ++i) {
    const uint64_t from = block.stepper->position();
    block.stepper->run({stepping::Goal::Kind::line, 0});
    block.shown = snapshot_of(*block.stepper, 0, &block.shown);
    note_touched(block.shown, *block.stepper, from);
  }
  const std::string words = words_of_access(block.shown, 7, 3);
  EXPECT_THAT(words, HasSubstr("reads x[3] = "));
  EXPECT_THAT(words, HasSubstr("writes values[3] = "));
  EXPECT_EQ(words_of_access(block.shown, 8, 3), "");
  block.draw(1500, 900);
  EXPECT_TRUE(block.says("→ lane 0 reads x[0]"));
  const std::vector<StepValue> rows = accessed_values(block.input);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].name, "x[i]") << "the line names the array once";
  EXPECT_EQ(rows[1].name, "values[threadIdx.x]");
  EXPECT_EQ(rows[1].set, 0xffffffffu);
}

TEST(StepParts, SharedArraysShowTheirValuesWhereThereIsRoom) {
  MovedBlock large("reduce_shared", {4, 0, 0}, 400, 1);
  StepLayout layout = large.draw(1500, 900);
  ASSERT_EQ(layout.grids.size(), 1u);
  EXPECT_FALSE(layout.grids[0].values) << "1024 numbers have no room";
  EXPECT_TRUE(large.says("written by warp 0")) << "a colour has a number";
  MovedBlock small("histogram_shared", {0, 0, 0}, 400);
  small.shown.arrays[0].bytes.resize(64);
  small.shown.arrays[0].writers.resize(64);
  small.shown.arrays[0].array.extents = {16};
  small.shown.arrays[0].array.bytes = 64;
  layout = small.draw(1500, 900);
  ASSERT_EQ(layout.grids.size(), 1u);
  EXPECT_TRUE(layout.grids[0].values);
}

TEST(StepParts, BreakpointsHaveAFieldForTheirConditionAndItsMistake) {
  MovedBlock block("reduce_shared", {0, 0, 0}, 0);
  const StepBreakpoint breakpoint{"reduce_shared.cu", 13, "nobody == 1"};
  block.input.breakpoints = {breakpoint};
  block.shown.breakpoints = {{breakpoint, "The condition names \"nobody\"."}};
  const StepLayout layout = block.draw(1500, 900);
  ASSERT_EQ(layout.conditions.size(), 1u);
  EXPECT_EQ(layout.conditions[0].line, 13u);
  EXPECT_TRUE(block.has_area("break:13"));
  EXPECT_TRUE(block.has_area("remove:13"));
  EXPECT_TRUE(block.says("nobody"));
}

TEST(StepParts, TheThreadSaysWhatItHasDoneUpToHere) {
  MovedBlock block("reduce_shared", {0, 0, 0}, 400);
  block.input.lane = 2;
  block.draw(1500, 900);
  EXPECT_TRUE(block.says("THREAD (2"));
  const stepping::LoggedAccess& first = block.shown.log->accesses.front();
  EXPECT_EQ(block.has_area("at:" + std::to_string(first.position)), first.position <= block.shown.position);
  for (const stepping::LoggedAccess& access : block.shown.log->accesses)
    if (access.position > block.shown.position) {
      EXPECT_FALSE(block.has_area("at:" + std::to_string(access.position))) << "that is still to come";
    }
}

TEST(StepParts, ARaceHasItsTwoOrdersSideBySide) {
  MovedBlock block("reduce_shared", {0, 0, 0}, 0);
  block.input.race = true;
  block.draw(1500, 900);
  EXPECT_TRUE(block.says("Running the block in both orders"));
  auto orders = std::make_shared<stepping::TwoOrders>();
  orders->first = {0, 6, 1, AccessKind::load};
  orders->second = {1, 5, 1, AccessKind::store};
  orders->differences = {{"out[0]", "0", "64"}};
  orders->count = 1;
  block.shown.orders = orders;
  block.draw(1500, 900);
  EXPECT_TRUE(block.says("first warp 0 reads, line 6"));
  EXPECT_TRUE(block.says("first warp 1 writes, line 5"));
  EXPECT_TRUE(block.says("out[0] = 0"));
  EXPECT_TRUE(block.says("out[0] = 64"));
  EXPECT_TRUE(block.has_area("do:17"));
  EXPECT_TRUE(block.has_area("do:18"));
}

TEST(StepParts, ColumnsScrollAndKeepWhatIsOutsideUnclickable) {
  MovedBlock block("reduce_shared", {4, 0, 0}, 400, 1);
  const StepLayout before = block.draw(900, 500);
  const auto centre = static_cast<size_t>(StepColumn::centre);
  ASSERT_GT(before.columns[centre].height, before.columns[centre].box.height) << "there is more than fits";
  for (const Area& area : block.picture.areas) {
    if (area.click.is(StepVerb::lane)) {
      EXPECT_EQ(area.clip, before.columns[centre].box);
    }
  }
  block.input.scroll[centre] = 50;
  const StepLayout after = block.draw(900, 500);
  EXPECT_FLOAT_EQ(after.arrays[0].y, before.arrays[0].y - 50);
  EXPECT_EQ(after.scrubber, before.scrubber) << "the buttons stay";
}

TEST(StepWords, SayWhatTheEngineDoesWithTheBlock) {
  StepViewInput input;
  input.grid = {4, 1, 1};
  EXPECT_THAT(words_of_block(input), HasSubstr("runs alone"));
  input.cooperative = true;
  EXPECT_THAT(words_of_block(input), HasSubstr("cooperative"));
  input.cooperative = false;
  input.choice = {1, true, 3};
  EXPECT_THAT(words_of_block(input), HasSubstr("The blocks before this one have run"));
  EXPECT_THAT(words_of_block(input), HasSubstr("The launches before this one have run"));
  EXPECT_THAT(words_of_block(input), HasSubstr("seed 3"));
  StepSnapshot shown;
  input.shown = &shown;
  shown.agreement = Agreement::rounding;
  EXPECT_THAT(words_of_block(input), HasSubstr("only because of rounding"));
  shown.agreement = Agreement::other;
  EXPECT_THAT(words_of_block(input), HasSubstr("may be a bug"));
}

}  // namespace THIS_FILE
}  // namespace warplens
