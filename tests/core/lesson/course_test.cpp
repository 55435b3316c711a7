// The lessons of the program: that they are read without a mistake, and are what a lesson should be.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/compile/compiler.h"
#include "core/image/image.h"
#include "core/lesson/format/lesson.h"
#include "core/lesson/format/texts.h"
#include "core/lesson/play/answers.h"
#include "core/lesson/play/play.h"

namespace warplens::lesson {
namespace THIS_FILE {

std::string text_of(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics)
    text += d.file + ":" + std::to_string(d.line) + ": " + d.message + "\n";
  return text;
}

std::vector<Lesson> course() {
  std::vector<Lesson> lessons;
  for (const Folder& folder : embedded_folders("lessons")) {
    LoadedLesson read = load_lesson(folder);
    EXPECT_EQ(text_of(read.diagnostics), "") << folder.name;
    lessons.push_back(std::move(read.lesson));
  }
  std::ranges::sort(lessons, {}, &Lesson::number);
  return lessons;
}

TEST(Course, HasItsLessonsInOrder) {
  const std::vector<Lesson> lessons = course();
  const std::pair<uint32_t, const char*> wanted[] = {{1, "who_am_i"},
                                                     {2, "planes"},
                                                     {3, "there_and_back"},
                                                     {4, "thirty_two"},
                                                     {5, "sectors"},
                                                     {6, "sharing"},
                                                     {7, "occupancy"},
                                                     {8, "sums"},
                                                     {9, "rows_times_columns"},
                                                     {10, "more_than_fits"},
                                                     {11, "by_chance"},
                                                     {12, "what_is_wrong"},
                                                     {13, "neighbours"},
                                                     {14, "everything_before_me"},
                                                     {15, "two_things_at_once"},
                                                     {16, "waiting_well"}};
  ASSERT_EQ(lessons.size(), std::size(wanted));
  for (size_t i = 0; i < lessons.size(); ++i) {
    const auto [number, name] = wanted[i];
    EXPECT_EQ(lessons[i].number, number);
    EXPECT_EQ(lessons[i].name, name);
    EXPECT_GE(lessons[i].minutes, 20u) << name;
    EXPECT_LE(lessons[i].minutes, 45u) << name;
  }
}

TEST(Course, LessonsComeAfterLessonsThatAreThere) {
  const std::vector<Lesson> lessons = course();
  for (const Lesson& lesson : lessons)
    for (const std::string& before : lesson.after) {
      const auto found = std::ranges::find(lessons, before, &Lesson::name);
      ASSERT_NE(found, lessons.end()) << lesson.name << " comes after " << before;
      EXPECT_LT(found->number, lesson.number) << lesson.name;
    }
}

TEST(Course, EachLessonAsksInSeveralWays) {
  for (const Lesson& lesson : course()) {
    EXPECT_GE(lesson.steps.size(), 8u) << lesson.name;
    EXPECT_LE(lesson.steps.size(), 14u) << lesson.name;
    std::set<QuestionKind> kinds;
    size_t questions = 0, predictions = 0, views = 0, tasks = 0;
    std::set<std::string> shown;
    for (const LessonStep& step : lesson.steps) {
      questions += step.questions.size();
      if (step.show.view) shown.insert(*step.show.view);
      if (!step.done.empty()) ++tasks;
      for (const Question& question : step.questions) {
        kinds.insert(question.kind);
        if (question.predict) ++predictions;
      }
    }
    views = shown.size();
    EXPECT_GE(questions, 10u) << lesson.name;
    EXPECT_GE(kinds.size(), 4u) << lesson.name;
    EXPECT_GE(predictions, 2u) << lesson.name;
    EXPECT_GE(views, 2u) << lesson.name;
    EXPECT_GE(tasks, 1u) << lesson.name;
  }
}

TEST(Course, EachStepHelpsAndExplains) {
  for (const Lesson& lesson : course())
    for (const LessonStep& step : lesson.steps) {
      EXPECT_FALSE(step.hints.empty()) << lesson.name << " " << step.id;
      EXPECT_FALSE(step.then.empty()) << lesson.name << " " << step.id;
      EXPECT_FALSE(step.notes.empty()) << lesson.name << " " << step.id;
      EXPECT_LT(step.text.text.size(), 700u) << lesson.name << " " << step.id << ": too long for the strip";
    }
}

// Every step once rightly and once wrongly, as `warplens lessons check` does.
TEST(Course, EachLessonCanBePlayed) {
  if (!compiler_version()) GTEST_SKIP() << "no compiler for the lessons' own kernels";
  if (sample_photos().empty()) GTEST_SKIP() << "no photographs: tools/setup brings them";
  for (const Folder& folder : embedded_folders("lessons")) {
    if (has_programs(load_lesson(folder).lesson)) continue;  // tests/tools/program_lessons_test.py plays it
    EXPECT_EQ(text_of(play_lesson(folder, load_lesson(folder).lesson)), "") << folder.name;
    for (const std::string& language : languages_in(folder, "lesson"))
      EXPECT_EQ(text_of(play_lesson(folder, load_lesson(folder, language).lesson)), "") << folder.name;
  }
}

// The text of an empty field, and the message for a text that is no answer.
TEST(Course, NoFieldTellsAnAnswer) {
  size_t clicks = 0;
  for (const Lesson& lesson : course())
    for (const LessonStep& step : lesson.steps)
      for (const Question& question : step.questions) {
        for (const std::string& text :
             {std::string("?"), std::string("or write it"), click_form(question.what)}) {
          const Result<Answer> answer = answer_in(text, question);
          const bool boxes = answer && std::holds_alternative<FormulaAnswer>(*answer);
          EXPECT_TRUE(!answer || boxes) << lesson.name << " " << step.id << ": " << text;
        }
        if (question.kind != QuestionKind::click) continue;
        ++clicks;
        const Result<Answer> none = answer_in("somewhere", question);
        ASSERT_FALSE(none);
        EXPECT_EQ(none.error().message.find_first_of("0123456789"), std::string::npos)
            << lesson.name << " " << step.id << ": " << none.error().message;
      }
  EXPECT_GT(clicks, 5u);
}

TEST(Course, EveryFileOfAFolderIsUsed) {
  for (const Folder& folder : embedded_folders("lessons")) {
    const std::string& text = folder.files.at("lesson.md");
    for (const auto& [name, bytes] : folder.files)
      EXPECT_TRUE(name.ends_with(".md") || text.find(": " + name + "\n") != text.npos)
          << folder.name << "/" << name << " is not named in lesson.md";
  }
}

// The values that the courses print are asked or shown, by an expression of the run.
TEST(Course, TheCoursesValuesAreInIt) {
  const std::map<std::string, std::vector<std::string>> wanted = {
      {"planes", {"{{1 * launch.block.x}}", "= 0.587", "= 0.299", "= 0.114"}},
      {"there_and_back", {"{{out[0]}} {{out[1]}} {{out[2]}} {{out[3]}}"}},
      {"thirty_two", {"{{out[n]}}"}},
      {"occupancy", {"warning.low_occupancy_grid == 0", "{{sum(out)}}"}}};
  for (const Folder& folder : embedded_folders("lessons")) {
    const auto values = wanted.find(folder.name);
    if (values == wanted.end()) continue;
    for (const std::string& value : values->second)
      EXPECT_NE(folder.files.at("lesson.md").find(value), std::string::npos) << folder.name << ": " << value;
  }
}

// No text was forgotten: each is another one than in English.
TEST(Course, TheFirstLessonsAreThereInGerman) {
  std::set<uint32_t> numbers;
  for (const Folder& folder : embedded_folders("lessons")) {
    if (!folder.files.contains("lesson.de.md")) continue;
    const LoadedLesson english = load_lesson(folder), german = load_lesson(folder, "de");
    numbers.insert(english.lesson.number);
    EXPECT_EQ(text_of(german.diagnostics), "");
    ASSERT_EQ(german.lesson.steps.size(), english.lesson.steps.size());
    EXPECT_EQ(german.lesson.language, "de");
    EXPECT_NE(german.lesson.about, english.lesson.about);
    for (size_t i = 0; i < german.lesson.steps.size(); ++i) {
      const LessonStep& here = german.lesson.steps[i];
      const LessonStep& there = english.lesson.steps[i];
      EXPECT_TRUE(here.title.text != there.title.text || here.title.text == "Warp 1") << here.id;
      EXPECT_NE(here.text.text, there.text.text) << here.id;
      EXPECT_NE(here.then.text, there.then.text) << here.id;
      EXPECT_NE(here.notes.text, there.notes.text) << here.id;
      for (size_t h = 0; h < here.hints.size() && h < there.hints.size(); ++h)
        EXPECT_TRUE(here.hints[h].text != there.hints[h].text || here.hints[h].text.starts_with('`') ||
                    here.hints[h].text.starts_with("32, 64"))
            << here.id;
      for (size_t q = 0; q < here.questions.size(); ++q)
        EXPECT_NE(here.questions[q].text.text, there.questions[q].text.text) << here.id;
      for (size_t d = 0; d < here.done.size(); ++d)
        EXPECT_TRUE(here.done[d].otherwise.text != there.done[d].otherwise.text ||
                    there.done[d].otherwise.empty())
            << here.id;
    }
  }
  EXPECT_EQ(numbers, (std::set<uint32_t>{1, 2, 3, 4}));
}

// A fact is shown together with its derivation, in words for a student and not for a parser.
TEST(CourseTexts, FormulasAreWords) {
  for (const Folder& folder : embedded_folders("lessons"))
    for (const LessonStep& step : load_lesson(folder).lesson.steps)
      for (const Question& question : step.questions) {
        if (question.kind != QuestionKind::number && question.kind != QuestionKind::marker) continue;
        std::string formula = question.shows.empty() ? question.right.text : question.shows.text;
        for (size_t at = formula.find("{{"); at != formula.npos; at = formula.find("{{"))
          formula.erase(at, formula.find("}}", at) + 2 - at);
        for (const char* group :
             {"counters.", "launch.", "occupancy.", "limit.", "time.", "baseline.", "resources."})
          EXPECT_EQ(formula.find(group), formula.npos)
              << folder.name << ", line " << question.line << ": write what it shows";
      }
}

}  // namespace THIS_FILE
}  // namespace warplens::lesson
