#include "core/lesson/goals/sm_facts.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace warplens::lesson {

using expression::Value;

void add_sm(Facts& facts, const std::string& prefix, const RunResult* result) {
  const SmStates* sm = result ? result->sm.get() : nullptr;
  static const SmStates none;
  const SmStates& known = sm ? *sm : none;
  const auto set = [&](const std::string& name, Value value) {
    facts.set(prefix + "sm." + name, sm ? value : Value{});
  };
  set("issue_slots", 100 * known.issue_slots);
  set("active_warps", known.active_warps);
  set("eligible_warps", known.eligible_warps);
  set("cycles", known.cycles);
  const auto& cycles = known.cycles_an_instruction.of;
  const double all = std::accumulate(cycles.begin(), cycles.end(), 0.0);
  const WarpState longest = largest_stall(known);
  for (size_t i = 0; i < warp_states; ++i) {
    const auto state = static_cast<WarpState>(i);
    const std::string name = text_of(state).name;
    set("state." + name, all > 0 ? 100 * cycles[i] / all : 0);
    if (state == WarpState::selected || state == WarpState::not_selected) continue;
    set("longest." + name, state == longest ? 1 : 0);
  }
}

bool asks_for_sm(std::string_view text) {
  constexpr std::string_view group = "sm.";
  const auto is_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (size_t at = text.find(group); at != text.npos; at = text.find(group, at + 1)) {
    const size_t after = at + group.size();
    if (at > 0 && is_of_name(text[at - 1])) continue;
    if (after < text.size() && is_of_name(text[after])) return true;
  }
  return false;
}

bool asks_for_sm(const Folder& folder) {
  return std::ranges::any_of(
      folder.files, [](const auto& file) { return file.first.ends_with(".md") && asks_for_sm(file.second); });
}

}  // namespace warplens::lesson
