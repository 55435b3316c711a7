// What was typed and answered and is in no file of the user's: code by kernel, answers by lesson. The window
// keeps it on disk (app/worker/keeper.h), and it is there again at the next start.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "app/state/parts/code.h"
#include "app/state/parts/program_source.h"
#include "core/image/image.h"
#include "core/job/files/session_file.h"
#include "core/lesson/play/player.h"

namespace warplens {

// What is open of the course, by the names of the folder and of the step; empty if nothing is.
struct CoursePlace {
  std::string lesson, step, challenge;
};

// The student's settings in a step when it was left.
struct LeftStep {
  Session session;                               // all but the picture
  std::shared_ptr<const Image> image = nullptr;  // which may be in no file
};

struct LessonDraft {
  struct Step {
    lesson::StepProgress progress;
    std::shared_ptr<const LeftStep> left;  // null if the step was not left yet
  };
  std::string at;                     // id of the step that was open
  std::map<std::string, Step> steps;  // by id; those in which something was done
};

struct OfferedPlace;

struct DraftsState {
  std::map<std::string, CodeState> codes;        // by path, or by name while there is no file
  std::map<std::string, std::string> earlier;    // by the same key: the text that Reset took away
  std::map<std::string, ProgramDraft> programs;  // of the user, by path
  std::map<std::string, LessonDraft> lessons;    // by name, or by path for a folder of the user's own
  std::shared_ptr<const OfferedPlace> offered;   // null if there is nothing to continue
};

// Where the user was in an earlier window, or is in another one that is open now.
struct OfferedPlace {
  CoursePlace place;
  Session session;
  DraftsState drafts;            // what was kept there
  bool in_other_window = false;  // it is open: the user is asked before any of it is taken
  bool ended_well = true;        // it was closed, and did not crash

  // "lesson 3, step 5"; empty if nothing is open there that one would go on with.
  std::string words() const;
};

}  // namespace warplens
