#include "core/recording/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/figures.h"
#include "core/base/json/json.h"
#include "core/launch/fields.h"
#include "core/recording/finding_title.h"
#include "core/recording/values.h"

namespace warplens::recording {

namespace {

// A fault ends the program's work on the device; a refused launch or a failed call does not.
int rank(const FindingRow& finding) { return finding.code == 0 ? 0 : is_of_a_launch(finding.kind) ? 2 : 1; }

}  // namespace

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
      {"start", &SummaryReader::read_start},       {"launch", &SummaryReader::read_launch},
      {"launches", &SummaryReader::read_launch},   {"counts", &SummaryReader::read_counts},
      {"library", &SummaryReader::read_library},   {"libraries", &SummaryReader::read_library},
      {"copy", &SummaryReader::read_copy},         {"copies", &SummaryReader::read_copy},
      {"allocate", &SummaryReader::read_allocate}, {"allocations", &SummaryReader::read_allocations},
      {"free", &SummaryReader::read_free},         {"finding", &SummaryReader::read_finding},
      {"missing", &SummaryReader::read_missing}};
  if (const auto read = reads.find(text(json, "event")); read != reads.end()) (this->*read->second)(json);
}

// For the rules for whole programs, and for the summary of each process.
void SummaryReader::note(const Json& json) {
  std::optional<Event> event = event_of(json, m_process, m_place);
  if (!event) return;
  if (is_sum(json)) {
    m_rules.add_sum(*event);
    m_lines.add_sum(*event);
    return;
  }
  if (event->kind == Event::Kind::launch) event->number = ++m_launches;
  if (is_device_work(*event) && event->device < m_summary.devices.size()) {
    DeviceRow& row = m_summary.devices[event->device];
    ++(event->kind == Event::Kind::copy ? row.copies : row.launches);
    row.busy_us += std::max(0.0, event->device_us.value_or(0));
  }
  m_lines.add(*event);
  m_rules.add(*event, m_events++);
}

void SummaryReader::read_start(const Json& json) {
  m_alive.clear();  // after exec, the process has nothing of its old memory
  m_alive_bytes = 0;
  m_counts.clear();
  m_process = number(json, "process");
  m_summary.device = text(json, "device");
  m_summary.device_name = text(json, "device_name");
  m_summary.clock = text(json, "clock");
  m_summary.searched = text(json, "searched");
  const std::vector<std::string> ids = texts(json, "devices");
  m_summary.devices.resize(std::max(m_summary.devices.size(), ids.size()));
  for (size_t i = 0; i < ids.size(); ++i) m_summary.devices[i].id = ids[i];
}

void SummaryReader::read_launch(const Json& json) {
  KernelRow& row = m_kernels[text(json, "kernel")];
  row.launches += is_sum(json) ? number(json, "count") : 1;
  const std::optional<double> us = maybe(json, "device_us");
  row.device_us = row.device_us && us ? std::optional(*row.device_us + *us) : std::nullopt;
  row.host_us += real(json, "host_us");
  const auto counts = m_counts.find(number(json, "counts"));
  if (counts == m_counts.end())
    row.counters.reset();
  else if (row.counters)
    each_pair(*row.counters, counts->second, [](auto& sum, const auto& more) {
      if constexpr (std::is_same_v<std::decay_t<decltype(sum)>, uint64_t>) sum += more;
    });
  if (is_sum(json)) return;
  row.grid = extent(json, "grid");
  row.block = extent(json, "block");
}

void SummaryReader::read_counts(const Json& json) {
  const Json* counts = value(json, "counts");
  if (counts == nullptr) return;
  Counters& read = m_counts[number(json, "number")] = {};
  each_field(read, [&]<class T>(std::string_view name, T& field) {
    if constexpr (std::is_same_v<T, uint64_t>) field = number(*counts, std::string(name).c_str());
  });
}

void SummaryReader::read_library(const Json& json) {
  LibraryRow& row = m_libraries[text(json, "call")];
  row.calls += is_sum(json) ? number(json, "count") : 1;
  row.bytes += number(json, "bytes");
  const std::optional<double> us = maybe(json, "device_us");
  row.device_us = row.device_us && us ? std::optional(*row.device_us + *us) : std::nullopt;
  row.host_us += real(json, "host_us");
  if (!is_sum(json)) row.shape = text(json, "shape");
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
  row.said = truth(json, "said");
  if (const auto at = m_place.places.find(number(json, "place")); at != m_place.places.end())
    row.place = at->second;
  const auto same =
      std::find_if(m_summary.findings.begin(), m_summary.findings.end(),
                   [&](const FindingRow& f) { return f.message == row.message && f.kernel == row.kernel; });
  if (same != m_summary.findings.end()) {
    ++same->processes;
    same->said = same->said || row.said;
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
  for (auto& [call, row] : m_libraries) {
    row.call = call;
    summary.libraries.push_back(row);
  }
  const auto is_longer = [](const auto& a, const auto& b) {
    return a.device_us.value_or(a.host_us) > b.device_us.value_or(b.host_us);
  };
  std::stable_sort(summary.kernels.begin(), summary.kernels.end(), is_longer);
  std::stable_sort(summary.libraries.begin(), summary.libraries.end(), is_longer);
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

}  // namespace warplens::recording
