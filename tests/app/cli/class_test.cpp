// warplens class: names that cannot be guessed, and a table that loses nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <sstream>

#include "app/classroom/class_names.h"
#include "app/classroom/class_report.h"
#include "app/cli/shared/cli.h"
#include "core/base/csv.h"
#include "core/base/system/files.h"
#include "core/lesson/judge/hand_in.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;
using testing::Not;

TEST(ClassNames, StudentIsTheNameElseTheFolderElseTheFile) {
  EXPECT_EQ(student_of("x/y.json", " Ada Muster "), "ada muster");
  EXPECT_EQ(student_of("Ada Muster_41_assignsubmission_file_/hand_in.json", ""), "ada muster");
  EXPECT_EQ(student_of("musterada_901_77_hand_in.json", ""), "musterada");
  EXPECT_EQ(student_of("hand_in_ada.json", ""), "hand_in_ada");
  EXPECT_EQ(student_of("_1_x.json", ""), "_1_x");
}

TEST(ClassNames, AreDifferentWordsThatDependOnTheKey) {
  std::set<std::string> students;
  for (int i = 0; i < 2000; ++i) students.insert("student " + std::to_string(i));
  HashKey key{};
  const auto names = pseudonyms_of(students, key);
  std::set<std::string> words;
  for (const auto& [student, word] : names) {
    words.insert(word);
    EXPECT_EQ(word.find_first_not_of("abdefgiklmnoprstuvz"), word.npos) << word;
  }
  EXPECT_EQ(words.size(), students.size());
  EXPECT_EQ(pseudonyms_of(students, key), names);
  key[3] = std::byte{1};
  EXPECT_NE(pseudonyms_of(students, key).begin()->second, names.begin()->second);
}

class ClassCli : public testing::Test {
 protected:
  struct Printed {
    int status = 0;
    std::string out, err;
  };

  void SetUp() override {
    m_folder =
        std::filesystem::temp_directory_path() / ("warplens_class_" + std::to_string(std::random_device{}()));
    std::filesystem::create_directories(m_folder / "class");
  }
  void TearDown() override { std::filesystem::remove_all(m_folder); }

  std::string path(const std::string& name) const { return (m_folder / name).string(); }
  void put(const std::string& file, const std::string& text) {
    std::filesystem::create_directories((m_folder / "class" / file).parent_path());
    ASSERT_TRUE(write_text((m_folder / "class" / file).string(), text));
  }
  // A student who did two steps, guessed one question wrongly, and handed in an answer.
  void put_student(const std::string& file, uint32_t stars, bool wrong, const std::string& name = "") {
    lesson::HandIn hand_in;
    hand_in.challenge = "bounds_check";
    hand_in.source = "// " + file;
    hand_in.name = name;
    hand_in.stars = stars;
    ProgressState progress;
    progress.lessons["who_am_i"] = {course_step(0), course_step(1)};
    progress.lesson_seconds["who_am_i"] = 600;
    progress.challenges["bounds_check"] = {stars, 2, 120, {}};
    if (stars == 0) progress.challenges["bounds_check"].rejected["fault out_of_bounds"] = 3;
    note_answer(progress, "who_am_i", course_step(1), 0, !wrong, wrong ? "3 blocks" : "");
    hand_in.progress = progress_json(progress);
    put(file, lesson::hand_in_text(hand_in));
  }
  static std::string course_step(size_t number) {
    for (const lesson::Folder& folder : lesson::embedded_folders("lessons"))
      if (folder.name == "who_am_i") return lesson::load_lesson(folder).lesson.steps.at(number).id;
    return {};
  }
  Printed run(std::vector<std::string> words) {
    words.insert(words.begin(), {"warplens", "class", path("class")});
    std::vector<const char*> arguments;
    for (const std::string& word : words) arguments.push_back(word.c_str());
    std::ostringstream out, err;
    Cli cli{out, err, [] { return std::unique_ptr<Backend>(); }, {}, {}, 0};
    const int status = run_cli(int(arguments.size()), arguments.data(), cli);
    return {status, out.str(), err.str()};
  }

  std::filesystem::path m_folder;
};

TEST_F(ClassCli, ShowsWhoIsWhereAndWhatIsWrong) {
  put_student("ada.json", 3, false);
  put_student("bob.json", 0, true);
  const Printed shown = run({"--no-judge", "--names"});
  ASSERT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("2 students, 2 hand-ins, 0 answers judged."));
  EXPECT_THAT(shown.out, HasSubstr("1 Who am I? 2/13"));
  EXPECT_THAT(shown.out, HasSubstr("bounds_check 3?"));
  EXPECT_THAT(shown.out, HasSubstr("1 of 2  1 Who am I?, step 2"));
  EXPECT_THAT(shown.out, HasSubstr("3 blocks (1 time)"));
  EXPECT_THAT(shown.out, HasSubstr("fault out_of_bounds (3 times)"));
  EXPECT_THAT(shown.out, HasSubstr("ada"));
}

TEST_F(ClassCli, NamesNobodyUnlessAskedTo) {
  // Made-up names have no h, q, w or x.
  put_student("quex_whim.json", 2, true, "Quex Whim");
  put("xaho_whim.json", "{");
  put("wuqo_whim/answer.json", R"({"other": 1})");
  const Printed first = run({"--no-judge", "--csv", path("class.csv"), "--html", path("class.html")});
  ASSERT_EQ(first.status, 0) << first.err;
  const std::string csv = *read_text(path("class.csv"), 1 << 20),
                    html = *read_text(path("class.html"), 1 << 20);
  for (const std::string& text : {first.out, first.err, csv, html})
    for (const char* name : {"quex", "Quex", "xaho", "wuqo", "whim", "Whim"})
      EXPECT_THAT(text, Not(HasSubstr(name)));
  EXPECT_EQ(run({"--no-judge"}).out, first.out) << "the same student has the same name";
  std::filesystem::remove(m_folder / "class" / ".warplens_class_key");
  EXPECT_NE(run({"--no-judge"}).out, first.out) << "another key gives other names";
  const Printed named = run({"--no-judge", "--names"});
  EXPECT_THAT(named.out, HasSubstr("quex whim"));
  EXPECT_THAT(named.err, HasSubstr("xaho_whim.json: "));
}

TEST_F(ClassCli, TakesSeveralFilesOfAStudentTogether) {
  put_student("ada/first.json", 1, true);
  put_student("ada/second.json", 3, false);
  std::filesystem::copy_file(m_folder / "class" / "ada" / "first.json",
                             m_folder / "class" / "ada" / "third.json");
  const Printed shown = run({"--no-judge", "--names", "--csv", path("class.csv")});
  ASSERT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("1 student, 2 hand-ins"));
  EXPECT_THAT(shown.out, HasSubstr("bounds_check 3?"));
  EXPECT_THAT(shown.err, HasSubstr("ada/third.json: It is the same as another file of this student."));
  const auto table = parse_csv(*read_text(path("class.csv"), 1 << 20), "class.csv");
  ASSERT_TRUE(table);
  ASSERT_EQ(table->rows.size(), 2u);
  EXPECT_EQ(table->rows[0][0], "student");
  EXPECT_EQ(table->rows[1][1], "2");
  EXPECT_EQ(table->rows[1][2], "12") << "of snapshots of the same work the largest counts, not the sum";
}

TEST_F(ClassCli, ReadsFilesOfAnOlderProgram) {
  put("old.json", R"({"warplens_hand_in": 1, "challenge": "bounds_check", "language": "cuda", "name": "",
                      "source": "int a;", "stars": 2, "seconds_spent": 300, "session": {}, "checksum": ""})");
  const Printed shown = run({"--no-judge", "--names"});
  ASSERT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("bounds_check 2?"));
}

TEST_F(ClassCli, SaysEveryFileThatIsNoHandIn) {
  put_student("good.json", 1, false);
  put("empty.json", "");
  put("zeros.json", std::string(100, '\0'));
  put("huge.json", std::string((1 << 20) + 1, ' '));
  put("answer.cu", "int a;");
  put("later.json", R"({"warplens_hand_in": 9, "source": ""})");
  put("damaged.json", R"({"warplens_hand_in": 1, "source": "", "progress": {"lessons": 3}})");
  std::filesystem::create_symlink("/dev/zero", m_folder / "class" / "link.json");
  const Printed shown = run({"--no-judge", "--names"});
  EXPECT_EQ(shown.status, 0);
  for (const char* file : {"empty.json: ", "zeros.json: ", "huge.json: ", "answer.cu: ", "later.json: ",
                           "damaged.json: Its answer counts", "link.json: It is no plain file"})
    EXPECT_THAT(shown.err, HasSubstr(file));
  std::filesystem::remove(m_folder / "class" / "good.json");
  std::filesystem::remove(m_folder / "class" / "damaged.json");
  EXPECT_EQ(run({"--no-judge"}).status, 2) << "there is nothing to show";
}

TEST_F(ClassCli, ThePageHasNoScriptAndItsWordsAreHarmless) {
  put_student("x.json", 0, true, "<script>alert(1)</script>");
  put_student("y.json", 0, true, "=HYPERLINK(1)");
  const Printed shown = run({"--no-judge", "--names", "--html", path("p.html"), "--csv", path("p.csv")});
  ASSERT_EQ(shown.status, 0) << shown.err;
  const std::string html = *read_text(path("p.html"), 1 << 20);
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(html, HasSubstr("@page"));
  EXPECT_THAT(*read_text(path("p.csv"), 1 << 20), HasSubstr("'=hyperlink(1)"));
}

TEST_F(ClassCli, BadUseIsASentence) {
  EXPECT_EQ(run({"--no-judge"}).status, 2) << "an empty folder";
  put_student("a.json", 1, false);
  EXPECT_EQ(run({"--no-judge", "--csv", "/no/such/folder/x.csv"}).status, 2);
  EXPECT_EQ(run({"--challenge", "no_such"}).status, 2);
}

// The judge's verdict takes precedence over the claims of a student's program.
TEST(ClassReportOf, TheJudgesWordCounts) {
  ReadClass read;
  ClassFile file{"a.json", "ada", {}, std::nullopt};
  file.hand_in.challenge = "bounds_check";
  file.hand_in.stars = 3;
  read.files.push_back(file);
  lesson::GradedFile row;
  row.judged.reason = lesson::Reason::mismatch;
  const ClassReport report = class_report("f", read, {}, {{"a.json", row}}, true);
  ASSERT_EQ(report.students.size(), 1u);
  EXPECT_TRUE(report.students[0].stars.at("bounds_check").judged);
  EXPECT_EQ(report.students[0].stars.at("bounds_check").stars, 0u);
  ASSERT_EQ(report.rejections.size(), 1u);
  EXPECT_EQ(report.rejections[0].commonest.front().first, "mismatch");
  row.judged.reason = lesson::Reason::no_compiler;
  EXPECT_EQ(class_report("f", read, {}, {{"a.json", row}}, true).students[0].stars.at("bounds_check").stars,
            3u);
}

}  // namespace THIS_FILE
}  // namespace warplens
