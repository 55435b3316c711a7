// Warnings about the counts of a run and the times of its parts.
#include <fmt/format.h>

#include <algorithm>

#include "core/device/number_text.h"
#include "core/job/warnings/warning_rules.h"

namespace warplens {
namespace {

// The limits from which a warning is given. Below them, the edges of a grid would already cause one.
constexpr double sectors_over_ideal = 1.5;
constexpr double conflict_share = 0.10;
constexpr double divergent_share = 0.05;
constexpr uint64_t fewest_divergent_branches = 4;
constexpr double active_lanes_enough = 90;  // percent
// The most sectors that one request needs when its lanes access adjacent data: 32 lanes × 16 bytes.
constexpr double most_sectors_side_by_side = 16;
// A line of L1, which one look-up covers: 128 bytes (CUDA C++ Best Practices Guide, "Coalesced Access").
constexpr double sectors_of_a_line = 4;

double ratio(uint64_t a, uint64_t b) { return static_cast<double>(a) / static_cast<double>(b); }

Warning without_fix(WarningId id, const char* title, double weight, std::string message) {
  Warning warning;
  warning.id = id;
  warning.weight = std::clamp(weight, 0.0, 0.99);
  warning.title = title;
  warning.message = std::move(message);
  return warning;
}

// The line with the highest cost, as " Worst: grayscale.cu:12.". Empty if lines are not known.
template <class Cost>
std::string worst_line(const WarningInput& input, Cost cost) {
  if (!input.lines || input.lines->empty()) return {};
  const auto worst =
      std::max_element(input.lines->begin(), input.lines->end(),
                       [&](const LineCounters& a, const LineCounters& b) { return cost(a) < cost(b); });
  if (cost(*worst) == 0 || worst->line == 0) return {};
  return fmt::format(" Worst: {}:{}.", worst->file, worst->line);
}

constexpr const char* how_to_coalesce =
    "Memory moves in sectors of 32 bytes, whole even where one byte is used. Let neighbouring threads touch "
    "neighbouring addresses.";

// For lanes a few bytes apart, such as those that read one channel of a pixel each: a request loads a line
// into L1, and the requests for the other channels find the rest of it there. Returns the sectors that miss
// L1; empty if it is another case, or not known.
std::optional<uint64_t> sectors_behind_l1(const Counters& counters, uint64_t ideal) {
  const uint64_t requests = global_requests(counters), sectors = global_sectors(counters);
  if (!counters.l1_hit_sectors || *counters.l1_hit_sectors > sectors) return std::nullopt;
  const uint64_t behind = sectors - *counters.l1_hit_sectors;
  const bool is_served =
      ratio(sectors, requests) <= sectors_of_a_line && ratio(behind, ideal) <= sectors_over_ideal;
  return is_served ? std::optional(behind) : std::nullopt;
}

// With lines, the ideal is known exactly. Without them, a warning is given only for a number that no
// coalesced access needs.
void add_uncoalesced(const WarningInput& input, std::vector<Warning>& warnings) {
  const Counters& counters = *input.counters;
  const uint64_t sectors = global_sectors(counters);
  const uint64_t requests = global_requests(counters);
  if (requests == 0) return;
  uint64_t line_sectors = 0, ideal = 0;
  if (input.lines) {
    for (const LineCounters& line : *input.lines) {
      line_sectors += line.global_sectors;
      ideal += line.global_sectors_ideal;
    }
  }
  constexpr WarningId id = WarningId::uncoalesced;
  constexpr const char* title = "Scattered memory access";
  if (ideal > 0) {
    const double factor = ratio(line_sectors, ideal);
    if (factor <= sectors_over_ideal) return;
    const auto excess = [](const LineCounters& line) {
      return line.global_sectors - std::min(line.global_sectors, line.global_sectors_ideal);
    };
    warnings.push_back(without_fix(
        id, title, 1 - 1 / factor,
        fmt::format(
            "Global memory: {} sectors where {} would hold all bytes asked for, {} times as many. {}{}",
            thousands(line_sectors), thousands(ideal), three_digits(factor), how_to_coalesce,
            worst_line(input, excess))));
    if (const auto behind = sectors_behind_l1(counters, ideal)) {
      warnings.back().minor = warnings.back().quiet = true;
      warnings.back().title = "Scattered memory access, most of it served by L1";
      warnings.back().message +=
          fmt::format(" L1 has most of them when the next access asks for the same line: {} go on to L2.",
                      thousands(*behind));
    }
    return;
  }
  const double per_request = ratio(sectors, requests);
  if (per_request <= most_sectors_side_by_side) return;
  warnings.push_back(without_fix(
      id, title, 1 - most_sectors_side_by_side / per_request,
      fmt::format(
          "Global memory: {} sectors a request; lanes that access neighbouring bytes need at most {}. {}",
          three_digits(per_request), most_sectors_side_by_side, how_to_coalesce)));
}

void add_bank_conflicts(const WarningInput& input, std::vector<Warning>& warnings) {
  const Counters& counters = *input.counters;
  const auto [requests, wavefronts, conflicts] = shared_counts(counters);
  if (wavefronts == 0 || requests == 0 || ratio(conflicts, wavefronts) < conflict_share) return;
  warnings.push_back(without_fix(
      WarningId::bank_conflicts, "Bank conflicts", ratio(conflicts, wavefronts),
      fmt::format(
          "Shared memory: {} of {} wavefronts are repeats, because lanes of one warp wanted different "
          "words of one bank; a request takes {} turns on average. Pad the rows of a tile by one "
          "element, or swap the indices.{}",
          thousands(conflicts), thousands(wavefronts), three_digits(ratio(wavefronts, requests)),
          worst_line(input, [](const LineCounters& line) { return line.bank_conflicts; }))));
}

void add_divergence(const WarningInput& input, std::vector<Warning>& warnings) {
  const Counters& counters = *input.counters;
  if (counters.branches == 0 || counters.warp_instructions == 0) return;
  const double share = ratio(counters.divergent_branches, counters.branches);
  const double lanes = 100 * ratio(counters.thread_instructions, counters.warp_instructions * warp_lanes);
  const bool few = counters.divergent_branches < fewest_divergent_branches;
  if (few || share < divergent_share || lanes >= active_lanes_enough) return;
  warnings.push_back(without_fix(
      WarningId::divergence, "Divergent branches", 1 - lanes / 100,
      fmt::format("{} of {} branches split their warp ({} %), and {} % of the lanes are masked off on "
                  "average. A warp "
                  "runs both sides one after the other. Let whole warps take the same side.{}",
                  thousands(counters.divergent_branches), thousands(counters.branches),
                  three_digits(100 * share), three_digits(100 - lanes),
                  worst_line(input, [](const LineCounters& line) { return line.divergent_branches; }))));
}

void add_copies(const WarningInput& input, std::vector<Warning>& warnings) {
  const TimesUs& times = *input.times;
  if (!times.kernel || !(times.copy_in || times.copy_out)) return;
  const double copies = times.copy_in.value_or(0) + times.copy_out.value_or(0), kernel = *times.kernel;
  if (!(copies > kernel)) return;
  const std::string times_text =
      fmt::format("Copying in and out takes {}, the kernel {} ({}).", microseconds_text(copies),
                  microseconds_text(kernel), to_string(times.source));
  constexpr const char* title = "Copies cost more than the kernel";
  if (input.copies_between_launches) {
    warnings.push_back(without_fix(
        WarningId::copies_dominate, title, copies / (copies + kernel),
        times_text + " The data go to the host and back between launches: keep them on the device."));
    return;
  }
  // It is true for nearly every single launch, and no setting fixes it.
  Warning note = without_fix(WarningId::copies_dominate, title, 0,
                             times_text + " Programs keep their data on the device for several kernels.");
  note.quiet = true;
  warnings.push_back(std::move(note));
}

}  // namespace

void add_counter_warnings(const WarningInput& input, std::vector<Warning>& warnings) {
  if (input.counters) {
    add_uncoalesced(input, warnings);
    add_bank_conflicts(input, warnings);
    add_divergence(input, warnings);
  }
  if (input.times) add_copies(input, warnings);
}

}  // namespace warplens
