// The summary as lines for people, and as JSON.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/figures.h"
#include "core/base/json/json.h"
#include "core/base/json/json_values.h"
#include "core/launch/fields.h"
#include "core/recording/shown_path.h"
#include "core/recording/summary.h"

namespace warplens::recording {

Provenance times_of(const ProgramSummary& summary) {
  return summary.clock == "measured" ? Provenance::measured : Provenance::modelled;
}

std::string shape_text(Dim3 of) {
  if (of.z > 1) return fmt::format("{} × {} × {}", of.x, of.y, of.z);
  return of.y > 1 ? fmt::format("{} × {}", of.x, of.y) : fmt::format("{}", of.x);
}

std::string blocks_text(Dim3 grid, Dim3 block) {
  return fmt::format("{} block{} of {}", shape_text(grid), grid.count() == 1 ? "" : "s", shape_text(block));
}

namespace {

std::string time_text(const std::optional<double>& us) { return us ? microseconds_text(*us) : "not known"; }

std::string location(const FindingRow& finding) {
  std::string where;
  if (finding.line != 0) where = fmt::format("{}:{}: ", shown_path(finding.file), finding.line);
  if (finding.kernel.empty() && finding.place != nullptr)
    where = fmt::format("{}:{}: ", shown_path(finding.place->file), finding.place->line);
  if (!finding.kernel.empty()) where += finding.kernel + ": ";
  return where;
}

// The processes that did something, each with its own clock.
std::string lines_text(const ProgramSummary& summary) {
  std::string out = fmt::format("  {} processes used it, each with a device clock of its own\n",
                                thousands(summary.processes));
  if (summary.lines.size() < 2) return out;
  out += fmt::format("  {:<32}{:>10}{:>14}{:>14}{:>10}\n", "process", "launches", "on the GPU", "here",
                     "copies");
  constexpr size_t most_rows = 12;
  std::vector<ProcessLine> lines = summary.lines;
  std::stable_sort(lines.begin(), lines.end(),
                   [](const ProcessLine& a, const ProcessLine& b) { return a.busy_us > b.busy_us; });
  for (size_t i = 0; i < std::min(lines.size(), most_rows); ++i) {
    const ProcessLine& line = lines[i];
    out += fmt::format("  {:<32}{:>10}{:>14}{:>14}{:>10}\n", line.process, thousands(line.launches),
                       microseconds_text(line.busy_us), microseconds_text(line.end_us - line.begin_us),
                       thousands(line.copies));
  }
  if (lines.size() > most_rows) out += fmt::format("  and {} more processes\n", lines.size() - most_rows);
  return out;
}

std::string libraries_text(const ProgramSummary& summary) {
  if (summary.libraries.empty()) return {};
  constexpr size_t most_rows = 12;
  std::string out =
      fmt::format("  {:<32}{:>10}{:>14}{:>14}  {}\n", "library", "calls", "on the GPU", "here", "last call");
  for (size_t i = 0; i < std::min(summary.libraries.size(), most_rows); ++i) {
    const LibraryRow& row = summary.libraries[i];
    out += fmt::format("  {:<32}{:>10}{:>14}{:>14}  {}\n", row.call, thousands(row.calls),
                       time_text(row.device_us), microseconds_text(row.host_us), row.shape);
  }
  if (summary.libraries.size() > most_rows)
    out += fmt::format("  and {} more functions\n", summary.libraries.size() - most_rows);
  return out;
}

std::string managed_text(const ProgramReport& report) {
  if (report.managed.empty()) return {};
  constexpr size_t most_rows = 12;
  std::string out = fmt::format("  {:<32}{:>10}{:>14}{:>14}{:>10}\n", "managed memory", "to the GPU",
                                "to the host", "waited for", "misses");
  for (size_t i = 0; i < std::min(report.managed.size(), most_rows); ++i) {
    const ManagedArray& array = report.managed[i];
    out += fmt::format("  {:<32}{:>10}{:>14}{:>14}{:>10}\n", name_of(array), byte_size_text(array.to_device),
                       byte_size_text(array.to_host), microseconds_text(array.device_us + array.host_us),
                       thousands(array.device_misses + array.host_misses));
  }
  if (report.managed.size() > most_rows)
    out += fmt::format("  and {} more arrays\n", report.managed.size() - most_rows);
  if (report.managed_ended)
    out += "  From some point on, pages were not counted: it would have taken too long.\n";
  return out;
}

std::string devices_text(const ProgramSummary& summary) {
  if (summary.devices.empty()) return {};
  std::string out = fmt::format("  {:<32}{:>10}{:>14}{:>14}\n", "device", "launches", "on the GPU", "copies");
  for (size_t i = 0; i < summary.devices.size(); ++i) {
    const DeviceRow& row = summary.devices[i];
    out += fmt::format("  {:<32}{:>10}{:>14}{:>14}\n", fmt::format("{}: {}", i, row.id),
                       thousands(row.launches), microseconds_text(row.busy_us), thousands(row.copies));
  }
  return out;
}

// The worst finding that the reader has not seen yet.
std::string finding_text(const ProgramSummary& summary, Follows follows) {
  std::vector<const FindingRow*> shown;
  for (const FindingRow& finding : summary.findings)
    if (follows == Follows::nothing || !finding.said) shown.push_back(&finding);
  if (shown.empty()) return {};
  const FindingRow& worst = *shown.front();
  return fmt::format("  {}{}{}{}\n", location(worst), worst.message,
                     worst.kernel.empty() ? std::string() : launched_at(worst.place.get()),
                     shown.size() > 1 ? fmt::format(" ({} more)", shown.size() - 1) : "");
}

// Kernels ran, to their end, and nobody asked for a search.
std::string not_searched_text(const ProgramSummary& summary) {
  const bool is_searched = summary.searched.empty() || summary.searched == "all";
  const bool is_stopped = std::any_of(summary.findings.begin(), summary.findings.end(),
                                      [](const FindingRow& finding) { return finding.code != 0; });
  if (is_searched || is_stopped || summary.kernels.empty()) return {};
  return "  Races and reads of uninitialised memory were not checked: --sanitize all does it.\n";
}

ReportJson managed_json(const ProgramReport& report) {
  ReportJson rows = ReportJson::array();
  for (const ManagedArray& array : report.managed)
    rows.push_back({{"allocated_at", array.place == nullptr ? ReportJson(nullptr) : place_json(*array.place)},
                    {"bytes", array.bytes},
                    {"bytes_to_device", array.to_device},
                    {"bytes_to_host", array.to_host},
                    {"bytes_mapped", array.mapped},
                    {"device_misses", array.device_misses},
                    {"host_misses", array.host_misses},
                    {"device_us", array.device_us},
                    {"host_us", array.host_us}});
  return rows;
}

}  // namespace

std::string summary_text(const ProgramSummary& summary, Follows follows) {
  constexpr const char* cut =
      "Incomplete: not everything that the program did could be written down. Is the disk full? TMPDIR "
      "names another folder.";
  if (summary.processes == 0)
    return fmt::format("warplens: {}\n", summary.cut ? cut : "the program did not use CUDA.");
  const bool is_real = times_of(summary) == Provenance::measured;
  std::string out = fmt::format(
      "warplens: {}{}\n",
      summary.devices.empty() ? summary.device_name : fmt::format("{} devices", summary.devices.size()),
      is_real                   ? "; times measured on it by events"
      : summary.clock == "host" ? ", virtual; events reported this machine's own time"
                                : ", virtual; events reported modelled device time");
  if (summary.processes > 1) out += lines_text(summary);
  out += devices_text(summary);
  if (!summary.kernels.empty())
    out += fmt::format("  {:<32}{:>10}{:>14}{:>14}  {}\n", "kernel", "launches", "on the GPU", "here",
                       "last launch");
  constexpr size_t most_rows = 12;
  for (size_t i = 0; i < std::min(summary.kernels.size(), most_rows); ++i) {
    const KernelRow& kernel = summary.kernels[i];
    out += fmt::format("  {:<32}{:>10}{:>14}{:>14}  {}\n", kernel.name, thousands(kernel.launches),
                       time_text(kernel.device_us), microseconds_text(kernel.host_us),
                       blocks_text(kernel.grid, kernel.block));
  }
  if (summary.kernels.size() > most_rows)
    out += fmt::format("  and {} more kernels\n", summary.kernels.size() - most_rows);
  out += libraries_text(summary);
  if (!summary.copies.empty())
    out += fmt::format("  {:<32}{:>10}{:>14}{:>14}\n", "copies", "number", "on the GPU", "bytes");
  for (const CopyRow& copy : summary.copies) {
    out += fmt::format("  {:<32}{:>10}{:>14}{:>14}\n", copy.direction, thousands(copy.copies),
                       microseconds_text(copy.device_us), byte_size_text(copy.bytes));
  }
  out += managed_text(summary.report);
  if (summary.allocations != 0) {
    out += summary.allocations == 1
               ? fmt::format("  1 allocation of {}\n", byte_size_text(summary.allocated_bytes))
               : fmt::format("  {} allocations of {} together, at most {} at once\n",
                             thousands(summary.allocations), byte_size_text(summary.allocated_bytes),
                             byte_size_text(summary.most_bytes));
  }
  if (summary.cut) out += fmt::format("  {}\n", cut);
  out += finding_text(summary, follows);
  if (!summary.missing.empty())
    out += fmt::format("  {}: {}\n",
                       is_real ? "called, with kernels that were not seen" : "called, but not provided",
                       fmt::join(summary.missing, ", "));
  const bool is_said =
      follows == Follows::the_program &&
      std::any_of(summary.findings.begin(), summary.findings.end(),
                  [](const FindingRow& finding) { return finding.said && finding.code != 0; });
  if (!summary.advice.empty() || is_said) out += "  " + summary.report.title + "\n";
  for (const std::string& advice : summary.advice) out += "  " + advice + "\n";
  return out + not_searched_text(summary);
}

// The counts that every launch has; null for a kernel whose launches are not all known.
static ReportJson counts_json(const std::optional<Counters>& counters) {
  if (!counters) return nullptr;
  ReportJson json = ReportJson::object();
  each_field(*counters, [&]<class T>(std::string_view name, const T& value) {
    if constexpr (std::is_same_v<T, uint64_t>) json[std::string(name)] = value;
  });
  return json;
}

std::string summary_json(const ProgramSummary& summary, int exit_status, double wall_ms) {
  ReportJson kernels = ReportJson::array(), copies = ReportJson::array(), findings = ReportJson::array();
  for (const KernelRow& k : summary.kernels) {
    kernels.push_back({{"name", k.name},
                       {"launches", k.launches},
                       {"device_us", k.device_us ? ReportJson(*k.device_us) : ReportJson(nullptr)},
                       {"host_us", k.host_us},
                       {"grid", {k.grid.x, k.grid.y, k.grid.z}},
                       {"block", {k.block.x, k.block.y, k.block.z}},
                       {"counters", counts_json(k.counters)}});
  }
  ReportJson libraries = ReportJson::array();
  for (const LibraryRow& l : summary.libraries)
    libraries.push_back({{"call", l.call},
                         {"calls", l.calls},
                         {"device_us", l.device_us ? ReportJson(*l.device_us) : ReportJson(nullptr)},
                         {"host_us", l.host_us},
                         {"bytes", l.bytes},
                         {"shape", l.shape}});
  for (const CopyRow& c : summary.copies)
    copies.push_back(
        {{"direction", c.direction}, {"copies", c.copies}, {"bytes", c.bytes}, {"device_us", c.device_us}});
  for (const FindingRow& f : summary.findings) {
    findings.push_back({{"kind", f.kind},
                        {"cuda_error", f.code == 0 ? ReportJson(nullptr) : ReportJson(f.code)},
                        {"message", f.message},
                        {"kernel", f.kernel},
                        {"file", f.file},
                        {"line", f.line},
                        {"called_at", f.place == nullptr ? ReportJson(nullptr) : place_json(*f.place)}});
  }
  ReportJson report = {
      {"schema", 1},
      {"device", summary.device},
      {"device_name", summary.device_name},
      {"clock", summary.clock},
      {"searched", summary.searched.empty() ? ReportJson(nullptr) : ReportJson(summary.searched)},
      {"exit_status", exit_status},
      {"wall_ms", wall_ms},
      {"cut", summary.cut},
      {"processes", summary.processes},
      {"process_lines", process_lines_json(summary.lines)},
      {"kernels", std::move(kernels)},
      {"libraries", std::move(libraries)},
      {"copies", std::move(copies)},
      {"managed", managed_json(summary.report)},
      {"allocations", summary.allocations},
      {"allocated_bytes", summary.allocated_bytes},
      {"most_bytes", summary.most_bytes},
      {"findings", std::move(findings)},
      {"missing", summary.missing},
      {"title", summary.report.title},
      {"advice", summary.advice},
      {"warnings", warnings_json(summary.report)}};
  for (const DeviceRow& row : summary.devices)
    report["devices"].push_back(
        {{"device", row.id}, {"launches", row.launches}, {"copies", row.copies}, {"busy_us", row.busy_us}});
  return json_values::indented(report);
}

}  // namespace warplens::recording
