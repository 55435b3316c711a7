// Pinned things, described so that they can be found again in another run: a change of the block moves an
// element to another thread, and a change of the picture moves a pixel to another element.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/state/parts/selection.h"
#include "core/launch/run_result.h"

namespace warplens {

// `text` is the source that is shown, whose lines can be pinned.
PinnedThing pinned_thing(const Pick& pick, const RunResult* result, std::string_view text);

// The same thing in this run: an element with the thread that wrote it there, and a thread or block of the
// same position. `lost` says what this run does not have, and is empty if it has all of it.
struct FoundPin {
  Pick pick;
  std::string lost;
};
FoundPin find_pin(const PinnedThing& thing, const RunResult& result, std::string_view text);

// Null if the run did not return the buffer.
const OutputBuffer* output_buffer(const RunResult& result, uint32_t buffer);
// The element with the thread that wrote it, if the run recorded that.
Pick with_writer(const RunResult& result, ElementPick element);

}  // namespace warplens
