// What copies and kernels of a program would win by going on at the same time: with pinned memory, in several
// streams, in parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/recording/engine.h"
#include "core/recording/recording.h"

namespace warplens::recording {

struct OverlapPart {
  Engine engine = Engine::in;
  double begin_us = 0, end_us = 0;
};

struct Overlap {
  double now_us = 0, then_us = 0;  // of the copies and kernels, from the first begin to the last end
  uint64_t parts = 0;
  bool has_rounds = false;  // the program itself has so many rounds of copies and kernels; else its data is
                            // cut in so many parts
  std::vector<OverlapPart> then;
};

// As if each part were as long as the others and needed nothing of them, and copies took as long as now.
// Empty if the program has several processes or devices, overlaps already, copies the same bytes twice, or
// would win less than a tenth or 50 µs.
std::optional<Overlap> overlap_of(const Recording& recording);
// "If the data can be cut in 4 parts: in several streams, with pinned memory, copies and kernels would
// overlap: 586 µs → 390 µs."
std::string overlap_text(const Overlap& overlap);

}  // namespace warplens::recording
