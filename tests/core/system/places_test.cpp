#include "core/system/places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/environment.h"

namespace warplens {
namespace THIS_FILE {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Places, BesideTheProgramThenTheCacheThenTheOthers) {
  const ScopedEnvironment home("HOME", "/home/ada"), no_cache("XDG_CACHE_HOME", nullptr);
  const std::string beside =
      (program_path().parent_path().parent_path() / "share" / "warplens" / "a/b").string();
  EXPECT_THAT(places_of({}, "a/b", {"/other"}),
              ElementsAre(beside, "/home/ada/.cache/warplens/a/b", "/other"));
  const ScopedEnvironment cache("XDG_CACHE_HOME", "/cache");
  EXPECT_THAT(places_of({}, "a/b"), ElementsAre(beside, "/cache/warplens/a/b"));
  const ScopedEnvironment nowhere("XDG_CACHE_HOME", ""), homeless("HOME", nullptr);
  EXPECT_THAT(places_of({}, "a/b"), ElementsAre(beside));
}

TEST(Places, WhatTheBuildWasToldComesFirstAndTheCacheDoesNotCome) {
  EXPECT_THAT(places_of({true, "/told"}, "a", {"/other"}), ElementsAre("/told", "/other"));
  EXPECT_THAT(places_of({true, ""}, "a", {"/other"}), ElementsAre("/other")) << "to do without";
  EXPECT_THAT(told_paths({true, "/told"}), ElementsAre("/told"));
  EXPECT_THAT(told_paths({true, "/a:/b"}), ElementsAre("/a", "/b"));
  EXPECT_THAT(told_paths({}), IsEmpty());
}

TEST(Places, ToolkitsOfTheEnvironmentComeFirst) {
  const ScopedEnvironment home("CUDA_HOME", "/opt/cuda"), path("CUDA_PATH", "");
  EXPECT_THAT(toolkit_folders(), ElementsAre("/opt/cuda", "/usr/local/cuda"));
}

TEST(Places, TheProgramIsThisOne) {
  EXPECT_EQ(program_path().filename(), "core_tests");
  EXPECT_TRUE(std::filesystem::exists(program_path()));
}

}  // namespace THIS_FILE
}  // namespace warplens
