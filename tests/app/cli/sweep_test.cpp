// warplens sweep, and the pictures of the Timing view without a window.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "app/cli/measure/sweep_lists.h"
#include "app/cli/shared/cli.h"
#include "core/base/system/embedded.h"
#include "core/gpu/engine/virtual_gpu.h"

namespace warplens {
namespace THIS_FILE {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(SweepLists, ShapesArePartedByCommasAndAxesByX) {
  const auto blocks = parse_blocks("--blocks", "32,64,16x16,8x8x4");
  ASSERT_TRUE(blocks);
  EXPECT_THAT(*blocks, ElementsAre(Dim3{32, 1, 1}, Dim3{64, 1, 1}, Dim3{16, 16, 1}, Dim3{8, 8, 4}));
  EXPECT_TRUE(parse_blocks("--blocks", "")->empty());
  EXPECT_THAT(*parse_sizes("--sizes", "1,1000"), ElementsAre(1u, 1000u));
  for (const char* bad : {"32,", ",32", "32,,64", "a", "32,16x"})
    EXPECT_FALSE(parse_blocks("--blocks", bad)) << bad;
  for (const char* bad : {"0", "-1", "1e3", "99999999999"}) EXPECT_FALSE(parse_sizes("--sizes", bad)) << bad;
}

struct Outcome {
  int status = 0;
  std::string out, err;
};

Outcome run(std::vector<std::string> words) {
  words.insert(words.begin(), "warplens");
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  std::ostringstream out, err;
  Cli cli{out, err, make_virtual_gpu, {}, {}, exit_status::done};
  Outcome outcome;
  outcome.status = run_cli(static_cast<int>(arguments.size()), arguments.data(), cli);
  outcome.out = out.str();
  outcome.err = err.str();
  return outcome;
}

TEST(SweepCommand, ARefusedShapeIsARow) {
  const Outcome outcome = run({"sweep", "vector_add", "--blocks", "64,2048", "--set", "n=1000"});
  EXPECT_EQ(outcome.status, exit_status::done) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("refused: cudaErrorInvalidConfiguration"));
  EXPECT_THAT(outcome.out, HasSubstr("modelled"));
}

TEST(SweepCommand, SweepsAKernelOfTheUsersOwn) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("warplens_sweep_" + std::to_string(std::random_device{}()) + ".ptx");
  std::ofstream(path) << find_embedded("kernels/vector_add.ptx");
  const Outcome blocks = run({"sweep", path.string(), "--blocks", "64,128"});
  EXPECT_EQ(blocks.status, exit_status::done) << blocks.err;
  EXPECT_THAT(blocks.out, HasSubstr(path.filename().string()));
  EXPECT_THAT(blocks.out, HasSubstr("modelled"));
  std::filesystem::remove(path);
}

TEST(SweepCommand, BothListsGiveATableForEachSize) {
  const Outcome outcome = run({"sweep", "vector_add", "--blocks", "64,128", "--sizes", "100,1000", "--json"});
  EXPECT_EQ(outcome.status, exit_status::done) << outcome.err;
  size_t sweeps = 0;
  for (size_t at = outcome.out.find("\"kind\""); at != std::string::npos;
       at = outcome.out.find("\"kind\"", at + 1))
    ++sweeps;
  EXPECT_EQ(sweeps, 2u);
}

TEST(SweepCommand, BadUseHasItsOwnSentence) {
  EXPECT_THAT(run({"sweep", "vector_add", "--blocks", "32,,64"}).err, HasSubstr("--blocks 32,,64"));
  EXPECT_THAT(run({"sweep", "nothing"}).err, HasSubstr("nothing"));
  EXPECT_THAT(run({"sweep", "vector_add", "--csv", "no/such/folder/a.csv"}).err, HasSubstr("no/such/folder"));
  EXPECT_EQ(run({"sweep", "vector_add", "--sizes", "0"}).status, exit_status::bad_input);
}

TEST(TimingRender, EveryPictureIsWritten) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("warplens_timing_" + std::to_string(std::random_device{}()));
  std::filesystem::create_directories(folder);
  for (const char* view : {"timing", "stopwatch", "roofline", "sweep", "sizes"}) {
    for (const char* ending : {".png", ".svg", ".csv"}) {
      const std::string path = (folder / (std::string(view) + ending)).string();
      const Outcome outcome = run(
          {"render", view, "--kernel", "vector_add", "--set", "n=1000", "--size", "640x400", "--out", path});
      EXPECT_EQ(outcome.status, exit_status::done) << view << ending << ": " << outcome.err;
      EXPECT_TRUE(std::filesystem::exists(path)) << path;
      if (std::string(view) == "sizes") break;  // runs up to millions of elements: one file is enough
    }
  }
  std::filesystem::remove_all(folder);
}

}  // namespace THIS_FILE
}  // namespace warplens
