// The work of a timed launch, as time_work.jsonl has it.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "core/gpu/timing/time_model.h"
#include "core/launch/fields.h"

namespace warplens {

inline KernelWork work_of_json(const nlohmann::ordered_json& json) {
  KernelWork work;
  const auto dim = [](const nlohmann::ordered_json& d) {
    return Dim3{d[0].get<uint32_t>(), d[1].get<uint32_t>(), d[2].get<uint32_t>()};
  };
  work.shape.grid = dim(json["grid"]);
  work.shape.block = dim(json["block"]);
  work.buffer_bytes = json["buffer_bytes"].get<uint64_t>();
  work.occupancy = Occupancy{};
  work.occupancy->active_blocks_per_sm = json["active_blocks"].get<uint32_t>();
  work.occupancy->active_warps_per_sm = work.occupancy->active_blocks_per_sm *
                                        static_cast<uint32_t>(ceil_div(work.shape.block.count(), warp_lanes));
  work.mix.warp_instructions = json["mix"].get<decltype(work.mix.warp_instructions)>();
  work.mix.chain = json["chain"].get<decltype(work.mix.chain)>();
  const auto number = [&](const char* name) { return json[name].get<uint64_t>(); };
  work.mix.store_sectors_ideal = number("store_sectors_ideal");
  work.mix.local_store_sectors_ideal = number("local_store_sectors_ideal");
  if (json.contains("spread"))
    work.spread = BlockSpread{json["spread"][0].get<double>(), json["spread"][1].get<double>()};
  work.mix.load_lines = number("load_lines");
  work.mix.store_lines = number("store_lines");
  work.mix.atomic_updates = number("atomic_updates");
  work.mix.atomic_hottest_lanes = number("atomic_hottest_lanes");
  work.mix.atomic_hottest_requests = number("atomic_hottest_requests");
  if (json.contains("cache_sample")) {
    const auto sample = json["cache_sample"].get<std::array<uint64_t, 3>>();
    work.cache_sample = CacheSample{sample[0], sample[1], sample[2]};
  }
  each_field(work.counters, [&]<class T>(std::string_view name, T& value) {
    if (json["counters"].contains(std::string(name)))
      value = json["counters"][std::string(name)].get<uint64_t>();
  });
  return work;
}

}  // namespace warplens
