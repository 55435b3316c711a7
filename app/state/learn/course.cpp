#include "app/state/parts/course.h"

#include <algorithm>
#include <map>

#include "core/lesson/format/challenge.h"
#include "core/lesson/format/lesson.h"

namespace warplens {
namespace {

// The text of lesson.de.md. Null if the folder has none.
const std::string* translation_in(const lesson::Folder& folder, const std::string& stem,
                                  const std::string& language) {
  const auto text = folder.files.find(stem + "." + language + ".md");
  return text == folder.files.end() ? nullptr : &text->second;
}

template <class Words>
void put_words(std::string& title, std::string& about, const Words& words) {
  if (!words.title.empty()) title = words.title;
  if (!words.about.empty()) about = words.about;
}

std::vector<CourseLesson> read_course(const std::string& language) {
  std::vector<CourseLesson> course;
  for (const lesson::Folder& folder : lesson::embedded_folders("lessons")) {
    const auto text = folder.files.find("lesson.md");
    if (text == folder.files.end()) continue;
    const lesson::Lesson lesson = lesson::parse_lesson(text->second, "lesson.md").lesson;
    if (lesson.title.empty()) continue;
    CourseLesson one;
    one.name = folder.name;
    one.number = lesson.number;
    one.minutes = lesson.minutes;
    one.title = lesson.title;
    one.about = lesson.about;
    one.after = lesson.after;
    for (const lesson::LessonStep& step : lesson.steps) one.steps.push_back(step.id);
    if (const std::string* words = translation_in(folder, "lesson", language)) {
      one.language = language;
      put_words(one.title, one.about, lesson::parse_lesson(*words, "lesson." + language + ".md").lesson);
    }
    course.push_back(std::move(one));
  }
  std::ranges::stable_sort(course, {}, &CourseLesson::number);
  return course;
}

std::vector<CourseChallenge> read_ladder(const std::string& language) {
  std::vector<CourseChallenge> ladder;
  for (const lesson::Folder& folder : lesson::embedded_folders("challenges")) {
    const auto text = folder.files.find("challenge.md");
    if (text == folder.files.end()) continue;
    const lesson::Challenge challenge = lesson::parse_challenge(text->second, "challenge.md").challenge;
    if (challenge.title.empty()) continue;
    CourseChallenge& one = ladder.emplace_back();
    one.name = folder.name;
    one.title = challenge.title;
    one.about = challenge.about;
    one.number = challenge.number;
    one.level = challenge.level;
    if (const std::string* words = translation_in(folder, "challenge", language)) {
      one.language = language;
      put_words(one.title, one.about,
                lesson::parse_challenge(*words, "challenge." + language + ".md").challenge);
    }
  }
  std::ranges::stable_sort(ladder, [](const CourseChallenge& a, const CourseChallenge& b) {
    return a.level != b.level ? a.level < b.level : a.number < b.number;
  });
  return ladder;
}

}  // namespace

// Lists that were handed out stay where they are.
const std::vector<CourseLesson>& course_lessons(std::string_view language) {
  static std::map<std::string, std::vector<CourseLesson>, std::less<>> courses;
  const auto known = courses.find(language);
  if (known != courses.end()) return known->second;
  return courses[std::string(language)] = read_course(std::string(language));
}

const std::vector<CourseChallenge>& course_challenges(std::string_view language) {
  static std::map<std::string, std::vector<CourseChallenge>, std::less<>> ladders;
  const auto known = ladders.find(language);
  if (known != ladders.end()) return known->second;
  return ladders[std::string(language)] = read_ladder(std::string(language));
}

size_t steps_done(const ProgressState& progress, const CourseLesson& lesson) {
  const auto found = progress.lessons.find(lesson.name);
  if (found == progress.lessons.end()) return 0;
  return static_cast<size_t>(
      std::ranges::count_if(lesson.steps, [&](const std::string& id) { return found->second.contains(id); }));
}

const CourseLesson* next_lesson(const ProgressState& progress) {
  const CourseLesson* first = nullptr;
  for (const CourseLesson& lesson : course_lessons()) {
    const size_t done = steps_done(progress, lesson);
    if (done == lesson.steps.size()) continue;
    if (done > 0) return &lesson;
    if (first == nullptr) first = &lesson;
  }
  return first;
}

const CourseChallenge* challenge_after(const std::string& name, std::string_view language) {
  const std::vector<CourseChallenge>& all = course_challenges(language);
  const auto at = std::ranges::find(all, name, &CourseChallenge::name);
  return at == all.end() || at + 1 == all.end() ? nullptr : &*(at + 1);
}

}  // namespace warplens
