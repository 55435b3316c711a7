// The time of the shown run, compared with the run before or the pinned one, in a few words.
#pragma once

#include <string>

#include "app/state/state.h"
#include "core/base/provenance.h"

namespace warplens {

struct RunsLine {
  std::string words;  // "3.79 → 2.29 µs (−40 %)", "3.79 µs"; empty if there is no run
  std::string brief;  // "2.29 µs": for little room
  std::string hover;  // which runs these are
  Provenance source = Provenance::modelled;
};

RunsLine runs_line(const AppState& state);

}  // namespace warplens
