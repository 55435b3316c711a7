#include "app/state/runs/shown_run.h"

#include <algorithm>

#include "app/state/setup/outlook.h"

namespace warplens {

bool is_about_program(const AppState& state) {
  return state.frame.view == View::program && state.program.is_there();
}

bool is_same_kernel(const Choice& a, const Choice& b) {
  if (a.setup.kernel != b.setup.kernel || (a.own == nullptr) != (b.own == nullptr)) return false;
  if (a.own == b.own) return true;
  // Each launch of a recording is a kernel by itself; the text of an own one changes.
  return !a.own->recorded && !b.own->recorded && a.own->path == b.own->path;
}

bool speaks_of_shown_run(const AppState& state) {
  if (!state.runs.result) return false;
  if (state.runs.now.stale_because.empty()) return true;
  if (state.runs.now.wanted == 0 && state.code.wanted == 0) return false;
  const auto shown = std::ranges::find(state.runs.history, state.runs.now.shown, &RunRecord::serial);
  return shown != state.runs.history.end() && is_same_kernel(shown->choice, state.setup.choice());
}

std::string run_before_words(const AppState& state) {
  const RunState& run = state.runs.now;
  if (!state.runs.result || run.stale_because.empty() || run.wanted != 0 || state.code.wanted != 0) return {};
  if (state.setup.kernel && needs_picture(*state.setup.kernel) && !state.setup.launch.image) return {};
  return run.stale_because + ": this is the run before.";
}

}  // namespace warplens
