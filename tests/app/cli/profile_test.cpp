// warplens profile: targets of all kinds, wrong usage, and which output is written to which stream.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/cli/shared/cli.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "tests/app/made_recording.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct Outcome {
  int status = 0;
  std::string out, err;
};

Outcome profile_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"warplens", "profile"});
  std::vector<const char*> argv;
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out, err;
  Cli cli{out, err, [] { return make_virtual_gpu(); }, {}, {}, 0};
  const int status = run_cli(static_cast<int>(argv.size()), argv.data(), cli);
  return {status, out.str(), err.str()};
}

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(ProfileCommand, ChecksNamesBeforeAnythingRuns) {
  struct Case {
    std::string option, value, said;
  };
  for (const auto& [option, value, said] :
       {Case{"--section", "Ocupancy", "Occupancy"}, Case{"--metrics", "launch__grid", "launch__grid_size"},
        Case{"--metrics", "breakdown:sm__throughput", "breakdowns"}, Case{"--page", "other", "details"},
        Case{"--launch", "0", "--launch"}}) {
    const Outcome outcome = profile_of({"vector_add", option, value});
    EXPECT_EQ(outcome.status, 2) << option;
    EXPECT_THAT(outcome.out, IsEmpty()) << option;
    EXPECT_THAT(outcome.err, HasSubstr(said)) << option;
  }
  EXPECT_EQ(profile_of({"no_such_kernel"}).status, 2);
  EXPECT_THAT(profile_of({"/no/such/script.py"}).err, HasSubstr("no such file"));
  const Outcome outcome = profile_of({"vector_add", "--", "17"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("arguments are for programs"));
}

TEST(ProfileCommand, TakesTheOptionsOfRun) {
  const Outcome outcome = profile_of(
      {"vector_add", "--device", "3060", "--set", "n=1000", "--block", "128", "--section", "LaunchStats"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("vector_add (8, 1, 1)x(128, 1, 1), Context 1, Stream 7, Device 0, CC 8.6"),
                    HasSubstr("Section: Launch Statistics"), Not(HasSubstr("Section: Occupancy"))));
}

TEST(ProfileCommand, SavesWhatItPrints) {
  const std::string path = (fs::path(testing::TempDir()) / "profile_command.csv").string();
  const Outcome outcome = profile_of({"vector_add", "--device", "3060", "--csv", "--out", path});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::stringstream saved;
  saved << std::ifstream(path).rdbuf();
  EXPECT_EQ(saved.str(), outcome.out);
  fs::remove(path);
  EXPECT_EQ(profile_of({"vector_add", "--out", "/no/such/folder/x.csv"}).status, 2);
}

TEST(ProfileCommand, AFaultIsStatusOneAndARefusedLaunchTwo) {
  const Outcome fault = profile_of({"vector_add_unchecked", "--device", "3060"});
  EXPECT_EQ(fault.status, 1);
  EXPECT_THAT(fault.out, AllOf(HasSubstr("The kernel faulted"), HasSubstr("ERR"), HasSubstr("Block Size")));
  const Outcome refused =
      profile_of({"vector_add", "--device", "3060", "--block", "2048", "--page", "raw", "--csv"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.out, AllOf(HasSubstr("\"2048\""), HasSubstr("\"n/a\"")));
}

TEST(ProfileCommand, OfAKernelWithSeveralLaunchesEachIsProfiled) {
  const Outcome all = profile_of({"reduce_two_launches", "--device", "3060", "--section", "LaunchStats"});
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_EQ(count_of(all.out, "Section: Launch Statistics"), 2u);
  const Outcome second = profile_of(
      {"reduce_two_launches", "--device", "3060", "--section", "LaunchStats", "--launch", "2", "--csv"});
  EXPECT_THAT(second.out, AllOf(HasSubstr("\n\"1\","), Not(HasSubstr("\n\"0\","))));
  const Outcome none = profile_of({"reduce_two_launches", "--device", "3060", "--launch", "3"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("has 1 to 2"));
}

TEST(ProfileCommand, OfARecordingAllLaunchesThatCanRunAgain) {
  const MadeRecording made(3);
  const Outcome all = profile_of({made.path, "--page", "raw", "--csv"});
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_EQ(count_of(all.out, "\"twice\""), 2u);
  EXPECT_THAT(all.out, AllOf(HasSubstr("\n\"0\","), HasSubstr("\n\"1\","), HasSubstr("\"python3\"")));
  EXPECT_THAT(all.err, HasSubstr("2 of 3 launches can be run again"));
  const Outcome second = profile_of({made.path, "--launch", "2", "--page", "raw", "--csv"});
  EXPECT_EQ(count_of(second.out, "\"twice\""), 1u);
  const Outcome third = profile_of({made.path, "--launch", "3"});
  EXPECT_EQ(third.status, 2);
  EXPECT_THAT(third.err, HasSubstr("was not recorded"));
  EXPECT_THAT(profile_of({made.path, "--launch", "9"}).err, HasSubstr("it has 1 to 3"));
  const MadeRecording empty(0);
  const Outcome nothing = profile_of({empty.path});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_THAT(nothing.err, HasSubstr("launched no kernel"));
}

}  // namespace THIS_FILE
}  // namespace warplens
