#include "core/ptx/check/unsupported.h"

#include <algorithm>

#include "core/base/nearest.h"
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
  size_t best = std::max<size_t>(2, name.size() / 3 + 1);  // with this many edits, it is not a misspelling
  std::string nearest;
  for (const Opcode opcode : opcodes()) {
    const size_t edits = edit_distance(name, text_of(opcode));
    if (edits >= best) continue;
    best = edits;
    nearest = text_of(opcode);
  }
  return nearest;
}

}  // namespace warplens::ptx
