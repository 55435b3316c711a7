#include "core/job/report/report_fields.h"

#include <fmt/format.h>

#include "core/base/json/json_values.h"
#include "core/compile/ptx_header.h"

namespace warplens {

ReportJson device_json(const Device& device) {
  return {{"name", device.name.empty() ? ReportJson(nullptr) : ReportJson(device.name)},
          {"kind", device.is_virtual ? "virtual" : "cuda"},
          {"compute_capability",
           fmt::format("{}.{}", device.compute_capability.major, device.compute_capability.minor)},
          {"sms", device.sms == 0 ? ReportJson(nullptr) : ReportJson(device.sms)}};
}

ReportJson resources_json(const std::optional<Resources>& resources) {
  if (!resources)
    return {{"registers_per_thread", nullptr},
            {"shared_static_bytes", nullptr},
            {"local_bytes", nullptr},
            {"spill_store_bytes", nullptr},
            {"origin", nullptr}};
  return {{"registers_per_thread", resources->registers_per_thread},
          {"shared_static_bytes", resources->shared_static_bytes},
          {"local_bytes", resources->local_bytes},
          {"spill_store_bytes", resources->spill_store_bytes},
          {"origin", to_string(resources->origin)}};
}

ReportJson occupancy_json(const std::optional<Occupancy>& occupancy) {
  if (!occupancy)
    return {{"limit_registers", nullptr},      {"limit_shared", nullptr},
            {"limit_warps", nullptr},          {"limit_blocks", nullptr},
            {"active_blocks_per_sm", nullptr}, {"active_warps_per_sm", nullptr},
            {"theoretical_percent", nullptr},  {"waves", nullptr},
            {"limiter", ReportJson::array()}};
  ReportJson limiters = ReportJson::array();
  for (const Limiter limiter : occupancy->limiters) limiters.push_back(to_string(limiter));
  return {
      {"limit_registers", occupancy->limit_registers},
      {"limit_shared", occupancy->limit_shared},
      {"limit_warps", occupancy->limit_warps},
      {"limit_blocks", occupancy->limit_blocks},
      {"active_blocks_per_sm", occupancy->active_blocks_per_sm},
      {"active_warps_per_sm", occupancy->active_warps_per_sm},
      {"theoretical_percent", occupancy->theoretical_percent},
      // If no block fits, there is no number of waves.
      {"waves", occupancy->active_blocks_per_sm == 0 ? ReportJson(nullptr) : ReportJson(occupancy->waves)},
      {"limiter", limiters}};
}

std::string compiler_of(const RunResult& result) {
  return result.request && result.request->module ? compiler_of(result.request->module->ptx) : "";
}

std::string row(const std::string& label, const std::string& value, Provenance source) {
  return fmt::format("  {:<26}{}  [{}]\n", label, value, to_string(source));
}

}  // namespace warplens
