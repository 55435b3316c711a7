#include "core/recording/program_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/figures.h"
#include "core/recording/engine.h"
#include "core/recording/finding_title.h"
#include "core/recording/recording.h"

namespace warplens::recording {

namespace {

// From this many repetitions on, there is a warning.
constexpr uint64_t many_copies = 10, many_allocations = 20, many_launches = 10, many_waits = 10;
constexpr size_t most_examples = 100;
// Smaller ones are often equal by chance: a flag, a count, a sum.
constexpr uint64_t smallest_content = 256;
// The share of all modelled time from which an unnecessary copy gets a warning.
constexpr double worth_a_word = 0.05;

std::string percent(double part, double all) {
  const double share = 100 * part / all;
  if (share < 100 && share >= 99.5) return "more than 99 %";
  return fmt::format("{:.0f} %", share);
}

std::string list_of(const char* one, const char* several, const std::vector<uint64_t>& numbers,
                    uint64_t count) {
  if (numbers.empty()) return {};
  if (count == 1) return fmt::format("{} {}", one, numbers.front());
  constexpr size_t most = 4;
  const size_t shown = std::min(most, numbers.size());
  std::string text = fmt::format("{} ", several);
  for (size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == count;
    text += fmt::format("{}{}", i == 0 ? "" : last ? " and " : ", ", numbers[i]);
  }
  return count > shown ? text + fmt::format(" and {} more", thousands(count - shown)) : text;
}

std::string times(uint64_t count) { return count == 2 ? "twice" : fmt::format("{} times", thousands(count)); }

}  // namespace

void Places::add(const std::shared_ptr<const HostPlace>& place) {
  if (place == nullptr || m_all.size() >= most) return;
  const bool known = std::any_of(m_all.begin(), m_all.end(), [&](const auto& other) {
    return other->line == place->line && other->file == place->file;
  });
  if (!known) m_all.push_back(place);
}

void Places::add(const Places& others) {
  for (const auto& place : others.m_all) add(place);
}

std::string places_text(const Places& places) {
  std::string text;
  for (const auto& place : places.all()) text += (text.empty() ? "" : ", ") + place_text(*place);
  return text;
}

namespace {

using KindName = std::pair<ProgramWarning::Kind, const char*>;
constexpr std::array<KindName, 14> kind_names = {{
    {ProgramWarning::Kind::same_bytes, "same_bytes"},
    {ProgramWarning::Kind::copies_dominate, "copies_dominate"},
    {ProgramWarning::Kind::allocations, "allocations"},
    {ProgramWarning::Kind::small_launches, "small_launches"},
    {ProgramWarning::Kind::short_launches, "short_launches"},
    {ProgramWarning::Kind::waiting_copies, "waiting_copies"},
    {ProgramWarning::Kind::never_back, "never_back"},
    {ProgramWarning::Kind::unwritten, "unwritten"},
    {ProgramWarning::Kind::few_bytes, "few_bytes"},
    {ProgramWarning::Kind::not_freed, "not_freed"},
    {ProgramWarning::Kind::pageable_copy, "pageable_copy"},
    {ProgramWarning::Kind::free_waits, "free_waits"},
    {ProgramWarning::Kind::shared_stream, "shared_stream"},
    {ProgramWarning::Kind::managed_misses, "managed_misses"},
}};

}  // namespace

const char* name_of(ProgramWarning::Kind kind) {
  return std::ranges::find(kind_names, kind, &KindName::first)->second;
}

std::string estimate_text(const ProgramWarning& warning) {
  if (!warning.now_us || !warning.then_us) return {};
  return change_of_us(*warning.now_us, *warning.then_us);
}

std::string line_of(const ProgramWarning& warning, Provenance times) {
  std::string line = warning.what + " " + warning.advice;
  if (const std::string estimate = estimate_text(warning); !estimate.empty())
    line += fmt::format(" Copies and kernels: {}, {}.", estimate, to_string(times));
  std::string where = warning.where;
  if (const std::string places = places_text(warning.places); !places.empty())
    where += (where.empty() ? "" : "; ") + places;
  if (!where.empty()) line += fmt::format(" ({})", where);
  return line;
}

ReportJson lines_json(const Places& places) {
  ReportJson rows = ReportJson::array();
  for (const auto& place : places.all()) rows.push_back({{"file", place->file}, {"line", place->line}});
  return rows;
}

ReportJson warnings_json(const ProgramReport& report) {
  ReportJson rows = ReportJson::array();
  const auto or_null = [](const std::optional<double>& us) {
    return us ? ReportJson(*us) : ReportJson(nullptr);
  };
  for (const ProgramWarning& warning : report.warnings) {
    rows.push_back({{"kind", name_of(warning.kind)},
                    {"what", warning.what},
                    {"where", warning.where},
                    {"advice", warning.advice},
                    {"count", warning.count},
                    {"now_us", or_null(warning.now_us)},
                    {"then_us", or_null(warning.then_us)},
                    {"events", warning.events},
                    {"launches", warning.launches},
                    {"lines", lines_json(warning.places)}});
  }
  return rows;
}

void ProgramRules::Group::add(const Event& event, size_t index) {
  ++count;
  bytes += event.bytes;
  us += event.device_us.value_or(0);
  places.add(event.place);
  if (events.size() < most_examples) events.push_back(index);
  if (event.number != 0 && launches.size() < most_examples) launches.push_back(event.number);
}

void ProgramRules::Group::add(const Group& other) {
  count += other.count;
  bytes += other.bytes;
  us += other.us;
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(),
              from.begin() + static_cast<ptrdiff_t>(std::min(from.size(), most_examples - to.size())));
  };
  append(events, other.events);
  append(launches, other.launches);
  places.add(other.places);
}

void ProgramRules::add(const Event& event, size_t index) {
  m_arrays.add(event, index);
  m_managed.add(event, index);
  Process& process = m_processes[event.process];
  switch (event.kind) {
    case Event::Kind::launch:
      return add_launch(event, index, process);
    case Event::Kind::copy:
      return add_copy(event, index, process);
    case Event::Kind::library:
      return add_library(event, process);
    case Event::Kind::allocate:
      if (process.launched_since) process.allocations[event.bytes].add(event, index);
      process.launched_since = false;
      return;
    case Event::Kind::finding:
      return add_finding(event, process);
    case Event::Kind::warning:
      return add_warning(event, index);
    case Event::Kind::release:
    case Event::Kind::module:
    case Event::Kind::pages:
    case Event::Kind::end:
      return;
  }
}

// A launch that was refused is worse than a race, since its kernel did nothing.
void ProgramRules::note_finding(const Event& event, const Process& process) {
  const bool is_refused = event.finding == "refused";
  const bool of_launch = is_of_a_launch(event.finding), of_order = event.finding == "missing_wait";
  const bool counts = is_refused || of_order || (of_launch && event.finding != "printf");
  if (!counts || (is_refused ? m_is_refused : !m_finding.empty())) return;
  m_is_refused = m_is_refused || is_refused;
  const std::string place = event.line != 0          ? place_text(event.file, event.line)
                            : event.place != nullptr ? place_text(*event.place)
                                                     : std::string();
  if (is_refused)
    m_finding =
        finding_title(event.finding, 0, "", event.place != nullptr ? place_text(*event.place) : place);
  else
    m_finding = finding_title(event.finding, of_launch ? process.launch : 0,
                              of_launch ? std::string_view(process.kernel) : std::string_view(), place);
}

// In the journal, a finding follows the launch that it belongs to.
void ProgramRules::add_finding(const Event& event, const Process& process) {
  if (!event.is_fault) return note_finding(event, process);
  if (!m_fault.empty() || process.kernel.empty()) return;
  const std::string what =
      process.launch == 0 ? process.kernel : fmt::format("Launch {} of {}", process.launch, process.kernel);
  m_fault = fmt::format("{} ended in a fault{}.", what,
                        event.line == 0 ? "" : " at " + place_text(event.file, event.line));
}

// Of those that the driver has found itself. Each line is warned of once.
void ProgramRules::add_warning(const Event& event, size_t index) {
  const auto named =
      std::ranges::find_if(kind_names, [&](const auto& row) { return event.finding == row.second; });
  if (named == kind_names.end()) return;  // of a later version
  const ProgramWarning::Kind kind = named->first;
  const auto same = std::find_if(m_told.begin(), m_told.end(), [&](const ProgramWarning& told) {
    return told.kind == kind &&
           (told.places.all().empty()
                ? event.place == nullptr && told.what == event.name
                : event.place != nullptr && told.places.all().front()->line == event.place->line &&
                      told.places.all().front()->file == event.place->file);
  });
  ProgramWarning& warning = same != m_told.end() ? *same : m_told.emplace_back();
  if (warning.count++ == 0) {
    warning.kind = kind;
    warning.what = event.name;
    warning.advice = event.advice;
    warning.places.add(event.place);
  }
  if (warning.events.size() < most_examples) warning.events.push_back(index);
}

// Waiting for a kernel's result also means waiting for a library's.
void ProgramRules::begin_work(Process& process) {
  ++process.launches;
  process.launched_since = true;
  if (process.waiting_since.count == 0) return;
  process.waiting.add(process.waiting_since);
  process.waiting_since = {};
}

void ProgramRules::add_library(const Event& event, Process& process) {
  process.launch = 0;
  process.kernel = event.name;
  ++m_totals.libraries;
  m_totals.host_us += event.host_us;
  m_totals.kernel_us += event.device_us.value_or(0);
  m_all_known = m_all_known && event.device_us.has_value();
  begin_work(process);
}

void ProgramRules::add_launch(const Event& event, size_t index, Process& process) {
  process.launch = event.number;
  process.kernel = event.name;
  ++m_totals.launches;
  m_totals.host_us += event.host_us;
  m_totals.kernel_us += event.device_us.value_or(0);
  if (!event.device_us) {
    ++m_totals.launches_without_time;
    m_all_known = false;
  }
  Kernel& kernel = m_kernels[event.name];
  ++kernel.launches;
  kernel.us += event.device_us.value_or(0);
  m_launches.push_back(
      {event.number, event.grid.count(), index, event.device_us, event.place, event.depth != 0});
  begin_work(process);
}

// Whether the other side already had these bytes: they had been copied the other way, or the same way before
// a launch. Arrays that are equal from the start, such as zeros, do not count.
bool ProgramRules::has_crossed(const Event& copy, Process& process) {
  if (copy.content == 0 || copy.bytes < smallest_content) return false;
  Content& content = process.contents[copy.content];
  const bool in = engine_of(copy) == Engine::in;
  const bool again = content.crossings != 0 && content.bytes == copy.bytes &&
                     (in != content.in || process.launches > content.launches);
  content.in = in;
  ++content.crossings;
  content.bytes = copy.bytes;
  content.launches = process.launches;
  if (again) ++content.again;
  return again;
}

void ProgramRules::add_copy(const Event& event, size_t index, Process& process) {
  const auto engine = engine_of(event);
  const bool in = engine == Engine::in;
  if (!engine) {  // inside of the device
    m_totals.inside_us += event.device_us.value_or(0);
    return;
  }
  ++m_totals.copies;
  m_totals.copied_bytes += event.bytes;
  m_totals.copy_us += event.device_us.value_or(0);
  m_all_known = m_all_known && event.device_us.has_value();
  m_crossing.add(event, index);
  if (has_crossed(event, process)) {
    m_again.add(event, index);
  } else if (event.waits && process.launches != 0) {
    process.waiting_since.add(event, index);
  }
  if (in && event.content == 0) process.places[{event.address, event.bytes}].add(event, index);
}

void ProgramRules::add_sum(const Event& sum) {
  m_arrays.add_sum(sum);
  if (sum.kind == Event::Kind::launch) {
    m_totals.launches += sum.count;
    m_totals.host_us += sum.host_us;
    m_totals.kernel_us += sum.device_us.value_or(0);
    Kernel& kernel = m_kernels[sum.name];
    kernel.launches += sum.count;
    kernel.us += sum.device_us.value_or(0);
  } else if (sum.kind == Event::Kind::library) {
    m_totals.libraries += sum.count;
    m_totals.host_us += sum.host_us;
    m_totals.kernel_us += sum.device_us.value_or(0);
  } else if (engine_of(sum)) {
    m_totals.copies += sum.count;
    m_totals.copied_bytes += sum.bytes;
    m_totals.copy_us += sum.device_us.value_or(0);
  } else {
    m_totals.inside_us += sum.device_us.value_or(0);
  }
  m_all_known = m_all_known && sum.device_us.has_value();
}

ProgramWarning ProgramRules::warning_of(ProgramWarning::Kind kind, const Group& group) const {
  ProgramWarning warning;
  warning.kind = kind;
  warning.count = group.count;
  warning.events = group.events;
  warning.launches = group.launches;
  warning.places = group.places;
  // With several processes, numbers are only known when all events are sorted: in the recording.
  if (m_processes.size() > 1) {
    warning.where = fmt::format("in {} processes", m_processes.size());
  } else if (!group.launches.empty()) {
    warning.where = list_of("launch", "launches", group.launches, group.count);
  } else {
    std::vector<uint64_t> numbers;
    for (const size_t index : group.events) numbers.push_back(index + 1);
    warning.where = list_of("event", "events", numbers, group.count);
  }
  return warning;
}

void ProgramRules::warn_of_bytes(std::vector<ProgramWarning>& list) const {
  Content most;
  double most_bytes = -1;
  for (const auto& [id, process] : m_processes) {
    for (const auto& [name, content] : process.contents) {
      const double bytes = double(content.again) * double(content.bytes);
      if (bytes < most_bytes || (bytes == most_bytes && content.crossings <= most.crossings)) continue;
      most = content;
      most_bytes = bytes;
    }
  }
  const bool weighs = m_again.us > worth_a_word * work_us() || m_again.count >= many_copies;
  if (m_again.count >= 2 && weighs) {
    ProgramWarning warning = warning_of(ProgramWarning::Kind::same_bytes, m_again);
    warning.what = fmt::format(
        "{} of {} copies carried bytes that had crossed between host and device before; {} crossed {}.",
        thousands(m_again.count), thousands(m_totals.copies), byte_size_text(most.bytes),
        times(most.crossings));
    warning.advice =
        "Leave the array on the device between launches: copy it in once before the loop, and out once after "
        "it. In Numba: cuda.to_device, and copy_to_host.";
    warning.weighs_us = m_again.us;
    if (m_all_known) {
      warning.now_us = work_us();
      warning.then_us = work_us() - m_again.us;
    }
    list.push_back(std::move(warning));
    return;
  }
  const Group* place = nullptr;
  for (const auto& [id, process] : m_processes)
    for (const auto& [key, group] : process.places)
      if (group.count >= many_copies && (place == nullptr || group.count > place->count)) place = &group;
  if (place == nullptr) return;
  ProgramWarning warning = warning_of(ProgramWarning::Kind::same_bytes, *place);
  warning.what = fmt::format("An array of {} was copied to the same place {}.",
                             byte_size_text(place->bytes / place->count), times(place->count));
  warning.advice = "If it is the same each time, copy it once, before the loop.";
  warning.weighs_us = place->us;
  list.push_back(std::move(warning));
}

void ProgramRules::warn_of_copies(std::vector<ProgramWarning>& list) const {
  if (m_totals.kernel_us <= 0 || m_totals.copy_us <= 2 * m_totals.kernel_us) return;
  ProgramWarning warning = warning_of(ProgramWarning::Kind::copies_dominate, m_crossing);
  warning.count = m_totals.copies;
  warning.what = fmt::format("Copies take {} and the kernels {}.", microseconds_text(m_totals.copy_us),
                             microseconds_text(m_totals.kernel_us));
  warning.advice = "Keep arrays on the device between launches, and copy only what changes.";
  warning.weighs_us = m_totals.copy_us;
  list.push_back(std::move(warning));
}

void ProgramRules::warn_of_allocations(std::vector<ProgramWarning>& list) const {
  const Group* most = nullptr;
  for (const auto& [id, process] : m_processes)
    for (const auto& [bytes, group] : process.allocations)
      if (group.count >= many_allocations && (most == nullptr || group.count > most->count)) most = &group;
  if (most == nullptr) return;
  ProgramWarning warning = warning_of(ProgramWarning::Kind::allocations, *most);
  warning.what = fmt::format("An array of {} was allocated {} between launches.",
                             byte_size_text(most->bytes / most->count), times(most->count));
  warning.advice = "Allocate it once and use it again.";
  list.push_back(std::move(warning));
}

void ProgramRules::warn_of_launches(std::vector<ProgramWarning>& list, const DeviceFigures& device) const {
  Group small, brief;
  uint64_t timed = 0, by_host = 0;
  for (const Launch& launch : m_launches) {
    // Their size follows from the program, and their cost is not the host's.
    if (launch.by_kernel) continue;
    ++by_host;
    Event event;
    event.place = launch.place;
    event.number = launch.number;
    event.device_us = launch.us;
    timed += launch.us ? 1 : 0;
    if (launch.blocks < device.sms) small.add(event, launch.index);
    if (launch.us && device.launch_us && *launch.us < *device.launch_us) brief.add(event, launch.index);
  }
  if (small.count >= many_launches && 2 * small.count > by_host) {
    ProgramWarning warning = warning_of(ProgramWarning::Kind::small_launches, small);
    warning.what = fmt::format("{} of {} launches have fewer blocks than the device has SMs ({}).",
                               thousands(small.count), thousands(by_host), device.sms);
    warning.advice = "Give each launch more work.";
    warning.weighs_us = small.us;
    list.push_back(std::move(warning));
  }
  if (brief.count >= many_launches && 2 * brief.count > timed) {
    ProgramWarning warning = warning_of(ProgramWarning::Kind::short_launches, brief);
    warning.what = fmt::format(
        "{} of {} launches are over sooner than a launch costs: their kernels take {} together, launching "
        "them about {}.",
        thousands(brief.count), thousands(by_host), microseconds_text(brief.us),
        microseconds_text(*device.launch_us * double(brief.count)));
    warning.advice = "Do more in one launch, or put the launches into a CUDA graph.";
    warning.weighs_us = *device.launch_us * double(brief.count);
    list.push_back(std::move(warning));
  }
}

void ProgramRules::warn_of_waiting(std::vector<ProgramWarning>& list) const {
  Group waiting;
  for (const auto& [id, process] : m_processes) waiting.add(process.waiting);
  if (waiting.count < many_waits || waiting.us <= worth_a_word * work_us()) return;
  ProgramWarning warning = warning_of(ProgramWarning::Kind::waiting_copies, waiting);
  warning.what = fmt::format(
      "The program waits at {} copies between launches, {} in all; meanwhile no kernel is given to the "
      "device.",
      thousands(waiting.count), microseconds_text(waiting.us));
  warning.advice = "Copy from pinned memory in a stream of its own, so that copies and kernels overlap.";
  warning.weighs_us = waiting.us;
  list.push_back(std::move(warning));
}

void ProgramRules::warn_of_pages(std::vector<ProgramWarning>& list) const {
  ProgramWarning warning;
  warning.kind = ProgramWarning::Kind::managed_misses;
  double waited_us = 0, fetched_us = 0;
  uint64_t bytes = 0;
  for (const ManagedArray& array : m_managed.arrays()) {
    if (array.device_us <= array.fetched_us) continue;
    ++warning.count;
    waited_us += array.device_us;
    fetched_us += array.fetched_us;
    bytes += array.missed;
    warning.places.add(array.place);
    for (const size_t event : array.events)
      if (warning.events.size() < most_examples) warning.events.push_back(event);
  }
  if (warning.count == 0 || waited_us <= worth_a_word * work_us()) return;
  warning.what = fmt::format("Kernels wait {} for {} of managed memory that the host had used, page by page.",
                             microseconds_text(waited_us), byte_size_text(bytes));
  warning.advice =
      "Fetch the arrays as a whole before the launch: cudaMemPrefetchAsync(array, bytes, device, stream); "
      "and back "
      "before the host reads them.";
  warning.weighs_us = waited_us;
  if (m_all_known) {
    warning.now_us = work_us();
    warning.then_us = work_us() - waited_us + fetched_us;
  }
  list.push_back(std::move(warning));
}

std::string ProgramRules::title(const std::vector<ProgramWarning>& warnings) const {
  if (!m_fault.empty()) return m_fault;
  return m_finding + (m_finding.empty() ? "" : " ") + times_title(warnings);
}

std::string ProgramRules::times_title(const std::vector<ProgramWarning>& warnings) const {
  if (m_totals.launches == 0 && m_totals.copies == 0)
    return "The program launched no kernel and copied nothing.";
  const double all = work_us();
  if (all <= 0)
    return m_totals.launches_without_time == 0
               ? std::string("The device's times are not known.")
               : std::string("No launch came to its end, so there is no time on the GPU to show.");
  if (m_totals.launches != 0 && m_totals.kernel_us <= 0)
    return "The times of the kernels on the GPU are not known.";
  if (m_totals.copy_us > all / 2) {
    std::string title =
        fmt::format("Copying takes {} of the time on the GPU", percent(m_totals.copy_us, all));
    const auto same = std::find_if(warnings.begin(), warnings.end(), [](const ProgramWarning& w) {
      return w.kind == ProgramWarning::Kind::same_bytes && w.now_us.has_value();
    });
    if (same != warnings.end())
      title += fmt::format(": {} of {} copies carry bytes that had crossed before", thousands(same->count),
                           thousands(m_totals.copies));
    return title + ".";
  }
  std::string title = fmt::format("Kernels take {} of the time on the GPU", percent(m_totals.kernel_us, all));
  const auto longest = std::max_element(m_kernels.begin(), m_kernels.end(), [](const auto& a, const auto& b) {
    return a.second.us < b.second.us;
  });
  if (m_kernels.size() > 1 && longest->second.us > 0)
    title += fmt::format(", {} alone {}", longest->first, percent(longest->second.us, all));
  return title + ".";
}

ProgramReport ProgramRules::take(const DeviceFigures& device) const {
  ProgramReport report;
  report.totals = m_totals;
  report.totals.kernels = m_kernels.size();
  warn_of_bytes(report.warnings);
  warn_of_copies(report.warnings);
  warn_of_allocations(report.warnings);
  warn_of_launches(report.warnings, device);
  warn_of_waiting(report.warnings);
  warn_of_pages(report.warnings);
  report.managed = m_managed.arrays();
  report.managed_ended = m_managed.ended();
  report.warnings.insert(report.warnings.end(), m_told.begin(), m_told.end());
  for (ProgramWarning& warning : m_arrays.take()) {
    warning.where = list_of("launch", "launches", warning.launches, warning.count);
    report.warnings.push_back(std::move(warning));
  }
  std::stable_sort(report.warnings.begin(), report.warnings.end(),
                   [](const auto& a, const auto& b) { return a.weighs_us > b.weighs_us; });
  report.title = title(report.warnings);
  return report;
}

ProgramReport report_of(const Recording& recording, const DeviceFigures& device) {
  ProgramRules rules;
  for (size_t i = 0; i < recording.events.size(); ++i) rules.add(recording.events[i], i);
  for (const Event& sum : recording.sums) rules.add_sum(sum);
  return rules.take(device);
}

}  // namespace warplens::recording
