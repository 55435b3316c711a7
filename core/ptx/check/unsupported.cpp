#include "core/ptx/check/unsupported.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/ptx/opcode.h"

namespace warplens::ptx {

namespace {

struct Refusal {
  std::string_view name, reason;
};

constexpr Refusal k_refusals[] = {
#define PTX_UNSUPPORTED(name, reason) {name, reason},
#include "core/ptx/check/unsupported.def"
#undef PTX_UNSUPPORTED
};

// Levenshtein's distance, with a swap of two neighbours as one edit.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> edits(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        edits[i][j] = i + j;
        continue;
      }
      const size_t replaced = edits[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      edits[i][j] = std::min({replaced, edits[i - 1][j] + 1, edits[i][j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
    }
  }
  return edits[a.size()][b.size()];
}

}  // namespace

std::optional<std::string_view> unsupported_instruction(std::string_view name) {
  for (const Refusal& refusal : k_refusals) {
    if (refusal.name.find('.') != std::string_view::npos && name.starts_with(refusal.name))
      return refusal.reason;
  }
  const std::string_view mnemonic = name.substr(0, name.find('.'));
  const auto found = std::ranges::find(k_refusals, mnemonic, &Refusal::name);
  if (found == std::end(k_refusals)) return std::nullopt;
  return found->reason;
}

std::string nearest_instruction(std::string_view name) {
  constexpr size_t k_max_length = 16;
  if (name.empty() || name.size() > k_max_length) return "";
  size_t best = std::max<size_t>(2, name.size() / 3 + 1);  // from this many edits on it is no misspelling
  std::string nearest;
  for (const Opcode opcode : opcodes()) {
    const size_t edits = distance(name, text_of(opcode));
    if (edits >= best) continue;
    best = edits;
    nearest = text_of(opcode);
  }
  return nearest;
}

}  // namespace warplens::ptx
