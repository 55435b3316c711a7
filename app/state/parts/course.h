// The lessons and challenges of the program, as lists show them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/state/parts/progress.h"

namespace warplens {

struct CourseLesson {
  std::string name;  // of its folder
  uint32_t number = 0, minutes = 0;
  std::string title, about;
  std::string language = "en";     // that these and the lesson are in
  std::vector<std::string> after;  // names of lessons that should come first
  std::vector<std::string> steps;  // their ids
};

struct CourseChallenge {
  std::string name, title, about, language = "en";
  uint32_t number = 0, level = 1;
};

// Read once for each language; by their numbers. Those that cannot be read are left out. Title and `about`
// are in the language where there is a translation; empty for the lesson's own.
const std::vector<CourseLesson>& course_lessons(std::string_view language = {});
const std::vector<CourseChallenge>& course_challenges(std::string_view language = {});

// How many of the lesson's steps are done. Steps that it no longer has do not count.
size_t steps_done(const ProgressState& progress, const CourseLesson& lesson);
// The lesson that comes next: the one that was begun, or else the first that is not done. Null if all are
// done.
const CourseLesson* next_lesson(const ProgressState& progress);

// The challenge after this one; null after the last.
const CourseChallenge* challenge_after(const std::string& name, std::string_view language = {});

}  // namespace warplens
