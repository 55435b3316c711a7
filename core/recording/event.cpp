#include "core/recording/event.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "core/recording/finding_title.h"
#include "core/recording/values.h"

namespace warplens::recording {

namespace {

// Streams that wait and are given nothing more.
constexpr size_t most_waits = 4096;
// Streams of other devices than the first.
constexpr size_t most_streams = 65536;

uint32_t device_of(const Json& line) {
  return static_cast<uint32_t>(std::min<uint64_t>(number(line, "device"), UINT32_MAX));
}

uint32_t line_of(const Json& line) {
  return static_cast<uint32_t>(std::min<uint64_t>(number(line, "line"), UINT32_MAX));
}

// The journal's number of a launch, copy or library's call as this recording's; empty if it is of another
// journal. A finding may be of the next one.
std::optional<uint64_t> work_of(uint64_t number, const JournalPlace& place) {
  if (number <= place.first_work || number - place.first_work > place.works - place.works_before + 1)
    return std::nullopt;
  return place.works_before + (number - place.first_work);
}

std::shared_ptr<const PageMoves> page_moves(const Json& line) {
  auto made = std::make_shared<PageMoves>();
  made->to = text(line, "to") == "host" ? pages::Side::host : pages::Side::device;
  made->mapped_bytes = number(line, "mapped");
  made->misses = number(line, "misses");
  made->is_cut = truth(line, "more");
  const Json* runs = value(line, "runs");
  if (runs == nullptr || !runs->is_array()) return made;
  constexpr uint64_t both = pages::bit(pages::Side::host) | pages::bit(pages::Side::device);
  for (const Json& run : *runs) {
    const bool fits = run.is_array() && run.size() == 3 &&
                      std::ranges::all_of(run, [](const Json& n) { return n.is_number_unsigned(); });
    if (!fits || run[0].get<uint64_t>() > UINT32_MAX || run[1].get<uint64_t>() > UINT32_MAX) continue;
    made->changed.push_back({run[0].get<uint32_t>(), run[1].get<uint32_t>(),
                             static_cast<uint8_t>(run[2].get<uint64_t>() & both)});
  }
  return made;
}

}  // namespace

std::string place_text(std::string_view file, uint32_t line) {
  return fmt::format("{}:{}", file.substr(file.find_last_of("/\\") + 1), line);
}

std::string place_text(const HostPlace& place) { return place_text(place.file, place.line); }

ReportJson place_json(const HostPlace& place) {
  return {{"file", place.file}, {"line", place.line}, {"function", place.function}};
}

std::string launched_by_text(const Event& event) {
  if (event.depth == 0) return {};
  return fmt::format(", launched by {}{}", event.launched_by,
                     event.depth == 1 ? std::string() : fmt::format(" at depth {}", event.depth));
}

std::string launched_at(const HostPlace* place) {
  return place == nullptr ? std::string() : fmt::format(" (launched at {})", place_text(*place));
}

bool is_sum(const Json& line) {
  const std::string event = text(line, "event");
  return event == "launches" || event == "copies" || event == "libraries";
}

std::optional<Event> event_of(const Json& line, uint64_t process, JournalPlace& place) {
  static const std::map<std::string, Event::Kind, std::less<>> kinds = {{"launch", Event::Kind::launch},
                                                                        {"copy", Event::Kind::copy},
                                                                        {"library", Event::Kind::library},
                                                                        {"libraries", Event::Kind::library},
                                                                        {"allocate", Event::Kind::allocate},
                                                                        {"free", Event::Kind::release},
                                                                        {"finding", Event::Kind::finding},
                                                                        {"warning", Event::Kind::warning},
                                                                        {"module", Event::Kind::module},
                                                                        {"launches", Event::Kind::launch},
                                                                        {"copies", Event::Kind::copy},
                                                                        {"pages", Event::Kind::pages},
                                                                        {"end", Event::Kind::end}};
  place.last_us = maybe(line, "at_us").value_or(place.last_us);  // others: that of the line before
  const std::string name = text(line, "event");
  if (name == "start") {
    place.device_from_us = place.device_us;
    place.places.clear();
    place.first_work = number(line, "works");
    place.works_before = place.works;
    place.waits.clear();
    place.streams.clear();
  }
  if (name == "stream" && place.streams.size() < most_streams)
    place.streams[number(line, "stream")] = {device_of(line), truth(line, "default")};
  if (name == "wait" && place.waits.size() < most_waits)
    if (const auto work = work_of(number(line, "work"), place)) {
      std::vector<uint64_t>& waits = place.waits[number(line, "stream")];
      if (std::ranges::find(waits, *work) == waits.end()) waits.push_back(*work);
    }
  if (name == "place")
    place.places[number(line, "number")] = std::make_shared<const HostPlace>(
        HostPlace{text(line, "file"), text(line, "function"), line_of(line)});
  const auto kind = kinds.find(name);
  if (kind == kinds.end()) return std::nullopt;
  Event e;
  e.kind = kind->second;
  e.process = process;
  e.at_us = place.last_us;
  e.host_us = real(line, "host_us");
  e.begin_us = maybe(line, "begin_us");
  e.device_us = maybe(line, "device_us");
  if (e.begin_us) {
    *e.begin_us += place.device_from_us;
    place.device_us = std::max(place.device_us, *e.begin_us + std::max(0.0, e.device_us.value_or(0)));
  }
  for (const char* word : {"kernel", "direction", "call", "kind", "message", "why"})
    if (std::string found = text(line, word); !found.empty()) e.name = std::move(found);
  if (e.kind == Event::Kind::finding) {
    e.finding = text(line, "kind");
    e.is_fault = number(line, "code") != 0 && is_of_a_launch(e.finding);
    if (const Json* works = value(line, "works"); works != nullptr && works->is_array() && works->size() == 2)
      for (const Json& work : *works)
        if (const auto known = work_of(work.is_number_unsigned() ? work.get<uint64_t>() : 0, place))
          e.after.push_back(*known);
  }
  if (e.kind == Event::Kind::warning) {
    e.finding = text(line, "kind");
    e.advice = text(line, "advice");
  }
  if (e.kind == Event::Kind::pages && value(line, "to") != nullptr) e.pages = page_moves(line);
  e.shape = text(line, "shape");
  e.bytes = number(line, "bytes");
  e.address = number(line, "address");
  e.stream = number(line, "stream");
  e.device = device_of(line);
  if (const auto at = place.streams.find(e.stream); at != place.streams.end()) {
    e.device = at->second.device;
    e.on_default_stream = at->second.is_default;
  }
  e.content = number(line, "content");
  e.waits = truth(line, "waits");
  e.status = static_cast<int>(real(line, "status"));
  e.prints = truth(line, "prints");
  e.launched_by = text(line, "launched_by");
  e.depth = static_cast<uint32_t>(std::min<uint64_t>(number(line, "depth"), UINT32_MAX));
  e.grid = extent(line, "grid");
  e.block = extent(line, "block");
  e.shared_bytes = static_cast<uint32_t>(std::min<uint64_t>(number(line, "shared"), UINT32_MAX));
  if (is_sum(line)) {
    e.count = number(line, "count");
  } else if (is_device_work(e)) {
    e.work = ++place.works;
    if (const auto waits = place.waits.find(e.stream); waits != place.waits.end())
      e.after = std::move(place.waits.extract(waits).mapped());
  }
  if (e.kind == Event::Kind::launch || e.kind == Event::Kind::finding) {
    e.file = text(line, "file");
    e.line = line_of(line);
  }
  if (const auto at = place.places.find(number(line, "place")); at != place.places.end())
    e.place = at->second;
  return e;
}

}  // namespace warplens::recording
