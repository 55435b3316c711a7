#include "core/gpu/engine/access_lines.h"

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

}  // namespace

// The lines of one request, each once and in order of address.
class AccessLines::Lines {
 public:
  // Addresses of lanes mostly ascend, so the line is mostly the last one again.
  void add(uint64_t sector) { add(part_of(sector)); }
  void add(observe::LinePart part) {
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
  Lines& cleared() {
    m_count = 0;
    m_last = {};
    m_ordered = true;
    return *this;
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

// Since Volta, L1 and shared memory share one array. Shared memory takes a part of it, in steps of 8 KiB
// (CUDA C++ Programming Guide, "Shared Memory" of compute capability 7.x to 9.0: 0, 8, 16, 32, 64, …).
uint64_t l1_bytes_beside_shared(const LaunchRequest& request, const LaunchStep* launch) {
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

AccessLines::AccessLines() : m_lines(std::make_unique<Lines>()) {}
AccessLines::~AccessLines() = default;

void AccessLines::start_launch(const LaunchStep& step, const program::Program& program) {
  m_program = &program;
  m_warps = (step.block.count() + warp_lanes - 1) / warp_lanes;
  m_ways.clear();
}

// A load that must see the stores of other SMs is served by L2 (PTX ISA 9.7.9.1, cache operators, and 8.7,
// memory consistency). Constant memory has its own caches: it does not use L1 and is not counted among its
// sectors.
AccessLines::Way AccessLines::way_of(const exec::Op& op, AccessKind kind) {
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

std::span<const observe::LinePart> AccessLines::of_bytes(uint64_t first, uint64_t end) {
  Lines& lines = m_lines->cleared();
  const uint64_t end_sector = (end - 1) / sector_bytes + 1;
  for (uint64_t sector = first / sector_bytes; sector < end_sector;) {
    const uint64_t line = sector / sectors_per_line;
    const uint64_t next = std::min(end_sector, (line + 1) * sectors_per_line);
    const uint32_t sectors = ((1u << (next - sector)) - 1) << sector % sectors_per_line;
    lines.add(observe::LinePart{line, sectors});
    sector = next;
  }
  return lines.in_order();
}

std::span<const observe::LinePart> AccessLines::of_shape(const exec::Op& op, exec::AccessShape& shape,
                                                         uint64_t first) {
  if (shape.contiguous) return of_bytes(first, first + warp_lanes * op.bytes);
  Lines& lines = m_lines->cleared();
  for (const observe::LinePart& part : shape.lines_at(first))
    lines.add(observe::LinePart{first / line_bytes + part.line, part.sectors});
  return lines.in_order();
}

std::span<const observe::LinePart> AccessLines::of_global(const exec::Op& op, uint32_t mask,
                                                          const uint64_t* addresses) {
  if (is_contiguous(addresses, mask, op.bytes))
    return of_bytes(addresses[0], addresses[0] + warp_lanes * op.bytes);
  Lines& lines = m_lines->cleared();
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const uint64_t address = addresses[std::countr_zero(rest)];
    const uint64_t last = (address + op.bytes - 1) / sector_bytes;
    for (uint64_t s = address / sector_bytes; s <= last; ++s) lines.add(s);
  }
  return lines.in_order();
}

std::span<const observe::LinePart> AccessLines::of_sectors(std::span<const uint64_t> sectors) {
  Lines& lines = m_lines->cleared();
  for (const uint64_t sector : sectors) lines.add(sector);
  return lines.in_order();
}

// Local memory is laid out so that the same offset of a warp's 32 threads is contiguous, word by word (CUDA
// C++ Programming Guide, "Local Memory").
std::span<const observe::LinePart> AccessLines::of_local(const exec::Op& op, uint32_t warp, uint32_t mask,
                                                         const uint64_t* offsets) {
  const uint64_t first = modelled_local / sector_bytes + (m_block * m_warps + warp) * local_words * 4;
  Lines& lines = m_lines->cleared();
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint64_t>(std::countr_zero(rest));
    const uint64_t last = (offsets[lane] + op.bytes - 1) / 4;
    for (uint64_t word = offsets[lane] / 4; word <= last; ++word) lines.add(first + word * 4 + lane / 8);
  }
  return lines.in_order();
}

}  // namespace warplens
