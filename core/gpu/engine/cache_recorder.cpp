#include "core/gpu/engine/cache_recorder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "core/device/occupancy.h"
#include "core/launch/steps.h"

namespace warplens {

namespace {

using ptx::Modifier;

constexpr uint64_t line_bytes = 128, sector_bytes = 32, sectors_per_line = line_bytes / sector_bytes;

observe::LinePart part_of(uint64_t sector) {
  return {sector / sectors_per_line, 1u << sector % sectors_per_line};
}

// The lines of one request, each once and in order of address.
class Lines {
 public:
  // Addresses of lanes mostly ascend, so the line is mostly the last one again.
  void add(uint64_t sector) {
    const observe::LinePart part = part_of(sector);
    if (part.line == m_last.line) {
      m_last.sectors |= part.sectors;
    } else {
      keep_last();
      m_ordered = m_ordered && part.line > m_last.line;
      m_last = part;
    }
  }
  std::span<const observe::LinePart> in_order() {
    keep_last();
    m_last = {};
    if (!m_ordered) put_in_order();
    return {m_parts.data(), m_count};
  }

 private:
  void keep_last() {
    if (m_last.sectors != 0 && m_count < m_parts.size()) m_parts[m_count++] = m_last;
  }
  void put_in_order() {
    const auto end = m_parts.begin() + static_cast<std::ptrdiff_t>(m_count);
    std::sort(m_parts.begin(), end, [](const auto& a, const auto& b) { return a.line < b.line; });
    size_t last = 0;
    for (size_t i = 1; i < m_count; ++i) {
      if (m_parts[i].line == m_parts[last].line) {
        m_parts[last].sectors |= m_parts[i].sectors;
      } else {
        m_parts[++last] = m_parts[i];
      }
    }
    m_count = last + 1;
  }

  // Each of 32 lanes touches one line, or in local memory at most 5: 4 words, and the one in which they
  // begin.
  std::array<observe::LinePart, size_t{warp_lanes} * 5> m_parts;
  size_t m_count = 0;
  observe::LinePart m_last{};  // not in m_parts yet
  bool m_ordered = true;
};

// Whether all 32 lanes are active and access consecutive addresses.
bool is_contiguous(const uint64_t* addresses, uint32_t mask, uint32_t bytes) {
  if (mask != 0xffffffff) return false;
  uint64_t different = 0;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane)
    different |= addresses[lane] ^ (addresses[0] + uint64_t{lane} * bytes);
  return different == 0;
}

// The address of local memory in the model, far above every allocation.
constexpr uint64_t modelled_local = uint64_t{1} << 56;
constexpr uint64_t local_words = uint64_t{1} << 17;  // 512 KiB, the most that a thread may have

// Since Volta, L1 and shared memory share one array. Shared memory takes a part of it, in steps of 8 KiB
// (CUDA C++ Programming Guide, "Shared Memory" of compute capability 7.x to 9.0: 0, 8, 16, 32, 64, …).
uint64_t l1_bytes(const LaunchRequest& request, const LaunchStep* launch) {
  const Device& device = request.device;
  const uint64_t array = *device.l1_bytes_per_sm;
  if (device.compute_capability.major < 7 || launch == nullptr) return array;
  constexpr uint64_t step = 8192;
  const uint64_t shared = uint64_t{request.resources.shared_static_bytes} + launch->shared_dynamic_bytes;
  uint64_t taken = 0;
  if (shared > 0) {
    const Occupancy occupancy =
        occupancy_of(device, {.threads_per_block = static_cast<uint32_t>(launch->block.count()),
                              .registers_per_thread = request.resources.registers_per_thread,
                              .shared_static_bytes = request.resources.shared_static_bytes,
                              .shared_dynamic_bytes = launch->shared_dynamic_bytes,
                              .blocks = launch->grid.count()});
    taken = occupancy.active_blocks_per_sm * (shared + device.limits.shared_reserved_bytes_per_block);
  }
  taken = std::max<uint64_t>((taken + step - 1) / step * step, step);
  return taken < array ? array - taken : step;
}

observe::CacheHierarchy hierarchy(const LaunchRequest& request) {
  return {request.device.sms,
          {.bytes = l1_bytes(request, first_launch(request))},
          {.bytes = *request.device.l2_bytes}};
}

}  // namespace

bool CacheRecorder::knows(const Device& device) {
  return device.sms > 0 && device.l1_bytes_per_sm.value_or(0) > 0 && device.l2_bytes.value_or(0) > 0;
}

CacheRecorder::CacheRecorder(const LaunchRequest& request)
    : m_request(request), m_caches(hierarchy(request)) {}

void CacheRecorder::start_launch(const LaunchStep& step, const program::Program& program) {
  m_program = &program;
  m_warps = (step.block.count() + warp_lanes - 1) / warp_lanes;
  m_ways.clear();
  m_caches.start_launch();
}

void CacheRecorder::report(Counters& counters) const {
  const observe::CacheTraffic& traffic = m_caches.traffic();
  counters.l1_hit_sectors = traffic.l1_hit_sectors;
  counters.l2_read_sectors = traffic.l2_read_sectors;
  counters.dram_read_bytes = traffic.dram_read_sectors * 32;
  counters.dram_write_bytes = traffic.dram_written_sectors * 32;
}

void CacheRecorder::enter(uint64_t block) {
  m_block = block;
  m_sm = static_cast<uint32_t>(block % m_request.device.sms);
}

// A load that must see the stores of other SMs is served by L2 (PTX ISA 9.7.9.1, cache operators, and 8.7,
// memory consistency). Constant memory has its own caches: it does not use L1 and is not counted among its
// sectors.
CacheRecorder::Way CacheRecorder::way_of(const exec::Op& op, AccessKind kind) {
  if (kind != AccessKind::load) return Way::through_l1;
  if (op.instruction >= m_ways.size()) m_ways.resize(op.instruction + 1);
  std::optional<Way>& known = m_ways[op.instruction];
  if (!known) {
    const ptx::Instruction& instruction = m_program->instruction(op.instruction);
    const auto modifiers = std::span(m_program->code_of(op.instruction).function->modifiers)
                               .subspan(instruction.first_modifier, instruction.modifiers);
    const bool past_l1 = std::ranges::any_of(modifiers, [](Modifier m) {
      return m == Modifier::volatile_ || m == Modifier::relaxed || m == Modifier::acquire ||
             m == Modifier::cg || m == Modifier::cv;
    });
    const bool constant = std::ranges::find(modifiers, Modifier::constant) != modifiers.end();
    known = constant ? Way::elsewhere : past_l1 ? Way::past_l1 : Way::through_l1;
  }
  return *known;
}

void CacheRecorder::pass_on(observe::LinePart part, AccessKind kind, bool local, bool past_l1) {
  if (kind == AccessKind::atomic) {
    m_caches.atomic(part);
  } else if (kind == AccessKind::store) {
    m_caches.store(m_sm, part, local);
  } else if (past_l1) {
    m_caches.load_past_l1(part);
  } else {
    m_caches.load(m_sm, part);
  }
}

// Records the bytes from `first` up to `end`.
void CacheRecorder::record_contiguous(uint64_t first, uint64_t end, AccessKind kind, bool past_l1) {
  const uint64_t end_sector = (end - 1) / sector_bytes + 1;
  for (uint64_t sector = first / sector_bytes; sector < end_sector;) {
    const uint64_t line = sector / sectors_per_line;
    const uint64_t next = std::min(end_sector, (line + 1) * sectors_per_line);
    const uint32_t sectors = ((1u << (next - sector)) - 1) << sector % sectors_per_line;
    pass_on({line, sectors}, kind, false, past_l1);
    sector = next;
  }
}

void CacheRecorder::record_shaped(const exec::Op& op, uint32_t, Space space, AccessKind kind,
                                  exec::AccessShape& shape, uint64_t first) {
  if (space != Space::global) return;
  const Way way = way_of(op, kind);
  if (way == Way::elsewhere) return;
  const bool past_l1 = way == Way::past_l1;
  if (shape.contiguous) return record_contiguous(first, first + warp_lanes * op.bytes, kind, past_l1);
  const uint64_t line = first / line_bytes;
  for (const observe::LinePart& part : shape.lines_at(first))
    pass_on({line + part.line, part.sectors}, kind, false, past_l1);
}

void CacheRecorder::record(const exec::Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
                           const uint64_t* addresses) {
  if (space == Space::local) return record_local(op, warp, mask, kind == AccessKind::store, addresses);
  if (space != Space::global) return;
  const Way way = way_of(op, kind);
  if (way == Way::elsewhere) return;
  const bool past_l1 = way == Way::past_l1;
  if (is_contiguous(addresses, mask, op.bytes))
    return record_contiguous(addresses[0], addresses[0] + warp_lanes * op.bytes, kind, past_l1);
  Lines lines;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const uint64_t address = addresses[std::countr_zero(rest)];
    const uint64_t last = (address + op.bytes - 1) / sector_bytes;
    for (uint64_t s = address / sector_bytes; s <= last; ++s) lines.add(s);
  }
  for (const observe::LinePart& part : lines.in_order()) pass_on(part, kind, false, past_l1);
}

void CacheRecorder::record_texture(std::span<const uint64_t> sectors) {
  for (const uint64_t sector : sectors) pass_on(part_of(sector), AccessKind::load, false, false);
}

// Local memory is laid out so that the same offset of a warp's 32 threads is contiguous, word by word (CUDA
// C++ Programming Guide, "Local Memory").
void CacheRecorder::record_local(const exec::Op& op, uint32_t warp, uint32_t mask, bool store,
                                 const uint64_t* offsets) {
  const uint64_t first = modelled_local / sector_bytes + (m_block * m_warps + warp) * local_words * 4;
  Lines lines;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint64_t>(std::countr_zero(rest));
    const uint64_t last = (offsets[lane] + op.bytes - 1) / 4;
    for (uint64_t word = offsets[lane] / 4; word <= last; ++word) lines.add(first + word * 4 + lane / 8);
  }
  for (const observe::LinePart& part : lines.in_order())
    pass_on(part, store ? AccessKind::store : AccessKind::load, true, false);
}

}  // namespace warplens
