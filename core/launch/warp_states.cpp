#include "core/launch/warp_states.h"

#include <algorithm>
#include <numeric>

namespace warplens {

const WarpStateText& text_of(WarpState state) {
  static constexpr std::array<WarpStateText, warp_states> texts = {{
      {"selected", "Selected", "issues an instruction"},
      {"not_selected", "Stall Not Selected", "ready, but another warp is chosen"},
      {"wait", "Stall Wait", "waits for an arithmetic result"},
      {"long_scoreboard", "Stall Long Scoreboard", "waits for memory"},
      {"short_scoreboard", "Stall Short Scoreboard", "waits for shared memory or a special unit"},
      {"math_pipe_throttle", "Stall Math Pipe Throttle", "waits until an arithmetic unit is free"},
      {"mio_throttle", "Stall MIO Throttle", "waits for room in the queue to shared memory"},
      {"lg_throttle", "Stall LG Throttle", "waits for room in the queue to memory"},
      {"barrier", "Stall Barrier", "waits at a barrier"},
      {"drain", "Stall Drain", "has ended, and its stores are on their way"},
      {"branch_resolving", "Stall Branch Resolving", "waits for the target of a branch"},
  }};
  return texts[static_cast<size_t>(state)];
}

WarpState largest_stall(const SmStates& states) {
  WarpState largest = WarpState::wait;
  for (size_t s = 0; s < warp_states; ++s) {
    const auto state = static_cast<WarpState>(s);
    if (state == WarpState::selected || state == WarpState::not_selected) continue;
    if (states.cycles_an_instruction[state] > states.cycles_an_instruction[largest]) largest = state;
  }
  return largest;
}

std::optional<LineStates> states_at(const SmStates& states, std::string_view file, uint32_t line) {
  uint64_t all = 0, here = 0;
  const ByState<uint64_t>* found = nullptr;
  for (const SmStates::Line& each : states.lines) {
    const uint64_t cycles = std::accumulate(each.cycles.of.begin(), each.cycles.of.end(), uint64_t{0});
    all += cycles;
    if (each.line != line || each.file != file) continue;
    found = &each.cycles;
    here = cycles;
  }
  if (found == nullptr || here == 0) return std::nullopt;
  const auto longest = std::ranges::max_element(found->of);
  return LineStates{double(here) / double(all), static_cast<WarpState>(longest - found->of.begin())};
}

}  // namespace warplens
