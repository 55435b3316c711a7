// Sweeps of the Timing view: when a new one is needed, and its order.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/state/setup.h"

namespace warplens {

struct AppState;
struct Sweep;  // core/job/sweep.h
struct SweepRequest;
enum class SweepKind : uint8_t;

// A sweep of the Timing view, over blocks or over sizes.
struct SweepState {
  std::optional<Choice> of;             // the choice for which it was requested
  uint64_t serial = 0;                  // of the order; 0 if never requested
  bool wanted = false;                  // requested and not complete
  std::shared_ptr<const Sweep> result;  // the points so far; null if there are none yet
  std::string error;
};
using SweepStates = std::array<SweepState, 2>;  // by SweepKind

// Whether both choices give the same sweep. A sweep over blocks does not depend on the current block, and a
// sweep over sizes does not depend on the current size.
bool same_sweep(SweepKind kind, const Choice& a, const Choice& b);

// Whether no sweep was requested for the current setup yet.
bool sweep_is_due(const AppState& state, SweepKind kind);

SweepRequest sweep_request(const KernelDescription& kernel, const KernelSetup& setup, const Device& device,
                           SweepKind kind);

}  // namespace warplens
