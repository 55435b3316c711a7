// The progress of the run, as a part of the line at the bottom: what the worker does (with Cancel), or how
// the shown run ended. Where there is no room for words, a dot is left; the hover text says it all.
#pragma once

#include <string>

#include "app/widgets/panel.h"

namespace warplens {

struct RunStatusView {
  enum class Mood : uint8_t { rests, works, good, warns, bad };
  Mood mood = Mood::rests;
  std::string words;     // "equals the CPU reference", "running · 40 %", "Block changed: not run yet"
  std::string hover;     // the device, and "3 runs · 18.2 ms on this machine · equals the CPU reference"
  bool cancels = false;  // with a bar of how far it is, and a button that ends it
};
RunStatusView run_status(const AppState& state);

// The width in pixels. Words are left out if they take more than `room`.
float run_status_width(const RunStatusView& status, float room);
void draw_run_status(const AppState& state, const RunStatusView& status, float room, Actions& actions);

}  // namespace warplens
