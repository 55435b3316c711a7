// A lesson with the window's workers, but without a window.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/state/parts/course.h"
#include "tests/app/driven_state.h"

namespace warplens {

class Classroom : public DrivenState {
 public:
  Classroom() { state.files.samples = sample_photos(); }
  // Runs until nothing is left to run, compile, load or step.
  bool settle() {
    int quiet = 0;
    return until(
        [&] {
          const bool waits = state.runs.now.wanted != 0 || state.code.wanted != 0 || queue_is_busy() ||
                             state.lesson.phase != ShowPhase::step || state.step.moving;
          quiet = waits ? 0 : quiet + 1;
          return quiet > 3;
        },
        std::chrono::seconds(120));
  }
};

inline std::vector<std::string> course_names() {
  std::vector<std::string> all;
  for (const CourseLesson& lesson : course_lessons()) all.push_back(lesson.name);
  return all;
}

}  // namespace warplens
