#include "app/state/frame/commands.h"

#include <gtest/gtest.h>

#include <set>

#include "app/state/parts/course.h"
#include "app/state/update.h"

namespace warplens {
namespace THIS_FILE {

TEST(Commands, EveryKeyBelongsToOneCommand) {
  const AppState state = *initial_state("vector_add", "");
  std::set<std::string> keys;
  for (const Command& command : menu_commands(state)) {
    const std::string key = key_text(command.key);
    if (key.empty()) continue;
    EXPECT_TRUE(keys.insert(key).second) << key;
  }
  EXPECT_TRUE(keys.contains("F5"));
  EXPECT_TRUE(keys.contains("Ctrl+Shift+Z"));
}

TEST(Commands, ThePaletteHasKernelsDevicesLessonsChallengesAndFixes) {
  const AppState state = *initial_state("vector_add", "");
  const auto commands = all_commands(state);
  size_t fixes = 0;
  for (const Problem& problem : state.problems.all) fixes += problem.fix.has_value();
  EXPECT_EQ(commands.size(), menu_commands(state).size() + built_in_kernels().size() +
                                 built_in_devices().size() + course_lessons().size() +
                                 course_challenges().size() + fixes);
}

TEST(Commands, MatchByWordsInAnyOrder) {
  EXPECT_GT(match_score("Device: NVIDIA GeForce RTX 3060", "3060 device"), 0);
  EXPECT_GT(match_score("Larger text", "LARGER"), match_score("Much enlarger text", "larger"));
  EXPECT_EQ(match_score("Larger text", "larger font"), 0);
  EXPECT_GT(match_score("anything", "  "), 0);
}

TEST(Commands, BestMatchFirst) {
  std::vector<Command> commands(3, Command{Menu::none, "", {}, Quit{}});
  commands[0].title = "Reset layout";
  commands[1].title = "Kernel: layout test";
  commands[2].title = "Layout";
  const auto order = matching_commands(commands, "layout");
  ASSERT_EQ(order.size(), 3u);
  EXPECT_EQ(order[0], 2u);
  EXPECT_EQ(matching_commands(commands, "").size(), 3u);
}

TEST(Commands, AreFoundByWordsBesideTheirTitles) {
  EXPECT_GT(match_score("Sum of each block", "reduce", "kernel reduce_shared"), 0);
  EXPECT_GT(match_score("Reduce motion", "reduce"), match_score("Sum of each block", "reduce", "reduce"));
  EXPECT_GT(match_score("Vector add", "vector add"), match_score("Vector add without a check", "vector add"));
  EXPECT_EQ(match_score("Sum of each block", "scan", "kernel reduce_shared"), 0);
  EXPECT_GT(match_score("Sum of each block", "sum shared", "kernel reduce_shared"), 0) << "words of both";
}

TEST(Commands, AClickersKeyRunsNothingInPresentMode) {
  AppState state = *initial_state("", "");
  const auto key_of_run = [&] {
    for (const Command& command : menu_commands(state))
      if (command.title == "Run") return key_text(command.key);
    return std::string("no such command");
  };
  EXPECT_EQ(key_of_run(), "F5");
  state.frame.present = true;
  EXPECT_EQ(key_of_run(), "");
}

}  // namespace THIS_FILE
}  // namespace warplens
