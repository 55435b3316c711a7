#include "core/compile/assembly_cache.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "tests/core/compile/tools.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;

class AssemblyCache : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(m_folder); }
  void TearDown() override { fs::remove_all(m_folder); }
  size_t files() const {
    size_t count = 0;
    for ([[maybe_unused]] const auto& file : fs::directory_iterator(m_folder)) ++count;
    return count;
  }
  const fs::path m_folder =
      fs::path(testing::TempDir()) /
      ("cache_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  const Assembled m_assembled{std::string("\x7f"
                                          "ELF\0code",
                                          9),
                              "ptxas info : Used 12 registers"};
};

TEST_F(AssemblyCache, FindsWhatWasKeptAndNothingElse) {
  EXPECT_FALSE(find_assembled(m_folder, "key"));
  keep_assembled(m_folder, "key", m_assembled);
  EXPECT_EQ(find_assembled(m_folder, "key"), m_assembled);
  EXPECT_FALSE(find_assembled(m_folder, "another key"));
  keep_assembled(m_folder, "", {"", ""});
  EXPECT_EQ(find_assembled(m_folder, ""), (Assembled{"", ""}));
}

TEST_F(AssemblyCache, WithoutAFolderNothingIsKept) {
  keep_assembled({}, "key", m_assembled);
  EXPECT_FALSE(find_assembled({}, "key"));
  std::ofstream(m_folder) << "a file in the folder's place";
  keep_assembled(m_folder, "key", m_assembled);
  EXPECT_FALSE(find_assembled(m_folder, "key"));
}

TEST_F(AssemblyCache, WhatIsDamagedIsNotThere) {
  keep_assembled(m_folder, "key", m_assembled);
  const fs::path path = fs::directory_iterator(m_folder)->path();
  const std::string whole = file_text(path.string());
  const auto with = [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    return find_assembled(m_folder, "key");
  };
  for (size_t size = 0; size < whole.size(); ++size) EXPECT_FALSE(with(whole.substr(0, size))) << size;
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string bent = whole;
    bent[at] = static_cast<char>(bent[at] ^ 0x10);
    EXPECT_FALSE(with(bent)) << at;
  }
  EXPECT_FALSE(with(whole + "x"));
  EXPECT_TRUE(with(whole));
}

TEST_F(AssemblyCache, StaysWithinItsBoundsAndKeepsWhatWasUsedLast) {
  const AssemblyCacheLimits limits{.bytes = 1 << 20, .files = 16};
  for (int i = 0; i < 40; ++i) {
    keep_assembled(m_folder, "key " + std::to_string(i), m_assembled, limits);
    ASSERT_LE(files(), 16u);
    EXPECT_TRUE(find_assembled(m_folder, "key 0")) << i;  // used all the time, so it stays
  }
  EXPECT_TRUE(find_assembled(m_folder, "key 39"));
  EXPECT_FALSE(find_assembled(m_folder, "key 1"));
  // By bytes: each has a tenth of what is allowed.
  const Assembled large{std::string(limits.bytes / 10, 'c'), ""};
  for (int i = 0; i < 30; ++i) keep_assembled(m_folder, "large " + std::to_string(i), large, limits);
  uint64_t bytes = 0;
  for (const auto& file : fs::directory_iterator(m_folder)) bytes += file.file_size();
  EXPECT_LE(bytes, limits.bytes);
  // One that would take most of the room is not kept.
  keep_assembled(m_folder, "huge", {std::string(limits.bytes, 'c'), ""}, limits);
  EXPECT_FALSE(find_assembled(m_folder, "huge"));
}

// As with several processes: each reads and writes, and none of them sees half a file.
TEST_F(AssemblyCache, ManyAtOnceSeeAllOrNothing) {
  const AssemblyCacheLimits limits{.bytes = 1 << 20, .files = 8};
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        const std::string key = "key " + std::to_string((i + t) % 12);
        const Assembled mine{key + std::string(2000, 'c'), key};
        keep_assembled(m_folder, key, mine, limits);
        const auto found = find_assembled(m_folder, key);
        EXPECT_EQ(found.value_or(mine), mine);
      }
    });
  threads.clear();
  EXPECT_LE(files(), 12u);
}

}  // namespace THIS_FILE
}  // namespace warplens
