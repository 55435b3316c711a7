// Instructions that move matrices, and asynchronous copies: ldmatrix and stmatrix (PTX ISA 9.7.14.5.15), the
// addresses of wmma.load and wmma.store, and cp.async (9.7.9.25.3).
#include "core/gpu/exec/ops/common.h"
#include "core/gpu/exec/state/counters.h"
#include "core/gpu/observe/coalescing.h"

#include <array>

#include "core/gpu/exec/state/async_copy.h"
#include "core/program/op/matrix_op.h"

#include "core/gpu/exec/isa/isa_begin.h"
#include "core/gpu/exec/ops/access.h"
#include "core/gpu/exec/ops/lanes.h"
#include "core/gpu/exec/ops/matrix.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

// As with other accesses of shared memory, a pattern of addresses is analysed once.
void count_rows(MemoryOpState& state, const uint64_t* row, uint32_t used) {
  alignas(64) uint32_t pattern[warp_lanes];
  uint32_t different = 0;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    pattern[lane] = static_cast<uint32_t>(row[lane] - row[0]);
    different |= pattern[lane] ^ state.pattern[lane];
  }
  if (different != 0 || state.pattern_mask != used) {
    const observe::Wavefronts wavefronts =
        observe::matrix_wavefronts(row, static_cast<uint32_t>(std::popcount(used)) / 8);
    std::memcpy(state.pattern.data(), pattern, sizeof pattern);
    state.pattern_mask = used;
    state.pattern_wavefronts = wavefronts.count;
    state.pattern_conflicts = wavefronts.conflicts;
  }
  ++state.requests;
  state.wavefronts += state.pattern_wavefronts;
  state.conflicts += state.pattern_conflicts;
}

// Lane l names row l % 8 of matrix l / 8. Addresses in lanes beyond the last matrix are ignored. `outside`:
// the rows that are in no memory, in a launch that goes on after them.
bool resolve_rows(const Op* op, Warp& warp, uint64_t* row, uint32_t& outside) {
  BlockContext& block = *warp.block;
  gather_addresses(op, warp, row);
  const MatrixRowsOp rows = MatrixRowsOp::of(*op);
  const uint32_t lanes = 8 * rows.count, used = lanes == 32 ? ~0u : (1u << lanes) - 1;
  // Generic addresses of shared memory; any other is out of bounds there.
  const uint64_t base = rows.generic ? shared_window : 0;
  for (uint32_t lane = 0; lane < lanes; ++lane) row[lane] -= base;
  for (uint32_t lane = lanes; lane < warp_lanes; ++lane) row[lane] = row[lane % lanes];
  Op one_row = *op;
  one_row.bytes = MatrixRowsOp::matrix_bytes;
  const auto find = [&](const Op*, Warp&, const uint64_t* at) {
    if (resolve_range(&one_row, warp, at, block.shared, block.shared_bytes, Space::shared).ok) return true;
    warp.fault.op = op;
    return false;
  };
  outside = 0;
  if (!find(op, warp, row)) {
    set_mask(warp, used);
    const bool ok = goes_on(op, warp, row, find, [&](uint32_t lane) { outside |= 1u << lane; });
    set_mask(warp, ~0u);
    if (!ok) return false;
  }
  if (block.count_memory) count_rows(block.memory_ops[access_counter(*op)], row, used);
  if (const uint32_t inside = used & ~outside; block.recorder != nullptr && inside != 0)
    block.recorder->record(one_row, warp.index, inside, Space::shared, access_kind(*op), row);
  return true;
}

using Matrix = uint16_t[8][8];

// The element of a matrix that is in this lane and half (0 or 1) of a register.
inline uint16_t& element(Matrix& matrix, uint32_t lane, uint32_t half, bool transposed) {
  const uint32_t row = lane / 4, column = lane % 4 * 2 + half;
  return transposed ? matrix[column][row] : matrix[row][column];
}

const Op* run_load_matrix(const Op* op, Warp& warp) {
  if (!is_whole(op, warp)) return nullptr;
  alignas(64) Addresses row;
  uint32_t outside = 0;
  if (!resolve_rows(op, warp, row, outside)) return nullptr;
  const MatrixRowsOp rows = MatrixRowsOp::of(*op);
  for (uint32_t m = 0; m < rows.count; ++m) {
    uint32_t* to = warp.reg<uint32_t>(rows.slots[m]);
    Matrix matrix = {};
    for (uint32_t i = 8 * m; i < 8 * m + 8; ++i)
      if ((outside >> i & 1) == 0) std::memcpy(matrix[i % 8], warp.block->shared + row[i], 16);
    if (!rows.transposed) {  // four lanes share a row
      std::memcpy(to, matrix, sizeof matrix);
      continue;
    }
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
      to[lane] = element(matrix, lane, 0, true) | static_cast<uint32_t>(element(matrix, lane, 1, true)) << 16;
    }
  }
  return op + 1;
}

const Op* run_store_matrix(const Op* op, Warp& warp) {
  if (!is_whole(op, warp)) return nullptr;
  alignas(64) Addresses row;
  uint32_t outside = 0;
  if (!resolve_rows(op, warp, row, outside)) return nullptr;
  const MatrixRowsOp rows = MatrixRowsOp::of(*op);
  for (uint32_t m = 0; m < rows.count; ++m) {
    const uint32_t* from = warp.reg<uint32_t>(rows.slots[m]);
    Matrix matrix;
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
      element(matrix, lane, 0, rows.transposed) = static_cast<uint16_t>(from[lane]);
      element(matrix, lane, 1, rows.transposed) = static_cast<uint16_t>(from[lane] >> 16);
    }
    for (uint32_t i = 8 * m; i < 8 * m + 8; ++i)
      if ((outside >> i & 1) == 0) std::memcpy(warp.block->shared + row[i], matrix[i % 8], 16);
  }
  return op + 1;
}

const Op* run_element_address(const Op* op, Warp& warp) {
  if (!is_whole(op, warp)) return nullptr;
  const ElementAddressOp at = ElementAddressOp::of(*op);
  const Fragment& fragment = warp.block->matrices[at.matrix].d.fragment;
  alignas(64) Addresses base;
  gather_addresses(op, warp, base);
  const uint32_t* stride = warp.reg<uint32_t>(at.stride);
  const uint16_t* place = fragment.place.data() + at.element * warp_lanes;
  auto* to = warp.reg<uint64_t>(at.result);
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    const uint32_t row = place[lane] / fragment.columns, column = place[lane] % fragment.columns;
    const uint32_t line = at.by_columns ? column : row, within = at.by_columns ? row : column;
    to[lane] = base[lane] + (uint64_t{line} * stride[lane] + within) * fragment.bits / 8;
  }
  return op + 1;
}

const Op* run_join_bytes(const Op* op, Warp& warp) {
  uint32_t* to = warp.reg<uint32_t>(op->d);
  const uint16_t* parts[4] = {warp.reg<uint16_t>(op->a), warp.reg<uint16_t>(op->b), warp.reg<uint16_t>(op->c),
                              warp.reg<uint16_t>(op->e)};
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    uint32_t word = 0;
    for (uint32_t i = 0; i < 4; ++i) word |= static_cast<uint32_t>(parts[i][lane] & 255) << 8 * i;
    to[lane] = word;
  }
  return op + 1;
}

// The bytes that each lane reads: all, none, or src-size. The rest becomes zeros.
void read_sizes(const Op* op, const Warp& warp, uint32_t* size) {
  const CopySourceOp copy = CopySourceOp::of(*op);
  const uint32_t ignored = copy.predicate == no_slot ? 0 : taken_by(*op, warp.predicate(copy.predicate));
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    const uint32_t asked = copy.size == no_slot ? copy.bytes : warp.reg<uint32_t>(copy.size)[lane];
    size[lane] = (ignored >> lane & 1u) != 0 ? 0 : asked < copy.bytes ? asked : copy.bytes;
  }
}

bool read_whole(const Op* op, Warp& warp, const uint64_t* address) {
  AsyncCopy& copy = warp.copies.pending.back();
  const Resolved at = resolve_global(op, warp, address);
  if (!at.ok) return goes_on(op, warp, address, read_whole, [](uint32_t) {});  // its bytes are zeros
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const std::byte* from = at.origin != no_origin
                                ? host_at(at.origin, address[lane])
                                : warp.block->memory->find(address[lane])->at(address[lane]);
    std::memcpy(copy.data.data() + lane * 16, from, op->bytes);
    copy.source[lane] = address[lane];
  }
  return true;
}

bool read_part(const Op* op, Warp& warp, const uint64_t* address, uint32_t lane, uint32_t size) {
  AsyncCopy& copy = warp.copies.pending.back();
  const Allocation* allocation = warp.block->memory->find(address[lane]);
  if (allocation == nullptr || allocation->end - address[lane] < size) {
    fail(op, warp, FaultKind::out_of_bounds, lane, address[lane], Space::global);
    return pass_fault(warp);
  }
  std::memcpy(copy.data.data() + lane * 16, allocation->at(address[lane]), size);
  copy.source[lane] = address[lane];
  if (warp.block->count_memory) ++warp.block->memory_ops[access_counter(*op)].sectors;
  return true;
}

const Op* run_copy_source(const Op* op, Warp& warp) {
  AsyncCopy& copy = warp.copies.pending.emplace_back();
  copy.bytes = op->bytes;
  alignas(64) uint32_t size[warp_lanes];
  read_sizes(op, warp, size);
  const uint32_t all = warp.mask;
  uint32_t whole = 0, part = 0;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    whole |= static_cast<uint32_t>(size[lane] == op->bytes) << lane & all;
    part |= static_cast<uint32_t>(size[lane] != op->bytes && size[lane] != 0) << lane & all;
  }
  bool ok = true;
  alignas(64) Addresses address;
  if (whole != 0) {
    set_mask(warp, whole);
    gather_addresses(op, warp, address);
    ok = read_whole(op, warp, address);
  } else if (part != 0 && warp.block->count_memory) {
    ++warp.block->memory_ops[access_counter(*op)].requests;
  }
  for (; ok && part != 0; part &= part - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(part));
    set_mask(warp, 1u << lane);
    gather_addresses(op, warp, address);
    ok = read_part(op, warp, address, lane, size[lane]);
  }
  set_mask(warp, all);
  return ok ? op + 1 : nullptr;
}

// Lanes whose target is outside of memory are left out of the copy.
bool set_target(const Op* op, Warp& warp, const uint64_t* address) {
  BlockContext& block = *warp.block;
  AsyncCopy& copy = warp.copies.pending.back();
  if (!resolve_range(op, warp, address, block.shared, block.shared_bytes, Space::shared).ok)
    return goes_on(op, warp, address, set_target, [](uint32_t) {});
  copy.mask |= warp.mask;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    copy.target[lane] = static_cast<uint32_t>(address[lane]);
    copy.group[lane] = warp.copies.committed[lane];
  }
  if (block.count_memory) {
    MemoryOpState& state = block.memory_ops[access_counter(*op)];
    const observe::Wavefronts wavefronts = observe::copy_wavefronts(
        copy.source.data(), address, warp.mask, op->bytes, CopyTargetOp::of(*op).bypasses);
    uint32_t reading = 0;  // the other lanes copy zeros
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      reading |= static_cast<uint32_t>(copy.source[lane] != 0) << lane;
    ++state.requests;
    state.sectors += observe::copy_sectors(copy.source.data(), address, warp.mask & reading, op->bytes,
                                           CopyTargetOp::of(*op).bypasses);
    state.wavefronts += wavefronts.count;
    state.conflicts += wavefronts.conflicts;
  }
  if (block.recorder != nullptr)
    block.recorder->record(*op, warp.index, warp.mask, Space::shared, AccessKind::store, address);
  return true;
}

const Op* run_copy_target(const Op* op, Warp& warp) {
  alignas(64) Addresses address;
  gather_addresses(op, warp, address);
  return set_target(op, warp, address) ? op + 1 : nullptr;
}

}  // namespace

Handlers pick_matrix_memory(MatrixJob job) {
  switch (job) {
    case MatrixJob::load_matrix:
      return {{&run_load_matrix, &run_load_matrix}};
    case MatrixJob::store_matrix:
      return {{&run_store_matrix, &run_store_matrix}};
    case MatrixJob::element_address:
      return {{&run_element_address, &run_element_address}};
    case MatrixJob::join_bytes:
      return {{&run_join_bytes, &run_join_bytes}};
    case MatrixJob::copy_source:
      return {{&run_copy_source, &run_copy_source}};
    case MatrixJob::copy_target:
      return {{&run_copy_target, &run_copy_target}};
    default:
      return {};
  }
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/gpu/exec/isa/isa_end.h"
