#include "core/compile/locations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/core/compile/tools.h"
#include "warplens_config.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A machine with nothing on it but what a test puts into a folder: a home and a toolkit.
class Locations : public testing::Test {
 protected:
  void SetUp() override {
    if (config::nvrtc.told || config::cuda_include.told) GTEST_SKIP() << "this build was told other places";
    fs::create_directories(m_folder);
  }
  void TearDown() override { fs::remove_all(m_folder); }

  std::string file(const std::string& name) {
    fs::create_directories((m_folder / name).parent_path());
    std::ofstream(m_folder / name) << "";
    return (m_folder / name).string();
  }
  std::string folder(const std::string& name) { return (m_folder / name).string(); }

  fs::path m_folder =
      fs::path(testing::TempDir()) /
      ("places_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  ScopedEnvironment m_home{"HOME", (m_folder / "home").c_str()}, m_cache{"XDG_CACHE_HOME", nullptr},
      m_toolkit{"CUDA_HOME", (m_folder / "toolkit").c_str()}, m_path{"CUDA_PATH", nullptr},
      m_nvrtc{"WARPLENS_NVRTC", nullptr}, m_linker{"WARPLENS_NVJITLINK", nullptr},
      m_linker13{"WARPLENS_NVJITLINK13", nullptr}, m_headers{"WARPLENS_CUDA_INCLUDE_DIRS", nullptr};
};

TEST_F(Locations, AToolkitIsFoundWhereTheBuildKnewOfNone) {
  const std::string nvrtc = file("toolkit/lib64/libnvrtc.so.13");
  const std::string linker = file("toolkit/lib/libnvJitLink.so.12"),
                    linker13 = file("toolkit/lib/libnvJitLink.so.13");
  file("toolkit/include/cuda_fp16.h");
  file("toolkit/include/cccl/any.h");
  EXPECT_EQ(nvrtc_candidates().front(), nvrtc);
  EXPECT_EQ(nvrtc_candidates().back(), "libnvrtc.so") << "the loader is asked at the end";
  EXPECT_EQ(nvjitlink_candidates().front(), linker);
  EXPECT_EQ(nvjitlink13_candidates().front(), linker13);
  EXPECT_THAT(cuda_include_directories(),
              ElementsAre(folder("toolkit/include"), folder("toolkit/include/cccl")));
}

TEST_F(Locations, WhatSetUpBroughtComesBeforeToolkits) {
  const std::string place = std::string("home/.cache/warplens/") + config::cuda_folder;
  const std::string other = file("toolkit/lib64/libnvrtc.so.12");
  file("toolkit/include/cuda_fp16.h");
  const std::string nvrtc = file(place + "/lib/libnvrtc.so.12");
  file(place + "/include/cuda_fp16.h");
  EXPECT_EQ(nvrtc_candidates().front(), nvrtc);
  EXPECT_THAT(nvrtc_candidates(), Contains(other));
  EXPECT_THAT(cuda_include_directories(), ElementsAre(folder(place + "/include")))
      << "headers of two versions do not go together";
}

TEST_F(Locations, AFolderWithoutCudasHeadersIsNone) {
  file("toolkit/include/stdio.h");
  EXPECT_THAT(cuda_include_directories(), testing::Not(Contains(HasSubstr("toolkit"))));
}

TEST_F(Locations, AVariableIsTheOnlyChoice) {
  file("toolkit/include/cuda_fp16.h");
  const ScopedEnvironment nvrtc("WARPLENS_NVRTC", "/no/such/libnvrtc.so.12"),
      headers("WARPLENS_CUDA_INCLUDE_DIRS", "");
  EXPECT_THAT(nvrtc_candidates(), ElementsAre("/no/such/libnvrtc.so.12"));
  EXPECT_THAT(cuda_include_directories(), IsEmpty());
}

}  // namespace
}  // namespace warplens
