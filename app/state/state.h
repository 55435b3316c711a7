// Everything that the window shows, as plain values. Panels read it; only update() (update.h) changes it.
// Each part has a header of its own, and the effects of its actions are in a file next to it.
#pragma once

#include <string_view>

#include "app/state/parts/author.h"
#include "app/state/parts/challenge.h"
#include "app/state/parts/class_state.h"
#include "app/state/parts/code.h"
#include "app/state/parts/drafts.h"
#include "app/state/parts/effects.h"
#include "app/state/parts/files.h"
#include "app/state/parts/frame.h"
#include "app/state/parts/lesson.h"
#include "app/state/parts/live.h"
#include "app/state/parts/predict.h"
#include "app/state/parts/problems.h"
#include "app/state/parts/program.h"
#include "app/state/parts/progress.h"
#include "app/state/parts/runs.h"
#include "app/state/parts/selection.h"
#include "app/state/parts/setup.h"
#include "app/state/parts/step.h"
#include "app/state/parts/sweeps.h"

namespace warplens {

struct AppState {
  // What to run.
  SetupState setup;
  UndoState undo;
  CodeState code;
  DraftsState drafts;

  // The results.
  RunsState runs;
  FootprintState footprint;
  SweepStates sweeps;
  ProblemsState problems;

  // What is shown.
  Selection selection;
  LiveState live;
  StepState step;
  FrameState frame;
  FilesState files;
  ProgramState program;

  // What is learned.
  LessonState lesson;
  ChallengeState challenge;
  PredictState predict;
  ProgressState progress;
  AuthorState author;
  ClassState classroom;
  FollowedClass followed;

  uint64_t revision = 0;  // counts changes, so that a drawing can be reused until the next one
  Effects effects;        // not performed yet
};

// A real GPU of this machine, or a virtual one. Null if none has this id.
const Device* device_by_id(const AppState& state, std::string_view id);

}  // namespace warplens
