#include "core/recording/trace.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "core/base/json/json.h"
#include "core/recording/engine.h"

namespace warplens::recording {

namespace {

// Tracks of one process of the program. The device and this machine have clocks of their own, so they are two
// processes of the trace. Each further device has the tracks from `per_device` times its number on.
enum class Track : uint64_t {
  copies_in = 1,
  copies_out,
  copies_inside,
  calls,
  pages,
  copies_between,
  first_stream = 16,
  per_device = uint64_t{1} << 40
};

uint64_t track_of(const Event& event) {
  const auto engine = engine_of(event);
  const uint64_t first = event.device * static_cast<uint64_t>(Track::per_device);
  if (engine == Engine::kernels)
    return first + static_cast<uint64_t>(Track::first_stream) + (event.on_default_stream ? 0 : event.stream);
  return first + static_cast<uint64_t>(engine == Engine::in           ? Track::copies_in
                                       : engine == Engine::out        ? Track::copies_out
                                       : event.name == "peer to peer" ? Track::copies_between
                                                                      : Track::copies_inside);
}

std::string track_name(uint64_t track) {
  switch (static_cast<Track>(track)) {
    case Track::copies_in:
      return "copies in";
    case Track::copies_out:
      return "copies out";
    case Track::copies_inside:
      return "copies inside, memset";
    case Track::calls:
      return "calls";
    case Track::pages:
      return "pages of managed memory";
    case Track::copies_between:
      return "copies to another device";
    case Track::first_stream:
      return "kernels, default stream";
    case Track::per_device:
      break;
  }
  return fmt::format("kernels, stream {}", track - static_cast<uint64_t>(Track::first_stream));
}

class Trace {
 public:
  explicit Trace(const Recording& recording) : m_recording(recording) {}

  std::string text() {
    for (const Event& event : m_recording.events) {
      if (is_device_work(event) && event.begin_us) device_work(event);
      if (event.kind == Event::Kind::pages && event.begin_us) pages(event);
      if (event.host_us > 0) call(event);
      if (event.kind == Event::Kind::finding) finding(event);
    }
    names();
    return fmt::format("{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{}\n]}}\n",
                       fmt::join(m_lines, ",\n"));
  }

 private:
  // The numbers of the trace's processes: of the device, and of the machine.
  static uint64_t device_of(const Event& event) { return 2 * event.process; }
  static uint64_t host_of(const Event& event) { return 2 * event.process + 1; }

  void add(const ReportJson& line) { m_lines.push_back(line.dump()); }

  void device_work(const Event& event) {
    const uint64_t process = device_of(event), track = track_of(event);
    m_tracks.insert({process, track});
    const double us = std::max(0.0, event.device_us.value_or(0));
    ReportJson about = {{"bytes", event.bytes}, {"stream", event.stream}};
    if (event.kind == Event::Kind::launch)
      about = {{"launch", event.number},
               {"grid", {event.grid.x, event.grid.y, event.grid.z}},
               {"block", {event.block.x, event.block.y, event.block.z}},
               {"stream", event.stream}};
    if (event.place != nullptr) about["called_at"] = place_text(*event.place);
    add({{"ph", "X"},
         {"name", event.name},
         {"cat", event.kind == Event::Kind::copy ? "copy" : "kernel"},
         {"pid", process},
         {"tid", track},
         {"ts", *event.begin_us},
         {"dur", us},
         {"args", std::move(about)}});
    m_work[{event.process, event.work}] = {track, *event.begin_us, *event.begin_us + us};
    for (const uint64_t before : event.after)
      if (const auto from = m_work.find({event.process, before}); from != m_work.end())
        flow(process, from->second, m_work.at({event.process, event.work}));
  }

  // Kernels and copies wait for them meanwhile; for a prefetch, nothing does.
  void pages(const Event& event) {
    const uint64_t process = device_of(event), track = static_cast<uint64_t>(Track::pages);
    m_tracks.insert({process, track});
    add({{"ph", "X"},
         {"name", event.name == "prefetch" ? "prefetch" : "pages for a " + event.name},
         {"cat", "pages"},
         {"pid", process},
         {"tid", track},
         {"ts", *event.begin_us},
         {"dur", std::max(0.0, event.device_us.value_or(0))},
         {"args", {{"bytes", event.bytes}, {"misses", event.pages->misses}, {"stream", event.stream}}}});
  }

  struct Work {
    uint64_t track = 0;
    double begin_us = 0, end_us = 0;
  };
  // A flow is bound to the slices around its ends.
  void flow(uint64_t process, const Work& from, const Work& to) {
    const uint64_t id = ++m_flows;
    add({{"ph", "s"},
         {"name", "waits for"},
         {"cat", "wait"},
         {"id", id},
         {"pid", process},
         {"tid", from.track},
         {"ts", from.begin_us}});
    add({{"ph", "f"},
         {"bp", "e"},
         {"name", "waits for"},
         {"cat", "wait"},
         {"id", id},
         {"pid", process},
         {"tid", to.track},
         {"ts", to.begin_us}});
  }

  void call(const Event& event) {
    const uint64_t process = host_of(event), track = static_cast<uint64_t>(Track::calls);
    m_tracks.insert({process, track});
    add({{"ph", "X"},
         {"name", event.kind == Event::Kind::module ? "read code" : event.name},
         {"cat", "call"},
         {"pid", process},
         {"tid", track},
         {"ts", event.at_us},
         {"dur", event.host_us}});
  }

  void finding(const Event& event) {
    const uint64_t process = host_of(event), track = static_cast<uint64_t>(Track::calls);
    m_tracks.insert({process, track});
    ReportJson about = {{"message", event.name}};
    if (event.place != nullptr) about["called_at"] = place_text(*event.place);
    add({{"ph", "i"},
         {"s", "t"},
         {"name", event.finding},
         {"cat", "finding"},
         {"pid", process},
         {"tid", track},
         {"ts", event.at_us},
         {"args", std::move(about)}});
  }

  void names() {
    const bool is_real = m_recording.times() == Provenance::measured;
    const std::string device = is_real ? m_recording.device_name : m_recording.device + ", modelled times";
    std::set<uint64_t> processes;
    for (const auto& [process, track] : m_tracks) {
      if (processes.insert(process).second)
        add({{"ph", "M"},
             {"name", "process_name"},
             {"pid", process},
             {"args",
              {{"name", process % 2 == 0 ? fmt::format("on the GPU ({})", device)
                                         : fmt::format("on this machine, process {}", process / 2)}}}});
      add({{"ph", "M"},
           {"name", "thread_name"},
           {"pid", process},
           {"tid", track},
           {"args", {{"name", name_with_device(track)}}}});
      add({{"ph", "M"},
           {"name", "thread_sort_index"},
           {"pid", process},
           {"tid", track},
           {"args", {{"sort_index", track}}}});
    }
  }

  std::string name_with_device(uint64_t track) const {
    const auto step = static_cast<uint64_t>(Track::per_device);
    if (m_recording.devices.size() < 2) return track_name(track);
    return fmt::format("device {}: {}", track / step, track_name(track % step));
  }

  const Recording& m_recording;
  std::vector<std::string> m_lines;
  std::set<std::pair<uint64_t, uint64_t>> m_tracks;  // process and track
  std::map<std::pair<uint64_t, uint64_t>, Work> m_work;
  uint64_t m_flows = 0;
};

}  // namespace

std::string trace_text(const Recording& recording) { return Trace(recording).text(); }

}  // namespace warplens::recording
