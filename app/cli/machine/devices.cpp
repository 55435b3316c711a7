// warplens devices: the devices that `--device` can name.
#include <fmt/format.h>

#include <ostream>

#include "app/base/format.h"
#include "app/cli/shared/commands.h"
#include "core/base/json/json_values.h"
#include "core/device/device.h"
#include "core/job/report/report_fields.h"

namespace warplens {

namespace {

ReportJson full_json(const Device& device) {
  ReportJson json = {{"id", device.id}};
  json.update(device_json(device));
  json.update({{"boost_clock_mhz", json_values::or_null(device.boost_clock_mhz)},
               {"memory_clock_mhz", json_values::or_null(device.memory_clock_mhz)},
               {"memory_bandwidth_gb_s", json_values::or_null(device.memory_bandwidth_gb_s)},
               {"memory_bytes", json_values::or_null(device.memory_bytes)},
               {"l2_bytes", json_values::or_null(device.l2_bytes)},
               {"l1_bytes_per_sm", json_values::or_null(device.l1_bytes_per_sm)},
               {"fp32_lanes_per_sm", json_values::or_null(device.fp32_lanes_per_sm)},
               {"pcie_gb_s", json_values::or_null(device.pcie_gb_s)},
               {"max_threads_per_block", device.limits.max_threads_per_block},
               {"max_warps_per_sm", device.limits.max_warps_per_sm},
               {"max_blocks_per_sm", device.limits.max_blocks_per_sm},
               {"registers_per_sm", device.limits.registers_per_sm},
               {"shared_bytes_per_sm", device.limits.shared_bytes_per_sm},
               {"shared_bytes_per_block", device.limits.shared_bytes_per_block},
               {"shared_bytes_per_block_optin", device.limits.shared_bytes_per_block_optin}});
  return json;
}

std::string heading(const char* kind) {
  return fmt::format("{:<34}{:>11}{:>6}{:>12}{:>16}{:>12}\n", kind, "capability", "SMs", "warps an SM",
                     "shared an SM", "memory");
}

std::string row(const Device& device, const std::string& name) {
  return fmt::format("{:<34}{:>11}{:>6}{:>12}{:>16}{:>12}\n", name,
                     fmt::format("{}.{}", device.compute_capability.major, device.compute_capability.minor),
                     device.sms, device.limits.max_warps_per_sm,
                     bytes_text(device.limits.shared_bytes_per_sm),
                     device.memory_bytes ? bytes_text(*device.memory_bytes) : "not known");
}

std::string mhz(const std::optional<double>& clock) {
  return clock ? fmt::format("{:.0f} MHz", *clock) : "not known";
}

// The full report of the driver, only for real GPUs: a machine has few of them.
std::string details(const Device& device) {
  const DeviceLimits& limits = device.limits;
  return fmt::format(
      "  clock at most {}, memory {}{}, L2 {}\n"
      "  {} threads and {} blocks an SM, {} registers an SM and {} a block, {} threads a block\n"
      "  shared memory of a block {}, after opting in {}; grid at most {} x {} x {}\n",
      mhz(device.boost_clock_mhz), mhz(device.memory_clock_mhz),
      device.memory_bandwidth_gb_s ? fmt::format(" ({:.0f} GB/s)", *device.memory_bandwidth_gb_s) : "",
      device.l2_bytes ? bytes_text(*device.l2_bytes) : "not known", limits.max_warps_per_sm * warp_lanes,
      limits.max_blocks_per_sm, limits.registers_per_sm, limits.registers_per_block,
      limits.max_threads_per_block, bytes_text(limits.shared_bytes_per_block),
      bytes_text(limits.shared_bytes_per_block_optin), limits.max_grid.x, limits.max_grid.y,
      limits.max_grid.z);
}

void print_devices(bool json, Cli& cli) {
  const RealGpus real = find_real_gpus(cli.real_gpus);
  const std::vector<Device>& devices = built_in_devices();
  if (json) {
    ReportJson list = ReportJson::array();
    for (const Device& device : real.devices) list.push_back(full_json(device));
    for (const Device& device : devices) list.push_back(full_json(device));
    cli.out << json_values::indented(
        {{"schema", 1},
         {"devices", std::move(list)},
         {"no_real_gpu", real.none.empty() ? ReportJson(nullptr) : ReportJson(real.none)}});
    return;
  }
  if (!real.devices.empty()) cli.out << heading("real GPU");
  for (const Device& device : real.devices)
    cli.out << row(device, device.id + " " + device.name) << details(device);
  if (!real.devices.empty()) cli.out << "\n";
  cli.out << heading("virtual GPU");
  for (const Device& device : devices) cli.out << row(device, device.name);
  cli.out << (real.none.empty() ? "--device cuda:0 is the first real GPU; for a virtual one it"
                                : real.none + "\n--device")
          << " takes a unique part of a name, as in --device 3060.\n";
}

}  // namespace

CliCommand devices_command(Cli& cli) {
  const auto json = std::make_shared<bool>(false);
  return {"devices",
          "List the devices that a kernel can run on",
          {{"--json", json.get(), "Print JSON; a number that is not known is null"}},
          [json, &cli] {
            print_devices(*json, cli);
            return left_out(device_mistakes());
          }};
}

}  // namespace warplens
