#include "core/gpu/exec/state/access_shape.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <new>
#include <string_view>
#include <utility>

#include "core/gpu/observe/coalescing.h"

namespace warplens::exec {

namespace {

constexpr uint32_t longest_pause = 255;
constexpr size_t most_shapes = 64;  // for each block; one takes about a kibibyte
constexpr uint64_t window_bytes_of_half = 64;
constexpr uint32_t all_of_them = 0xffffffff;
constexpr uint64_t sector_bytes = 32;

bool as_numbers(uint64_t a, uint64_t b) { return static_cast<int64_t>(a) < static_cast<int64_t>(b); }

// False if the half warp is not within 64 bytes, or not aligned to words.
bool fill_window(AccessShape::Window& window, const uint64_t* relative, uint32_t bytes) {
  window.start = *std::min_element(relative, relative + AccessShape::half_lanes, as_numbers);
  for (uint32_t lane = 0; lane < AccessShape::half_lanes; ++lane) {
    const uint64_t at = relative[lane] - window.start;
    if (bytes > 4 || at % bytes != 0 || at > window_bytes_of_half - bytes) return false;
    window.bytes |= ((uint64_t{1} << bytes) - 1) << at;
    window.words[lane] = static_cast<uint32_t>(at / 4);
    window.shifts[lane] = static_cast<uint32_t>(32 - 8 * bytes - 8 * (at % 4));
    for (uint32_t i = 0; i < bytes; ++i) window.sources[at + i] = static_cast<uint8_t>(4 * lane + i);
  }
  return true;
}

bool lies_in_row(const uint64_t* relative, uint32_t bytes) {
  for (uint32_t lane = 1; lane < AccessShape::half_lanes; ++lane)
    if (relative[lane] != relative[0] + uint64_t{lane} * bytes) return false;
  return true;
}

// All lanes access the first lane's bytes.
bool is_one_place(const uint64_t* relative) {
  return std::all_of(relative, relative + AccessShape::half_lanes,
                     [&](uint64_t at) { return at == relative[0]; });
}

}  // namespace

bool shapes_are_learnt() {
  const char* wish = std::getenv("WARPLENS_SHAPES");
  return wish == nullptr || std::string_view(wish) != "off";
}

AccessShape::AccessShape(const std::array<uint64_t, shape_lanes>& addresses, uint32_t lane_bytes)
    : bytes(lane_bytes) {
  for (uint32_t lane = 0; lane < shape_lanes; ++lane) {
    relative[lane] = addresses[lane] - addresses[0];
    narrow[lane] = static_cast<uint32_t>(relative[lane]);
  }
  low = *std::min_element(relative.begin(), relative.end(), as_numbers);
  high = *std::max_element(relative.begin(), relative.end(), as_numbers);
  windowed = fill_window(windows[0], relative.data(), bytes) &&
             fill_window(windows[1], relative.data() + half_lanes, bytes);
  in_rows = lies_in_row(relative.data(), bytes) && lies_in_row(relative.data() + half_lanes, bytes);
  contiguous = in_rows && relative[half_lanes] == uint64_t{half_lanes} * bytes;
  rows_apart = contiguous || (in_rows && static_cast<int64_t>(relative[half_lanes]) >=
                                             static_cast<int64_t>(half_lanes * bytes + line_bytes));
  near = std::ranges::all_of(relative, [](uint64_t at) {
    return static_cast<int64_t>(at) == static_cast<int32_t>(static_cast<uint32_t>(at));
  });
  steps = contiguous ? 0 : scattered_steps;
  const bool equal = is_one_place(relative.data()) && is_one_place(relative.data() + half_lanes);
  form = in_rows ? Form::rows : equal ? Form::equal_halves : windowed ? Form::windows : Form::scattered;
  static std::atomic<uint64_t> made{0};
  id = ++made;
}

bool AccessShape::is_of(const uint64_t* addresses) const { return is_of(addresses, all_of_them); }

bool AccessShape::is_of(const uint64_t* addresses, uint32_t mask) const {
  const auto first = static_cast<uint32_t>(std::countr_zero(mask));
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    if (addresses[lane] - addresses[first] != relative[lane] - relative[first]) return false;
  }
  return true;
}

void AccessShape::keep_part(PartKind kind, uint32_t mask, uint64_t first) {
  const uint32_t phase = phase_of_part(kind, first);
  const uint32_t place = part_place(mask, phase);
  for (uint32_t way = 0; way < part_ways; ++way)
    if (parts[place ^ way].key == part_key(mask, phase)) return;
  uint32_t last = 0;
  while (last + 1 < part_ways && parts[place ^ last].key != 0) ++last;
  // Where all places are taken, few are kept: masks may be others each time. The one that has been there
  // longest leaves.
  constexpr uint32_t wishes = 16;
  if (parts[place ^ last].key != 0 && ++parts[place].cost.steps % wishes != 0) return;
  for (uint32_t way = last; way != 0; --way) parts[place ^ way] = parts[place ^ (way - 1)];
  Part& part = parts[place];
  const uint64_t start = relative[static_cast<uint32_t>(std::countr_zero(mask))];
  std::array<uint64_t, shape_lanes> addresses{};
  uint64_t lowest = 0, highest = 0;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint64_t offset = relative[lane] - start;
    addresses[lane] = first + offset;
    lowest = std::min(lowest, offset, as_numbers);
    highest = std::max(highest, offset, as_numbers);
  }
  part = {.key = part_key(mask, phase), .cost = {}, .low = lowest, .span = highest - lowest + bytes};
  if (kind == PartKind::global) {
    const observe::Sectors sectors = observe::sectors_of(addresses.data(), mask, bytes);
    part.cost.sectors = static_cast<uint8_t>(sectors.touched);
    part.cost.sectors_ideal = static_cast<uint8_t>(sectors.ideal);
    part.cost.lines = static_cast<uint8_t>(sectors.lines);
  } else if (kind != PartKind::uncounted) {
    const observe::Wavefronts wavefronts =
        observe::wavefronts_of(addresses.data(), mask, bytes, kind == PartKind::shared_load);
    part.cost.sectors = static_cast<uint8_t>(wavefronts.count);
    part.cost.sectors_ideal = static_cast<uint8_t>(wavefronts.conflicts);
  }
}

const AccessShape::Cost& AccessShape::cost_at(uint64_t first) {
  Cost& cost = costs[first % line_bytes];
  if (cost.sectors != 0) return cost;
  std::array<uint64_t, shape_lanes> addresses{};
  for (uint32_t lane = 0; lane < shape_lanes; ++lane) {
    addresses[lane] = first + relative[lane];
    if (lane > 0 && addresses[lane] < addresses[lane - 1]) cost.steps = slow_steps;
  }
  const observe::Sectors sectors = observe::sectors_of(addresses.data(), all_of_them, bytes);
  cost.sectors = static_cast<uint8_t>(sectors.touched);
  cost.sectors_ideal = static_cast<uint8_t>(sectors.ideal);
  cost.lines = static_cast<uint8_t>(sectors.lines);
  return cost;
}

Reach Reach::of(const AccessShape& shape, uint64_t from, uint64_t end, bool narrow, uint64_t offset) {
  const uint64_t width = shape.high - shape.low, size = end - from;
  if (end < from || size < shape.bytes || width > size - shape.bytes) return {};
  Reach reach{from - shape.low, size - shape.bytes - width + 1, 0};
  if (!narrow) return reach;
  // Register values that are valid as addresses. If the range is small enough, none of them wraps around.
  constexpr int64_t registers = int64_t{1} << 32;
  const auto lowest = static_cast<int64_t>(reach.begin - offset);
  if (width >= uint64_t{registers} || reach.count > uint64_t{registers} || lowest >= registers) return {};
  const int64_t first = std::max(lowest, -static_cast<int64_t>(shape.low));
  const int64_t last =
      std::min(lowest + static_cast<int64_t>(reach.count), registers - static_cast<int64_t>(shape.high));
  if (last <= first) return {};
  return {static_cast<uint64_t>(first) + offset, static_cast<uint64_t>(last - first), 0};
}

std::span<const observe::LinePart> AccessShape::lines_at(uint64_t first) {
  if (lines.empty()) lines.resize(line_bytes);
  Lines& kept = lines[first % line_bytes];
  if (!kept.empty()) return kept;
  // Lines below the first lane's have negative numbers, so this offset is added to all numbers.
  constexpr uint64_t middle = uint64_t{1} << 63;
  const uint64_t place = middle + first % line_bytes;
  Lines all;
  for (const uint64_t lane : relative) {
    for (uint64_t at = place + lane, end = at + bytes; at < end; at = (at / sector_bytes + 1) * sector_bytes)
      all.push_back({at / line_bytes, 1u << at / sector_bytes % (line_bytes / sector_bytes)});
  }
  std::ranges::sort(all, {}, &observe::LinePart::line);
  for (const observe::LinePart& part : all) {
    const uint64_t line = part.line - middle / line_bytes;
    if (kept.empty() || kept.back().line != line) kept.push_back({line, 0});
    kept.back().sectors |= part.sectors;
  }
  return kept;
}

std::shared_ptr<AccessShape> ShapePool::shape_of(const uint64_t* addresses, uint32_t lane_bytes) {
  for (const auto& shape : m_shapes)
    if (shape->bytes == lane_bytes && shape->is_of(addresses)) return shape;
  std::array<uint64_t, shape_lanes> lanes{};
  std::copy_n(addresses, shape_lanes, lanes.begin());
  try {
    auto made = std::make_shared<AccessShape>(lanes, lane_bytes);
    if (m_shapes.size() < most_shapes) {
      m_shapes.push_back(made);
    } else {
      m_shapes[m_next++ % most_shapes] = made;
    }
    return made;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

LearntShape& LearntShape::operator=(const LearntShape& other) {
  if (this != &other) *this = LearntShape();
  return *this;
}

LearntShape& LearntShape::operator=(LearntShape&& other) noexcept {
  m_shape = std::move(other.m_shape);
  m_known = std::exchange(other.m_known, nullptr);
  m_reach = std::exchange(other.m_reach, {});
  m_bounds = std::exchange(other.m_bounds, {});
  m_own_group = std::move(other.m_own_group);
  m_group = std::exchange(other.m_group, &AccessGroup::none);
  m_wait = other.m_wait;
  m_pause = other.m_pause;
  return *this;
}

AccessGroup* LearntShape::own_group() {
  try {
    if (m_own_group == nullptr) m_own_group = std::make_shared<AccessGroup>();
    m_group = m_own_group.get();
  } catch (const std::bad_alloc&) {
  }
  return m_own_group.get();
}

namespace {

// By how much the addresses grow from lane to lane: by two active lanes of a row. If there are none, the
// lanes are taken to be side by side.
uint64_t step_of(const uint64_t* addresses, uint32_t mask, uint32_t row_lanes, uint32_t lane_bytes) {
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint32_t others = rest & (rest - 1);
    if (others == 0) break;
    const auto next = static_cast<uint32_t>(std::countr_zero(others));
    if (next / row_lanes != lane / row_lanes) continue;
    const auto way = static_cast<int64_t>(addresses[next] - addresses[lane]);
    if (way % static_cast<int64_t>(next - lane) == 0)
      return static_cast<uint64_t>(way / static_cast<int64_t>(next - lane));
  }
  return lane_bytes;
}

}  // namespace

bool LearntShape::learn_part(ShapePool& pool, const uint64_t* addresses, uint32_t mask, uint32_t lane_bytes,
                             uint32_t row_lanes) {
  if (lets_pass()) return false;
  const uint64_t step = step_of(addresses, mask, row_lanes, lane_bytes);
  std::array<uint64_t, shape_lanes> all{};
  for (uint32_t begin = 0; begin < shape_lanes; begin += row_lanes) {
    const uint32_t row = all_of_them >> (shape_lanes - row_lanes) << begin;
    if ((mask & row) == 0) continue;
    const auto known = static_cast<uint32_t>(std::countr_zero(mask & row));
    for (uint32_t lane = begin; lane < begin + row_lanes; ++lane)
      all[lane] = (mask >> lane & 1u) != 0 ? addresses[lane]
                                           : addresses[known] + step * (uint64_t{lane} - uint64_t{known});
  }
  // A row without active lanes lies as it did before, or goes on where the row before it ends.
  const auto first = static_cast<uint32_t>(std::countr_zero(mask)), first_row = first / row_lanes * row_lanes;
  for (uint32_t begin = 0; begin < shape_lanes; begin += row_lanes) {
    const uint32_t row = all_of_them >> (shape_lanes - row_lanes) << begin;
    if ((mask & row) != 0) continue;
    uint64_t start = all[first_row] + step * (uint64_t{begin} - uint64_t{first_row});
    if (m_known != nullptr) start = all[first_row] + m_known->relative[begin] - m_known->relative[first_row];
    for (uint32_t lane = begin; lane < begin + row_lanes; ++lane) all[lane] = start + step * (lane - begin);
  }
  return learn(pool, all.data(), lane_bytes);
}

bool LearntShape::learn(ShapePool& pool, const uint64_t* addresses, uint32_t lane_bytes) {
  if (m_shape != nullptr && m_shape->is_of(addresses)) return true;
  if (lets_pass()) return false;
  m_pause = std::min(2 * m_pause + 1, longest_pause);
  m_wait = m_pause;
  m_reach = {};
  m_bounds = {};
  m_shape = pool.shape_of(addresses, lane_bytes);
  m_known = m_shape.get();
  return m_shape != nullptr;
}

}  // namespace warplens::exec
