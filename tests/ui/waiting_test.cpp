// If the graphics driver blocks the window, the user is told what the program waits for.
#include "app/window/waiting.h"

#include <gtest/gtest.h>

#include <vector>

namespace warplens {
namespace THIS_FILE {

TEST(Waiting, SaysWhatForAndHowLongItTook) {
  std::vector<std::string> said;
  {
    const Waiting waiting("Waiting for the driver.", std::chrono::milliseconds(1),
                          [&said](const std::string& words) { said.push_back(words); });
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[0], "Waiting for the driver.");
  EXPECT_EQ(said[1].find("It took "), 0u);
}

TEST(Waiting, SaysNothingWhereNobodyHadToWait) {
  bool said = false;
  {
    const Waiting waiting("Waiting for the driver.", std::chrono::hours(1),
                          [&said](const std::string&) { said = true; });
  }
  EXPECT_FALSE(said);
}

}  // namespace THIS_FILE
}  // namespace warplens
