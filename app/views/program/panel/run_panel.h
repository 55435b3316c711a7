// The part of the Program view that asks about a program of the user's, and says how it goes and how it
// ended.
#pragma once

#include <string>

#include "app/widgets/panel.h"
#include "core/recording/launch_source.h"

namespace warplens {

struct RunPanelState {
  std::string arguments;         // while they are typed
  uint64_t seen_end = 0;         // ProgramRun::serial whose end was seen
  bool shows_output = true;      // of a program that has ended
  bool lacks_wait = false;       // a missing wait was found in it
  recording::SourceText source;  // of a program that was not compiled, as it was when its end was seen
};

// The program's last lines. The newest line is in sight, unless the user has scrolled up.
void draw_output(const ProgramRun& run, float height);

void draw_program_run(const AppState& state, RunPanelState& own, Actions& actions);

}  // namespace warplens
