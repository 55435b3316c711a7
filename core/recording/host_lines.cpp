#include "core/recording/host_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/figures.h"
#include "core/recording/engine.h"
#include "core/recording/kernel_name.h"

namespace warplens::recording {

namespace {

constexpr size_t most_kept = 1000;

void count(const Event& event, size_t index, HostLine& line) {
  switch (event.kind) {
    case Event::Kind::launch:
      ++line.launches;
      if (std::find(line.kernels.begin(), line.kernels.end(), event.name) == line.kernels.end())
        line.kernels.push_back(event.name);
      break;
    case Event::Kind::copy:
      ++line.copies;
      if (engine_of(event)) line.crossed_bytes += event.bytes;
      break;
    case Event::Kind::library:
      ++line.libraries;
      break;
    case Event::Kind::allocate:
      ++line.allocations;
      line.allocated_bytes += event.bytes;
      break;
    case Event::Kind::release:
      ++line.frees;
      break;
    case Event::Kind::finding:
      ++line.findings;
      break;
    case Event::Kind::warning:  // is listed with its line among the program's warnings
    case Event::Kind::module:
    case Event::Kind::pages:  // is for the line before as well
    case Event::Kind::end:
      return;
  }
  if (is_device_work(event))
    line.device_us =
        line.device_us && event.device_us ? std::optional(*line.device_us + *event.device_us) : std::nullopt;
  if (line.events.size() < most_kept) line.events.push_back(index);
}

std::string counted(uint64_t number, const char* one, const char* several) {
  return fmt::format("{} {}", thousands(number), number == 1 ? one : several);
}

}  // namespace

std::string calls_text(const HostLine& line) {
  std::vector<std::string> parts;
  if (line.launches != 0)
    parts.push_back(counted(line.launches, "launch", "launches") +
                    (line.kernels.size() == 1 ? " of " + short_kernel_name(line.kernels.front())
                                              : fmt::format(" of {} kernels", line.kernels.size())));
  if (line.libraries != 0) parts.push_back(counted(line.libraries, "library call", "library calls"));
  if (line.copies != 0) parts.push_back(counted(line.copies, "copy", "copies"));
  if (line.allocations != 0)
    parts.push_back(counted(line.allocations, "array", "arrays") + " of " +
                    byte_size_text(line.allocated_bytes));
  if (line.findings != 0) parts.push_back(counted(line.findings, "finding", "findings"));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<HostSource> host_sources(const Recording& recording) {
  std::map<std::string, std::map<uint32_t, HostLine>> files;
  for (size_t i = 0; i < recording.events.size(); ++i) {
    const Event& event = recording.events[i];
    if (event.place == nullptr) continue;
    HostLine& line = files[event.place->file][event.place->line];
    line.line = event.place->line;
    count(event, i, line);
  }
  std::vector<HostSource> sources;
  for (auto& [file, lines] : files) {
    HostSource& source = sources.emplace_back();
    source.file = file;
    for (auto& [number, line] : lines) source.lines.push_back(std::move(line));
  }
  const auto calls = [](const HostSource& source) {
    uint64_t sum = 0;
    for (const HostLine& line : source.lines)
      sum += line.launches + line.libraries + line.copies + line.allocations;
    return sum;
  };
  std::stable_sort(sources.begin(), sources.end(),
                   [&](const HostSource& a, const HostSource& b) { return calls(a) > calls(b); });
  return sources;
}

}  // namespace warplens::recording
