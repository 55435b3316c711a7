// One device of the process: what it is, its time, and what of its memory is in use. The devices share one
// space of addresses (Gpu::memory), so that an address says where its bytes are (unified addressing).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/device/device.h"
#include "core/streams/order.h"
#include "cuda/stand_in/driver/state/clock.h"

namespace warplens::driver {

struct Context;
struct Pool;

struct DeviceState {
  DeviceState(int number, Device its_spec, double& host_us)
      : ordinal(number), spec(std::move(its_spec)), clock(host_us) {}

  const int ordinal;
  const Device spec;
  Clock clock;
  streams::Line default_line = streams::default_line;  // of its legacy default stream
  Context* primary = nullptr;
  unsigned primary_flags = 0;
  Pool* default_pool = nullptr;
  Pool* current_pool = nullptr;
  uint64_t used_bytes = 0;
  // Memory of allocation nodes of graphs. It stays reserved until the program trims it.
  struct GraphMemory {
    uint64_t used = 0, used_high = 0, reserved = 0, reserved_high = 0;
  } graph_memory;

  uint64_t total_bytes() const { return spec.memory_bytes.value_or(uint64_t{8} << 30); }
};

inline uint32_t bit_of(const DeviceState& on) { return uint32_t{1} << on.ordinal; }

}  // namespace warplens::driver
