#include "core/recording/launch_count.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "core/recording/journal.h"

namespace warplens::recording {
namespace THIS_FILE {

namespace fs = std::filesystem;

class LaunchCountTest : public testing::Test {
 protected:
  LaunchCountTest() {
    std::string made = (fs::temp_directory_path() / "warplens-count-XXXXXX").string();
    EXPECT_NE(mkdtemp(made.data()), nullptr);
    folder = made;
  }
  ~LaunchCountTest() override { fs::remove_all(folder); }

  fs::path folder;
  LaunchCount launches;
};

TEST_F(LaunchCountTest, CountsTheJournalsOfAllProcessesAsTheyGrow) {
  EXPECT_EQ(launches.count(folder), 0u);
  Journal one(folder, "tesla_t4", "Tesla T4", "modelled");
  LaunchNote note;
  note.kernel = "a kernel \"launch\"";
  one.launch(note);
  EXPECT_EQ(launches.count(folder), 1u);
  EXPECT_EQ(launches.count(folder), 1u) << "each once";
  one.copy({});
  one.launch(note);
  one.launch(note);
  EXPECT_EQ(launches.count(folder), 3u);
  std::ofstream(folder / "other") << R"({"event":"launches","kernel":"k","count":40})" << '\n'
                                  << "no JSON\n\n[]\n"
                                  << R"({"event":"launch","kernel":"cut)";
  EXPECT_EQ(launches.count(folder), 43u) << "sums count, and a line that is not whole does not yet";
  std::ofstream(folder / "other", std::ios::app) << "\"}\n";
  EXPECT_EQ(launches.count(folder), 44u);
}

TEST_F(LaunchCountTest, AFolderThatIsGoneHasNone) { EXPECT_EQ(launches.count(folder / "nowhere"), 0u); }

}  // namespace THIS_FILE
}  // namespace warplens::recording
