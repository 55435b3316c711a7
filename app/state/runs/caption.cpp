#include "app/state/runs/caption.h"

#include <fmt/format.h>

#include "core/job/report/caption.h"
#include "warplens_config.h"

namespace warplens {

std::string caption_of(const AppState& state) {
  std::string words;
  if (state.frame.view == View::program && state.program.shown_program() != nullptr) {
    const recording::Recording& recording = state.program.shown_program()->recording;
    words = fmt::format("{} · {} · times {}", state.program.shown_program()->name,
                        recording.device_name.empty() ? recording.device : recording.device_name,
                        to_string(recording.times()));
  } else if (state.runs.result) {
    // While another kernel's first run is awaited, what is shown is the one before.
    const RunResult& result = *state.runs.result;
    const bool is_current =
        state.setup.kernel != nullptr && result.request && result.request->kernel == state.setup.kernel->name;
    words = caption_of(is_current ? state.setup.kernel->title : result.entry, result);
  } else if (state.setup.kernel) {
    words = state.setup.kernel->title + " · not run yet";
  }
  return words + (words.empty() ? "" : " · ") + "WarpLens " + std::string(config::version);
}

}  // namespace warplens
