#include "app/state/course.h"

#include <algorithm>

#include "core/lesson/challenge.h"
#include "core/lesson/lesson.h"

namespace warplens {
namespace {

std::vector<CourseLesson> read_course() {
  std::vector<CourseLesson> course;
  for (const lesson::Folder& folder : lesson::embedded_folders("lessons")) {
    const auto text = folder.files.find("lesson.md");
    if (text == folder.files.end()) continue;
    const lesson::Lesson lesson = lesson::parse_lesson(text->second, "lesson.md").lesson;
    if (lesson.title.empty()) continue;
    CourseLesson one{folder.name, lesson.number, lesson.minutes, lesson.title, lesson.about, lesson.after,
                     {}};
    for (const lesson::LessonStep& step : lesson.steps) one.steps.push_back(step.id);
    course.push_back(std::move(one));
  }
  std::ranges::stable_sort(course, {}, &CourseLesson::number);
  return course;
}

std::vector<CourseChallenge> read_ladder() {
  std::vector<CourseChallenge> ladder;
  for (const lesson::Folder& folder : lesson::embedded_folders("challenges")) {
    const auto text = folder.files.find("challenge.md");
    if (text == folder.files.end()) continue;
    const lesson::Challenge challenge = lesson::parse_challenge(text->second, "challenge.md").challenge;
    if (challenge.title.empty()) continue;
    ladder.push_back({folder.name, challenge.title, challenge.about, challenge.number, challenge.level});
  }
  std::ranges::stable_sort(ladder, [](const CourseChallenge& a, const CourseChallenge& b) {
    return a.level != b.level ? a.level < b.level : a.number < b.number;
  });
  return ladder;
}

}  // namespace

const std::vector<CourseLesson>& course_lessons() {
  static const std::vector<CourseLesson> course = read_course();
  return course;
}

const std::vector<CourseChallenge>& course_challenges() {
  static const std::vector<CourseChallenge> ladder = read_ladder();
  return ladder;
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

const CourseChallenge* challenge_after(const std::string& name) {
  const std::vector<CourseChallenge>& all = course_challenges();
  const auto at = std::ranges::find(all, name, &CourseChallenge::name);
  return at == all.end() || at + 1 == all.end() ? nullptr : &*(at + 1);
}

}  // namespace warplens
