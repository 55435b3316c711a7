#include "core/job/report/profile/marks.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>
#include <span>
#include <string>

namespace warplens::profile {

namespace {

using FactNames = std::span<const std::string_view>;

// Facts that depend on registers.
constexpr std::array<std::string_view, 5> by_registers = {
    "registers_per_thread", "limit_registers", "active_warps_per_sm", "theoretical_percent", "waves"};
constexpr std::array<std::string_view, 2> by_local = {"local_load_sectors", "local_store_sectors"};
constexpr std::array<std::string_view, 2> by_loads = {"global_load_requests", "global_load_sectors"};
// Frames of functions are in local memory, which is also accessed by generic addresses; the driver's malloc
// and printf have accesses and atomics of their own.
constexpr std::array<std::string_view, 5> by_calls = {"global_load_requests", "global_load_sectors",
                                                      "global_store_requests", "global_store_sectors",
                                                      "zero_if_no_atomics"};
constexpr std::array<std::string_view, 3> by_generic_atomics = {
    "shared_atomic_requests", "shared_atomic_wavefronts", "shared_atomic_bank_conflicts"};
constexpr std::array<std::string_view, 3> by_shared_loads = {"shared_load_requests", "shared_load_wavefronts",
                                                             "shared_load_bank_conflicts"};
constexpr std::array<std::string_view, 3> by_shared_stores = {
    "shared_store_requests", "shared_store_wavefronts", "shared_store_bank_conflicts"};
constexpr std::array<std::string_view, 4> by_copies = {"async_copy_requests", "async_copy_global_sectors",
                                                       "async_copy_shared_wavefronts",
                                                       "async_copy_bank_conflicts"};

void lower(FactNames names, Facts& facts) {
  for (const std::string_view name : names)
    if (const auto found = facts.find(name); found != facts.end()) found->second.mark = Mark::modelled;
}

// The text from its name to the brace that ends it. The whole text if the entry is not found.
std::string_view text_of_entry(std::string_view ptx, std::string_view entry) {
  for (size_t at = 0; (at = ptx.find(".entry ", at)) != ptx.npos; at += 7) {
    const std::string_view rest = ptx.substr(at + 7);
    if (!rest.starts_with(entry)) continue;
    const char next = rest.size() > entry.size() ? rest[entry.size()] : '(';
    if (next != '(' && next != ' ' && next != '\n' && next != '{' && next != '\r' && next != '\t') continue;
    return rest.substr(0, rest.find("\n}"));
  }
  return ptx;
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != text.npos; });
}

// Whether there is an atomic without a space: the profiler counts it among those of shared memory.
bool has_generic_atomic(std::string_view text) {
  for (const std::string_view opcode : {"atom.", "red."})
    for (size_t at = 0; (at = text.find(opcode, at)) != text.npos; at += opcode.size()) {
      const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\t' || text[at - 1] == '\n';
      const std::string_view word = text.substr(at, text.find_first_of(" \t", at) - at);
      if (begins && !has_any(word, {".global", ".shared"})) return true;
    }
  return false;
}

// The operand between the brackets after an opcode, without blanks: "%rd2+4". Empty if there is none.
std::string operand_of(std::string_view text) {
  const size_t begin = text.find('['), end = text.find(']', begin);
  if (end == text.npos || text.find(';') < begin) return "";
  std::string operand(text.substr(begin + 1, end - begin - 1));
  std::erase_if(operand, [](char c) { return c == ' ' || c == '\t'; });
  if (operand.ends_with("+0")) operand.resize(operand.size() - 2);
  return operand;
}

// Whether ptxas may make fewer accesses than the text has: it reads an address once that the text reads
// twice, and joins adjacent accesses to shared memory that begin with the same register or symbol.
bool may_join(std::string_view text, std::string_view opcode, bool neighbours) {
  std::set<std::string, std::less<>> seen;
  for (size_t at = 0; (at = text.find(opcode, at)) != text.npos; at += opcode.size()) {
    std::string place = operand_of(text.substr(at));
    if (neighbours) place.resize(std::min(place.find('+'), place.size()));
    if (!place.empty() && !seen.insert(place).second) return true;
  }
  return false;
}

// The assembler says how much local memory there is.
void settle_local(const Resources& resources, Facts& facts) {
  const bool spills = resources.spill_store_bytes + resources.spill_load_bytes != 0;
  for (const std::string_view name : by_local) {
    const auto found = facts.find(name);
    if (found == facts.end()) continue;
    // Arrays that fit into registers after all.
    if (resources.local_bytes == 0 && !spills) found->second = {0, Mark::exact};
    // A stack frame that the PTX does not have.
    else if (spills || found->second.value == 0)
      found->second.mark = Mark::modelled;
  }
}

}  // namespace

void settle_marks(const LaunchRecord& record, std::string_view ptx, bool cooperative, Facts& facts) {
  const std::string_view text = text_of_entry(ptx, record.entry);
  if (!record.resources || record.resources->origin == ResourceOrigin::estimate)
    lower(by_registers, facts);
  else
    settle_local(*record.resources, facts);
  if (has_any(text, {"\tcall", " call"})) {
    lower(by_calls, facts);
    lower(by_local, facts);
    lower(by_registers, facts);
  }
  // How often a warp checks again depends on when others arrive.
  if (cooperative || has_any(text, {"ld.volatile", "ld.acquire", ".cas."})) lower(by_loads, facts);
  if (may_join(text, "ld.global", false)) lower(by_loads, facts);
  if (may_join(text, "ld.shared", true)) lower(by_shared_loads, facts);
  if (may_join(text, "st.shared", true)) lower(by_shared_stores, facts);
  if (has_generic_atomic(text)) lower(by_generic_atomics, facts);
  if (text.find("cp.async.cg") != text.npos) {
    lower(by_copies, facts);
    lower(by_loads, facts);
  }
}

}  // namespace warplens::profile
