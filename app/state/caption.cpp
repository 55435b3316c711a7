#include "app/state/caption.h"

#include <fmt/format.h>

#include "core/report/caption.h"
#include "warplens_config.h"

namespace warplens {

std::string caption_of(const AppState& state) {
  std::string words;
  if (state.frame.view == View::program && state.program.opened) {
    const recording::Recording& recording = state.program.opened->recording;
    words = fmt::format("{} · {} · times {}", state.program.opened->name,
                        recording.device_name.empty() ? recording.device : recording.device_name,
                        to_string(recording.times()));
  } else if (state.runs.result) {
    words = caption_of(state.setup.kernel ? state.setup.kernel->title : state.runs.result->entry,
                       *state.runs.result);
  } else if (state.setup.kernel) {
    words = state.setup.kernel->title + " · not run yet";
  }
  return words + (words.empty() ? "" : " · ") + "WarpLens " + std::string(config::version);
}

}  // namespace warplens
