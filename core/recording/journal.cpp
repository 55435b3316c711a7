#include "core/recording/journal.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <span>
#include <utility>

#include "core/base/json/json.h"
#include "core/base/json/json_values.h"
#include "core/launch/fields.h"
#include "core/system/files.h"
#include "core/system/own_process.h"

namespace warplens::recording {

namespace {

// Sums are written again after this many events.
constexpr uint64_t events_between_sums = 1024;

constexpr const char* lost_ending = ".lost";

// Of one line; an array whose pages are used here and there may have more.
constexpr size_t most_page_runs = 512;

bool is_plain(char c) { return c >= ' ' && c < 127 && c != '"' && c != '\\'; }

std::string json_text(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), is_plain)) return '"' + std::string(text) + '"';
  return json_values::one_line(ReportJson(std::string(text)));
}

std::string number_text(const std::optional<double>& value) {
  return value ? fmt::format(FMT_COMPILE("{:.3f}"), *value) : std::string("null");
}

std::optional<double> since(const std::optional<double>& us, double from_us) {
  return us ? std::optional(*us - from_us) : us;
}

}  // namespace

double now_us() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

bool writes_errors_to(const std::string& name) { return !name.empty() && name == name_of_errors(); }

void mark_lost(const std::string& path) { close_file(append_to(path + lost_ending)); }

bool has_lost(const std::string& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == lost_ending) return true;
  return false;
}

const char* to_string(Direction direction) {
  switch (direction) {
    case Direction::to_device:
      return "host to device";
    case Direction::from_device:
      return "device to host";
    case Direction::on_device:
      return "device to device";
    case Direction::on_host:
      return "host to host";
    case Direction::memset:
      return "memset";
    case Direction::between_devices:
      return "peer to peer";
  }
  return "";
}

Journal::Journal(const std::string& folder, std::string_view device, std::string_view device_name,
                 std::string_view clock, std::string_view searched, const std::vector<std::string>& devices)
    : m_device(fmt::format(R"("device":{},"device_name":{},"clock":"{}","searched":"{}")", json_text(device),
                           json_text(device_name), clock, searched)) {
  std::string ids;
  for (const std::string& id : devices) ids += (ids.empty() ? "" : ",") + json_text(id);
  if (!ids.empty()) m_device += fmt::format(R"(,"devices":[{}])", ids);
  open_in(folder);
}

void Journal::open_in(const std::string& folder) {
  if (folder.empty()) return;
  m_path = fmt::format("{}/{}.journal", folder, own_process_id());
  m_file = append_to(m_path);
  if (m_file < 0) mark_lost(m_path);
  write(fmt::format(R"({{"event":"start","version":1,"process":{},{},"works":{},"at_us":{:.3f}}})",
                    own_process_id(), m_device, m_works, now_us()));
  for (const auto& [number, line] : m_streams) write(line);
}

void Journal::move_to(const std::string& folder, double device_from_us) {
  flush();
  close_file(std::exchange(m_file, no_file));
  m_device_from_us = device_from_us;
  m_bytes = 0;
  m_places.clear();
  m_counts.clear();
  m_last_counts = {};
  open_in(folder);
}

void Journal::write(std::string_view line) {
  if (m_file < 0) return;
  std::string text(line);
  text += '\n';
  if (!write_at_once(m_file, text)) {
    close_file(std::exchange(m_file, no_file));
    mark_lost(m_path);
  }
  m_bytes += text.size();
}

void Journal::note_sum() {
  if (++m_unwritten >= events_between_sums) flush();
}

std::string Journal::place_text(const HostPlace* place) {
  if (place == nullptr) return {};
  const auto [at, is_new] = m_places.try_emplace(place, m_places.size() + 1);
  if (is_new)
    write(fmt::format(R"({{"event":"place","number":{},"file":{},"line":{},"function":{}}})", at->second,
                      json_text(place->file), place->line, json_text(place->function)));
  return fmt::format(FMT_COMPILE(R"(,"place":{})"), at->second);
}

// Launches of a loop count the same.
std::string Journal::counts_text(const Counters* counters) {
  if (counters == nullptr) return {};
  if (!m_last_counts.second.empty() && *counters == m_last_counts.first) return m_last_counts.second;
  std::string text;
  each_field(*counters, [&]<class T>(std::string_view name, const T& value) {
    if constexpr (std::is_same_v<T, uint64_t>)
      if (value != 0) text += fmt::format(R"({}"{}":{})", text.empty() ? "" : ",", name, value);
  });
  constexpr size_t most_known = 4096;
  if (m_counts.size() == most_known) m_counts.clear();  // numbers that are used again are written again
  const auto [at, is_new] = m_counts.try_emplace(text, m_counts.size() + 1);
  if (is_new) write(fmt::format(R"({{"event":"counts","number":{},"counts":{{{}}}}})", at->second, text));
  m_last_counts = {*counters, fmt::format(FMT_COMPILE(R"(,"counts":{})"), at->second)};
  return m_last_counts.second;
}

void Journal::add_to_sum(std::map<std::string, Sum, std::less<>>& sums, std::string_view name,
                         const std::optional<double>& device_us, double host_us, uint64_t bytes) {
  const auto at = sums.find(name);
  Sum& sum = at != sums.end() ? at->second : sums[std::string(name)];
  ++sum.count;
  sum.bytes += bytes;
  sum.device_us += device_us.value_or(0);
  sum.known = sum.known && device_us.has_value();
  sum.host_us += host_us;
}

void Journal::launch(const LaunchNote& note) {
  if (m_file < 0) return;
  if (is_full()) {
    add_to_sum(m_kernels, note.kernel, note.device_us, note.host_us, 0);
    return note_sum();
  }
  ++m_works;
  const std::string place = place_text(note.place), counts = counts_text(note.counters);
  write(fmt::format(
      FMT_COMPILE(
          R"({{"event":"launch","kernel":{},"grid":[{},{},{}],"block":[{},{},{}],"shared":{},"stream":{},"begin_us":{},"device_us":{},"at_us":{:.3f},"host_us":{:.3f}{}{}{}{}{}}})"),
      json_text(note.kernel), note.grid.x, note.grid.y, note.grid.z, note.block.x, note.block.y, note.block.z,
      note.shared_bytes, note.stream, number_text(since(note.begin_us, m_device_from_us)),
      number_text(note.device_us), note.at_us, note.host_us,
      note.file.empty()
          ? std::string()
          : fmt::format(FMT_COMPILE(R"(,"file":{},"line":{})"), json_text(note.file), note.line),
      note.prints ? R"(,"prints":true)" : "",
      note.depth == 0
          ? std::string()
          : fmt::format(R"(,"launched_by":{},"depth":{})", json_text(note.launched_by), note.depth),
      place, counts));
}

void Journal::copy(const CopyNote& note) {
  if (m_file < 0) return;
  if (is_full()) {
    Sum& sum = m_copies[static_cast<size_t>(note.direction)];
    ++sum.count;
    sum.bytes += note.bytes;
    sum.device_us += note.device_us.value_or(0);
    return note_sum();
  }
  ++m_works;
  const std::string place = place_text(note.place);
  write(fmt::format(
      R"({{"event":"copy","direction":"{}","bytes":{},"address":{},"stream":{},"begin_us":{},"device_us":{},"at_us":{:.3f}{}{}{}}})",
      to_string(note.direction), note.bytes, note.device_address, note.stream,
      number_text(since(note.begin_us, m_device_from_us)), number_text(note.device_us), note.at_us,
      note.content != 0 ? fmt::format(R"(,"content":{})", note.content) : std::string(),
      note.waits ? R"(,"waits":true)" : "", place));
}

void Journal::library(const LibraryNote& note) {
  if (m_file < 0) return;
  if (is_full()) {
    add_to_sum(m_libraries, note.call, note.device_us, note.host_us, note.bytes);
    return note_sum();
  }
  ++m_works;
  const std::string place = place_text(note.place);
  write(fmt::format(
      R"({{"event":"library","call":{},"shape":{},"bytes":{},"stream":{},"begin_us":{},"device_us":{},"at_us":{:.3f},"host_us":{:.3f}{}{}}})",
      json_text(note.call), json_text(note.shape), note.bytes, note.stream,
      number_text(since(note.begin_us, m_device_from_us)), number_text(note.device_us), note.at_us,
      note.host_us, note.waits ? R"(,"waits":true)" : "", place));
}

void Journal::allocate(uint64_t address, uint64_t bytes, std::string_view kind, const HostPlace* at,
                       int device) {
  if (m_file < 0) return;
  if (is_full()) {
    ++m_allocations.count;
    m_allocations.bytes += bytes;
    return note_sum();
  }
  const std::string place = place_text(at);
  write(fmt::format(R"({{"event":"allocate","kind":"{}","address":{},"bytes":{}{}{}}})", kind, address, bytes,
                    device != 0 ? fmt::format(R"(,"device":{})", device) : std::string(), place));
}

void Journal::release(uint64_t address) {
  if (m_file >= 0 && !is_full()) write(fmt::format(R"({{"event":"free","address":{}}})", address));
}

void Journal::pages(const PagesNote& note) {
  if (m_file < 0 || is_full()) return;
  const std::string place = place_text(note.place);
  std::string runs;
  for (const pages::PageRun& run :
       std::span(note.changed).first(std::min(note.changed.size(), most_page_runs)))
    runs += fmt::format("{}[{},{},{}]", runs.empty() ? "" : ",", run.first, run.count, run.places);
  write(fmt::format(
      R"({{"event":"pages","why":"{}","to":"{}","address":{},"bytes":{},"mapped":{},"misses":{},"stream":{},"begin_us":{},"device_us":{},"at_us":{:.3f},"runs":[{}]{}{}}})",
      note.why, note.to == pages::Side::host ? "host" : "device", note.address, note.bytes, note.mapped_bytes,
      note.misses, note.stream, number_text(since(note.begin_us, m_device_from_us)),
      number_text(note.device_us), note.at_us, runs,
      note.changed.size() > most_page_runs ? R"(,"more":true)" : "", place));
}

void Journal::pages_end() {
  if (m_file >= 0 && !is_full()) write(R"({"event":"pages","why":"end"})");
}

void Journal::finding(const FindingNote& note) {
  const std::string place = place_text(note.place);
  write(fmt::format(
      R"({{"event":"finding","kind":{},"code":{},"message":{},"kernel":{},"file":{},"line":{}{}{}{}}})",
      json_text(note.kind), note.code, json_text(note.message), json_text(note.kernel), json_text(note.file),
      note.line, note.said ? R"(,"said":true)" : "",
      note.first != 0 ? fmt::format(R"(,"works":[{},{}])", note.first, note.second) : std::string(), place));
}

void Journal::stream(uint64_t number, int device, bool is_default) {
  if (m_file < 0 || is_full()) return;
  const std::string& line = m_streams[number] =
      fmt::format(R"({{"event":"stream","stream":{},"device":{}{}}})", number, device,
                  is_default ? R"(,"default":true)" : "");
  write(line);
}

void Journal::wait(uint64_t for_work, uint64_t stream) {
  if (m_file >= 0 && !is_full() && for_work != 0)
    write(fmt::format(R"({{"event":"wait","work":{},"stream":{}}})", for_work, stream));
}

void Journal::warning(std::string_view kind, std::string_view what, std::string_view advice,
                      const HostPlace* at) {
  const std::string place = place_text(at);
  write(fmt::format(R"({{"event":"warning","kind":{},"message":{},"advice":{}{}}})", json_text(kind),
                    json_text(what), json_text(advice), place));
}

void Journal::module(double at_us, double host_us, uint64_t ptx_bytes) {
  if (m_file >= 0 && !is_full())
    write(fmt::format(R"({{"event":"module","at_us":{:.3f},"host_us":{:.3f},"bytes":{}}})", at_us, host_us,
                      ptx_bytes));
}

void Journal::call(std::string_view name) {
  write(fmt::format(R"({{"event":"missing","call":{}}})", json_text(name)));
}

void Journal::end(int status) {
  flush();
  write(fmt::format(R"({{"event":"end","status":{}}})", status));
}

void Journal::flush() {
  m_unwritten = 0;
  for (const auto& [kernel, sum] : m_kernels) {
    write(fmt::format(R"({{"event":"launches","kernel":{},"count":{},"device_us":{},"host_us":{:.3f}}})",
                      json_text(kernel), sum.count,
                      sum.known ? fmt::format("{:.3f}", sum.device_us) : std::string("null"), sum.host_us));
  }
  m_kernels.clear();
  for (const auto& [call, sum] : m_libraries) {
    write(fmt::format(
        R"({{"event":"libraries","call":{},"count":{},"bytes":{},"device_us":{},"host_us":{:.3f}}})",
        json_text(call), sum.count, sum.bytes,
        sum.known ? fmt::format("{:.3f}", sum.device_us) : std::string("null"), sum.host_us));
  }
  m_libraries.clear();
  for (size_t i = 0; i < std::size(m_copies); ++i) {
    Sum& sum = m_copies[i];
    if (sum.count == 0) continue;
    write(fmt::format(R"({{"event":"copies","direction":"{}","count":{},"bytes":{},"device_us":{:.3f}}})",
                      to_string(static_cast<Direction>(i)), sum.count, sum.bytes, sum.device_us));
    sum = {};
  }
  if (m_allocations.count != 0) {
    write(fmt::format(R"({{"event":"allocations","count":{},"bytes":{}}})", m_allocations.count,
                      m_allocations.bytes));
    m_allocations = {};
  }
}

}  // namespace warplens::recording
