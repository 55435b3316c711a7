// What is pointed at and held, and what is known of the block in it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/base/dim3.h"
#include "core/launch/footprint.h"

namespace warplens {

// One element of one buffer of the shown request. A pixel's index counts channels too, as the buffer does.
struct ElementPick {
  uint32_t buffer = 0;  // in LaunchRequest::buffers
  uint64_t index = 0;
  bool operator==(const ElementPick&) const = default;
};

// What the pointer is over, or what a click has pinned. A view fills in what it knows: a thread comes with
// its block, an element with the block and thread that wrote it where a writer map says so.
struct Pick {
  std::optional<Dim3> block;
  std::optional<Dim3> thread;
  std::optional<ElementPick> element;
  uint32_t line = 0;  // of the kernel source; 0: none
  bool operator==(const Pick&) const = default;
  bool empty() const { return !block && !thread && !element && line == 0; }
};

// Shared by all views: pointing at a thing in one highlights it in every other.
struct Selection {
  Pick hover, pinned;
  // What the inspector shows and the footprint is replayed for: the pinned thing first, so that the pointer
  // may travel to the inspector without losing it.
  const Pick& shown() const { return pinned.empty() ? hover : pinned; }
};

struct FootprintState {
  std::shared_ptr<const BlockFootprint> replayed;  // of the selected block, of the shown request; else null
  std::optional<Dim3> wanted;                      // being replayed, or to be
  std::string error;                               // why that block has none; empty: it has, or will
};

}  // namespace warplens
