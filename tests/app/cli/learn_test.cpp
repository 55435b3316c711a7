// A teacher's commands in a terminal: the notes of a lesson, and the mistakes in a folder of their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>

#include "app/cli/shared/cli.h"
#include "app/cli/shared/window_start.h"
#include "core/base/system/files.h"
#include "core/lesson/format/lesson.h"
#include "core/lesson/judge/hand_in.h"

namespace warplens {
namespace THIS_FILE {

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
    const lesson::Lesson lesson = lesson::load_lesson(folder).lesson;
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

TEST(LearnCli, ALanguageThatIsNotThereIsRefused) {
  const Printed notes = printed({"lessons", "notes", "who_am_i", "--language", "xx"});
  EXPECT_EQ(notes.status, 2);
  EXPECT_THAT(notes.err, HasSubstr("has no lesson.xx.md; its texts are in en"));
  EXPECT_EQ(printed({"lessons", "notes", "who_am_i", "--language", "en"}).status, 0);
}

// A copy of a built-in folder, with this file in other words.
std::filesystem::path copied(std::string_view kind, const std::string& name, const std::string& file,
                             const std::string& from, const std::string& to) {
  std::filesystem::path path = std::filesystem::path(testing::TempDir()) / ("learn_cli_" + name);
  std::filesystem::create_directories(path);
  for (const lesson::Folder& folder : lesson::embedded_folders(kind)) {
    if (folder.name != name) continue;
    for (auto [own, text] : folder.files) {
      if (const size_t at = text.find(from); own == file && at != text.npos)
        text.replace(at, from.size(), to);
      EXPECT_TRUE(write_text((path / own).string(), text));
    }
  }
  return path;
}

TEST(LearnCli, CheckSaysWhichStepsOfATranslationLagAndMarksThem) {
  const std::string folder =
      copied("lessons", "thirty_two", "lesson.md", "Round 48 up", "Round 48 upwards").string();
  const auto check = [&](std::vector<const char*> more) {
    std::vector<const char*> words{"lessons", "check", folder.c_str(), "--no-play"};
    words.insert(words.end(), more.begin(), more.end());
    return printed(words);
  };
  const Printed before = check({});
  EXPECT_EQ(before.status, 0) << before.err;
  EXPECT_THAT(before.err, HasSubstr("lesson.md has other words now for the step {#block_48}"));
  EXPECT_EQ(std::count(before.err.begin(), before.err.end(), '\n'), 1) << before.err;
  EXPECT_THAT(check({"--mark", "row"}).err, HasSubstr("{#block_48}")) << "another step was marked";
  EXPECT_THAT(check({"--mark", "no_such_step"}).err, HasSubstr("has no such part"));
  EXPECT_THAT(check({"--mark", "all", "--language", "fr"}).err, HasSubstr("has no translation lesson.fr.md"));
  EXPECT_THAT(check({}).err, HasSubstr("{#block_48}"));
  EXPECT_EQ(check({"--mark", "block_48", "--language", "de"}).err, "");
  EXPECT_EQ(check({}).err, "");
  EXPECT_THAT(printed({"lessons", "check", "thirty_two", "--mark", "all"}).err,
              HasSubstr("is part of the program"));
}

TEST(LearnCli, CheckOfAChallengeLooksAtItsTranslations) {
  const std::string lags =
      copied("challenges", "mirror", "challenge.md", "One thread does one pixel", "A thread does a pixel")
          .string();
  // Mistakes are reported before anything is judged.
  const std::string broken =
      copied("challenges", "grid_stride", "challenge.de.md", "## Task", "## Aufgabe").string();
  const Printed refused = printed({"challenges", "check", broken.c_str()});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("challenge.de.md:7: error: there is no part \"Aufgabe\""));
  EXPECT_THAT(printed({"challenges", "check", lags.c_str(), "--mark", "notes"}).err,
              HasSubstr("challenge.md has other words now for ## Task"));
}

TEST(LearnCli, AClassIsAFolder) {
  const std::string table = testing::TempDir() + "learn_cli_table.csv";
  const auto grade = [&](const char* folder) {
    return printed({"grade", folder, "--challenge", "bounds_check", "--csv", table.c_str()});
  };
  EXPECT_THAT(grade("/no_such_class").err, HasSubstr("There is no folder /no_such_class."));
  EXPECT_THAT(grade("/etc/passwd").err, HasSubstr("/etc/passwd is no folder. warplens judge"));
  EXPECT_EQ(grade("/etc/passwd").status, 2);
}

TEST(LearnCli, AnAnswerToAnotherChallengeIsNotJudged) {
  lesson::HandIn answer;
  answer.challenge = "grid_stride";
  answer.source = "extern \"C\" __global__ void k() {}\n";
  const std::string path = testing::TempDir() + "learn_cli_answer.json";
  ASSERT_TRUE(write_text(path, lesson::hand_in_text(answer)));
  const Printed judged = printed({"judge", "bounds_check", path.c_str()});
  EXPECT_EQ(judged.status, 2);
  EXPECT_THAT(judged.err,
              HasSubstr("is an answer to the challenge grid_stride, and not to bounds_check: warplens judge "
                        "grid_stride " +
                        path));
}

// The request with which the window is started.
std::optional<WindowStart> window_of(std::vector<const char*> arguments, std::string* err = nullptr) {
  arguments.insert(arguments.begin(), "warplens");
  std::ostringstream out, said;
  std::optional<WindowStart> asked;
  Cli cli{out, said, [] { return std::unique_ptr<Backend>(); }, {}, {}, 0};
  cli.open_window = [&](const WindowStart& start) {
    asked = start;
    return 0;
  };
  const int status = run_cli(int(arguments.size()), arguments.data(), cli);
  EXPECT_EQ(status, asked ? 0 : 2);
  EXPECT_EQ(said.str().empty(), asked.has_value()) << said.str();
  if (err != nullptr) *err = said.str();
  return asked;
}

TEST(LearnCli, TheWindowBeginsWithALesson) {
  const auto named = window_of({"--lesson", "who_am_i", "--notes"});
  ASSERT_TRUE(named);
  EXPECT_EQ(named->lesson, "who_am_i");
  EXPECT_TRUE(named->notes);
  EXPECT_EQ(window_of({"--challenge", "transpose"})->challenge, "transpose");
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "learn_cli_own";
  std::filesystem::create_directories(folder);
  std::string err;
  EXPECT_FALSE(window_of({folder.c_str()}, &err));
  EXPECT_THAT(err, HasSubstr("neither a lesson.md nor a challenge.md"));
  EXPECT_TRUE(write_text((folder / "lesson.md").string(), "---\n"));
  for (const auto& words : {std::vector<const char*>{folder.c_str()}, {"--lesson", folder.c_str()}}) {
    const auto own = window_of(words);
    ASSERT_TRUE(own);
    EXPECT_EQ(own->file, folder.string());
    EXPECT_EQ(own->lesson, "");
  }
  std::filesystem::remove_all(folder);
}

TEST(LearnCli, AWindowForStudentsTakesANumber) {
  EXPECT_EQ(window_of({"--student", "4711"})->student, 4711u);
  EXPECT_EQ(window_of({"--student", "4294967295", "--lesson", "sums"})->student, 4294967295u);
  EXPECT_EQ(window_of({"--lesson", "sums"})->student, 0u);
  std::string err;
  for (const char* number : {"0", "-1", "secret", "4294967296", "1.5"}) {
    EXPECT_FALSE(window_of({"--student", number}, &err)) << number;
    EXPECT_THAT(err, HasSubstr("--student")) << number;
  }
  EXPECT_FALSE(window_of({"--student", "1", "--kernel", "grayscale"}, &err));
  EXPECT_THAT(err, HasSubstr("only lessons and challenges"));
}

TEST(LearnCli, AClassIsFollowedByTheTeachersLink) {
  const char* link = "https://school.example:8321/teacher#abc";
  EXPECT_EQ(window_of({"--class", link})->class_link, link);
  EXPECT_EQ(window_of({"--lesson", "sums"})->class_link, "");
  std::string err;
  for (const char* wrong : {"GPU 101", "http:///teacher#abc", "http://127.0.0.1:8321/",
                            "http://127.0.0.1:8321/teacher#", "ftp://127.0.0.1/teacher#abc"}) {
    EXPECT_FALSE(window_of({"--class", wrong}, &err)) << wrong;
    EXPECT_THAT(err, HasSubstr("teacher's link")) << wrong;
  }
}

TEST(LearnCli, ALessonThatIsNotThereIsRefusedBeforeTheWindow) {
  std::string err;
  EXPECT_FALSE(window_of({"--lesson", "no_such"}, &err));
  EXPECT_THAT(err, HasSubstr("who_am_i")) << "the names that there are";
  EXPECT_FALSE(window_of({"--challenge", "who_am_i"}, &err));
  EXPECT_THAT(err, HasSubstr("bounds_check"));
  EXPECT_FALSE(window_of({"--lesson", "sums", "--challenge", "scan"}, &err));
  EXPECT_THAT(err, HasSubstr("one thing"));
}

// With the line of each mistake, also for a file that is empty, binary, or huge.
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

}  // namespace THIS_FILE
}  // namespace warplens
