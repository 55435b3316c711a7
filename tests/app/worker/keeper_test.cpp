#include "app/worker/keeper.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "app/state/files/drafts.h"
#include "app/state/update.h"
#include "core/base/system/files.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;

class KeeperFiles : public ::testing::Test {
 protected:
  KeeperFiles() { fs::remove_all(folder); }
  ~KeeperFiles() override {
    std::error_code ignored;
    fs::permissions(folder, fs::perms::owner_all, ignored);
    fs::remove_all(folder, ignored);
  }

  std::string read(const std::string& name) {
    const auto text = read_text((folder / name).string(), 1 << 20);
    return text ? *text : "";
  }
  // As the file worker does it.
  static std::optional<Action> write(Keeper& keeper, std::vector<KeptFile> files) {
    const auto work = keeper.keep(std::move(files));
    return work ? (*work)() : std::nullopt;
  }
  static std::string drafts(const std::string& typed) {
    AppState state = *initial_state("grayscale", "");
    update(state, OpenChallenge{"bounds_check"});
    update(state, EditSource{typed});
    return drafts_text(state, false);
  }

  const fs::path folder = fs::temp_directory_path() / ("warplens_keeper_" + std::to_string(::getpid()));
};

TEST_F(KeeperFiles, OnlyWhatChangedIsWrittenAndIsFoundAgain) {
  {
    Keeper keeper(folder);
    EXPECT_EQ(keeper.found(), nullptr);
    write(keeper, {{"window.json", "a"}, {keeper.name_of_drafts(), drafts("mine")}});
    EXPECT_EQ(read("window.json"), "a");
    EXPECT_FALSE(keeper.keep({{"window.json", "a"}})) << "it is on disk";
    EXPECT_TRUE(keeper.keep({{"window.json", "b"}}));
    keeper.forget("window.json");
    EXPECT_FALSE(fs::exists(folder / "window.json"));
  }
  Keeper next(folder);
  ASSERT_NE(next.found(), nullptr);
  EXPECT_FALSE(next.found()->in_other_window);
  EXPECT_FALSE(next.found()->ended_well);
  EXPECT_EQ(next.found()->drafts.codes.at("bounds_check.cu").text, "mine");
  EXPECT_EQ(next.found()->place.challenge, "bounds_check");
}

TEST_F(KeeperFiles, TwoWindowsHaveFilesOfTheirOwnAndTheNextOneHasBoth) {
  {
    Keeper first(folder);
    EXPECT_EQ(first.name_of_drafts(), "drafts-1.json");
    write(first, {{first.name_of_drafts(), drafts("of the first")}});
    Keeper second(folder);
    EXPECT_EQ(second.name_of_drafts(), "drafts-2.json");
    ASSERT_NE(second.found(), nullptr);
    EXPECT_TRUE(second.found()->in_other_window);
    write(second, {{second.name_of_drafts(), drafts("of the second")}});
    const auto soon = fs::last_write_time(folder / "drafts-1.json") + std::chrono::seconds(2);
    fs::last_write_time(folder / "drafts-2.json", soon);
  }
  Keeper third(folder);
  EXPECT_EQ(third.name_of_drafts(), "drafts-1.json");
  ASSERT_NE(third.found(), nullptr);
  EXPECT_EQ(third.found()->drafts.codes.at("bounds_check.cu").text, "of the second");
  EXPECT_EQ(third.found()->drafts.earlier.at("bounds_check.cu"), "of the first");
  EXPECT_TRUE(fs::exists(folder / "drafts-2.json")) << "until this window has written its own";
  write(third, {{third.name_of_drafts(), drafts("of the third")}});
  EXPECT_FALSE(fs::exists(folder / "drafts-2.json"));
}

TEST_F(KeeperFiles, AFileThatCannotBeWrittenIsSaidOnceAndTriedAgain) {
  if (::geteuid() == 0) {
    // Root may write anywhere: a folder in the place of the file refuses it.
    fs::create_directories(folder / "window.json" / "full");
  } else {
    fs::create_directories(folder);
    fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
  }
  Keeper keeper(folder);
  const auto said = write(keeper, {{"window.json", "a"}});
  ASSERT_TRUE(said);
  ASSERT_NE(as<Notify>(*said), nullptr);
  EXPECT_EQ(as<Notify>(*said)->title, "What you type is not kept");
  EXPECT_NE(as<Notify>(*said)->message.find("window.json"), std::string::npos) << as<Notify>(*said)->message;
  EXPECT_FALSE(write(keeper, {{"window.json", "b"}})) << "reported once";
  fs::permissions(folder, fs::perms::owner_all);
  std::error_code ignored;
  fs::remove_all(folder / "window.json", ignored);
  const auto again = write(keeper, {{"window.json", "b"}});
  ASSERT_TRUE(again);
  EXPECT_EQ(as<Notify>(*again)->title, "Your work is kept again");
  EXPECT_EQ(read("window.json"), "b");
}

TEST_F(KeeperFiles, AFileThatCannotBeReadIsKeptForSomebodyWhoMendsIt) {
  fs::create_directories(folder);
  ASSERT_TRUE(write_text((folder / "drafts-1.json").string(), "{ \"warplens_drafts\": 1, "));
  Keeper keeper(folder);
  EXPECT_EQ(keeper.found(), nullptr);
  EXPECT_NE(keeper.unread().find("drafts-1.json"), std::string::npos) << keeper.unread();
  write(keeper, {{keeper.name_of_drafts(), drafts("new")}});
  EXPECT_EQ(read("drafts-1.json.unread"), "{ \"warplens_drafts\": 1, ");
}

TEST_F(KeeperFiles, WithoutAFolderNothingIsKept) {
  Keeper keeper({});
  EXPECT_FALSE(keeper.keep({{"window.json", "a"}}));
  keeper.keep_now({{"window.json", "a"}});
  EXPECT_FALSE(fs::exists("window.json"));
}

}  // namespace THIS_FILE
}  // namespace warplens
