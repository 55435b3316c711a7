#include <gtest/gtest.h>

#include "app/base/draw/save_picture.h"
#include "app/state/update.h"
#include "app/views/grid/captions.h"
#include "app/views/image/picture.h"
#include "app/views/inspector/brief.h"
#include "app/views/inspector/model.h"
#include "app/views/model/index_formula.h"
#include "tests/app/fixtures.h"

namespace warplens {
namespace THIS_FILE {

const ThreadPlace place{{32, 32, 1}, {16, 16, 1}, {19, 7, 0}, {4, 7, 0}};

TEST(Formula, PutsTheNumbersIn) {
  const auto lines = fill_formula({"x = blockIdx.x * blockDim.x + threadIdx.x", "pixel = y * width + x"},
                                  place, {{"width", 512}, {"y", 119}});
  EXPECT_EQ(lines[0].whole(), "x = blockIdx.x * blockDim.x + threadIdx.x = 19 * 16 + 4 = 308");
  EXPECT_EQ(lines[1].value, 119 * 512 + 308);  // x is the line before
}

TEST(Formula, ComputesAsCDoes) {
  const auto value = [](const std::string& right) {
    return fill_formula({"i = " + right}, place, {{"n", -7}})[0].value;
  };
  EXPECT_EQ(value("2 + 3 * 4"), 14);
  EXPECT_EQ(value("(2 + 3) * 4 - -1"), 21);
  EXPECT_EQ(value("n / 2"), -3);
  EXPECT_EQ(value("n % 4"), -3);
  EXPECT_EQ(value("7 / 0"), std::nullopt);
  EXPECT_EQ(value("unknown + 1"), std::nullopt);
  EXPECT_EQ(value("1 +"), std::nullopt);
  EXPECT_EQ(value("9223372036854775807 * 2"), std::nullopt);
  EXPECT_EQ(value(std::string(10000, '(') + "1"), std::nullopt);
  EXPECT_EQ(value("3 3"), std::nullopt);
}

TEST(Formula, KeepsWhatItDoesNotUnderstand) {
  const auto lines = fill_formula({"for each tile", "", "int i = threadIdx.x;"}, place, {});
  EXPECT_EQ(lines[0].whole(), "for each tile");
  EXPECT_EQ(lines[1].whole(), "");
  EXPECT_EQ(lines[2].value, 4);
}

InspectorInput input_of(const fixture::Gray& gray, const KernelDescription& kernel,
                        const BlockFootprint& footprint, Pick pick) {
  InspectorInput input;
  input.result = &gray.result;
  input.kernel = &kernel;
  input.footprint = &footprint;
  input.shown = pick;
  return input;
}

TEST(Inspector, APixelLeadsToItsThread) {
  const fixture::Gray gray = fixture::make_gray(512, 512);
  const KernelDescription kernel = fixture::gray_description();
  const BlockFootprint footprint = fixture::make_footprint(gray, {19, 7, 0});
  const InspectorView view =
      inspect(input_of(gray, kernel, footprint, with_writer(gray.result, {1, 119 * 512 + 308})));
  EXPECT_EQ(view.heading, "PIXEL (308, 119)");
  ASSERT_EQ(view.values.size(), 2u);
  EXPECT_EQ(view.values[0].value, "R 153  G 59  B 171");
  ASSERT_EQ(view.written_by.size(), 3u);
  EXPECT_EQ(view.written_by[0], "block (19, 7)");
  EXPECT_EQ(view.written_by[1], "thread (4, 7)");
  EXPECT_EQ(view.written_by[2], "warp 3, lane 20");
  ASSERT_EQ(view.formula.size(), 3u);
  EXPECT_EQ(view.formula[2].value, 119 * 512 + 308);
  ASSERT_TRUE(view.load.has_value());
  EXPECT_EQ(view.load->warp, 3u);
  EXPECT_EQ(view.lane, 20u);
  EXPECT_EQ(view.accesses.back().element, 119u * 512 + 308);
}

TEST(Inspector, SaysWhereNobodyWrote) {
  const fixture::Gray gray = fixture::make_gray(64, 48, {16, 16, 1}, {3, 3, 1});
  const KernelDescription kernel = fixture::gray_description();
  const BlockFootprint footprint = fixture::make_footprint(gray, {0, 0, 0});
  const Pick pick = with_writer(gray.result, {1, 60});
  EXPECT_FALSE(pick.thread.has_value());
  const InspectorView view = inspect(input_of(gray, kernel, footprint, pick));
  EXPECT_TRUE(view.nobody_wrote);
  EXPECT_TRUE(view.written_by.empty());
  Picture picture;
  draw_inspector_view(picture, paper_style(Theme::dark), {0, 0, 300, 600}, view);
  EXPECT_TRUE(std::any_of(picture.shapes.begin(), picture.shapes.end(),
                          [](const Shape& shape) { return std::holds_alternative<Hatch>(shape); }));
}

TEST(Inspector, AThreadShowsTheElementThatItWrote) {
  const fixture::Gray gray = fixture::make_gray(64, 48);
  const KernelDescription kernel = fixture::gray_description();
  const BlockFootprint footprint = fixture::make_footprint(gray, {1, 1, 0});
  Pick pick;
  pick.block = Dim3{1, 1, 0};
  pick.thread = Dim3{2, 3, 0};
  const InspectorView view = inspect(input_of(gray, kernel, footprint, pick));
  EXPECT_EQ(view.heading, "THREAD (2, 3) OF BLOCK (1, 1)");
  EXPECT_FALSE(view.is_writer);
  ASSERT_EQ(view.values.size(), 2u);
  const uint64_t pixel = 19 * 64 + 18;
  EXPECT_EQ(view.values[1].value,
            "gray " + std::to_string(std::to_integer<int>((*gray.result.outputs[0].bytes)[pixel])));
}

TEST(Inspector, IgnoresAFootprintOfAnotherBlockAndBadPicks) {
  const fixture::Gray gray = fixture::make_gray(64, 48);
  const KernelDescription kernel = fixture::gray_description();
  const BlockFootprint footprint = fixture::make_footprint(gray, {0, 0, 0});
  Pick pick = with_writer(gray.result, {1, 40});
  EXPECT_FALSE(inspect(input_of(gray, kernel, footprint, pick)).accesses_known);
  pick.element = ElementPick{77, 1u << 30};
  EXPECT_NO_FATAL_FAILURE(inspect(input_of(gray, kernel, footprint, pick)));
  pick = with_writer(gray.result, {1, 1u << 30});
  EXPECT_NO_FATAL_FAILURE(inspect(input_of(gray, kernel, footprint, pick)));
}

std::string words_of(const InspectorView& view) {
  Picture picture;
  draw_inspector_view(picture, paper_style(Theme::dark), {0, 0, 360, 900}, view);
  std::string words;
  for (const Shape& shape : picture.shapes)
    if (const auto* text = std::get_if<Text>(&shape)) words += text->words + "\n";
  return words;
}

TEST(Inspector, TagsNothingAsCountedBeforeTheNextRun) {
  const fixture::Gray gray = fixture::make_gray(64, 48);
  const KernelDescription kernel = fixture::gray_description();
  const BlockFootprint footprint = fixture::make_footprint(gray, {1, 1, 0});
  InspectorInput input = input_of(gray, kernel, footprint, with_writer(gray.result, {1, 19 * 64 + 18}));
  EXPECT_NE(words_of(inspect(input)).find("counted"), std::string::npos);
  input.stale = true;
  const std::string words = words_of(inspect(input));
  EXPECT_EQ(words.find("counted"), std::string::npos) << words;
  EXPECT_NE(words.find("before the change"), std::string::npos);
}

TEST(Inspector, SaysWhatIsNoLongerThere) {
  const fixture::Gray gray = fixture::make_gray(64, 48);
  const KernelDescription kernel = fixture::gray_description();
  const BlockFootprint footprint;
  InspectorInput input = input_of(gray, kernel, footprint, {});
  input.lost = "Block (9, 9, 0) is no longer there.";
  EXPECT_NE(words_of(inspect(input)).find("no longer there"), std::string::npos);
}

TEST(Inspector, ShowsTheAccessThatWasRefused) {
  fixture::Gray gray = fixture::make_gray(64, 48);
  Incident fault;
  fault.kind = IncidentKind::out_of_bounds;
  fault.block = {1, 1, 0};
  fault.thread = {2, 3, 0};
  fault.allocation = "gray";
  fault.offset = 5000;
  fault.line = 13;
  gray.result.faults.push_back(fault);
  const KernelDescription kernel = fixture::gray_description();
  BlockFootprint footprint;  // the thread did nothing else
  footprint.block = {1, 1, 0};
  Pick pick;
  pick.block = Dim3{1, 1, 0};
  pick.thread = Dim3{2, 3, 0};
  const std::string words = words_of(inspect(input_of(gray, kernel, footprint, pick)));
  EXPECT_NE(words.find("refused\ngray[5000]"), std::string::npos) << words;
  EXPECT_EQ(words.find("wrote nothing"), std::string::npos);
  pick.thread = Dim3{3, 3, 0};
  EXPECT_EQ(words_of(inspect(input_of(gray, kernel, footprint, pick))).find("refused"), std::string::npos);
}

TEST(ScalarNames, ReadSignedAndUnsignedArguments) {
  LaunchRequest request;
  request.steps = {
      LaunchStep{"k",
                 {},
                 {},
                 0,
                 false,
                 {ScalarArgument{DType::i32, 0xffffffffu}, ScalarArgument{DType::u32, 0xffffffffu},
                  ScalarArgument{DType::f32, 1}, ScalarArgument{DType::i64, 5}}}};
  KernelDescription kernel = fixture::gray_description();
  const auto names = scalar_names(&kernel, request);
  EXPECT_EQ(names.at("rgb"), -1);
  EXPECT_EQ(names.at("gray"), 0xffffffff);
  EXPECT_EQ(names.count("width"), 0u);
  EXPECT_EQ(names.at("height"), 5);
}

TEST(Inspector, ABriefCountsOneInTheSingular) {
  BlockStats stats;
  stats.grid = {2, 1, 1};
  stats.warp_instructions = {13, 1};
  stats.divergent_branches = {0, 1};
  stats.global_sectors = {1, 2};
  RunResult result;
  result.shape = {{2, 1, 1}, {32, 1, 1}, 0, false};
  result.blocks = std::make_shared<const BlockStats>(stats);
  result.request = std::make_shared<const LaunchRequest>();
  AppState state = *initial_state("grayscale", "");
  state.runs.result = std::make_shared<const RunResult>(result);
  const auto lines = [&](uint32_t block) {
    Pick pick;
    pick.block = Dim3{block, 0, 0};
    return inspector_brief(state, pick).lines;
  };
  EXPECT_EQ(lines(0),
            (std::vector<std::string>{"block (0)", "13 instructions", "0 divergent branches", "1 sector"}));
  EXPECT_EQ(lines(1),
            (std::vector<std::string>{"block (1)", "1 instruction", "1 divergent branch", "2 sectors"}));
}

}  // namespace THIS_FILE
}  // namespace warplens
