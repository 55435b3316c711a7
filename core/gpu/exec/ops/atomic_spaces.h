// Selects the space of an atomic operation: a Body with the functions global and shared becomes one handler
// for each space. Included between isa_begin.h and isa_end.h, after access.h.
#pragma once

#include "core/gpu/exec/ops/access.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

inline std::byte* host_address(const Warp& warp, const Resolved& at, uint64_t address) {
  if (at.origin != no_origin) return host_at(at.origin, address);
  return warp.block->memory->find(address)->at(address);
}

template <class Body>
struct AtSpaces {
  // As goes_on. The result keeps its old value: an atomic outside of memory has none.
  template <bool (*Run)(const Op*, Warp&, const uint64_t*)>
  static bool updates_on(const Op* op, Warp& warp, const uint64_t* address) {
    return goes_on(op, warp, address, Run, [](uint32_t) {});
  }
  static bool run_shared(const Op* op, Warp& warp, const uint64_t* address) {
    const Resolved at = resolve_shared(op, warp, address);
    if (!at.ok) return updates_on<&run_shared>(op, warp, address);
    Body::shared(op, warp, address, at);
    return true;
  }
  static bool run_global(const Op* op, Warp& warp, const uint64_t* address) {
    const Resolved at = resolve_global(op, warp, address);
    if (!at.ok) return updates_on<&run_global>(op, warp, address);
    Body::global(op, warp, address, at);
    return true;
  }
  // A thread's own memory, by a generic address: no other thread can access it.
  static bool run_local(const Op* op, Warp& warp, const uint64_t* address) {
    const BlockContext& block = *warp.block;
    const Resolved at = resolve_range(op, warp, address, warp.local, block.local_bytes, Space::local);
    if (!at.ok) return updates_on<&run_local>(op, warp, address);
    note_local_writers(warp, address);
    if (block.count_memory) count_local(op, warp, address);
    if (block.recorder != nullptr)
      block.recorder->record(*op, warp.index, warp.mask, Space::local, access_kind(*op), address);
    alignas(64) Addresses own;
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      own[lane] = address[lane] + uint64_t{lane} * block.local_bytes;
    Body::shared(op, warp, own, at);
    return true;
  }
  static bool run_generic(const Op* op, Warp& warp, const uint64_t* address) {
    return in_each_space<3>(warp, address, [&](uint32_t space, const uint64_t* relative) {
      Op counted = *op;
      counted.state += space;  // each space has its own counter
      const bool ok = space == 0   ? run_global(op, warp, relative)
                      : space == 1 ? run_shared(&counted, warp, relative)
                                   : run_local(&counted, warp, relative);
      if (!ok) warp.fault.op = op;
      return ok;
    });
  }
  template <bool (*Run)(const Op*, Warp&, const uint64_t*)>
  static const Op* run(const Op* op, Warp& warp) {
    alignas(64) Addresses address;
    gather_addresses(op, warp, address);
    return Run(op, warp, address) ? op + 1 : nullptr;
  }
  static Handlers handlers(const Selector& s) {
    switch (s.source_type) {  // the space
      case ptx::Modifier::global:
        return {{&run<&run_global>, &run<&run_global>}};
      case ptx::Modifier::shared:
        return {{&run<&run_shared>, &run<&run_shared>}};
      default:
        return {{&run<&run_generic>, &run<&run_generic>}};
    }
  }
};

}  // namespace

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE
