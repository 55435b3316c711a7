// The shown run compared with its baseline, in a few words.
#pragma once

#include <string>

#include "app/state/state.h"
#include "core/base/provenance.h"

namespace warplens {

struct RunsLine {
  std::string words;  // "A → B  3.79 → 2.29 µs", "A  3.79 µs"; empty if there is no run
  Provenance source = Provenance::modelled;
};

RunsLine runs_line(const AppState& state);

}  // namespace warplens
