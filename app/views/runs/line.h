// The shown run beside the one that it is compared with, in a few words.
#pragma once

#include <string>

#include "app/state/state.h"
#include "core/base/source.h"

namespace warplens {

struct RunsLine {
  std::string words;  // "A → B  3.79 → 2.29 µs", "A  3.79 µs"; empty if there is no run
  Source source = Source::modelled;
};

RunsLine runs_line(const AppState& state);

}  // namespace warplens
