// What a teacher asks for in a terminal: the notes of a lesson, and what is wrong with a folder of their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "app/cli/cli.h"
#include "core/base/system/files.h"
#include "core/lesson/lesson.h"

namespace warplens {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Printed {
  int status = 0;
  std::string out, err;
};

Printed printed(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "warplens");
  std::ostringstream out, err;
  Cli cli{out, err, [] { return std::unique_ptr<Backend>(); }, {}, {}, 0};
  const int status = run_cli(int(arguments.size()), arguments.data(), cli);
  return {status, out.str(), err.str()};
}

TEST(LearnCli, NotesHaveEveryStepItsAnswersAndTheKeys) {
  for (const lesson::Folder& folder : lesson::embedded_folders("lessons")) {
    const Printed notes = printed({"lessons", "notes", folder.name.c_str()});
    ASSERT_EQ(notes.status, 0) << notes.err;
    EXPECT_THAT(notes.out, HasSubstr("Page Down"));
    EXPECT_THAT(notes.out, Not(HasSubstr("{{"))) << "numbers come from the run";
    const lesson::Lesson lesson = lesson::read_lesson(folder).lesson;
    size_t at = 0;
    for (size_t i = 0; i < lesson.steps.size(); ++i) {
      const std::string title = "\n" + std::to_string(i + 1) + ". " + lesson.steps[i].title.text + "\n";
      at = notes.out.find(title, at);
      ASSERT_NE(at, notes.out.npos) << folder.name << title;
      if (lesson.steps[i].questions.empty()) continue;
      EXPECT_EQ(notes.out.find("→ ", at), at + title.size()) << folder.name << title;
    }
  }
}

TEST(LearnCli, NotesOfNothingAreASentence) {
  EXPECT_EQ(printed({"lessons", "notes", "no_such_lesson"}).status, 2);
  EXPECT_NE(printed({"lessons", "notes", "no_such_lesson"}).err, "");
  EXPECT_EQ(printed({"lessons", "notes"}).status, 2);
}

// With the line of each mistake, also in a file that is empty, no text, or huge.
TEST(LearnCli, ABrokenFolderIsRefusedWithItsLines) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "learn_cli_broken";
  std::filesystem::create_directories(folder);
  const auto check = [&](const char* what, const char* file, const std::string& text) {
    EXPECT_TRUE(write_text((folder / file).string(), text));
    Printed said = printed({what, "check", folder.c_str()});
    std::filesystem::remove(folder / file);
    EXPECT_EQ(said.status, 2) << said.out;
    return said.err;
  };
  EXPECT_THAT(check("lessons", "lesson.md", "---\ntitel: A\n---\n"), HasSubstr("lesson.md:2"));
  EXPECT_THAT(check("challenges", "challenge.md", "---\ntitel: A\n---\n"), HasSubstr("challenge.md:2"));
  for (const std::string& text : {std::string(), std::string(4096, '\0'), std::string(3 << 20, 'x')}) {
    EXPECT_NE(check("lessons", "lesson.md", text), "");
    EXPECT_NE(check("challenges", "challenge.md", text), "");
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace warplens
