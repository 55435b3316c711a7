// The file of drafts: what was typed and answered, and where the window was left (docs/sessions.md). The
// window writes it (app/worker/keeper.h).
#pragma once

#include <string>
#include <string_view>

#include "app/state/state.h"

namespace warplens {

constexpr uint64_t max_drafts_bytes = uint64_t{64} << 20;

// The whole as JSON. `ended_well`: the window is being closed.
std::string drafts_text(const AppState& state, bool ended_well);

// An error if the text is no such file. Parts that cannot be read are left out, and `problems` names them.
struct ReadDrafts {
  OfferedPlace offer;
  std::vector<std::string> problems;
};
Result<ReadDrafts> parse_drafts(std::string_view text, const std::string& name);

// Adds newer drafts. Where both have a text of the same code, the older one can be had back like one that
// Reset took away.
void add_drafts(DraftsState& drafts, const DraftsState& newer);

}  // namespace warplens
