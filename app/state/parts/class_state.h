// The class whose hand-ins are shown (docs/classroom.md), and the class that the window of a projector
// follows (warplens --class LINK).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warplens {

struct ClassReport;  // app/classroom

struct ClassState {
  std::string folder;                         // empty if none was opened
  std::shared_ptr<const ClassReport> report;  // null until it is read
  std::string error;                          // why there is none, or why its answers were not judged
  bool names = false;                         // real names are shown, not made-up ones
  bool judged = false;
  bool working = false;
};

struct ClassAnswer {
  std::string text;  // "B" of a choice, "157 blocks"; "right" if it is right
  bool right = false;
  uint32_t count = 0;  // students who gave it
};

// One state of the class.
struct ClassNews {
  std::string name;
  uint32_t students = 0;
  std::string lesson = {}, step = {};  // where the teacher sends everybody; empty for nowhere
  bool reveal = false;                 // the answers of that step are shown
  // The last questions that were answered, as "who_am_i/tail/1": the most common answer first.
  std::map<std::string, std::vector<ClassAnswer>> answers = {};
};

// The class that is followed.
struct FollowedClass {
  std::shared_ptr<const ClassNews> news;  // null until the server has told
  std::string problem;                    // why nothing comes; empty if all is well
};

struct AppState;

// What the class answered to a question of the step that is shown. Null if nothing.
const std::vector<ClassAnswer>* answers_of_class(const AppState& state, size_t question);

}  // namespace warplens
