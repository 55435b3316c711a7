#include "core/compile/locations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/core/compile/tools.h"
#include "tests/environment.h"
#include "warplens_config.h"

namespace warplens {
namespace THIS_FILE {

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
      m_nvrtc{"WARPLENS_NVRTC", nullptr}, m_ptxas{"WARPLENS_PTXAS", nullptr},
      m_ptxas12{"WARPLENS_PTXAS12", nullptr}, m_programs{"PATH", ""},
      m_headers{"WARPLENS_CUDA_INCLUDE_DIRS", nullptr};
};

TEST_F(Locations, AToolkitIsFoundWhereTheBuildKnewOfNone) {
  const std::string nvrtc = file("toolkit/lib64/libnvrtc.so.13");
  const std::string ptxas = file("toolkit/bin/ptxas");
  file("toolkit/include/cuda_fp16.h");
  file("toolkit/include/cccl/any.h");
  EXPECT_EQ(nvrtc_candidates().front(), nvrtc);
  EXPECT_EQ(nvrtc_candidates().back(), "libnvrtc.so") << "the loader is asked at the end";
  EXPECT_EQ(ptxas_candidates().front(), ptxas);
  EXPECT_EQ(ptxas12_candidates().front(), ptxas);
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

TEST_F(Locations, EachDeviceHasItsAssembler) {
  const std::string cache = "home/.cache/warplens/";
  const std::string newer = file(cache + config::ptxas_folder + "/bin/ptxas"),
                    older = file(cache + config::ptxas12_folder + "/bin/ptxas"),
                    toolkit = file("toolkit/bin/ptxas"), of_shell = file("programs/ptxas");
  const ScopedEnvironment path("PATH", (folder("none") + ":" + folder("programs")).c_str());
  const auto ours = [](std::vector<std::string> paths) {  // a toolkit of this machine may be among them
    std::erase_if(paths, [](const std::string& p) { return p.starts_with("/usr/local/cuda"); });
    return paths;
  };
  EXPECT_THAT(ours(ptxas_candidates()), testing::IsSupersetOf({newer, toolkit, of_shell, older}));
  EXPECT_EQ(ptxas_candidates().front(), newer);
  EXPECT_EQ(ptxas12_candidates().front(), older);
  EXPECT_THAT(ptxas12_candidates(), testing::Not(Contains(newer))) << "it makes no code for older devices";
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
  const std::string ptxas = file("own/ptxas");
  const ScopedEnvironment chosen("WARPLENS_PTXAS", ptxas.c_str());
  file("toolkit/bin/ptxas");
  EXPECT_THAT(ptxas_candidates(), ElementsAre(ptxas));
  const ScopedEnvironment absent("WARPLENS_PTXAS", "/no/such/ptxas");
  EXPECT_THAT(ptxas_candidates(), IsEmpty());
}

}  // namespace THIS_FILE
}  // namespace warplens
