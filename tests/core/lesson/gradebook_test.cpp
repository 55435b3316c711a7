#include "core/lesson/judge/gradebook.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/csv.h"
#include "core/base/json/json.h"

namespace warplens::lesson {
namespace THIS_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

GradedFile answer(const char* file, uint32_t stars, const char* name = "") {
  GradedFile row;
  row.file = file;
  row.name = name;
  row.judged.stars = stars;
  if (stars == 0) {
    row.judged.reason = Reason::mismatch;
    row.judged.message = "With n = 1: out[0] is 2, and 1 is right.";
  }
  return row;
}

GradebookOptions options(Gradebook kind) {
  GradebookOptions options;
  options.kind = kind;
  options.title = "Mind the end";
  return options;
}

std::vector<std::vector<std::string>> rows_of(const FilledGradebook& filled) {
  const auto table = parse_csv(filled.text, "filled");
  EXPECT_TRUE(table) << (table ? "" : table.error().message);
  return table ? table->rows : std::vector<std::vector<std::string>>{};
}

const std::string worksheet =
    "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum grade\",\"Grade can be changed\","
    "\"Last modified (grade)\",\"Feedback comments\"\n"
    "\"Participant 41\",\"Ada Muster\",ada@uni.example,Submitted,,100.00,Yes,-,\n"
    "\"Participant 42\",\"=Bad Name\",bob@uni.example,Submitted,12.00,100.00,Yes,-,\"Well tried\"\n"
    "\"Participant 43\",\"Cem Öz\",cem@uni.example,\"No submission\",,100.00,Yes,-,\n";

TEST(MoodleWorksheet, GetsGradesAndKeepsAllElse) {
  const auto filled = fill_gradebook(worksheet, "worksheet.csv",
                                     {answer("Ada Muster_41_assignsubmission_file_/answer.cu", 2),
                                      answer("Bad_42_assignsubmission_file_/a.cu", 0)},
                                     options(Gradebook::moodle));
  ASSERT_TRUE(filled) << filled.error().message;
  EXPECT_THAT(filled->said, IsEmpty());
  EXPECT_EQ(filled->filled, 2u);
  EXPECT_EQ(filled->points, 100);
  EXPECT_EQ(filled->column, "Grade");
  const auto rows = rows_of(*filled);
  EXPECT_THAT(rows[1], ElementsAre("Participant 41", "Ada Muster", "ada@uni.example", "Submitted", "66.67",
                                   "100.00", "Yes", "-", ""));
  EXPECT_THAT(rows[2], ElementsAre("Participant 42", "'=Bad Name", "bob@uni.example", "Submitted", "0",
                                   "100.00", "Yes", "-", "Well tried"));
  EXPECT_EQ(rows[3][4], "") << "who handed nothing in has no grade";
}

TEST(MoodleWorksheet, GetsWhatTheJudgeSaid) {
  const auto filled =
      fill_gradebook(worksheet, "w", {answer("ada@uni.example/a.cu", 0)}, options(Gradebook::moodle));
  ASSERT_TRUE(filled);
  EXPECT_THAT(rows_of(*filled)[1][8], HasSubstr("out[0] is 2"));
}

TEST(MoodleExport, GetsAColumnOfItsOwn) {
  const std::string exported =
      "\"First name\",\"Last name\",\"ID number\",\"Email address\",\"Quiz: One (Real)\"\r\n"
      "Ada,Muster,m-17,ada@uni.example,8.00\r\nBob,Muster,m-18,bob@uni.example,-\r\n";
  const auto filled = fill_gradebook(
      exported, "e", {answer("m-18.cu", 3), answer("musterada_hand_in.json", 1)}, options(Gradebook::moodle));
  ASSERT_TRUE(filled) << filled.error().message;
  const auto rows = rows_of(*filled);
  EXPECT_EQ(rows[0].back(), "Mind the end");
  EXPECT_EQ(rows[1].back(), "1");
  EXPECT_EQ(rows[2].back(), "3");
  EXPECT_EQ(rows[1][4], "8.00");
}

const std::string canvas =
    "Student,ID,SIS User ID,SIS Login ID,Section,Quiz (12),Mind the end (417),Current Score\n"
    ",,,,,,Manual Posting,\n"
    "    Points Possible,,,,,10,6,(read only)\n"
    "\"Muster, Ada\",901,s-1,ada,Group A,7,,70\n"
    "\"Muster, Bob\",902,s-2,bob,\"Group A and Group B\",,,\n"
    "\"Student, Test\",903,,,Group A,,,\n";

TEST(Canvas, GetsItsIdentitiesAndOneColumn) {
  const auto filled =
      fill_gradebook(canvas, "c.csv",
                     {answer("musterada_901_77_answer.cu", 3), answer("musterbob_LATE_902_901_answer.cu", 1)},
                     options(Gradebook::canvas));
  ASSERT_TRUE(filled) << filled.error().message;
  EXPECT_THAT(filled->said, IsEmpty()) << "the second number of a download is of the submission";
  const auto rows = rows_of(*filled);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_THAT(rows[0],
              ElementsAre("Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Mind the end (417)"));
  EXPECT_THAT(rows[1], ElementsAre("    Points Possible", "", "", "", "", "6"));
  EXPECT_THAT(rows[2], ElementsAre("Muster, Ada", "901", "s-1", "ada", "Group A", "6"));
  EXPECT_THAT(rows[3], ElementsAre("Muster, Bob", "902", "s-2", "bob", "Group A and Group B", "2"));
  EXPECT_EQ(rows[4].back(), "");
}

TEST(Canvas, AnAssignmentThatIsNotThereIsAColumnWithItsPoints) {
  GradebookOptions chosen = options(Gradebook::canvas);
  chosen.column = "Kernels";
  chosen.points = 12;
  const auto filled = fill_gradebook(canvas, "c", {answer("x/hand_in.json", 2, "Ada Muster")}, chosen);
  ASSERT_TRUE(filled) << filled.error().message;
  const auto rows = rows_of(*filled);
  EXPECT_EQ(rows[0].back(), "Kernels");
  EXPECT_EQ(rows[1].back(), "12");
  EXPECT_EQ(rows[2].back(), "8");
}

TEST(Canvas, KeepsASemicolon) {
  std::string text = canvas;
  for (const char* field : {"\"Muster, Ada\"", "\"Muster, Bob\"", "\"Student, Test\""})
    text.replace(text.find(field), std::string(field).size(), std::string(field).substr(1, 6));
  std::replace(text.begin(), text.end(), ',', ';');
  const auto filled = fill_gradebook(text, "c", {answer("ada.cu", 3)}, options(Gradebook::canvas));
  ASSERT_TRUE(filled) << filled.error().message;
  EXPECT_THAT(filled->text, HasSubstr("Student;ID;"));
}

TEST(Gradebooks, WhatFitsNobodyOrTwoGivesNoGrade) {
  const auto filled = fill_gradebook(
      canvas, "c.csv",
      {answer("muster.cu", 3), answer("nobody.cu", 3), answer("ada_1.cu", 1), answer("ada_2.cu", 2)},
      options(Gradebook::canvas));
  ASSERT_TRUE(filled);
  EXPECT_EQ(filled->filled, 1u);
  EXPECT_THAT(filled->said, testing::Contains(HasSubstr("nobody.cu: no student in c.csv")));
  EXPECT_THAT(filled->said, testing::Contains("ada_1.cu: ada_2.cu of the same student counts."));
  EXPECT_EQ(rows_of(*filled)[2].back(), "4");
  const std::string twins = "Student,ID,Section\nTwin One,1,A\nTwin One,2,A\n";
  const auto both = fill_gradebook(twins, "t", {answer("twinone/a.cu", 3)}, options(Gradebook::canvas));
  ASSERT_TRUE(both);
  EXPECT_THAT(both->said, ElementsAre(HasSubstr("it may be of 2 students of t")));
}

TEST(Gradebooks, WhatNobodyCouldJudgeGivesNoGrade) {
  GradedFile unknown = answer("ada.cu", 0);
  unknown.judged.reason = Reason::no_compiler;
  const auto filled = fill_gradebook(canvas, "c", {unknown}, options(Gradebook::canvas));
  ASSERT_TRUE(filled);
  EXPECT_EQ(filled->filled, 0u);
  EXPECT_THAT(filled->said, ElementsAre(HasSubstr("could not judge")));
}

TEST(Gradebooks, AColumnOfTheTeachersTellsStudentsApart) {
  GradebookOptions chosen = options(Gradebook::moodle);
  chosen.match = "Matrikel";
  const std::string roster = "Matrikel,Note\n4711,\n4712,\n";
  const auto filled = fill_gradebook(roster, "r", {answer("4712/a.cu", 3)}, chosen);
  ASSERT_TRUE(filled) << filled.error().message;
  EXPECT_THAT(rows_of(*filled)[2], ElementsAre("4712", "", "3"));
  chosen.match = "Name";
  EXPECT_THAT(fill_gradebook(roster, "r", {}, chosen).error().message, HasSubstr("It has: Matrikel, Note"));
}

TEST(Gradebooks, OtherFilesAreErrors) {
  for (const auto& [text, words] :
       {std::pair<std::string, const char*>{"", "no row of a student"},
        {"a,b\n1,2\n", "no gradebook of Canvas"},
        {"\"a,b\n1,2\n", "never closed"},
        {"Student,ID,Section,Mind the end (4)\n    Points Possible,,,(read only)\nA B,1,X,\n",
         "read only"}}) {
    const auto filled = fill_gradebook(text, "c.csv", {}, options(Gradebook::canvas));
    ASSERT_FALSE(filled) << text;
    EXPECT_THAT(filled.error().message, HasSubstr(words));
  }
  EXPECT_THAT(fill_gradebook("a,b\n1,2\n", "m", {}, options(Gradebook::moodle)).error().message,
              HasSubstr("--match"));
}

// ---- Gradescope

Challenge with_stars() {
  Challenge challenge;
  challenge.name = "bounds_check";
  challenge.title = "Mind the end";
  challenge.two = challenge.three = {Condition{}};
  return challenge;
}

TEST(Gradescope, HasATestForEachStar) {
  GradedFile file = answer("answer.cu", 2);
  file.judged.cases = 9;
  file.judged.goals = {{2, "", "", true, "at most 5 sectors", {}},
                       {3, "", "Too many.", false, "at most 2 sectors", {}}};
  const auto text = gradescope_results({answer("old.cu", 0), file}, with_stars());
  ASSERT_TRUE(text) << text.error().message;
  const Json json = Json::parse(*text);
  ASSERT_EQ(json["tests"].size(), 3u);
  EXPECT_EQ(json["tests"][0]["score"], 1);
  EXPECT_EQ(json["tests"][1]["status"], "passed");
  EXPECT_EQ(json["tests"][2]["status"], "failed");
  EXPECT_EQ(json["tests"][2]["max_score"], 1);
  EXPECT_THAT(json["tests"][2]["output"].get<std::string>(), HasSubstr("at most 2 sectors. Too many."));
  EXPECT_THAT(json["output"].get<std::string>(), HasSubstr("The best of 2 files counts."));
  EXPECT_EQ(json["extra_data"]["stars"], 2);
  for (const auto& test : json["tests"])
    for (const char* key : {"name", "score", "max_score", "status", "output", "output_format", "visibility"})
      EXPECT_TRUE(test.contains(key)) << key;
}

TEST(Gradescope, AWrongAnswerSaysWhy) {
  const Json json = Json::parse(*gradescope_results({answer("a.cu", 0)}, with_stars()));
  EXPECT_EQ(json["tests"][0]["score"], 0);
  EXPECT_THAT(json["tests"][0]["output"].get<std::string>(), HasSubstr("out[0] is 2"));
  EXPECT_EQ(json["extra_data"]["reason"], "mismatch");
  Challenge plain;
  EXPECT_EQ(Json::parse(*gradescope_results({answer("a.cu", 1)}, plain))["tests"].size(), 1u);
}

TEST(Gradescope, WhatCouldNotBeJudgedIsNoResult) {
  GradedFile unknown = answer("a.cu", 0);
  unknown.judged.reason = Reason::no_compiler;
  EXPECT_EQ(gradescope_results({unknown}, with_stars()).error().kind, ErrorKind::missing);
  EXPECT_FALSE(gradescope_results({}, with_stars()));
  EXPECT_TRUE(gradescope_results({unknown, answer("b.cu", 1)}, with_stars()));
}

}  // namespace THIS_FILE
}  // namespace warplens::lesson
