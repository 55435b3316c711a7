// Everything that the window shows, as plain values. Panels read it; only update() (update.h) changes it.
// Each part has a header of its own, and a file beside it with the effects of its actions.
#pragma once

#include <string_view>

#include "app/state/author.h"
#include "app/state/challenge.h"
#include "app/state/class_state.h"
#include "app/state/code.h"
#include "app/state/effects.h"
#include "app/state/files.h"
#include "app/state/frame.h"
#include "app/state/lesson.h"
#include "app/state/live.h"
#include "app/state/predict.h"
#include "app/state/problems.h"
#include "app/state/program.h"
#include "app/state/progress.h"
#include "app/state/runs.h"
#include "app/state/selection.h"
#include "app/state/setup.h"
#include "app/state/step.h"
#include "app/state/sweeps.h"

namespace warplens {

struct AppState {
  // What to run.
  SetupState setup;
  UndoState undo;
  CodeState code;

  // The results.
  RunsState runs;
  FootprintState footprint;
  SweepStates sweeps;
  ProblemsState problems;

  // What is looked at.
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

  uint64_t revision = 0;  // counts changes, so that a drawing can be reused until the next one
  Effects effects;        // not performed yet
};

// A real GPU of this machine, or a virtual one. Null if none has this id.
const Device* device_by_id(const AppState& state, std::string_view id);

}  // namespace warplens
