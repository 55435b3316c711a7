#include "app/views/occupancy/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/format.h"
#include "app/views/occupancy/resource_bars.h"

namespace warplens {

namespace {

OccupancyInput launch_input(const OccupancyViewInput& input) {
  OccupancyInput launch;
  launch.threads_per_block = static_cast<uint32_t>(input.shape.block.count());
  launch.shared_dynamic_bytes = input.shape.shared_dynamic_bytes;
  launch.blocks = input.shape.grid.count();
  if (input.resources) {
    launch.registers_per_thread = input.resources->registers_per_thread;
    launch.shared_static_bytes = input.resources->shared_static_bytes;
  }
  return launch;
}

CurvePoint point_at(const Device& device, const OccupancyInput& launch, uint32_t x, const char* unit) {
  const Occupancy o = occupancy_of(device, launch);
  const uint64_t warps = ceil_div(launch.threads_per_block, warp_lanes);
  CurvePoint point{x, o.theoretical_percent, {}};
  point.words = o.active_blocks_per_sm == 0
                    ? fmt::format("{} {}: no block fits", with_separators(x), unit)
                    : fmt::format("{} {}: {}, {} of {}, limited by {}", with_separators(x), unit,
                                  percent_text(o.theoretical_percent),
                                  count_text(o.active_blocks_per_sm, "block", "blocks"),
                                  count_text(warps, "warp", "warps"), limiter_names(o.limiters));
  return point;
}

OccupancyCurve block_curve(const OccupancyViewInput& input, const OccupancyInput& today) {
  OccupancyCurve curve{
      "over the block size", "threads a block", input.device.limits.max_threads_per_block, {}, {}};
  for (uint32_t threads = warp_lanes; threads <= curve.largest; threads += warp_lanes) {
    OccupancyInput launch = today;
    launch.threads_per_block = threads;
    curve.points.push_back(point_at(input.device, launch, threads, "threads a block"));
  }
  curve.today = point_at(input.device, today, today.threads_per_block, "threads a block");
  return curve;
}

OccupancyCurve register_curve(const OccupancyViewInput& input, const OccupancyInput& today) {
  OccupancyCurve curve{
      "over registers a thread", "registers a thread", input.device.limits.max_registers_per_thread, {}, {}};
  for (uint32_t registers = 1; registers <= curve.largest; ++registers) {
    OccupancyInput launch = today;
    launch.registers_per_thread = registers;
    curve.points.push_back(point_at(input.device, launch, registers, "registers a thread"));
  }
  if (input.resources)
    curve.today = point_at(input.device, today, today.registers_per_thread, "registers a thread");
  return curve;
}

// Static and dynamic bytes together; 1 KiB apart.
OccupancyCurve shared_curve(const OccupancyViewInput& input, const OccupancyInput& today) {
  constexpr uint32_t step = 1024;
  OccupancyCurve curve{"over shared memory a block",
                       "bytes of shared memory a block",
                       input.device.limits.shared_bytes_per_block_optin,
                       {},
                       {}};
  for (uint32_t bytes = 0; bytes <= curve.largest; bytes += step) {
    OccupancyInput launch = today;
    launch.shared_static_bytes = 0;
    launch.shared_dynamic_bytes = bytes;
    curve.points.push_back(point_at(input.device, launch, bytes, curve.unit.c_str()));
  }
  if (input.resources)
    curve.today = point_at(input.device, today, today.shared_static_bytes + today.shared_dynamic_bytes,
                           curve.unit.c_str());
  return curve;
}

WavePlan plan_waves(const Device& device, const Occupancy& occupancy, uint64_t blocks) {
  WavePlan plan;
  plan.blocks = blocks;
  plan.sms = device.sms;
  plan.blocks_per_sm = occupancy.active_blocks_per_sm;
  plan.slots = uint64_t{plan.sms} * plan.blocks_per_sm;
  if (plan.slots == 0) return plan;
  plan.waves = ceil_div(blocks, plan.slots);
  plan.in_last = blocks - (plan.waves == 0 ? 0 : plan.waves - 1) * plan.slots;
  return plan;
}

std::string words_of_waves(const WavePlan& plan) {
  if (plan.slots == 0 || plan.waves == 0) return {};
  const uint64_t empty = plan.slots - plan.in_last;
  const std::string waves = count_text(plan.waves, "wave", "waves");
  const std::string slots = with_separators(plan.slots);
  if (empty == 0) return fmt::format("{}, all full: {} blocks at a time", waves, slots);
  if (plan.waves == 1)
    return fmt::format("1 wave, and {} of {} block slots stay empty", with_separators(empty), slots);
  return fmt::format("{}; in the last one {} of {} block slots stay empty", waves, with_separators(empty),
                     slots);
}

SmOccupants occupants_of(const OccupancyViewInput& input, const Occupancy& occupancy, const WavePlan& plan) {
  SmOccupants sm;
  const uint64_t threads = input.shape.block.count();
  sm.max_warps = input.device.limits.max_warps_per_sm;
  sm.blocks_that_fit = occupancy.active_blocks_per_sm;
  sm.blocks_here = plan.sms == 0 ? 0 : plan.on_sm(0, 0);
  sm.warps_per_block = static_cast<uint32_t>(ceil_div(threads, warp_lanes));
  sm.lanes_of_last_warp =
      threads % warp_lanes == 0 ? warp_lanes : static_cast<uint32_t>(threads % warp_lanes);
  return sm;
}

DeviceBar bar_of(const OccupancyViewInput& input, const DeviceCandidate& candidate) {
  DeviceBar bar;
  bar.id = candidate.device.id;
  bar.name = candidate.device.name;
  bar.today = candidate.device.id == input.device.id;
  const std::optional<Resources>& resources = candidate.resources ? candidate.resources : input.resources;
  bar.estimated = !candidate.resources;
  if (!resources) {
    bar.words = bar.name + ": the registers of this kernel are not known here";
    return bar;
  }
  const Device& device = candidate.device;
  if (const auto refusal = check_launch(device, input.shape, &*resources)) {
    bar.words = fmt::format("{}: CUDA refuses the launch with {}. {}", bar.name, refusal->cuda_error,
                            refusal->message);
    bar.limiter = "refused";
    return bar;
  }
  OccupancyInput launch = launch_input(input);
  launch.registers_per_thread = resources->registers_per_thread;
  launch.shared_static_bytes = resources->shared_static_bytes;
  const Occupancy o = occupancy_of(device, launch);
  bar.percent = o.theoretical_percent;
  bar.limiter = limiter_names(o.limiters);
  bar.words = fmt::format("{}: {} of {} warps = {}, limited by {}; {} registers a thread{}", bar.name,
                          o.active_warps_per_sm, device.limits.max_warps_per_sm,
                          percent_text(o.theoretical_percent), bar.limiter, resources->registers_per_thread,
                          bar.estimated ? ", as on today's device: an estimate" : "");
  return bar;
}

}  // namespace

uint32_t WavePlan::on_sm(uint64_t wave, uint32_t sm) const {
  if (wave >= waves || sms == 0) return 0;
  const uint64_t here = wave + 1 == waves ? in_last : slots;
  return static_cast<uint32_t>(here / sms + (sm < here % sms ? 1 : 0));
}

Occupancy occupancy_of_launch(const OccupancyViewInput& input) {
  return occupancy_of(input.device, launch_input(input));
}

OccupancyView view_occupancy(const OccupancyViewInput& input) {
  OccupancyView view;
  for (const DeviceCandidate& candidate : input.devices) view.devices.push_back(bar_of(input, candidate));
  const uint64_t threads = input.shape.block.count();
  view.exact = input.resources.has_value();
  view.refused = input.refusal.has_value();
  if (threads == 0 || threads > input.device.limits.max_threads_per_block || view.refused) {
    describe_refusal(input, view);
    return view;
  }
  const OccupancyInput launch = launch_input(input);
  const Occupancy occupancy = occupancy_of(input.device, launch);
  view.bars = resource_bars(input.device, launch, occupancy, view.exact);
  view.curves = {block_curve(input, launch), register_curve(input, launch), shared_curve(input, launch)};
  view.waves = plan_waves(input.device, occupancy, launch.blocks);
  view.wave_words = words_of_waves(view.waves);
  view.sm = occupants_of(input, occupancy, view.waves);
  describe_occupancy(input, launch, occupancy, view);
  return view;
}

Table occupancy_table(const OccupancyView& view) {
  Table table{{"part", "name", "x", "occupancy_percent", "used", "wasted", "blocked", "capacity",
               "limit_blocks", "limiter"},
              {}};
  const auto number = [](double value) { return fmt::format("{}", value); };
  for (const ResourceBar& bar : view.bars)
    table.rows.push_back({"resource", bar.name, "", "", bar.known ? std::to_string(bar.used) : "",
                          bar.known ? std::to_string(bar.wasted) : "",
                          bar.known ? std::to_string(bar.blocked) : "", std::to_string(bar.capacity),
                          bar.limit ? std::to_string(*bar.limit) : "", bar.limits ? "yes" : "no"});
  for (const OccupancyCurve& curve : view.curves)
    for (const CurvePoint& point : curve.points)
      table.rows.push_back(
          {"curve", curve.unit, std::to_string(point.x), number(point.percent), "", "", "", "", "", ""});
  for (const DeviceBar& bar : view.devices)
    table.rows.push_back(
        {"device", bar.name, "", bar.percent ? number(*bar.percent) : "", "", "", "", "", "", bar.limiter});
  return table;
}

}  // namespace warplens
