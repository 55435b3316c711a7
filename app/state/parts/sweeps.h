// Sweeps of the Timing view: when a new one is needed, and its order.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/state/parts/setup.h"

namespace warplens {

struct AppState;
struct Sweep;  // core/job/sweep.h
struct SweepRequest;
enum class SweepKind : uint8_t;

// A sweep of the Timing view, over blocks or over sizes.
struct SweepState {
  std::optional<Choice> of;  // the choice for which it was requested
  uint64_t serial = 0;       // of the order; 0 if never requested
  bool wanted = false;       // requested and not complete
  // The points so far; null if there are none yet. At first those of the sweep before that are still valid.
  std::shared_ptr<const Sweep> result;
  std::string error;
};
using SweepStates = std::array<SweepState, 2>;  // by SweepKind

// Whether the points of one choice's sweep are valid in the other's. Those of a sweep over blocks do not
// depend on the current block, and those of a sweep over sizes do not depend on the current size.
bool same_sweep(SweepKind kind, const Choice& a, const Choice& b);

// Whether no sweep was requested for the current setup yet. A sweep over blocks has the current block in it.
bool sweep_is_due(const AppState& state, SweepKind kind);

SweepRequest sweep_request(const KernelDescription& kernel, const KernelSetup& setup, const Device& device,
                           SweepKind kind);

}  // namespace warplens
