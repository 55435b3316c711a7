#include "core/recording/process_lines.h"

#include <algorithm>
#include <limits>

namespace warplens::recording {

void ProcessLines::count(const Event& event, ProcessLine& line) {
  if (event.kind == Event::Kind::launch) line.launches += event.count;
  if (event.kind == Event::Kind::copy) line.copies += event.count;
  line.busy_us += std::max(0.0, event.device_us.value_or(0));
}

void ProcessLines::add(const Event& event) {
  Seen& seen = m_seen[event.process];
  ProcessLine& line = seen.line;
  line.process = event.process;
  const double end = event.at_us + std::max(0.0, event.host_us);
  if (!seen.has_begun) {
    line.begin_us = event.at_us;
    line.end_us = end;
  }
  seen.has_begun = true;
  line.begin_us = std::min(line.begin_us, event.at_us);
  line.end_us = std::max(line.end_us, end);
  if (!is_device_work(event)) return;
  count(event, line);
  if (event.begin_us)
    line.device_end_us =
        std::max(line.device_end_us, *event.begin_us + std::max(0.0, event.device_us.value_or(0)));
}

void ProcessLines::add_sum(const Event& event) {
  Seen& seen = m_seen[event.process];
  seen.line.process = event.process;
  count(event, seen.line);
}

std::vector<ProcessLine> ProcessLines::take() const {
  double first = std::numeric_limits<double>::max();
  std::vector<ProcessLine> lines;
  for (const auto& [process, seen] : m_seen) {
    lines.push_back(seen.line);
    if (seen.has_begun) first = std::min(first, seen.line.begin_us);
  }
  for (ProcessLine& line : lines) {
    line.begin_us = std::max(0.0, line.begin_us - first);
    line.end_us = std::max(0.0, line.end_us - first);
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const ProcessLine& a, const ProcessLine& b) { return a.begin_us < b.begin_us; });
  return lines;
}

ReportJson process_lines_json(const std::vector<ProcessLine>& lines) {
  ReportJson rows = ReportJson::array();
  for (const ProcessLine& line : lines)
    rows.push_back({{"process", line.process},
                    {"launches", line.launches},
                    {"copies", line.copies},
                    {"busy_us", line.busy_us},
                    {"device_end_us", line.device_end_us},
                    {"begin_us", line.begin_us},
                    {"end_us", line.end_us}});
  return rows;
}

}  // namespace warplens::recording
