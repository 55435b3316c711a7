// What the Step view says about warps and their paths.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "app/base/format.h"
#include "app/views/step/picture.h"

namespace warplens {
namespace {

std::vector<uint32_t> numbers_of(uint32_t lanes) {
  std::vector<uint32_t> list;
  for (; lanes != 0; lanes &= lanes - 1) list.push_back(static_cast<uint32_t>(std::countr_zero(lanes)));
  return list;
}

std::string place_words(const stepping::CodePlace& place) {
  return place.line != 0 ? fmt::format("line {}", place.line) : fmt::format("PTX line {}", place.ptx_line);
}

const stepping::BarrierView* barrier_of(const StepSnapshot& shown, uint32_t warp) {
  for (const stepping::BarrierView& barrier : shown.barriers)
    if (std::ranges::find(barrier.warps, warp) != barrier.warps.end()) return &barrier;
  return nullptr;
}

std::string barrier_words(const StepSnapshot& shown, uint32_t warp, const stepping::PathView& path) {
  const stepping::BarrierView* barrier = barrier_of(shown, warp);
  std::string where = fmt::format("waits at {}", place_words(path.at));
  if (barrier == nullptr || barrier->missing.empty()) return where;
  return fmt::format("{} for {} {}", where, barrier->missing.size() == 1 ? "warp" : "warps",
                     ranges_text(barrier->missing));
}

std::string path_words(const StepSnapshot& shown, const stepping::PathView& path) {
  const std::string who = lanes_words(path.lanes), at = place_words(path.at);
  std::string words;
  switch (path.wait) {
    case stepping::Wait::none:
      words = fmt::format("{}: {} {}", who, path.runs_next ? "next is" : "go on later, at", at);
      break;
    case stepping::Wait::meeting:
      words = fmt::format("{}: wait at {} for {}", who, at, lanes_words(path.waits_for));
      break;
    case stepping::Wait::lanes:
      words = fmt::format("{}: wait at {} for {}, which this instruction needs", who, at,
                          lanes_words(path.waits_for));
      break;
    case stepping::Wait::barrier:
      words = fmt::format("{}: {}", who, barrier_words(shown, shown.warp, path));
      break;
  }
  if (path.meets && path.wait == stepping::Wait::none && path.meets_with != 0)
    words += fmt::format("; meet {} again at {}", lanes_words(path.meets_with), place_words(*path.meets));
  return words;
}

}  // namespace

std::string ranges_text(const std::vector<uint32_t>& numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size();) {
    size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    text += text.empty() ? "" : ", ";
    text += end - i == 1   ? fmt::format("{}", numbers[i])
            : end - i == 2 ? fmt::format("{}, {}", numbers[i], numbers[i + 1])
                           : fmt::format("{}–{}", numbers[i], numbers[end - 1]);
    i = end;
  }
  return text;
}

std::string lanes_words(uint32_t lanes) {
  if (lanes == 0xffffffff) return "all lanes";
  return fmt::format("{} {}", std::popcount(lanes) == 1 ? "lane" : "lanes", ranges_text(numbers_of(lanes)));
}

std::string words_of_warp(const StepSnapshot& shown, uint32_t number) {
  const stepping::WarpView& warp = shown.warps[number];
  if (warp.state == exec::WarpState::finished || warp.live == 0) return "finished";
  if (warp.state == exec::WarpState::fault) return "fault";
  if (warp.paths.empty()) return "";
  const stepping::PathView& path = warp.paths.back();
  if (path.wait == stepping::Wait::barrier) return barrier_words(shown, number, path);
  const bool now = shown.next && shown.next->warp == number;
  std::string words = place_words(path.at) + (now ? ", now" : ", next");
  if (path.lanes != warp.live || now)
    words += fmt::format(": {} of {} lanes", std::popcount(path.lanes), std::popcount(warp.live));
  return words;
}

std::string words_of_block(const StepViewInput& input) {
  std::string words;
  const auto add = [&](std::string_view sentence) {
    words.append(words.empty() ? "" : " ").append(sentence);
  };
  if (input.shown != nullptr && input.shown->agreement) add(sentence_of(*input.shown->agreement));
  if (input.cooperative)
    add("A cooperative launch: its blocks wait for each other. This one runs alone, as far as its first "
        "grid.sync().");
  else if (input.choice.earlier_blocks)
    add("The blocks before this one have run; those after it have not.");
  else if (input.grid.count() > 1)
    add("This block runs alone, on the memory that its launch starts with.");
  if (input.choice.launch > 0) add("The launches before this one have run.");
  if (input.choice.seed != 0)
    add(fmt::format("Warps and paths have their turns by seed {}, as in a run with --seed {}.",
                    input.choice.seed, input.choice.seed));
  return words;
}

std::vector<std::string> words_of_paths(const StepSnapshot& shown) {
  std::vector<std::string> words;
  if (shown.warps.empty()) return words;
  const stepping::WarpView& warp = shown.warps[shown.warp];
  if (warp.live == 0) return {fmt::format("All lanes of warp {} have finished.", shown.warp)};
  for (auto path = warp.paths.rbegin(); path != warp.paths.rend(); ++path)
    words.push_back(path_words(shown, *path));
  if (warp.paths.size() == 1 && warp.paths.front().wait == stepping::Wait::none)
    words = {fmt::format("The {} of warp {} are together.",
                         warp.live == 0xffffffff ? "32 lanes"
                                                 : count_text(static_cast<uint64_t>(std::popcount(warp.live)),
                                                              "lane that is left", "lanes that are left"),
                         shown.warp)};
  return words;
}

}  // namespace warplens
