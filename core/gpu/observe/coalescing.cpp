#include "core/gpu/observe/coalescing.h"

#include <algorithm>
#include <array>
#include <bit>

namespace warplens::observe {

namespace {

constexpr uint64_t line_bytes = 128;

// Collects the values of the active lanes. Says whether each is at least the one before it.
struct Collected {
  uint32_t count = 0;
  bool ascends = true;
};
template <class F>
Collected collect(std::array<uint64_t, 32>& values, uint32_t mask, F value_of) {
  Collected all;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    values[all.count] = value_of(static_cast<uint32_t>(std::countr_zero(rest)));
    all.ascends = all.ascends && (all.count == 0 || values[all.count - 1] <= values[all.count]);
    ++all.count;
  }
  return all;
}

// Sorts the values of the active lanes and returns their number.
template <class F>
uint32_t collect_sorted(std::array<uint64_t, 32>& values, uint32_t mask, F value_of) {
  const Collected all = collect(values, mask, value_of);
  if (!all.ascends) std::sort(values.begin(), values.begin() + all.count);
  return all.count;
}

uint32_t ideal_sectors(uint32_t distinct, uint32_t bytes) {
  return static_cast<uint32_t>((uint64_t{distinct} * bytes + sector_bytes - 1) / sector_bytes);
}

uint32_t distinct(const std::array<uint64_t, 32>& sorted, uint32_t count, uint32_t shift) {
  uint32_t result = count != 0;
  for (uint32_t i = 1; i < count; ++i) result += (sorted[i] >> shift) != (sorted[i - 1] >> shift);
  return result;
}

// Whether no two neighbours, lane and lane ^ 1, read different data.
bool neighbours_agree(const uint64_t* offsets, uint32_t mask) {
  for (uint32_t lane = 0; lane < 32; lane += 2) {
    if ((mask >> lane & 3u) == 3u && offsets[lane] != offsets[lane + 1]) return false;
  }
  return true;
}

// Passes over the banks for these lanes: the largest number of different words in one bank.
uint32_t passes(const uint64_t* offsets, uint32_t mask, uint32_t words_per_lane) {
  // A word is counted once, even if several lanes read it.
  std::array<uint64_t, 32> words;
  const uint32_t lanes =
      collect_sorted(words, mask, [&](uint32_t lane) { return offsets[lane] / bank_bytes; });
  std::array<uint8_t, shared_banks> in_bank{};
  uint32_t most = 0;
  for (uint32_t i = 0; i < lanes; ++i) {
    if (i != 0 && words[i] == words[i - 1]) continue;
    for (uint32_t w = 0; w < words_per_lane; ++w) {
      most = std::max<uint32_t>(most, ++in_bank[(words[i] + w) % shared_banks]);
    }
  }
  return most;
}

// Like passes(), but lanes do not share words.
uint32_t passes_for_each(const uint64_t* offsets, uint32_t mask, uint32_t words_per_lane) {
  std::array<uint8_t, shared_banks> in_bank{};
  uint32_t most = 0;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const uint64_t word = offsets[std::countr_zero(rest)] / bank_bytes;
    for (uint32_t w = 0; w < words_per_lane; ++w)
      most = std::max<uint32_t>(most, ++in_bank[(word + w) % shared_banks]);
  }
  return most;
}

uint32_t lanes_of_group(uint32_t mask, uint32_t first, uint32_t lanes) {
  return lanes == 32 ? mask : mask & (((1u << lanes) - 1) << first);
}

// Of lanes with the same offset, only the last.
uint32_t with_places_of_their_own(const uint64_t* offsets, uint32_t mask) {
  uint32_t alone = mask;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    for (uint32_t later = rest & (rest - 1); later != 0; later &= later - 1)
      if (offsets[std::countr_zero(later)] == offsets[lane]) {
        alone &= ~(1u << lane);
        break;
      }
  }
  return alone;
}

// Whether the lanes copy different parts of one line of 128 bytes to one line of shared memory.
bool copies_lines(const uint64_t* sources, const uint64_t* offsets, uint32_t mask) {
  const auto first = static_cast<uint32_t>(std::countr_zero(mask));
  uint32_t parts = 0;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    if (sources[lane] / line_bytes != sources[first] / line_bytes) return false;
    if (offsets[lane] / line_bytes != offsets[first] / line_bytes) return false;
    const uint32_t part = 1u << sources[lane] % line_bytes / 16;
    if ((parts & part) != 0) return false;
    parts |= part;
  }
  return true;
}

}  // namespace

Sectors sectors_of(const uint64_t* addresses, uint32_t mask, uint32_t bytes) {
  std::array<uint64_t, 32> values;
  const auto [lanes, ascends] = collect(values, mask, [&](uint32_t lane) { return addresses[lane]; });
  if (!ascends) std::sort(values.begin(), values.begin() + lanes);
  return {distinct(values, lanes, 5), ideal_sectors(distinct(values, lanes, 0), bytes),
          distinct(values, lanes, 7)};
}

// Words of the same number of eight lanes are one sector. Mostly all lanes' words have the same number.
Sectors sectors_of_local(const uint64_t* addresses, uint32_t mask, uint32_t bytes) {
  constexpr uint32_t word_bytes = 4, lanes_of_sector = sector_bytes / word_bytes;
  uint64_t differs = 0;
  for (uint32_t lane = 1; lane < 32; ++lane) differs |= addresses[lane] ^ addresses[0];
  uint32_t touched = 0;
  for (uint32_t first = 0; first < 32; first += lanes_of_sector) {
    if (differs < word_bytes) {
      touched += (mask >> first & 0xff) != 0;
      continue;
    }
    for (uint32_t lane = first; lane < first + lanes_of_sector; ++lane) {
      uint32_t same = ~mask >> lane & 1;
      for (uint32_t before = first; before < lane; ++before)
        same |=
            mask >> before & static_cast<uint32_t>((addresses[before] ^ addresses[lane]) / word_bytes == 0);
      touched += 1 - same;
    }
  }
  const uint32_t words = bytes <= word_bytes ? 1 : bytes / word_bytes,
                 asked = static_cast<uint32_t>(std::popcount(mask));
  return {words * touched, words * ideal_sectors(asked, std::min(bytes, word_bytes))};
}

Wavefronts wavefronts_of(const uint64_t* offsets, uint32_t mask, uint32_t bytes, bool load) {
  if (mask == 0) return {};
  uint32_t groups = bytes <= 4 ? 1 : bytes / 4;  // 8 bytes: 2 halves, 16: 4 quarters
  if (groups > 1 && load && neighbours_agree(offsets, mask)) groups /= 2;
  const uint32_t group_lanes = 32 / groups;
  const uint32_t words = bytes <= 4 ? 1 : bytes / 4;
  Wavefronts result;
  for (uint32_t g = 0; g < groups; ++g) {
    const uint32_t group_mask = groups == 1 ? mask : mask & (((1u << group_lanes) - 1) << (g * group_lanes));
    if (group_mask == 0) continue;
    const uint32_t taken = passes(offsets, group_mask, words);
    result.count += taken;
    result.conflicts += taken - 1;
  }
  return result;
}

Wavefronts matrix_wavefronts(const uint64_t* offsets, uint32_t matrices) {
  Wavefronts result;
  for (uint32_t m = 0; m < matrices; ++m) {
    const uint32_t taken = passes(offsets, 0xffu << 8 * m, 4);
    result.count += taken;
    result.conflicts += taken - 1;
  }
  return result;
}

Wavefronts atomic_wavefronts(const uint64_t* offsets, uint32_t mask, uint32_t bytes) {
  const uint32_t words = bytes <= 4 ? 1 : bytes / 4, group_lanes = 32 / words;
  Wavefronts result;
  for (uint32_t first = 0; first < 32; first += group_lanes) {
    const uint32_t group = lanes_of_group(mask, first, group_lanes);
    if (group == 0) continue;
    const uint32_t taken = passes_for_each(offsets, group, words);
    result.count += taken;
    result.conflicts += taken - 1;
  }
  return result;
}

Wavefronts copy_wavefronts(const uint64_t* sources, const uint64_t* offsets, uint32_t mask, uint32_t bytes,
                           bool bypass) {
  const uint32_t words = bytes / bank_bytes, group_lanes = 32 / words;
  const uint32_t alone = bypass ? with_places_of_their_own(offsets, mask) : mask;
  Wavefronts result;
  for (uint32_t first = 0; first < 32; first += group_lanes) {
    const uint32_t group = lanes_of_group(alone, first, group_lanes);
    if (group == 0) continue;
    uint32_t taken = 0;
    if (bypass) {
      const bool whole = group == lanes_of_group(mask, first, group_lanes);
      taken =
          whole && copies_lines(sources, offsets, group) ? 1 : static_cast<uint32_t>(std::popcount(group));
    } else {
      taken = std::max(passes_for_each(sources, group, words), passes_for_each(offsets, group, words));
    }
    result.count += taken;
    result.conflicts += bypass ? 0 : taken - 1;
  }
  return result;
}

uint32_t copy_sectors(const uint64_t* sources, const uint64_t* offsets, uint32_t mask, uint32_t bytes,
                      bool bypass) {
  if (!bypass) return mask == 0 ? 0 : sectors_of(sources, mask, bytes).touched;
  const uint32_t group_lanes = 32 / (bytes / bank_bytes), alone = with_places_of_their_own(offsets, mask);
  uint32_t sectors = 0;
  for (uint32_t first = 0; first < 32; first += group_lanes) {
    const uint32_t group = lanes_of_group(alone, first, group_lanes);
    if (group == 0) continue;
    const bool whole = group == lanes_of_group(mask, first, group_lanes);
    sectors += whole && copies_lines(sources, offsets, group) ? sectors_of(sources, group, bytes).touched
                                                              : static_cast<uint32_t>(std::popcount(group));
  }
  return sectors;
}

}  // namespace warplens::observe
