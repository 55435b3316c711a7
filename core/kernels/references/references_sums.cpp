// References of kernels that combine many numbers: sums, counts, scans.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/kernels/references/reference_list.h"

namespace warplens {

namespace {

std::array<uint32_t, 256> counted(std::span<const uint8_t> gray) {
  std::array<uint32_t, 256> bins{};
  for (const uint8_t value : gray) ++bins[value];
  return bins;
}

bool histogram(const HostLaunch& launch) {
  const HostArguments a = launch.arguments;
  if (a.size() != 3) return false;
  const auto gray = elements<uint8_t>(a[0]);
  const auto bins = elements<uint32_t>(a[1]);
  if (gray.size() < count(a[2]) || bins.size() < 256) return false;
  std::ranges::copy(counted(gray.first(count(a[2]))), bins.begin());
  return true;
}

// gray, bins, n, then table and out.
bool histogram_equalisation(const HostLaunch& launch) {
  const HostArguments a = launch.arguments;
  if (a.size() != 5) return false;
  const size_t n = count(a[2]);
  const auto gray = elements<uint8_t>(a[0]), table = elements<uint8_t>(a[3]), out = elements<uint8_t>(a[4]);
  const auto bins = elements<uint32_t>(a[1]);
  if (gray.size() < n || bins.size() < 256 || table.size() < 256 || out.size() < n) return false;
  std::ranges::copy(counted(gray.first(n)), bins.begin());
  const auto darkest_bin = std::ranges::find_if(bins, [](uint32_t bin) { return bin > 0; });
  const uint64_t darkest = darkest_bin == bins.end() ? 0 : *darkest_bin, range = n - darkest;
  uint64_t sum = 0;
  for (size_t v = 0; v < 256; ++v) {
    sum += bins[v];
    const uint64_t rank = sum > darkest ? sum - darkest : 0;
    table[v] = static_cast<uint8_t>(range == 0 ? v : (rank * 255 + range / 2) / range);
  }
  for (size_t i = 0; i < n; ++i) out[i] = table[gray[i]];
  return true;
}

// Half of the values are added to the other half, until one is left.
float tree_sum(std::span<float> values) {
  for (size_t active = values.size(); active > 1;) {
    const size_t half = (active + 1) / 2;
    for (size_t i = 0; i + half < active; ++i) values[i] += values[i + half];
    active = half;
  }
  return values.empty() ? 0 : values[0];
}

// Lane i adds the value of lane i + 16, then of i + 8, …
float shuffle_sum(std::span<float> lanes) {
  for (size_t distance = 16; distance > 0; distance /= 2)
    for (size_t lane = 0; lane + distance < lanes.size(); ++lane) lanes[lane] += lanes[lane + distance];
  return lanes[0];
}

float sum_by_warps(std::span<float> values) {
  std::vector<float> of_warps;
  for (size_t first = 0; first < values.size(); first += 32)
    of_warps.push_back(shuffle_sum(values.subspan(first, std::min<size_t>(32, values.size() - first))));
  return shuffle_sum(of_warps);
}

// One sum for each block. Each thread starts with elements of x; with `stride`, it loops over x in steps of
// the grid.
std::vector<float> block_sums(std::span<const float> x, uint32_t blocks, uint32_t threads, bool stride,
                              float (*sum_of)(std::span<float>)) {
  std::vector<float> sums, values(threads);
  const size_t all = size_t{blocks} * threads;
  for (size_t block = 0; block < blocks; ++block) {
    for (size_t thread = 0; thread < threads; ++thread) {
      const size_t first = block * threads + thread;
      values[thread] = !stride && first < x.size() ? x[first] : 0.f;
      for (size_t i = first; stride && i < x.size(); i += all) values[thread] += x[i];
    }
    sums.push_back(sum_of(values));
  }
  return sums;
}

bool reduce(const HostLaunch& launch, float (*sum_of)(std::span<float>)) {
  const HostArguments a = launch.arguments;
  if (a.size() != 3) return false;
  const auto x = elements<float>(a[0]), sums = elements<float>(a[1]);
  if (x.size() < count(a[2]) || sums.size() < launch.grid.x) return false;
  std::ranges::copy(block_sums(x.first(count(a[2])), launch.grid.x, launch.block.x, false, sum_of),
                    sums.begin());
  return true;
}
bool reduce_shared(const HostLaunch& launch) { return reduce(launch, tree_sum); }
bool reduce_shuffle(const HostLaunch& launch) { return reduce(launch, sum_by_warps); }

// x, sums, n, then total.
bool reduce_two_launches(const HostLaunch& launch) {
  const HostArguments a = launch.arguments;
  if (a.size() != 4) return false;
  const auto x = elements<float>(a[0]), sums = elements<float>(a[1]), total = elements<float>(a[3]);
  if (x.size() < count(a[2]) || sums.size() < launch.grid.x || total.empty()) return false;
  std::ranges::copy(block_sums(x.first(count(a[2])), launch.grid.x, launch.block.x, true, tree_sum),
                    sums.begin());
  total[0] = block_sums(sums.first(launch.grid.x), 1, launch.block.x, true, tree_sum)[0];
  return true;
}

// x, out, sums, n.
bool prefix_sum(const HostLaunch& launch) {
  const HostArguments a = launch.arguments;
  if (a.size() != 4) return false;
  const auto x = elements<uint32_t>(a[0]), out = elements<uint32_t>(a[1]);
  const size_t n = count(a[3]);
  if (x.size() < n || out.size() < n) return false;
  uint32_t sum = 0;  // wraps, as the GPU's does
  for (size_t i = 0; i < n; ++i) out[i] = sum += x[i];
  return true;
}

std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, uint32_t seed) {
  uint32_t key_x = seed, key_y = 0;
  for (int round = 0; round < 10; ++round) {
    const uint64_t x = uint64_t{0xd2511f53u} * counter[0], z = uint64_t{0xcd9e8d57u} * counter[2];
    counter = {static_cast<uint32_t>(z >> 32) ^ counter[1] ^ key_x, static_cast<uint32_t>(z),
               static_cast<uint32_t>(x >> 32) ^ counter[3] ^ key_y, static_cast<uint32_t>(x)};
    key_x += 0x9e3779b9u;
    key_y += 0xbb67ae85u;
  }
  return counter;
}

uint32_t is_inside(uint32_t a, uint32_t b) {
  const float x = static_cast<float>(a) * 0x1p-32f, y = static_cast<float>(b) * 0x1p-32f;
  return std::fmaf(x, x, y * y) <= 1.f ? 1 : 0;
}

// total, turns, seed, n.
bool pi(const HostLaunch& launch) {
  const HostArguments a = launch.arguments;
  if (a.size() != 4 || elements<uint32_t>(a[0]).empty()) return false;
  const auto seed = static_cast<uint32_t>(a[2].scalar.bits);
  uint32_t hits = 0;
  for (uint32_t thread = 0; thread < count(a[3]); ++thread)
    for (uint32_t turn = 0; turn < count(a[1]); ++turn) {
      const auto random = philox({turn, thread, 0, 0}, seed);
      hits += is_inside(random[0], random[1]) + is_inside(random[2], random[3]);
    }
  elements<uint32_t>(a[0])[0] = hits;
  return true;
}

constexpr ReferenceRow sum_rows[] = {{"histogram", histogram},
                                     {"histogram_equalisation", histogram_equalisation},
                                     {"pi", pi},
                                     {"prefix_sum", prefix_sum},
                                     {"reduce_shared", reduce_shared},
                                     {"reduce_shuffle", reduce_shuffle},
                                     {"reduce_two_launches", reduce_two_launches}};

}  // namespace

std::span<const ReferenceRow> sum_references() { return sum_rows; }

}  // namespace warplens
