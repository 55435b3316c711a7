// report_json: the JSON report, schema 1. Every name is always present. A value that is not known is null.
#include "core/job/report/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <optional>

#include "core/base/json/json_values.h"
#include "core/job/report/report_fields.h"
#include "core/job/report/report_measured.h"
#include "core/launch/fields.h"

namespace warplens {

namespace {

using json_values::number, json_values::or_null, json_values::triple;

// A product that does not fit in 64 bits (possible for a refused grid) becomes the nearest double.
ReportJson product(uint64_t a, uint64_t b) {
  if (b != 0 && a > UINT64_MAX / b) return static_cast<double>(a) * static_cast<double>(b);
  return a * b;
}

ReportJson blocks_of(Dim3 grid) {
  const uint64_t xy = uint64_t{grid.x} * grid.y;
  return product(xy, grid.z);
}

ReportJson scaled(const ReportJson& blocks, uint64_t per_block) {
  if (blocks.is_number_float()) return blocks.get<double>() * static_cast<double>(per_block);
  return product(blocks.get<uint64_t>(), per_block);
}

ReportJson launch_json(const LaunchShape& shape) {
  const uint64_t threads = shape.block.x == 0 ? 0 : uint64_t{shape.block.x} * shape.block.y;
  const ReportJson threads_per_block = product(threads, shape.block.z);
  const ReportJson blocks = blocks_of(shape.grid);
  ReportJson json = {{"grid", triple(shape.grid)},
                     {"block", triple(shape.block)},
                     {"shared_dynamic_bytes", shape.shared_dynamic_bytes},
                     {"blocks", blocks},
                     {"threads", nullptr},
                     {"warps", nullptr}};
  if (threads_per_block.is_number_float()) return json;
  const auto count = threads_per_block.get<uint64_t>();
  json["threads"] = scaled(blocks, count);
  json["warps"] = scaled(blocks, ceil_div(count, warp_lanes));
  return json;
}

// Every counter under its name; null if it is not known.
ReportJson counters_json(const std::optional<Counters>& counters) {
  ReportJson json = ReportJson::object();
  const Counters known = counters.value_or(Counters{});
  each_field(known, [&]<class T>(std::string_view name, const T& value) {
    ReportJson& entry = json[std::string(name)];
    if constexpr (std::is_same_v<T, uint64_t>)
      entry = counters ? ReportJson(value) : ReportJson(nullptr);
    else
      entry = or_null(value);
  });
  return json;
}

ReportJson unless_zero(uint64_t value) { return value == 0 ? ReportJson(nullptr) : ReportJson(value); }

ReportJson lines_json(const std::vector<LineCounters>& lines) {
  ReportJson json = ReportJson::array();
  for (const LineCounters& line : lines)
    json.push_back({{"file", line.file},
                    {"line", unless_zero(line.line)},
                    {"warp_instructions", line.warp_instructions},
                    {"active_lane_percent",
                     line.warp_instructions == 0 ? ReportJson(nullptr) : number(line.active_lane_percent())},
                    {"global_sectors", line.global_sectors},
                    {"global_sectors_ideal", line.global_sectors_ideal},
                    {"bank_conflicts", line.bank_conflicts},
                    {"local_sectors", line.local_sectors},
                    {"constant_requests", line.constant_requests},
                    {"texture_requests", line.texture_requests}});
  return json;
}

ReportJson time_json(const TimesUs& time) {
  return {{"compile", or_null(time.compile)},   {"copy_in", or_null(time.copy_in)},
          {"launch", or_null(time.launch)},     {"kernel", or_null(time.kernel)},
          {"copy_out", or_null(time.copy_out)}, {"source", to_string(time.source)},
          {"low", or_null(time.low)},           {"high", or_null(time.high)}};
}

ReportJson host_json(const RunResult& result) {
  const HostTimes& host = result.host;
  const bool ran = virtual_gpu_ran(result);
  return {{"execute_ms", ran ? number(host.execute_ms) : ReportJson(nullptr)},
          {"cpu_ms", or_null(host.cpu_ms)},
          {"workers", ran ? ReportJson(host.workers) : ReportJson(nullptr)},
          {"repeats", ran ? ReportJson(host.repeats) : ReportJson(nullptr)}};
}

ReportJson checks_json(const std::vector<Check>& checks) {
  ReportJson json = ReportJson::array();
  for (const Check& check : checks)
    json.push_back({{"buffer", check.buffer},
                    {"equal", check.equal},
                    {"mismatches", check.mismatches},
                    {"max_abs", number(check.max_abs)},
                    {"max_rel", number(check.max_rel)},
                    {"first_mismatch", or_null(check.first_mismatch)}});
  return json;
}

ReportJson incident_json(const Incident& incident) {
  return {{"kind", to_string(incident.kind)},
          {"message", incident.message},
          {"file", incident.file.empty() ? ReportJson(nullptr) : ReportJson(incident.file)},
          {"line", unless_zero(incident.line)},
          {"ptx_line", unless_zero(incident.ptx_line)},
          {"block", triple(incident.block)},
          {"thread", triple(incident.thread)},
          // Address 0 counts as an address if bytes were accessed there.
          {"address", incident.bytes == 0 ? unless_zero(incident.address) : ReportJson(incident.address)},
          {"bytes", unless_zero(incident.bytes)}};
}

ReportJson callers_json(const Incident& incident) {
  ReportJson json = ReportJson::array();
  for (const Incident::Caller& caller : incident.inlined_at)
    json.push_back({{"file", caller.file}, {"line", caller.line}});
  return json;
}

ReportJson finding_json(const Incident& finding) {
  ReportJson json = incident_json(finding);
  json["allocation"] = finding.allocation.empty() ? ReportJson(nullptr) : ReportJson(finding.allocation);
  json["offset"] = or_null(finding.offset);
  json["value"] = finding.value.empty() ? ReportJson(nullptr) : ReportJson(finding.value);
  json["inlined_at"] = callers_json(finding);
  return json;
}

ReportJson findings_json(const std::vector<Incident>& findings) {
  ReportJson json = ReportJson::array();
  for (const Incident& finding : findings) {
    ReportJson entry = finding_json(finding);
    entry["count"] = finding.count;
    entry["other"] = finding.other ? finding_json(*finding.other) : ReportJson(nullptr);
    json.push_back(std::move(entry));
  }
  return json;
}

const char* name_of(Sanitize looked_for) {
  return looked_for == Sanitize::all ? "all" : looked_for == Sanitize::memory ? "memory" : "off";
}

ReportJson faults_json(const std::vector<Incident>& faults) {
  ReportJson json = ReportJson::array();
  for (const Incident& fault : faults) json.push_back(incident_json(fault));
  return json;
}

ReportJson warnings_json(const std::vector<Warning>& warnings) {
  ReportJson json = ReportJson::array();
  for (const Warning& warning : warnings) {
    ReportJson fix = ReportJson::object();
    if (warning.fix_block) fix["block"] = triple(*warning.fix_block);
    if (warning.fix_grid) fix["grid"] = triple(*warning.fix_grid);
    if (warning.fix_shared_bytes) fix["shared_bytes"] = *warning.fix_shared_bytes;
    if (warning.fix_from_us && warning.fix_to_us)
      fix["kernel_us"] = {number(*warning.fix_from_us), number(*warning.fix_to_us)};
    json.push_back({{"id", to_string(warning.id)},
                    {"message", warning.message},
                    {"weight", number(warning.weight)},
                    {"quiet", warning.quiet},
                    {"fix", fix.empty() ? ReportJson(nullptr) : std::move(fix)}});
  }
  return json;
}

}  // namespace

std::string report_json(const RunResult& result) {
  const std::string compiler = compiler_of(result);
  ReportJson json = {{"schema", 1},
                     {"status", to_string(result.status)},
                     {"cuda_error", or_null(result.cuda_error)},
                     {"kernel", result.request ? ReportJson(result.request->kernel) : ReportJson(nullptr)},
                     {"entry", result.entry},
                     {"compiler", compiler.empty() ? ReportJson(nullptr) : ReportJson(compiler)},
                     {"device", device_json(result.request ? result.request->device : Device{})},
                     {"launch", launch_json(result.shape)},
                     {"resources", resources_json(result.resources)},
                     {"occupancy", occupancy_json(result.occupancy)},
                     {"counters", counters_json(result.counters)},
                     {"lines", lines_json(result.lines)},
                     {"time_us", time_json(result.time)},
                     {"host", host_json(result)},
                     {"checks", checks_json(result.checks)},
                     {"measured", measured_json(result)},
                     {"comparisons", comparisons_json(result)},
                     {"libraries", libraries_json(result.libraries)},
                     {"sanitize", name_of(result.looked_for)},
                     {"sanitize_left_out", result.not_looked_for.empty() ? ReportJson(nullptr)
                                                                         : ReportJson(result.not_looked_for)},
                     {"findings", findings_json(result.findings)},
                     {"faults", faults_json(result.faults)},
                     {"warnings", warnings_json(result.warnings)}};
  return json_values::indented(json);
}

}  // namespace warplens
