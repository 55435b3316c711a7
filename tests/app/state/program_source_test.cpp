// The text of a user's program in the window: edited, saved, kept as a draft; the file is the user's.
#include "app/state/parts/program_source.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>

#include "app/state/files/drafts.h"
#include "app/state/update.h"
#include "core/base/system/files.h"
#include "tests/app/driven_state.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;

class ProgramText : public testing::Test {
 protected:
  ProgramText() {
    std::string made = (fs::temp_directory_path() / "warplens-text-XXXXXX").string();
    EXPECT_NE(mkdtemp(made.data()), nullptr);
    folder = made;
    path = folder / "blur.py";
    write("print(1)\n");
    open(window);
  }
  ~ProgramText() override { fs::remove_all(folder); }

  void write(const std::string& text) const { EXPECT_TRUE(write_text(path, text)); }
  std::string in_file() const { return *read_text(path, 1 << 20); }
  void open(DrivenState& in) const {
    in.push(OpenFile{path});
    in.push(EditProgram{});
    EXPECT_TRUE(in.until([&] { return in.state.program.source.is_ready(); }));
  }
  // The answer of the file system to Save.
  void save(bool run = false) {
    window.push(SaveProgram{run});
    EXPECT_TRUE(window.until([&] { return source().saving.empty(); }));
  }
  void end_run() {
    ProgramEnded news;
    news.serial = window.state.program.run.serial;
    window.push(news);
  }
  const ProgramSource& source() const { return window.state.program.source; }

  DrivenState window;
  fs::path folder;
  std::string path;
};

TEST_F(ProgramText, IsReadAndOnlySaveWritesTheFile) {
  EXPECT_EQ(source().text, "print(1)\n");
  EXPECT_FALSE(source().dirty());
  EXPECT_EQ(window.state.program.run.phase, ProgramRun::Phase::asking) << "nothing was started";
  window.push(EditProgramText{"print(2)\n"});
  EXPECT_TRUE(source().dirty());
  window.push(EditProgram{false});
  EXPECT_EQ(in_file(), "print(1)\n");
  open(window);
  EXPECT_EQ(source().text, "print(2)\n") << "it was kept as a draft";
  save();
  EXPECT_EQ(in_file(), "print(2)\n");
  EXPECT_FALSE(source().dirty());
  EXPECT_EQ(window.state.program.run.phase, ProgramRun::Phase::asking);
}

TEST_F(ProgramText, RunsWhatWasSaved) {
  window.push(SaveProgram{true});
  EXPECT_EQ(window.state.program.run.phase, ProgramRun::Phase::running) << "there is nothing to save";
  window.push(StopProgram{});
  end_run();
  window.push(EditProgramText{"print(3)\n"});
  const uint64_t before = window.state.program.run.serial;
  save(true);
  EXPECT_EQ(in_file(), "print(3)\n");
  EXPECT_EQ(window.state.program.run.serial, before + 1);
  EXPECT_EQ(window.state.program.run.phase, ProgramRun::Phase::running);
}

TEST_F(ProgramText, AProgramThatRunsAgainOnSaveRunsOnce) {
  window.push(SaveProgram{true});
  end_run();
  ProgramRunChoices choices;
  choices.again_on_save = true;
  window.push(SetProgramChoices{choices});
  window.push(EditProgramText{"print(3)\n"});
  const uint64_t before = window.state.program.run.serial;
  save(true);
  EXPECT_EQ(window.state.program.run.serial, before) << "the watched file starts it";
}

TEST_F(ProgramText, AFileThatChangedMeanwhileIsAskedAbout) {
  window.push(EditProgramText{"mine\n"});
  write("theirs\n");
  save(true);  // before anyone has noticed
  EXPECT_EQ(in_file(), "theirs\n");
  ASSERT_TRUE(source().changed);
  EXPECT_EQ(window.state.program.run.phase, ProgramRun::Phase::asking) << "nothing runs";
  save();
  EXPECT_EQ(in_file(), "theirs\n") << "not before it is decided";
  window.push(SettleProgramText{true});
  EXPECT_EQ(source().text, "mine\n");
  EXPECT_TRUE(source().dirty());
  save();
  EXPECT_EQ(in_file(), "mine\n");
}

TEST_F(ProgramText, TheFilesTextCanBeTaken) {
  window.push(EditProgramText{"mine\n"});
  window.push(ProgramTextChanged{path, "theirs\n"});
  ASSERT_TRUE(source().changed);
  const uint64_t serial = source().serial;
  window.push(SettleProgramText{false});
  EXPECT_EQ(source().text, "theirs\n");
  EXPECT_FALSE(source().dirty());
  EXPECT_GT(source().serial, serial) << "the editor loads it";
}

TEST_F(ProgramText, WithoutEditsItFollowsTheFile) {
  window.push(ProgramTextChanged{path, "theirs\n"});
  EXPECT_EQ(source().text, "theirs\n");
  EXPECT_FALSE(source().changed);
  window.push(EditProgramText{"the same\n"});
  window.push(ProgramTextChanged{path, "the same\n"});
  EXPECT_FALSE(source().dirty()) << "both typed the same";
  EXPECT_FALSE(source().changed);
  window.push(ProgramTextChanged{folder / "other.py", "no\n"});
  EXPECT_EQ(source().text, "the same\n");
}

TEST_F(ProgramText, WhatCannotBeSavedSaysWhy) {
  window.push(EditProgramText{"mine\n"});
  fs::remove_all(folder);
  save(true);
  EXPECT_TRUE(source().dirty()) << "nothing is lost";
  EXPECT_EQ(window.state.program.run.phase, ProgramRun::Phase::asking);
  ASSERT_FALSE(window.state.problems.notices.empty());
  EXPECT_EQ(window.state.problems.notices.back().title, "The program was not saved");
}

TEST_F(ProgramText, WhatIsNoTextIsNotEdited) {
  write(std::string("a\0b", 3));
  DrivenState other;
  other.push(OpenFile{path});
  other.push(EditProgram{});
  ASSERT_TRUE(other.until([&] { return !other.state.program.source.error.empty(); }));
  EXPECT_FALSE(other.state.program.source.is_ready());
  for (const char* text : {"a.py", "b.cu", "c.cpp"}) EXPECT_TRUE(is_program_text(text)) << text;
  for (const char* binary : {"a.out", "python3", "x.warplens"})
    EXPECT_FALSE(is_program_text(binary)) << binary;
}

// After the window's end, however it came.
TEST_F(ProgramText, TheDraftIsThereAtTheNextStart) {
  window.push(EditProgramText{"mine\n"});
  const auto read = parse_drafts(drafts_text(window.state, false), "drafts-1.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->problems.empty());
  DrivenState next;
  next.push(OfferPlace{std::make_shared<const OfferedPlace>(read->offer)});
  next.push(OpenFile{path});  // the editor is open, with what was typed
  ASSERT_TRUE(next.until([&] { return next.state.program.source.is_ready(); }));
  EXPECT_EQ(next.state.program.source.text, "mine\n");
  EXPECT_TRUE(next.state.program.source.dirty());
  EXPECT_FALSE(next.state.program.source.changed);
  // The file was changed in between.
  write("theirs\n");
  DrivenState later;
  later.push(OfferPlace{std::make_shared<const OfferedPlace>(read->offer)});
  later.push(OpenFile{path});
  ASSERT_TRUE(later.until([&] { return later.state.program.source.is_ready(); }));
  EXPECT_EQ(later.state.program.source.text, "mine\n");
  EXPECT_EQ(later.state.program.source.changed, "theirs\n");
}

TEST_F(ProgramText, AnotherProgramHasItsOwnText) {
  window.push(EditProgramText{"mine\n"});
  const std::string other = folder / "other.py";
  EXPECT_TRUE(write_text(other, "print(9)\n"));
  window.push(OpenFile{other});
  EXPECT_FALSE(source().open);
  window.push(EditProgram{});
  ASSERT_TRUE(window.until([&] { return source().is_ready(); }));
  EXPECT_EQ(source().text, "print(9)\n");
  window.push(OpenFile{path});
  ASSERT_TRUE(window.until([&] { return source().is_ready(); }));
  EXPECT_EQ(source().text, "mine\n");
}

}  // namespace THIS_FILE
}  // namespace warplens
