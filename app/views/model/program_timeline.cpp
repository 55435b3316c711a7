#include "app/views/model/program_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "app/base/format.h"
#include "core/recording/engine.h"

namespace warplens {

namespace {

using recording::Event;
using recording::Recording;
using Kind = TimelineRow::Kind;

constexpr size_t most_processes = 4, most_streams = 8;

struct DeviceSpans {
  std::map<uint64_t, std::vector<TimeSpan>> kernels;  // by stream; 0: the default one
  std::vector<TimeSpan> in, out, inside, between, pages;
  bool copies_inside = false, sets_inside = false;  // what `inside` has
};

struct ProcessSpans {
  std::map<uint32_t, DeviceSpans> devices;
  std::vector<TimeSpan> program, interpreter;
  double busy_us = 0, host_begin_us = 0, host_end_us = 0;
  std::optional<double> device_at_us;  // this machine's clock at the first work on the device
  bool has_begun = false;
  bool has_arrows = false;  // streams wait for each other, or should
};

double sum_of(const std::vector<TimeSpan>& spans) {
  double sum = 0;
  for (const TimeSpan& span : spans) sum += span.end - span.begin;
  return sum;
}

void add_device_span(const Event& event, size_t index, ProcessSpans& process) {
  if (!event.begin_us) return;
  if (!process.device_at_us) process.device_at_us = event.at_us;
  const double us = std::max(0.0, event.device_us.value_or(0));
  const TimeSpan span{*event.begin_us, *event.begin_us + us, index};
  process.busy_us += us;
  DeviceSpans& device = process.devices[event.device];
  const auto engine = recording::engine_of(event);
  if (engine == recording::Engine::kernels) {
    device.kernels[event.on_default_stream ? 0 : event.stream].push_back(span);
  } else if (engine == recording::Engine::in) {
    device.in.push_back(span);
  } else if (engine == recording::Engine::out) {
    device.out.push_back(span);
  } else if (event.name == "peer to peer") {
    device.between.push_back(span);
  } else if (event.name == "device to device" || event.name == "memset") {
    device.inside.push_back(span);
    (event.name == "memset" ? device.sets_inside : device.copies_inside) = true;
  }
}

// Part of the time of the work that waits for them, except of a prefetch.
void add_pages_span(const Event& event, size_t index, ProcessSpans& process) {
  if (event.begin_us && event.device_us.value_or(0) > 0)
    process.devices[event.device].pages.push_back(
        {*event.begin_us, *event.begin_us + *event.device_us, index});
}

// Launches and modules are the interpreter's time; what is between calls, the program's.
void add_host_spans(const Event& event, size_t index, ProcessSpans& process) {
  if (process.has_begun && event.at_us > process.host_end_us)
    process.program.push_back({process.host_end_us, event.at_us, index});
  if (!process.has_begun) process.host_begin_us = event.at_us;
  process.has_begun = true;
  const double end = event.at_us + std::max(0.0, event.host_us);
  if (event.host_us > 0) process.interpreter.push_back({event.at_us, end, index});
  process.host_end_us = std::max(process.host_end_us, end);
}

// Measured times of several processes are shown side by side, unchanged.
void shift_to_one_clock(std::map<uint64_t, ProcessSpans>& processes) {
  std::optional<double> first;
  for (const auto& [id, process] : processes)
    if (process.device_at_us) first = std::min(first.value_or(*process.device_at_us), *process.device_at_us);
  for (auto& [id, process] : processes) {
    if (!process.device_at_us) continue;
    const double by = *process.device_at_us - *first;
    const auto shift = [by](std::vector<TimeSpan>& spans) {
      for (TimeSpan& span : spans) {
        span.begin += by;
        span.end += by;
      }
    };
    for (auto& [number, device] : process.devices) {
      for (auto* spans : {&device.in, &device.out, &device.inside, &device.between, &device.pages})
        shift(*spans);
      for (auto& [stream, spans] : device.kernels) shift(spans);
    }
  }
}

void sort_by_begin(std::vector<TimeSpan>& spans) {
  std::stable_sort(spans.begin(), spans.end(),
                   [](const TimeSpan& a, const TimeSpan& b) { return a.begin < b.begin; });
}

bool overlap(std::vector<TimeSpan> spans) {
  sort_by_begin(spans);
  for (size_t i = 1; i < spans.size(); ++i)
    if (spans[i].begin < spans[i - 1].end) return true;
  return false;
}

class Rows {
 public:
  explicit Rows(ProgramTimeline& made, bool several) : m_made(made), m_several(several) {}

  void add(Kind kind, std::string name, uint64_t process, std::vector<TimeSpan> spans, bool even_if_empty) {
    if (spans.empty() && !even_if_empty) return;
    sort_by_begin(spans);
    TimelineRow row;
    row.kind = kind;
    row.of_several = m_several;
    row.process = process;
    // Rows of the device have a heading for each process.
    row.name = m_several && row.is_host() ? fmt::format("{} · process {}", name, process) : std::move(name);
    double end = 0;
    row.ends.reserve(spans.size());
    for (const TimeSpan& span : spans) {
      end = std::max(end, span.end);
      row.ends.push_back(end);
    }
    double& last = row.is_host() ? m_made.host_us : m_made.device_us;
    last = std::max(last, end);
    row.spans = std::move(spans);
    m_made.rows.push_back(std::move(row));
  }

  // `in_front`: of the names, which say the device where there are several.
  void add_device(uint64_t process, const std::string& in_front, DeviceSpans& device, bool has_arrows) {
    add(Kind::copies_in, in_front + "copies in", process, std::move(device.in), true);
    add_kernels(process, in_front, std::move(device.kernels), has_arrows);
    const char* inside = !device.sets_inside     ? "copies inside"
                         : !device.copies_inside ? "memset"
                                                 : "copies, memset";
    add(Kind::copies_on_device, in_front + inside, process, std::move(device.inside), false);
    add(Kind::copies_on_device, in_front + "peer copies", process, std::move(device.between), false);
    add(Kind::copies_out, in_front + "copies out", process, std::move(device.out), true);
    add(Kind::pages, in_front + "pages", process, std::move(device.pages), false);
  }

 private:
  void add_kernels(uint64_t process, const std::string& in_front,
                   std::map<uint64_t, std::vector<TimeSpan>> streams, bool has_arrows) {
    std::vector<TimeSpan> all;
    for (const auto& [stream, spans] : streams) all.insert(all.end(), spans.begin(), spans.end());
    if (streams.size() <= 1 || (!has_arrows && !overlap(all)))
      return add(Kind::kernels, in_front + "kernels", process, std::move(all), true);
    std::vector<std::pair<double, uint64_t>> busiest;
    busiest.reserve(streams.size());
    for (const auto& [stream, spans] : streams) busiest.emplace_back(-sum_of(spans), stream);
    std::sort(busiest.begin(), busiest.end());
    std::vector<TimeSpan> others;
    for (size_t i = most_streams; i < busiest.size(); ++i) {
      const auto at = streams.find(busiest[i].second);
      others.insert(others.end(), at->second.begin(), at->second.end());
      streams.erase(at);
    }
    for (auto& [stream, spans] : streams)
      add(Kind::kernels, fmt::format("{}kernels, stream {}", in_front, stream), process, std::move(spans),
          true);
    add(Kind::kernels, in_front + "kernels, other streams", process, std::move(others), false);
  }

  ProgramTimeline& m_made;
  bool m_several;
};

using Works = std::map<std::pair<uint64_t, uint64_t>, TimelineArrow::End>;  // by process and number

Works works_of(const ProgramTimeline& timeline, const Recording& recording) {
  Works works;
  for (size_t row = 0; row < timeline.rows.size(); ++row) {
    if (timeline.rows[row].is_host()) continue;
    const std::vector<TimeSpan>& spans = timeline.rows[row].spans;
    for (size_t span = 0; span < spans.size(); ++span) {
      const Event& event = recording.events[spans[span].item];
      works[{event.process, event.work}] = {row, span};
    }
  }
  return works;
}

std::vector<TimelineArrow> arrows_of(const ProgramTimeline& timeline, const Recording& recording) {
  const bool any =
      std::ranges::any_of(recording.events, [](const Event& event) { return !event.after.empty(); });
  if (!any) return {};
  const Works works = works_of(timeline, recording);
  const auto found = [&](const Event& event, uint64_t work) {
    const auto at = works.find({event.process, work});
    return at == works.end() ? std::nullopt : std::optional(at->second);
  };
  std::vector<TimelineArrow> arrows;
  for (size_t index = 0; index < recording.events.size(); ++index) {
    const Event& event = recording.events[index];
    if (event.after.empty()) continue;
    if (event.kind == Event::Kind::finding) {
      const auto first = found(event, event.after.front());
      const auto second = event.after.size() > 1 ? found(event, event.after[1]) : std::nullopt;
      if (first) arrows.push_back({TimelineArrow::Kind::unordered, *first, second, index});
      continue;
    }
    const auto to = found(event, event.work);
    for (const uint64_t work : event.after)
      if (const auto from = found(event, work); from && to)
        arrows.push_back({TimelineArrow::Kind::wait, *from, to, 0});
  }
  return arrows;
}

std::string device_time(const std::optional<double>& us, Provenance times) {
  return us ? microseconds_text(*us) + about(times) : std::string("time not known");
}

}  // namespace

ProgramTimeline program_timeline(const Recording& recording) {
  std::map<uint64_t, ProcessSpans> processes;
  for (size_t i = 0; i < recording.events.size(); ++i) {
    const Event& event = recording.events[i];
    ProcessSpans& process = processes[event.process];
    if (recording::is_device_work(event)) add_device_span(event, i, process);
    if (event.kind == Event::Kind::pages) add_pages_span(event, i, process);
    process.has_arrows |= !event.after.empty();
    add_host_spans(event, i, process);
  }
  std::vector<std::pair<double, uint64_t>> busiest;
  busiest.reserve(processes.size());
  for (const auto& [id, process] : processes) busiest.emplace_back(-process.busy_us, id);
  std::sort(busiest.begin(), busiest.end());
  ProgramTimeline made;
  made.left_out = busiest.size() - std::min(busiest.size(), most_processes);
  for (size_t i = most_processes; i < busiest.size(); ++i) processes.erase(busiest[i].second);
  busiest.resize(std::min(busiest.size(), most_processes));
  made.one_clock = busiest.size() <= 1 || recording.times() == Provenance::measured;
  if (made.one_clock && busiest.size() > 1) shift_to_one_clock(processes);
  // As they began.
  std::sort(busiest.begin(), busiest.end(), [&](const auto& a, const auto& b) {
    return std::pair(processes[a.second].host_begin_us, a.second) <
           std::pair(processes[b.second].host_begin_us, b.second);
  });
  Rows rows(made, busiest.size() > 1);
  for (const auto& [us, id] : busiest) {
    ProcessSpans& process = processes[id];
    TimelineProcess line{.process = id, .first_row = made.rows.size()};
    line.host_begin_us = process.host_begin_us;
    line.host_end_us = process.host_end_us;
    if (process.devices.empty()) process.devices[0];  // its rows, without anything in them
    for (auto& [number, device] : process.devices)
      rows.add_device(id, recording.devices.size() > 1 ? fmt::format("device {} · ", number) : "", device,
                      process.has_arrows);
    line.rows = made.rows.size() - line.first_row;
    for (size_t i = line.first_row; i < made.rows.size(); ++i)
      if (!made.rows[i].ends.empty()) line.device_us = std::max(line.device_us, made.rows[i].ends.back());
    made.processes.push_back(line);
  }
  for (const auto& [us, id] : busiest) {
    rows.add(Kind::program, "program", id, std::move(processes[id].program), false);
    rows.add(Kind::interpreter, recording.times() == Provenance::measured ? "calls" : "WarpLens", id,
             std::move(processes[id].interpreter), false);
  }
  made.arrows = arrows_of(made, recording);
  made.overlap = recording::overlap_of(recording);
  return made;
}

std::string command_text(const recording::Recording& recording) {
  std::vector<std::string> words = recording.command;
  if (!words.empty()) words.front() = std::filesystem::path(words.front()).filename().string();
  return fmt::format("{}", fmt::join(words, " "));
}

std::string totals_text(const recording::ProgramTotals& totals) {
  return fmt::format("{} of {} · {}, {}", count_text(totals.launches, "launch", "launches"),
                     count_text(totals.kernels, "kernel", "kernels"),
                     count_text(totals.copies, "copy", "copies"), bytes_text(totals.copied_bytes));
}

TimeRange host_range(const ProgramTimeline& timeline, const Recording& recording, TimeRange range) {
  if (range.from <= 0 && range.to >= timeline.device_us) return {0, timeline.host_us};
  TimeRange found{timeline.host_us, 0};
  for (const TimelineRow& row : timeline.rows) {
    if (row.is_host()) continue;
    const VisibleSpans seen = visible(row, range);
    if (seen.first == seen.last) continue;
    const Event& first = recording.events[row.spans[seen.first].item];
    const Event& last = recording.events[row.spans[seen.last - 1].item];
    found.from = std::min(found.from, first.at_us);
    found.to = std::max(found.to, last.at_us + last.host_us);
  }
  if (found.to <= found.from) return {0, timeline.host_us};
  return clamped(found, timeline.host_us);
}

std::string label_of(const Recording& recording, const TimelineRow& row, const TimeSpan& span) {
  const Event& event = recording.events[span.item];
  switch (row.kind) {
    case Kind::copies_in:
      return "copy in " + byte_size_text(event.bytes);
    case Kind::copies_out:
      return "copy out " + byte_size_text(event.bytes);
    case Kind::copies_on_device:
      return (event.name == "memset" ? "memset " : "copy inside ") + byte_size_text(event.bytes);
    case Kind::pages:
      return byte_size_text(event.bytes);
    case Kind::kernels:
      return event.name;
    case Kind::program:
      return microseconds_text(span.end - span.begin);
    case Kind::interpreter:
      return event.kind == Event::Kind::module ? "read code" : event.name;
  }
  return {};
}

std::string hint_of(const Recording& recording, const TimelineRow& row, const TimeBar& bar) {
  const TimeSpan& span = row.spans[bar.first];
  const Event& event = recording.events[span.item];
  if (bar.count > 1) {
    const char* what = row.kind == Kind::kernels ? "launches" : row.is_host() ? "spans" : "copies";
    return fmt::format("{} {} from {} on", thousands(bar.count), what, microseconds_text(span.begin));
  }
  if (row.kind == Kind::program)
    return fmt::format("Between two calls, {} on this machine: the program itself",
                       microseconds_text(span.end - span.begin));
  const std::string took = microseconds_text(event.host_us);
  if (row.kind == Kind::interpreter) {
    if (event.kind == Event::Kind::module)
      return fmt::format("{} to read the program's code, on this machine", took);
    if (event.kind == Event::Kind::library)
      return fmt::format("{} took WarpLens {} on this machine", event.name, took);
    return recording.times() == Provenance::measured
               ? fmt::format("The call that gave launch {} of {} to the GPU took {}", event.number,
                             event.name, took)
               : fmt::format("Launch {} of {} took WarpLens {} on this machine", event.number, event.name,
                             took);
  }
  std::string when = fmt::format("{}, from {} on{}", device_time(event.device_us, recording.times()),
                                 microseconds_text(span.begin),
                                 row.of_several ? fmt::format(", process {}", row.process) : std::string());
  if (recording.devices.size() > 1)
    when += fmt::format(", device {} ({})", event.device, recording.device_of(event));
  const std::string called =
      event.place == nullptr ? std::string() : ", called at " + recording::place_text(*event.place);
  if (event.kind == Event::Kind::pages)
    return fmt::format("Pages of managed memory for a {}: {}, {} misses, {}{}", event.name,
                       byte_size_text(event.bytes), thousands(event.pages->misses), when, called);
  if (event.kind == Event::Kind::library)
    return fmt::format("{}, a library's function: {}, {}, {}{}", event.name, event.shape,
                       byte_size_text(event.bytes), when, called);
  if (event.kind != Event::Kind::launch)
    return fmt::format("{}: {}, {}{}", event.name, byte_size_text(event.bytes), when, called);
  std::string words = fmt::format("Launch {} of {}: {}, {}", event.number, event.name,
                                  recording::blocks_text(event.grid, event.block), when);
  if (!event.file.empty()) words += fmt::format(", {}:{}", event.file, event.line);
  return words + recording::launched_by_text(event) + called;
}

}  // namespace warplens
