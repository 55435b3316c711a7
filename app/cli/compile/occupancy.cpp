// warplens occupancy: how many warps of a kernel fit on an SM, on one device or on all, without running it.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "app/base/format.h"
#include "app/cli/shared/choices.h"
#include "app/cli/shared/commands.h"
#include "app/cli/shared/values.h"
#include "core/base/json/json_values.h"
#include "core/compile/compiler.h"
#include "core/job/report/report_fields.h"

namespace warplens {

namespace {

struct OccupancyChoices {
  RunChoices kernel;
  std::string registers;
  bool all_devices = false, json = false;
};

// The choices on which the rows depend.
struct Launch {
  LaunchShape shape;
  uint32_t max_registers = 0;  // 0 for no limit
};

struct DeviceRow {
  Device device;
  std::optional<Resources> resources;
  std::optional<Occupancy> occupancy;
  std::optional<LaunchRefusal> refusal;
};

Result<Launch> launch_of(const KernelDescription& kernel, const RunChoices& choices) {
  const Result<KernelSetup> setup = kernel_setup(kernel, choices);
  if (!setup) return setup.error();
  Launch launch{{setup->grid, setup->block, setup->shared_dynamic_bytes, false},
                register_cap(kernel, *setup)};
  if (!setup->fit_grid) return launch;
  const Result<Dim3> grid = fitted_grid(kernel, *setup);
  if (!grid) return grid.error();
  launch.shape.grid = *grid;
  return launch;
}

// With --registers, the assembler is not asked: the occupancy is for this number of registers.
Result<Resources> resources_for(const KernelDescription& kernel, const Device& device, uint32_t max_registers,
                                const std::string& registers) {
  const AssemblyOptions options{.max_registers = max_registers};
  if (registers.empty()) {
    Result<Resources> resources = resources_of(kernel.ptx, kernel.entry, device.compute_capability, options);
    if (resources) return resources;
    return Error{resources.error().kind, resources.error().message +
                                             (resources.error().message.ends_with('.') ? "" : ".") +
                                             " With --registers N the occupancy is computed for that many."};
  }
  const Result<uint64_t> count =
      parse_count("--registers", registers, 1, device.limits.max_registers_per_thread);
  if (!count) return count.error();
  Resources resources;
  if (const Result<Resources> known =
          resources_of(kernel.ptx, kernel.entry, device.compute_capability, options))
    resources = *known;
  resources.registers_per_thread = static_cast<uint32_t>(*count);
  resources.origin = ResourceOrigin::estimate;
  return resources;
}

Result<DeviceRow> row_of(const KernelDescription& kernel, const Launch& launch, const Device& device,
                         const OccupancyChoices& choices) {
  const LaunchShape& shape = launch.shape;
  DeviceRow row{device, {}, {}, check_launch(device, shape, nullptr)};
  const Result<Resources> resources = resources_for(kernel, device, launch.max_registers, choices.registers);
  if (!resources) return resources.error();
  row.resources = *resources;
  if (!row.refusal) row.refusal = check_launch(device, shape, &*row.resources);
  if (row.refusal) return row;
  row.occupancy =
      occupancy_of(device, {static_cast<uint32_t>(shape.block.count()), resources->registers_per_thread,
                            resources->shared_static_bytes, shape.shared_dynamic_bytes, shape.grid.count()});
  return row;
}

ReportJson row_json(const DeviceRow& row) {
  return {{"device", device_json(row.device)},
          {"resources", resources_json(row.resources)},
          {"occupancy", occupancy_json(row.occupancy)},
          {"cuda_error", row.refusal ? ReportJson(row.refusal->cuda_error) : ReportJson(nullptr)},
          {"message", row.refusal ? ReportJson(row.refusal->message) : ReportJson(nullptr)}};
}

std::string limiters_text(const Occupancy& occupancy) {
  std::string text;
  for (const Limiter limiter : occupancy.limiters)
    text += (text.empty() ? "" : ", ") + std::string(to_string(limiter));
  std::ranges::replace(text, '_', ' ');
  return text;
}

void print_table(const std::vector<DeviceRow>& rows, Cli& cli) {
  cli.out << fmt::format("{:<34}{:>10}{:>11}{:>10}{:>11}{:>9}  {}\n", "device", "registers", "blocks/SM",
                         "warps/SM", "occupancy", "waves", "limited by");
  for (const DeviceRow& row : rows) {
    if (row.refusal) {
      cli.out << fmt::format("{:<34}{:>10}  refused: {}\n", row.device.name,
                             row.resources->registers_per_thread, row.refusal->cuda_error);
      continue;
    }
    const Occupancy& o = *row.occupancy;
    cli.out << fmt::format("{:<34}{:>10}{:>11}{:>10}{:>11}{:>9}  {}\n", row.device.name,
                           row.resources->registers_per_thread, o.active_blocks_per_sm, o.active_warps_per_sm,
                           percent_text(o.theoretical_percent),
                           o.active_blocks_per_sm == 0 ? "-" : significant(o.waves), limiters_text(o));
  }
}

void print_rows(const KernelDescription& kernel, const LaunchShape& shape, const std::vector<DeviceRow>& rows,
                const OccupancyChoices& choices, Cli& cli) {
  if (!choices.json) {
    cli.out << fmt::format("{}, block {}, grid {}, {} of dynamic shared memory  [derived]\n", kernel.name,
                           extent_text(shape.block), extent_text(shape.grid),
                           bytes_text(shape.shared_dynamic_bytes));
    print_table(rows, cli);
    return;
  }
  ReportJson json = {{"schema", 1},
                     {"kernel", kernel.name},
                     {"launch",
                      {{"grid", {shape.grid.x, shape.grid.y, shape.grid.z}},
                       {"block", {shape.block.x, shape.block.y, shape.block.z}},
                       {"shared_dynamic_bytes", shape.shared_dynamic_bytes}}}};
  if (choices.all_devices) {
    json["devices"] = ReportJson::array();
    for (const DeviceRow& row : rows) json["devices"].push_back(row_json(row));
  } else {
    json.update(row_json(rows.front()));
  }
  cli.out << json_values::indented(json);
}

Result<void> occupancy(OccupancyChoices choices, Cli& cli) {
  if (const Result<void> adopted = adopt_session(choices.kernel, cli); !adopted) return adopted.error();
  std::vector<Device> devices = built_in_devices();
  const Result<Device> device = find_device(choices.kernel.device, cli.real_gpus);
  if (!device) return device.error();
  if (!choices.all_devices) devices = {*device};
  // An own kernel is compiled once, for the oldest of all devices, so that each of them accepts its PTX.
  const Device& oldest =
      *std::ranges::min_element(devices, {}, [](const Device& d) { return d.compute_capability.number(); });
  const Result<ChosenKernel> kernel = chosen_kernel(choices.kernel, oldest, cli);
  if (!kernel) return kernel.error();
  const KernelDescription& description = *kernel->kernel;
  const Result<Launch> launch = launch_of(description, choices.kernel);
  if (!launch) return launch.error();
  std::vector<DeviceRow> rows;
  for (const Device& each : devices) {
    const Result<DeviceRow> row = row_of(description, *launch, each, choices);
    if (!row) return row.error();
    rows.push_back(*row);
  }
  print_rows(description, launch->shape, rows, choices, cli);
  if (!choices.all_devices && rows.front().refusal)
    cli.fail(
        {ErrorKind::refused, fmt::format("CUDA would refuse this launch with {}: {}",
                                         rows.front().refusal->cuda_error, rows.front().refusal->message)});
  return {};
}

}  // namespace

CliCommand occupancy_command(Cli& cli) {
  const auto choices = std::make_shared<OccupancyChoices>();
  CliCommand command{"occupancy",
                     "How many warps of a kernel an SM holds, and what limits them",
                     {{.name = "kernel",
                       .value = &choices->kernel.target,
                       .help = "Built-in kernel (warplens kernels), CUDA C++ or PTX",
                       .value_name = "KERNEL|FILE.cu|FILE.ptx",
                       .required = true}},
                     [choices, &cli] { return occupancy(*choices, cli); }};
  command.add(kernel_options(choices->kernel));
  command.add({{"--registers", &choices->registers,
                "Registers of a thread, in place of the number from the assembler", "N"},
               {"--all-devices", &choices->all_devices, "A row for each device"},
               {"--json", &choices->json, "Print JSON, with the names of the report"}});
  return command;
}

}  // namespace warplens
