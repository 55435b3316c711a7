#include "core/backend/cache_recorder.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/device/occupancy.h"

namespace warplens {

namespace {

using ptx::Modifier;

// Up to 32 lanes of at most 32 bytes.
constexpr size_t max_sectors = 64;
// Where threads' local memory lies in the model: far above every allocation.
constexpr uint64_t local_window = uint64_t{1} << 56;
constexpr uint64_t local_words = uint64_t{1} << 17;  // 512 KiB, the most that a thread may have

// Shared memory takes its part of the array that it shares with L1 since Volta, in steps of 8 KiB (CUDA C++
// Programming Guide, "Shared Memory" of compute capability 7.x to 9.0: 0, 8, 16, 32, 64, …).
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

void CacheRecorder::start_launch(const LaunchStep& step, const ir::Program& program) {
  m_program = &program;
  m_warps = (step.block.count() + warp_lanes - 1) / warp_lanes;
  m_past_l1.clear();
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

// Loads that other SMs' stores must be visible to are served by L2 (PTX ISA 9.7.9.1, cache operators, and
// 8.7, memory consistency).
bool CacheRecorder::passes_l1(const exec::Op& op) {
  if (op.instruction >= m_past_l1.size()) m_past_l1.resize(op.instruction + 1);
  std::optional<bool>& known = m_past_l1[op.instruction];
  if (!known) {
    const ptx::Instruction& instruction = m_program->instruction(op.instruction);
    const auto modifiers = std::span(m_program->code_of(op.instruction).function->modifiers)
                               .subspan(instruction.first_modifier, instruction.modifiers);
    known = std::ranges::any_of(modifiers, [](Modifier m) {
      return m == Modifier::volatile_ || m == Modifier::relaxed || m == Modifier::acquire ||
             m == Modifier::cg || m == Modifier::cv;
    });
  }
  return *known;
}

void CacheRecorder::sector(uint64_t sector, AccessKind kind, bool local, bool past_l1) {
  if (kind == AccessKind::atomic) {
    m_caches.atomic(sector);
  } else if (kind == AccessKind::store) {
    m_caches.store(m_sm, sector, local);
  } else if (past_l1) {
    m_caches.load_past_l1(sector);
  } else {
    m_caches.load(m_sm, sector);
  }
}

void CacheRecorder::record(const exec::Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
                           const uint64_t* addresses) {
  if (space == Space::local) return record_local(op, warp, mask, kind == AccessKind::store, addresses);
  if (space != Space::global) return;
  std::array<uint64_t, max_sectors> sectors;
  size_t count = 0;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const uint64_t address = addresses[std::countr_zero(rest)];
    for (uint64_t s = address / 32; s <= (address + op.bytes - 1) / 32; ++s) {
      // Neighbouring lanes mostly share a sector.
      if (count == 0 || (sectors[count - 1] != s && count < max_sectors)) sectors[count++] = s;
    }
  }
  std::sort(sectors.begin(), sectors.begin() + count);
  const auto end = std::unique(sectors.begin(), sectors.begin() + count);
  const bool past_l1 = kind == AccessKind::load && passes_l1(op);
  for (auto s = sectors.begin(); s != end; ++s) sector(*s, kind, false, past_l1);
}

// Local memory is laid out so that the same offset of a warp's 32 threads is contiguous, word by word (CUDA
// C++ Programming Guide, "Local Memory").
void CacheRecorder::record_local(const exec::Op& op, uint32_t warp, uint32_t mask, bool store,
                                 const uint64_t* offsets) {
  const uint64_t first = local_window / 32 + (m_block * m_warps + warp) * local_words * 4;
  std::array<uint64_t, warp_lanes * 4> sectors;
  size_t count = 0;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint64_t>(std::countr_zero(rest));
    for (uint64_t word = offsets[lane] / 4; word <= (offsets[lane] + op.bytes - 1) / 4; ++word) {
      if (count < sectors.size()) sectors[count++] = first + word * 4 + lane / 8;
    }
  }
  std::sort(sectors.begin(), sectors.begin() + count);
  const auto end = std::unique(sectors.begin(), sectors.begin() + count);
  for (auto s = sectors.begin(); s != end; ++s)
    sector(*s, store ? AccessKind::store : AccessKind::load, true, false);
}

}  // namespace warplens
