// What the pointer is over, what is pinned, and the footprint of the selected block.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/base/dim3.h"
#include "core/launch/footprint.h"

namespace warplens {

// One element of a buffer of the shown request. The index counts elements, so a pixel has one for each
// channel.
struct ElementPick {
  uint32_t buffer = 0;  // index in LaunchRequest::buffers
  uint64_t index = 0;
  bool operator==(const ElementPick&) const = default;
};

// What the pointer is over, or what a click has pinned. A view fills in what it knows: for a thread also its
// block, for an element also the block and thread that wrote it, if there is a writer map.
struct Pick {
  std::optional<Dim3> block;
  std::optional<Dim3> thread;
  std::optional<ElementPick> element;
  uint32_t line = 0;  // of the kernel source; 0 if none
  bool operator==(const Pick&) const = default;
  bool empty() const { return !block && !thread && !element && line == 0; }
};

// An element, and how its buffer was shown.
struct PinnedElement {
  std::string buffer;
  uint64_t index = 0;
  uint32_t width = 0, height = 1, channels = 1;  // 0: not known
  bool output = true;
};

// What is pinned, whatever run is shown (pins.h). Block and thread are those that were picked themselves. The
// thread that wrote an element is not part of it, since it changes with the launch.
struct PinnedThing {
  std::string kernel;  // of the run in which it was pinned; empty if there was none
  std::optional<Dim3> block, thread;
  std::optional<PinnedElement> element;
  uint32_t line = 0;
  std::string line_text;
};

// All views share the selection, so that pointing at a thing in one view highlights it in every other.
struct Selection {
  Pick hover, pinned;  // in the shown run
  PinnedThing thing;   // `pinned` is the value that the shown run has for it
  std::string lost;    // what the shown run does not have of it; empty if it has all
  // What the inspector shows, and for which the footprint is replayed. It is the pinned thing if there is
  // one, so that the pointer can move to the inspector without losing it.
  const Pick& shown() const { return pinned.empty() ? hover : pinned; }
};

struct FootprintState {
  std::shared_ptr<const BlockFootprint> replayed;  // of the selected block in the shown request, or null
  std::optional<Dim3> wanted;                      // the block that is replayed, or will be
  std::string error;                               // why that block has none; empty if it has, or will have
};

}  // namespace warplens
