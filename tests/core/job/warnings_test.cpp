#include "core/job/warnings/warnings.h"
#include "core/job/warnings/warning_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace warplens {
namespace THIS_FILE {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const Device& rtx_3060() {
  static const Device device = *find_device("3060");
  return device;
}

Resources resources_of(uint32_t registers, uint32_t shared = 0) {
  Resources resources;
  resources.registers_per_thread = registers;
  resources.shared_static_bytes = shared;
  return resources;
}

std::vector<Warning> warn(const LaunchShape& shape, std::optional<Dim3> problem = std::nullopt,
                          const Resources* resources = nullptr, const Device& device = rtx_3060()) {
  return launch_warnings({.device = device, .shape = shape, .problem = problem, .resources = resources});
}

std::vector<std::string> ids_of(const std::vector<Warning>& warnings) {
  std::vector<std::string> ids;
  for (const Warning& warning : warnings) ids.emplace_back(to_string(warning.id));
  return ids;
}

const Warning* find(const std::vector<Warning>& warnings, const std::string& id) {
  const auto at =
      std::find_if(warnings.begin(), warnings.end(), [&](const Warning& w) { return to_string(w.id) == id; });
  return at == warnings.end() ? nullptr : &*at;
}

// The nearest launch that no longer breaks the rule.
std::optional<LaunchShape> mended_by(const std::string& id, const LaunchShape& shape,
                                     std::optional<Dim3> problem = std::nullopt,
                                     const Resources* resources = nullptr,
                                     const Device& device = rtx_3060()) {
  const LaunchFacts facts =
      facts_of({.device = device, .shape = shape, .problem = problem, .resources = resources});
  for (const LaunchRule& rule : launch_rules())
    if (to_string(rule.id) == id) return mend(facts, rule);
  return std::nullopt;
}

TEST(Warnings, NumbasExampleWarnsAt256ThreadsAndNotAt64) {
  const auto warnings = warn({{40, 1, 1}, {256, 1, 1}}, Dim3{10000, 1, 1});
  const Warning* warning = find(warnings, "low_occupancy_grid");
  ASSERT_TRUE(warning);
  EXPECT_THAT(warning->message, AllOf(HasSubstr("40 blocks"), HasSubstr("Numba"), HasSubstr("128")));
  EXPECT_THAT(warning->message, HasSubstr("rule of thumb"));
  const auto mended = mended_by("low_occupancy_grid", {{40, 1, 1}, {256, 1, 1}}, Dim3{10000, 1, 1});
  ASSERT_TRUE(mended);
  EXPECT_EQ(mended->block, (Dim3{64, 1, 1}));
  EXPECT_EQ(mended->grid, (Dim3{157, 1, 1}));
  EXPECT_THAT(warn({{157, 1, 1}, {64, 1, 1}}, Dim3{10000, 1, 1}), IsEmpty());
}

TEST(Warnings, GoodLaunchesHaveNone) {
  const Resources resources = resources_of(24);
  EXPECT_THAT(ids_of(warn({{120, 68, 1}, {16, 16, 1}}, Dim3{1920, 1080, 1}, &resources)), IsEmpty());
  EXPECT_THAT(ids_of(warn({{1u << 20, 1, 1}, {256, 1, 1}}, Dim3{1u << 28, 1, 1}, &resources)), IsEmpty());
}

TEST(Warnings, PartialWarps) {
  const auto warnings = warn({{300, 300, 1}, {7, 13, 1}}, Dim3{2100, 3900, 1});
  const Warning* warning = find(warnings, "block_not_multiple_of_warp");
  ASSERT_TRUE(warning);
  EXPECT_THAT(warning->message,
              AllOf(HasSubstr("91 threads"), HasSubstr("3 warps"), HasSubstr("5 of the last")));
  const auto mended =
      mended_by("block_not_multiple_of_warp", {{300, 300, 1}, {7, 13, 1}}, Dim3{2100, 3900, 1});
  ASSERT_TRUE(mended);
  EXPECT_EQ(mended->block.count(), 96u);
  EXPECT_EQ(mended_by("block_not_multiple_of_warp", {{300, 1, 1}, {100, 1, 1}})->block, (Dim3{128, 1, 1}));
}

TEST(Warnings, ElementsAndThreads) {
  const auto few = warn({{39, 1, 1}, {256, 1, 1}}, Dim3{10000, 1, 1});
  const Warning* uncovered = find(few, "uncovered_elements");
  ASSERT_TRUE(uncovered);
  EXPECT_THAT(uncovered->message,
              AllOf(HasSubstr("16 of 10,000"), HasSubstr("9,984"), HasSubstr("ceil(10,000 / 256) = 40")));
  EXPECT_EQ(uncovered->fix_grid, (Dim3{40, 1, 1}));
  EXPECT_FALSE(uncovered->fix_block);

  const auto many = warn({{80, 1, 1}, {256, 1, 1}}, Dim3{10000, 1, 1});
  const Warning* idle = find(many, "too_many_threads");
  ASSERT_TRUE(idle);
  EXPECT_THAT(idle->message,
              AllOf(HasSubstr("20,480 threads"), HasSubstr("10,480 threads beyond the problem")));
  EXPECT_EQ(mended_by("too_many_threads", {{80, 1, 1}, {256, 1, 1}}, Dim3{10000, 1, 1})->grid,
            (Dim3{40, 1, 1}));
  // Rounding up is no mistake in itself.
  EXPECT_THAT(ids_of(warn({{40, 1, 1}, {256, 1, 1}}, Dim3{10000, 1, 1})), Not(Contains("too_many_threads")));
  // A picture one pixel wide under blocks 16 wide.
  const auto thin = warn({{1, 257, 1}, {16, 16, 1}}, Dim3{1, 4097, 1});
  ASSERT_TRUE(find(thin, "too_many_threads"));
  EXPECT_EQ(mended_by("too_many_threads", {{1, 257, 1}, {16, 16, 1}}, Dim3{1, 4097, 1})->block.x, 1u);
}

TEST(Warnings, SmallGridsAndTails) {
  const Device h200 = *find_device("NVIDIA H200");
  const auto small = warn({{40, 1, 1}, {256, 1, 1}}, Dim3{10000, 1, 1}, nullptr, h200);
  ASSERT_TRUE(find(small, "grid_smaller_than_sms"));
  EXPECT_THAT(find(small, "grid_smaller_than_sms")->message,
              AllOf(HasSubstr("132 SMs"), HasSubstr("92 SMs")));

  // 28 SMs × 6 blocks of 256 threads: 168 at once; 180 blocks leave the second wave 12.
  const Resources resources = resources_of(32);
  const auto tail = warn({{180, 1, 1}, {256, 1, 1}}, Dim3{180 * 256, 1, 1}, &resources);
  ASSERT_TRUE(find(tail, "tail_wave"));
  EXPECT_THAT(find(tail, "tail_wave")->message, AllOf(HasSubstr("168 blocks"), HasSubstr("2 waves"),
                                                      HasSubstr("holds 12"), HasSubstr("7.14 %")));
  EXPECT_THAT(ids_of(warn({{336, 1, 1}, {256, 1, 1}}, Dim3{336 * 256, 1, 1}, &resources)),
              Not(Contains("tail_wave")));
}

TEST(Warnings, ResourcesThatLimitOccupancy) {
  const Resources registers = resources_of(64);
  const auto by_registers = warn({{1000, 1, 1}, {256, 1, 1}}, Dim3{256000, 1, 1}, &registers);
  ASSERT_TRUE(find(by_registers, "registers_limit_occupancy"));
  EXPECT_THAT(find(by_registers, "registers_limit_occupancy")->message,
              AllOf(HasSubstr("64 registers"), HasSubstr("4 blocks an SM"), HasSubstr("room for 6"),
                    HasSubstr("66.7 %"), HasSubstr("At most 40 registers")));
  const Resources shared = resources_of(16, 32768);
  const auto by_shared = warn({{1000, 1, 1}, {64, 1, 1}}, Dim3{64000, 1, 1}, &shared);
  ASSERT_TRUE(find(by_shared, "shared_limits_occupancy"));
  EXPECT_THAT(find(by_shared, "shared_limits_occupancy")->message,
              AllOf(HasSubstr("32,768 bytes"), HasSubstr("1,024"), HasSubstr("3 blocks an SM")));
  const auto large = warn({{1000, 1, 1}, {256, 1, 1}, 65536}, Dim3{256000, 1, 1}, &registers);
  ASSERT_TRUE(find(large, "shared_needs_opt_in"));
  EXPECT_THAT(find(large, "shared_needs_opt_in")->message, HasSubstr("65,536"));
}

TEST(Warnings, ARefusedLaunchHasNone) {
  EXPECT_THAT(warn({{1, 1, 1}, {32, 33, 1}}, Dim3{10000, 1, 1}), IsEmpty());
  EXPECT_THAT(warn({{0, 1, 1}, {0, 1, 1}}, Dim3{0, 0, 0}), IsEmpty());
}

TEST(Warnings, ABoundBlockIsLeftAlone) {
  const auto warnings = launch_warnings({.device = rtx_3060(),
                                         .shape = {{3, 3, 1}, {7, 13, 1}},
                                         .problem = Dim3{100, 100, 1},
                                         .block_is_bound = true});
  EXPECT_THAT(ids_of(warnings), Contains("block_not_multiple_of_warp"));
  for (const Warning& warning : warnings) EXPECT_FALSE(warning.fix_block) << to_string(warning.id);
  ASSERT_TRUE(find(warnings, "uncovered_elements"));
  EXPECT_EQ(find(warnings, "uncovered_elements")->fix_grid, (Dim3{15, 8, 1}));
}

TEST(Warnings, FromCounters) {
  Counters counters;
  counters.warp_instructions = 1000;
  counters.thread_instructions = 16000;
  counters.branches = 100;
  counters.divergent_branches = 40;
  counters.global_load_requests = 100;
  counters.global_load_sectors = 3200;
  counters.shared_load_requests = 100;
  counters.shared_load_wavefronts = 400;
  counters.shared_load_bank_conflicts = 300;
  std::vector<LineCounters> lines(2);
  lines[0].file = lines[1].file = "k.cu";
  lines[0].line = 4;
  lines[0].global_sectors = lines[0].global_sectors_ideal = 400;
  lines[1].line = 9;
  lines[1].global_sectors = 2800;
  lines[1].global_sectors_ideal = 400;
  lines[1].bank_conflicts = 300;
  TimesUs times;
  times.copy_in = 100;
  times.copy_out = 50;
  times.kernel = 20;
  const auto with_lines = launch_warnings({.device = rtx_3060(),
                                           .shape = {{157, 1, 1}, {64, 1, 1}},
                                           .problem = Dim3{10000, 1, 1},
                                           .counters = &counters,
                                           .lines = &lines,
                                           .times = &times});
  EXPECT_THAT(ids_of(with_lines),
              testing::ElementsAre("uncoalesced", "bank_conflicts", "divergence", "copies_dominate"))
      << "by their weights";
  EXPECT_TRUE(with_lines[3].quiet);
  EXPECT_THAT(with_lines[0].message,
              AllOf(HasSubstr("3,200 sectors"), HasSubstr("800"), HasSubstr("4 times"), HasSubstr("k.cu:9")));
  EXPECT_THAT(with_lines[1].message, AllOf(HasSubstr("300 of 400"), HasSubstr("4 turns")));
  EXPECT_THAT(with_lines[2].message,
              AllOf(HasSubstr("40 of 100"), HasSubstr("50 % of the lanes are masked off")));
  EXPECT_THAT(with_lines[3].message, AllOf(HasSubstr("150 µs"), HasSubstr("20 µs"), HasSubstr("modelled")));

  const auto of_l1 = [&](uint64_t loads, uint64_t hits) {
    Counters cached;
    cached.global_load_requests = 800;
    cached.global_load_sectors = loads;
    cached.l1_hit_sectors = hits;
    const auto warnings = launch_warnings(
        {.device = rtx_3060(), .shape = {{157, 1, 1}, {64, 1, 1}}, .counters = &cached, .lines = &lines});
    return *find(warnings, "uncoalesced");
  };
  EXPECT_TRUE(of_l1(3200, 2000).minor) << "1.5 times the ideal, in lines that L1 holds";
  EXPECT_THAT(of_l1(3200, 2000).message, HasSubstr("1,200 go on to L2"));
  EXPECT_FALSE(of_l1(3200, 1900).minor) << "L1 does not hold enough";
  EXPECT_FALSE(of_l1(3600, 3000).minor) << "a request takes more than one line";

  const auto without =
      launch_warnings({.device = rtx_3060(), .shape = {{157, 1, 1}, {64, 1, 1}}, .counters = &counters});
  EXPECT_THAT(find(without, "uncoalesced")->message, HasSubstr("32 sectors a request"));
  counters.global_load_sectors = 1600;  // 16-byte loads, side by side
  EXPECT_FALSE(
      find(launch_warnings({.device = rtx_3060(), .shape = {{157, 1, 1}, {64, 1, 1}}, .counters = &counters}),
           "uncoalesced"));
  counters = Counters{};
  EXPECT_THAT(
      launch_warnings({.device = rtx_3060(), .shape = {{157, 1, 1}, {64, 1, 1}}, .counters = &counters}),
      IsEmpty());
}

struct GeneratedLaunch {
  LaunchShape shape;
  std::optional<Dim3> problem;
  Resources resources;
  bool has_resources;
};

GeneratedLaunch generate(std::mt19937& random) {
  const auto below = [&](uint32_t end) { return static_cast<uint32_t>(random() % end); };
  const auto size = [&] { return 1 + below(1u << below(15)); };
  GeneratedLaunch launch{};
  const uint32_t axes = 1 + below(3);
  launch.shape.block = {1 + below(axes == 1 ? 300 : 40), axes > 1 ? 1 + below(20) : 1,
                        axes > 2 ? 1 + below(5) : 1};
  launch.shape.grid = {size(), axes > 1 ? 1 + below(200) : 1, axes > 2 ? 1 + below(20) : 1};
  if (below(4) != 0)
    launch.problem = Dim3{size() * 8, axes > 1 ? 1 + below(3000) : 1, axes > 2 ? 1 + below(100) : 1};
  launch.resources = resources_of(16 + below(120), below(3) == 0 ? below(20000) : 0);
  launch.has_resources = below(4) != 0;
  if (below(5) == 0) launch.shape.shared_dynamic_bytes = below(60000);
  return launch;
}

// The promise of every launch that fixes a rule: the device takes it, every element keeps a thread, and the
// warning is gone.
TEST(Warnings, FixesAreValidAndMendWhatTheyPromise) {
  std::mt19937 random(11);
  size_t fixes = 0;
  for (const char* name : {"3060", "teaching", "NVIDIA H200", "gtx_1060"}) {
    const Device device = *find_device(name);
    for (int i = 0; i < 600; ++i) {
      const GeneratedLaunch launch = generate(random);
      const Resources* resources = launch.has_resources ? &launch.resources : nullptr;
      for (const Warning& warning : warn(launch.shape, launch.problem, resources, device)) {
        EXPECT_FALSE(warning.title.empty());
        EXPECT_FALSE(warning.message.empty());
        EXPECT_EQ(warning.fix_label.empty(),
                  !warning.fix_block && !warning.fix_grid && !warning.fix_shared_bytes);
        const std::optional<LaunchShape> found =
            warning.fix_label.empty()
                ? mended_by(to_string(warning.id), launch.shape, launch.problem, resources, device)
                : with_fix(launch.shape, warning);
        if (!found) continue;
        ++fixes;
        const LaunchShape mended = *found;
        ASSERT_FALSE(check_launch(device, mended, resources))
            << to_string(warning.id) << ": " << warning.fix_label;
        ASSERT_FALSE(find(warn(mended, launch.problem, resources, device), to_string(warning.id)))
            << to_string(warning.id) << ": " << warning.message << " " << warning.fix_label;
        const auto covers = [](uint32_t grid, uint32_t block, uint64_t threads) {
          return uint64_t{grid} * block >= threads;
        };
        const Dim3 needed = launch.problem.value_or(Dim3{launch.shape.grid.x * launch.shape.block.x,
                                                         launch.shape.grid.y * launch.shape.block.y,
                                                         launch.shape.grid.z * launch.shape.block.z});
        ASSERT_TRUE(covers(mended.grid.x, mended.block.x, needed.x) &&
                    covers(mended.grid.y, mended.block.y, needed.y) &&
                    covers(mended.grid.z, mended.block.z, needed.z))
            << to_string(warning.id);
      }
    }
  }
  EXPECT_GT(fixes, 1000u);
}

// A problem that no block size can fix is reported once, as a note.
TEST(Warnings, ATinyInputGetsOneNote) {
  const Resources resources = resources_of(16);
  TimesUs times;
  times.copy_in = 100;
  times.kernel = 1;
  const auto tiny = launch_warnings({.device = rtx_3060(),
                                     .shape = {{3, 1, 1}, {4, 1, 1}},
                                     .problem = Dim3{10, 1, 1},
                                     .resources = &resources,
                                     .times = &times});
  EXPECT_THAT(ids_of(tiny), testing::ElementsAre("block_not_multiple_of_warp", "small_input"));
  EXPECT_TRUE(tiny[1].quiet);
  EXPECT_THAT(tiny[1].message, AllOf(HasSubstr("10 elements"), HasSubstr("43,008 threads")));
  EXPECT_THAT(ids_of(warn({{1, 1, 1}, {32, 1, 1}}, Dim3{1, 1, 1})), Contains("small_input"));
  // 4,065 elements can have 128 blocks of one warp.
  EXPECT_THAT(ids_of(warn({{16, 1, 1}, {256, 1, 1}}, Dim3{4064, 1, 1})), Contains("small_input"));
  EXPECT_THAT(ids_of(warn({{16, 1, 1}, {256, 1, 1}}, Dim3{4065, 1, 1})),
              AllOf(Not(Contains("small_input")), Contains("low_occupancy_grid")));
  // Elements left out are a mistake at any size.
  EXPECT_EQ(ids_of(warn({{1, 1, 1}, {4, 1, 1}}, Dim3{10, 1, 1})).front(), "uncovered_elements");
}

TEST(Warnings, TheHeaviestComesFirst) {
  const Resources resources = resources_of(64);
  const auto warnings = warn({{3, 1, 1}, {100, 1, 1}}, Dim3{10000, 1, 1}, &resources);
  ASSERT_GT(warnings.size(), 3u);
  EXPECT_EQ(warnings.front().id, WarningId::uncovered_elements);
  EXPECT_GE(warnings.front().weight, 1);
  for (size_t i = 1; i < warnings.size(); ++i) EXPECT_LE(warnings[i].weight, warnings[i - 1].weight);
}

TEST(Warnings, CopiesCountWhereTheyStandBetweenLaunches) {
  TimesUs times;
  times.copy_in = 17800;
  times.copy_out = 0.5;
  times.kernel = 1550;
  WarningInput input{.device = rtx_3060(), .shape = {{157, 1, 1}, {64, 1, 1}}, .times = &times};
  const auto quiet = launch_warnings(input);
  ASSERT_EQ(quiet.size(), 1u);
  EXPECT_TRUE(quiet[0].quiet);
  EXPECT_THAT(quiet[0].message, AllOf(HasSubstr("17.8 ms"), HasSubstr("1.55 ms"), Not(HasSubstr("e+"))));
  input.copies_between_launches = true;
  const auto loud = launch_warnings(input);
  EXPECT_FALSE(loud[0].quiet);
  EXPECT_THAT(loud[0].message, HasSubstr("keep them on the device"));
}

TEST(Warnings, SurviveExtremeShapes) {
  const Dim3 most{2147483647, 65535, 65535};
  const Resources resources = resources_of(32);
  for (const Dim3 problem : {Dim3{0, 0, 0}, Dim3{1, 1, 1}, Dim3{UINT32_MAX, UINT32_MAX, UINT32_MAX}}) {
    for (const Dim3 block : {Dim3{1, 1, 1}, Dim3{1024, 1, 1}, Dim3{4, 4, 64}}) {
      for (const Dim3 grid : {Dim3{1, 1, 1}, most}) {
        for (const Warning& warning : warn({grid, block}, problem, &resources)) {
          EXPECT_FALSE(check_launch(rtx_3060(), with_fix({grid, block}, warning), &resources))
              << to_string(warning.id);
        }
      }
    }
  }
}

}  // namespace THIS_FILE
}  // namespace warplens
