// Any bytes are a file of drafts: it is read as far as it can be, or refused with a sentence; what was read
// goes into the state, and is written and read the same.
#include <cstdlib>
#include <string>

#include "app/state/files/drafts.h"
#include "app/state/update.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens;
  const std::string text(reinterpret_cast<const char*>(bytes), count);
  const auto read = parse_drafts(text, "fuzz.json");
  if (!read) {
    if (read.error().message.empty()) std::abort();
    return 0;
  }
  static const AppState start = *initial_state("grayscale", "");
  AppState state = start;
  add_drafts(state.drafts, read->offer.drafts);
  const std::string written = drafts_text(state, true);
  const auto again = parse_drafts(written, "fuzz.json");
  if (!again || !again->problems.empty()) std::abort();
  AppState other = start;
  add_drafts(other.drafts, again->offer.drafts);
  if (drafts_text(other, true) != written) std::abort();
  return 0;
}
