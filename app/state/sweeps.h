// Sweeps of the Timing view: when one must be made anew, and what is asked for then.
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
  std::optional<Choice> of;             // what it was asked for
  uint64_t serial = 0;                  // of the order; 0: never asked for
  bool wanted = false;                  // asked for and not complete
  std::shared_ptr<const Sweep> result;  // as far as it has come; null: nothing yet
  std::string error;
};
using SweepStates = std::array<SweepState, 2>;  // by SweepKind

// Would both choices give the same sweep? A sweep over blocks does not depend on today's block, one over
// sizes not on today's size.
bool same_sweep(SweepKind kind, const Choice& a, const Choice& b);

// Nothing was asked for that belongs to today's setup.
bool sweep_is_due(const AppState& state, SweepKind kind);

SweepRequest sweep_request(const KernelDescription& kernel, const KernelSetup& setup, const Device& device,
                           SweepKind kind);

}  // namespace warplens
