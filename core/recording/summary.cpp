#include "core/recording/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/figures.h"
#include "core/base/json/json.h"
#include "core/recording/values.h"

namespace warplens::recording {

namespace {

Source times_of(const ProgramSummary& summary) {
  return summary.clock == "measured" ? Source::measured : Source::modelled;
}

std::string time_text(const std::optional<double>& us) { return us ? microseconds_text(*us) : "not known"; }

// A fault ends the program's work on the device; a launch that was refused does not.
int rank(const FindingRow& finding) { return finding.code == 0 ? 0 : finding.kind == "refused" ? 1 : 2; }

std::string location(const FindingRow& finding) {
  std::string where;
  if (finding.line != 0) where = fmt::format("{}:{}: ", finding.file, finding.line);
  if (finding.kernel.empty() && finding.place != nullptr)
    where = fmt::format("{}:{}: ", finding.place->file, finding.place->line);
  if (!finding.kernel.empty()) where += finding.kernel + ": ";
  return where;
}

}  // namespace

std::string shape_text(Dim3 of) {
  if (of.z > 1) return fmt::format("{} × {} × {}", of.x, of.y, of.z);
  return of.y > 1 ? fmt::format("{} × {}", of.x, of.y) : fmt::format("{}", of.x);
}

std::string blocks_text(Dim3 grid, Dim3 block) {
  return fmt::format("{} block{} of {}", shape_text(grid), grid.count() == 1 ? "" : "s", shape_text(block));
}

void SummaryReader::add(std::string_view journal) {
  m_place = {};
  ++m_summary.processes;
  while (!journal.empty()) {
    const size_t end = journal.find('\n');
    if (end == std::string_view::npos) {
      ++m_summary.unreadable_lines;
      return;
    }
    read_line(journal.substr(0, end));
    journal.remove_prefix(end + 1);
  }
}

void SummaryReader::read_line(std::string_view line) {
  const Result<Json> parsed = parse_json(line, "journal");
  if (!parsed || !parsed->is_object()) {
    ++m_summary.unreadable_lines;
    return;
  }
  const Json& json = *parsed;
  note(json);
  using Read = void (SummaryReader::*)(const Json&);
  static const std::map<std::string, Read, std::less<>> reads = {
      {"start", &SummaryReader::read_start},
      {"launch", &SummaryReader::read_launch},
      {"launches", &SummaryReader::read_launch},
      {"copy", &SummaryReader::read_copy},
      {"copies", &SummaryReader::read_copy},
      {"allocate", &SummaryReader::read_allocate},
      {"allocations", &SummaryReader::read_allocations},
      {"free", &SummaryReader::read_free},
      {"finding", &SummaryReader::read_finding},
      {"missing", &SummaryReader::read_missing}};
  if (const auto read = reads.find(text(json, "event")); read != reads.end()) (this->*read->second)(json);
}

// For the rules over a whole program, and for what each process did.
void SummaryReader::note(const Json& json) {
  std::optional<Event> event = event_of(json, m_process, m_place);
  if (!event) return;
  if (is_sum(json)) {
    m_rules.add_sum(*event);
    m_lines.add_sum(*event);
    return;
  }
  if (event->kind == Event::Kind::launch) event->number = ++m_launches;
  m_lines.add(*event);
  m_rules.add(*event, m_events++);
}

void SummaryReader::read_start(const Json& json) {
  m_alive.clear();  // a process that has replaced itself has nothing of what it had
  m_alive_bytes = 0;
  m_process = number(json, "process");
  m_summary.device = text(json, "device");
  m_summary.device_name = text(json, "device_name");
  m_summary.clock = text(json, "clock");
}

void SummaryReader::read_launch(const Json& json) {
  KernelRow& row = m_kernels[text(json, "kernel")];
  row.launches += is_sum(json) ? number(json, "count") : 1;
  const std::optional<double> us = maybe(json, "device_us");
  row.device_us = row.device_us && us ? std::optional(*row.device_us + *us) : std::nullopt;
  row.host_us += real(json, "host_us");
  if (is_sum(json)) return;
  row.grid = extent(json, "grid");
  row.block = extent(json, "block");
}

void SummaryReader::read_copy(const Json& json) {
  CopyRow& row = m_copies[text(json, "direction")];
  row.copies += is_sum(json) ? number(json, "count") : 1;
  row.bytes += number(json, "bytes");
  row.device_us += real(json, "device_us");
}

void SummaryReader::read_allocate(const Json& json) {
  const uint64_t bytes = number(json, "bytes");
  ++m_summary.allocations;
  m_summary.allocated_bytes += bytes;
  m_alive[number(json, "address")] = bytes;
  m_alive_bytes += bytes;
  m_summary.most_bytes = std::max(m_summary.most_bytes, m_alive_bytes);
}

void SummaryReader::read_allocations(const Json& json) {
  m_summary.allocations += number(json, "count");
  m_summary.allocated_bytes += number(json, "bytes");
}

void SummaryReader::read_free(const Json& json) {
  const auto at = m_alive.find(number(json, "address"));
  if (at == m_alive.end()) return;
  m_alive_bytes -= at->second;
  m_alive.erase(at);
}

void SummaryReader::read_finding(const Json& json) {
  FindingRow row;
  row.kind = text(json, "kind");
  row.message = text(json, "message");
  row.kernel = text(json, "kernel");
  row.file = text(json, "file");
  row.line = static_cast<uint32_t>(number(json, "line"));
  row.code = static_cast<int>(number(json, "code"));
  if (const auto at = m_place.places.find(number(json, "place")); at != m_place.places.end())
    row.place = at->second;
  const auto same =
      std::find_if(m_summary.findings.begin(), m_summary.findings.end(),
                   [&](const FindingRow& f) { return f.message == row.message && f.kernel == row.kernel; });
  if (same != m_summary.findings.end()) {
    ++same->processes;
  } else {
    m_summary.findings.push_back(std::move(row));
  }
}

void SummaryReader::read_missing(const Json& json) { m_missing.insert(text(json, "call")); }

ProgramSummary SummaryReader::take(const DeviceFigures& device) {
  ProgramSummary summary = std::move(m_summary);
  for (auto& [name, row] : m_kernels) {
    row.name = name;
    summary.kernels.push_back(row);
  }
  std::stable_sort(summary.kernels.begin(), summary.kernels.end(),
                   [](const KernelRow& a, const KernelRow& b) {
                     return a.device_us.value_or(a.host_us) > b.device_us.value_or(b.host_us);
                   });
  for (auto& [direction, row] : m_copies) {
    row.direction = direction;
    summary.copies.push_back(row);
  }
  std::stable_sort(summary.findings.begin(), summary.findings.end(),
                   [](const FindingRow& a, const FindingRow& b) { return rank(a) > rank(b); });
  summary.missing.assign(m_missing.begin(), m_missing.end());
  summary.lines = m_lines.take();
  summary.report = m_rules.take(device);
  for (const ProgramWarning& warning : summary.report.warnings)
    summary.advice.push_back(line_of(warning, times_of(summary)));
  return summary;
}

namespace {

// The processes that did something, each by its own clock.
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

}  // namespace

std::string summary_text(const ProgramSummary& summary) {
  constexpr const char* cut =
      "Not all of it: what the program did could not be written down to its end. Is the disk full? TMPDIR "
      "names another folder.";
  if (summary.processes == 0)
    return fmt::format("warplens: {}\n", summary.cut ? cut : "the program did not use CUDA.");
  const bool is_real = times_of(summary) == Source::measured;
  std::string out = fmt::format("warplens: {}{}\n", summary.device_name,
                                is_real                   ? "; times measured on it by events"
                                : summary.clock == "host" ? ", virtual; events told this machine's own time"
                                                          : ", virtual; events told modelled device time");
  if (summary.processes > 1) out += lines_text(summary);
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
  if (!summary.copies.empty())
    out += fmt::format("  {:<32}{:>10}{:>14}{:>14}\n", "copies", "number", "on the GPU", "bytes");
  for (const CopyRow& copy : summary.copies) {
    out += fmt::format("  {:<32}{:>10}{:>14}{:>14}\n", copy.direction, thousands(copy.copies),
                       microseconds_text(copy.device_us), byte_size_text(copy.bytes));
  }
  if (summary.allocations != 0) {
    out += summary.allocations == 1
               ? fmt::format("  1 allocation of {}\n", byte_size_text(summary.allocated_bytes))
               : fmt::format("  {} allocations of {} together, at most {} at once\n",
                             thousands(summary.allocations), byte_size_text(summary.allocated_bytes),
                             byte_size_text(summary.most_bytes));
  }
  if (summary.cut) out += fmt::format("  {}\n", cut);
  if (!summary.findings.empty()) {
    const FindingRow& worst = summary.findings.front();
    out += fmt::format(
        "  {}{}{}{}\n", location(worst), worst.message,
        worst.kernel.empty() ? std::string() : launched_at(worst.place.get()),
        summary.findings.size() > 1 ? fmt::format(" ({} more)", summary.findings.size() - 1) : "");
  }
  if (!summary.missing.empty())
    out += fmt::format("  {}: {}\n",
                       is_real ? "called, with kernels that were not seen" : "called, but not provided",
                       fmt::join(summary.missing, ", "));
  if (!summary.advice.empty()) out += "  " + summary.report.title + "\n";
  for (const std::string& advice : summary.advice) out += "  " + advice + "\n";
  return out;
}

std::string summary_json(const ProgramSummary& summary, int exit_status, double wall_ms) {
  ReportJson kernels = ReportJson::array(), copies = ReportJson::array(), findings = ReportJson::array();
  for (const KernelRow& k : summary.kernels) {
    kernels.push_back({{"name", k.name},
                       {"launches", k.launches},
                       {"device_us", k.device_us ? ReportJson(*k.device_us) : ReportJson(nullptr)},
                       {"host_us", k.host_us},
                       {"grid", {k.grid.x, k.grid.y, k.grid.z}},
                       {"block", {k.block.x, k.block.y, k.block.z}}});
  }
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
  const ReportJson report = {{"schema", 1},
                             {"device", summary.device},
                             {"device_name", summary.device_name},
                             {"clock", summary.clock},
                             {"exit_status", exit_status},
                             {"wall_ms", wall_ms},
                             {"cut", summary.cut},
                             {"processes", summary.processes},
                             {"process_lines", process_lines_json(summary.lines)},
                             {"kernels", std::move(kernels)},
                             {"copies", std::move(copies)},
                             {"allocations", summary.allocations},
                             {"allocated_bytes", summary.allocated_bytes},
                             {"most_bytes", summary.most_bytes},
                             {"findings", std::move(findings)},
                             {"missing", summary.missing},
                             {"title", summary.report.title},
                             {"advice", summary.advice},
                             {"warnings", warnings_json(summary.report)}};
  return report.dump(2, ' ', false, ReportJson::error_handler_t::replace) + "\n";
}

}  // namespace warplens::recording
