// Any texts, separated by zero bytes, are linked: the result is one text, or an error. It is the same each
// time, a single part is unchanged, and the functions of a cooperative grid are added once.
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/stand_in/driver/code/merge_ptx.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens::driver;
  // Each in memory of its own, so that a read past its end is seen.
  std::vector<std::vector<char>> texts(1);
  for (size_t at = 0; at < count; ++at) {
    if (bytes[at] == 0) {
      texts.emplace_back();
    } else {
      texts.back().push_back(static_cast<char>(bytes[at]));
    }
  }
  std::vector<PtxPart> parts;
  for (std::vector<char>& text : texts) {
    text.shrink_to_fit();
    parts.push_back({"part", std::string_view(text.data(), text.size())});
  }
  const auto merged = merge_ptx(parts);
  const auto again = merge_ptx(parts);
  if (merged.ok() != again.ok() || (merged && *merged != *again)) std::abort();
  if (!merged) return merged.error().message.empty() ? std::abort(), 0 : 0;
  if (parts.size() == 1 && *merged != parts[0].text) std::abort();
  const std::string once = with_grid_barrier(*merged);
  if (with_grid_barrier(once) != once) std::abort();
  return 0;
}
