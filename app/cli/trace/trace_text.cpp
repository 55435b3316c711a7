#include "app/cli/trace/trace_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>

#include "core/base/bits.h"
#include "core/launch/footprint.h"

namespace warplens {

namespace {

using stepping::RegisterView;

std::vector<uint32_t> list_of(uint32_t lanes) {
  std::vector<uint32_t> list;
  for_each_bit(lanes, [&](uint32_t lane) { list.push_back(lane); });
  return list;
}

// The number of lanes from here on that have the same value, or values that grow by the same step.
template <class ValueOf>
size_t run_length(const std::vector<uint32_t>& lanes, size_t from, uint64_t step, ValueOf value) {
  size_t end = from + 1;
  while (end < lanes.size() && value(lanes[end]) - value(lanes[end - 1]) == step) ++end;
  return end - from;
}

// One number if all lanes have it, "0, 1, 2 … 15" for values that grow by a step, "7 (16 lanes)" for equal
// values. Steps are not looked for in floats.
template <class ValueOf, class TextOf>
std::string folded(const std::vector<uint32_t>& lanes, bool steps, ValueOf value, TextOf text) {
  if (lanes.empty()) return "not set";
  std::string all;
  for (size_t at = 0; at < lanes.size();) {
    if (at != 0) all += ", ";
    all += text(lanes[at]);
    const size_t equal = run_length(lanes, at, 0, value);
    if (equal == lanes.size()) return all;
    const bool has_next = at + 1 < lanes.size();
    const uint64_t step = has_next ? value(lanes[at + 1]) - value(lanes[at]) : 0;
    const size_t growing = steps && step != 0 ? run_length(lanes, at, step, value) : 1;
    if (equal >= 3) {
      all += fmt::format(" ({} lanes)", equal);
      at += equal;
    } else if (growing >= 4) {
      all += fmt::format(", {}, {} … {}", text(lanes[at + 1]), text(lanes[at + 2]),
                         text(lanes[at + growing - 1]));
      at += growing;
    } else {
      ++at;
    }
  }
  return all;
}

std::string who(uint32_t lanes) { return lanes == 0xffffffff ? "all lanes" : "lanes " + lanes_text(lanes); }

}  // namespace

std::string source_line(const stepping::CodePlace& place) {
  if (place.line == 0) return "";
  return fmt::format("{}:{}", std::filesystem::path(place.file).filename().string(), place.line);
}

ReportJson place_json(const stepping::CodePlace& place) {
  return {{"ptx_line", place.ptx_line},
          {"file", place.line == 0 ? ReportJson() : ReportJson(place.file)},
          {"line", place.line == 0 ? ReportJson() : ReportJson(place.line)}};
}

std::string lanes_text(uint32_t lanes) {
  if (lanes == 0) return "none";
  if (lanes == 0xffffffff) return "all";
  std::string text;
  for (uint32_t lane = 0; lane < warp_lanes;) {
    if ((lanes >> lane & 1) == 0) {
      ++lane;
      continue;
    }
    const uint32_t first = lane;
    while (lane < warp_lanes && (lanes >> lane & 1) != 0) ++lane;
    text += text.empty() ? "" : ",";
    text += first + 1 == lane ? fmt::format("{}", first) : fmt::format("{}-{}", first, lane - 1);
  }
  return text;
}

std::string values_text(const RegisterView& view, uint32_t lanes) {
  const bool steps = !view.predicate && !ptx::is_float(view.type);
  return folded(
      list_of(lanes & view.set), steps,
      [&](uint32_t lane) { return view.bits[lane].low ^ view.bits[lane].high; },
      [&](uint32_t lane) { return stepping::text_of(view.type, view.bits[lane]); });
}

std::string values_text(const stepping::BlockStepper& stepper, uint32_t warp,
                        const stepping::VariableView& view, uint32_t lanes) {
  const std::vector<uint32_t> list = list_of(lanes & view.has);
  if (!view.opens || view.counts) {
    return folded(
        list, view.counts, [&](uint32_t lane) { return view.bits[lane].low ^ view.bits[lane].high; },
        [&](uint32_t lane) { return stepper.text_of(warp, view, lane); });
  }
  std::map<std::string, uint64_t> numbers;  // equal texts are equal values
  std::map<uint32_t, std::string> texts;
  for (const uint32_t lane : list) {
    texts[lane] = stepper.text_of(warp, view, lane);
    numbers.emplace(texts[lane], numbers.size());
  }
  return folded(
      list, false, [&](uint32_t lane) { return numbers[texts[lane]]; },
      [&](uint32_t lane) { return texts[lane]; });
}

const std::string& TraceWriter::text_of(uint32_t instruction) {
  const auto [place, is_new] = m_texts.try_emplace(instruction);
  if (is_new) place->second = m_stepper.text_of(instruction);
  return place->second;
}

std::string TraceWriter::place_text(const stepping::CodePlace& place) const {
  const std::string line = source_line(place);
  return fmt::format("PTX line {}{}", place.ptx_line, line.empty() ? "" : " (" + line + ")");
}

AccessPlace TraceWriter::place_of(const stepping::SteppedAccess& access) const {
  const std::vector<uint32_t> list = list_of(shown(access.lanes));
  AccessPlace place{verb_of(access.kind), fmt::format("{} memory", to_string(access.space)), 0};
  const auto take = [&](const std::string& name, uint64_t address, uint64_t bytes) {
    if (!std::ranges::all_of(list, [&](uint32_t lane) { return access.address[lane] - address < bytes; }))
      return;
    place.base = address;
    place.name = name;
  };
  if (access.space == Space::global)
    for (const stepping::DeviceMemory& memory : m_stepper.device_memory())
      take(memory.name, memory.address, memory.bytes);
  if (access.space == Space::shared)
    for (const stepping::SharedArray& array : m_stepper.shared_arrays())
      take(array.name, array.address, array.bytes);
  return place;
}

// Addresses as offsets in the buffer that holds them all.
std::string TraceWriter::access_text(const stepping::SteppedAccess& access) const {
  const std::vector<uint32_t> list = list_of(shown(access.lanes));
  if (list.empty()) return {};
  const AccessPlace place = place_of(access);
  const auto value = [&](uint32_t lane) { return access.address[lane] - place.base; };
  const bool offset = place.base != 0 || access.space != Space::global;
  const std::string addresses = folded(list, true, value, [&](uint32_t lane) {
    return offset ? fmt::format("{}", value(lane)) : fmt::format("0x{:x}", value(lane));
  });
  return fmt::format("{} {} byte{} a lane of {} at {}", place.verb, access.bytes,
                     access.bytes == 1 ? "" : "s", place.name, addresses);
}

std::string TraceWriter::heading() {
  return fmt::format("{:>9} {:>4}  {:<12} {:<24} {:>6}  {}\n", "#", "warp", "lanes", "line", "PTX",
                     "instruction");
}

std::string TraceWriter::line(const TracedInstruction& traced) {
  const TraceEntry& entry = traced.entry;
  const stepping::CodePlace place = m_stepper.place(entry.instruction);
  std::string lanes = lanes_text(entry.executed);
  if (entry.executed != entry.active) lanes += " of " + lanes_text(entry.active);
  std::string text = fmt::format("{:>9} {:>4}  {:<12} {:<24} {:>6}  {}\n", traced.index, entry.warp, lanes,
                                 source_line(place), place.ptx_line, text_of(entry.instruction));
  constexpr const char* indent = "                 ";
  for (const RegisterView& view : m_stepper.written(entry)) {
    if (shown(entry.executed) == 0) continue;
    const std::string values = values_text(view, shown(entry.executed));
    text += fmt::format("{}{} = {}\n", indent, view.name, values);
  }
  for (const stepping::SteppedAccess& access : m_stepper.accesses()) {
    const std::string words = access_text(access);
    if (!words.empty()) text += fmt::format("{}{}\n", indent, words);
  }
  return text + changed_paths(entry.warp);
}

std::string TraceWriter::changed_paths(uint32_t warp) {
  std::string now = paths(warp);
  std::string& before = m_paths[warp];
  if (now == before) return {};
  before = now;
  return now;
}

std::string TraceWriter::paths(uint32_t warp) const {
  const stepping::WarpView view = m_stepper.warp(warp);
  std::string text;
  for (const stepping::PathView& path : view.paths) {
    if (path.runs_next) continue;
    std::string words = "can run";
    if (path.wait == stepping::Wait::meeting) words = fmt::format("wait for {}", who(path.waits_for));
    if (path.wait == stepping::Wait::lanes)
      words = fmt::format("wait at this instruction for {}", who(path.waits_for));
    if (path.wait == stepping::Wait::barrier) words = fmt::format("wait at barrier {}", path.barrier);
    text += fmt::format("{:17}| {} at {} {}", "", who(path.lanes), place_text(path.at), words);
    if (path.meets && path.wait != stepping::Wait::meeting)
      text += fmt::format(", meet {} at {}", who(path.meets_with), place_text(*path.meets));
    text += "\n";
  }
  return text;
}

std::string TraceWriter::registers(uint32_t warp) const {
  std::string text;
  for (const RegisterView& view : m_stepper.registers(warp)) {
    const uint32_t lanes = shown(view.set);
    if (lanes == 0) continue;
    const std::string which =
        view.set == 0xffffffff || m_lane ? "" : fmt::format("  [lanes {}]", lanes_text(lanes));
    text += fmt::format("  {:<8} {:<5} {}{}\n", view.name, ptx::text_of(view.type), values_text(view, lanes),
                        which);
  }
  return text;
}

std::string TraceWriter::barriers() const {
  std::string text;
  for (const stepping::BarrierView& barrier : m_stepper.barriers()) {
    std::string warps;
    for (const uint32_t warp : barrier.warps) warps += fmt::format("{}{}", warps.empty() ? "" : ", ", warp);
    text += fmt::format("  barrier {}: {} of {} threads have arrived; warps {} wait\n", barrier.number,
                        barrier.arrived, barrier.wanted, warps);
  }
  return text;
}

ReportJson TraceWriter::json(const TracedInstruction& traced) const {
  const TraceEntry& entry = traced.entry;
  ReportJson object{{"index", traced.index},
                    {"warp", entry.warp},
                    {"active", entry.active},
                    {"executed", entry.executed},
                    {"instruction", m_stepper.text_of(entry.instruction)}};
  object.update(place_json(m_stepper.place(entry.instruction)));
  object["writes"] = ReportJson::object();
  for (const RegisterView& view : m_stepper.written(entry)) {
    ReportJson lanes = ReportJson::array();
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
      const bool is_there = (shown(entry.executed) & view.set) >> lane & 1;
      lanes.push_back(is_there ? ReportJson(stepping::text_of(view.type, view.bits[lane])) : ReportJson());
    }
    object["writes"][view.name] = {{"type", ptx::text_of(view.type)}, {"lanes", std::move(lanes)}};
  }
  const auto accesses = m_stepper.accesses();
  object["accesses"] = accesses_json({accesses.begin(), accesses.end()});
  object["paths"] = paths_json(entry.warp);
  return object;
}

ReportJson TraceWriter::accesses_json(const std::vector<stepping::SteppedAccess>& accesses) const {
  ReportJson all = ReportJson::array();
  for (const stepping::SteppedAccess& access : accesses) {
    ReportJson addresses = ReportJson::array();
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      addresses.push_back((shown(access.lanes) >> lane & 1) != 0 ? ReportJson(access.address[lane])
                                                                 : ReportJson());
    all.push_back({{"space", to_string(access.space)},
                   {"kind", to_string(access.kind)},
                   {"bytes", access.bytes},
                   {"addresses", std::move(addresses)}});
  }
  return all;
}

ReportJson TraceWriter::paths_json(uint32_t warp) const {
  ReportJson all = ReportJson::array();
  for (const stepping::PathView& path : m_stepper.warp(warp).paths) {
    constexpr const char* waits[] = {"none", "meeting", "lanes", "barrier"};
    ReportJson one{{"lanes", path.lanes}, {"wait", waits[static_cast<size_t>(path.wait)]}};
    one.update(place_json(path.at));
    one["meets"] = path.meets ? place_json(*path.meets) : ReportJson();
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace warplens
