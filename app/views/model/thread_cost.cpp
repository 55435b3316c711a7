#include "app/views/model/thread_cost.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/draw/amounts.h"
#include "app/base/format.h"

namespace warplens {

namespace {

// How much of the lanes' time goes to work, if every lane of a warp takes as long as the busiest one.
double busy_percent(const std::vector<uint64_t>& amounts, uint64_t sum) {
  uint64_t taken = 0;
  for (size_t first = 0; first < amounts.size(); first += warp_lanes) {
    const auto begin = amounts.begin() + static_cast<ptrdiff_t>(first);
    const auto end = amounts.begin() + static_cast<ptrdiff_t>(std::min(amounts.size(), first + warp_lanes));
    taken += *std::max_element(begin, end) * static_cast<uint64_t>(end - begin);
  }
  return taken == 0 ? 100 : 100.0 * static_cast<double>(sum) / static_cast<double>(taken);
}

std::string sentence_of_cost(const ThreadCost& cost) {
  const bool passes = cost.colouring == ThreadColouring::passes;
  if (passes && cost.high == 0) return "This block went through no loop.";
  const char* verb = passes ? "went through loops" : "executed";
  const char* unit = passes ? "times" : "instructions";
  if (cost.low == cost.high)
    return fmt::format("Every thread {} {} {}.", verb, with_separators(cost.low), unit);
  return fmt::format(
      "Threads {} {} to {} {}. A warp goes on until its busiest lane is done: {} of its lanes' "
      "time is work.",
      verb, with_separators(cost.low), with_separators(cost.high), unit,
      percent_text(busy_percent(cost.amounts, cost.sum)));
}

}  // namespace

std::string_view name_of(ThreadColouring colouring) {
  switch (colouring) {
    case ThreadColouring::warps:
      return "warps";
    case ThreadColouring::instructions:
      return "instructions";
    case ThreadColouring::passes:
      return "passes";
  }
  return "";
}

const char* to_string(ThreadColouring colouring) {
  switch (colouring) {
    case ThreadColouring::warps:
      return "warps";
    case ThreadColouring::instructions:
      return "instructions of a thread";
    case ThreadColouring::passes:
      return "passes of a thread through loops";
  }
  return "";
}

std::optional<ThreadColouring> thread_colouring_from(std::string_view name) {
  for (const ThreadColouring colouring : all_thread_colourings)
    if (name == name_of(colouring)) return colouring;
  return std::nullopt;
}

uint32_t ThreadCost::colour_of(size_t thread) const {
  if (thread >= amounts.size() || high == low) return uniform_colour;
  return viridis(static_cast<double>(amounts[thread] - low) / static_cast<double>(high - low));
}

std::optional<ThreadCost> thread_cost(const BlockFootprint& footprint, ThreadColouring colouring) {
  if (colouring == ThreadColouring::warps || footprint.threads.empty()) return std::nullopt;
  ThreadCost cost;
  cost.colouring = colouring;
  for (const ThreadCounts& thread : footprint.threads) {
    cost.amounts.push_back(colouring == ThreadColouring::passes ? thread.loop_passes : thread.instructions);
    cost.sum += cost.amounts.back();
  }
  const auto [least, most] = std::ranges::minmax_element(cost.amounts);
  cost.low = *least;
  cost.high = *most;
  cost.sentence = sentence_of_cost(cost);
  return cost;
}

std::string thread_cost_words(const BlockFootprint& footprint, uint64_t thread) {
  if (thread >= footprint.threads.size()) return {};
  const ThreadCounts& counts = footprint.threads[thread];
  std::string words = count_text(counts.instructions, "instruction", "instructions");
  if (counts.loop_passes > 0)
    words += ", " + count_text(counts.loop_passes, "pass through a loop", "passes through loops");
  return words;
}

}  // namespace warplens
