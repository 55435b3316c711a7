// Requests that look at the block without moving it.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>

#include "app/debug/places.h"
#include "app/debug/session.h"
#include "core/base/text.h"

namespace warplens::dap {

using stepping::BlockStepper;

namespace {

std::string short_place(Dim3 place) {
  if (place.y == 0 && place.z == 0) return fmt::format("{}", place.x);
  return place.z == 0 ? fmt::format("({},{})", place.x, place.y)
                      : fmt::format("({},{},{})", place.x, place.y, place.z);
}

const char* waits_text(stepping::Wait wait) {
  switch (wait) {
    case stepping::Wait::barrier:
      return ", waits at a barrier";
    case stepping::Wait::meeting:
    case stepping::Wait::lanes:
      return ", waits for other lanes";
    case stepping::Wait::none:
      break;
  }
  return "";
}

std::string lanes_text(uint32_t lanes) {
  if (lanes == ~0u) return "all lanes";
  if (std::popcount(lanes) == 1) return fmt::format("lane {}", std::countr_zero(lanes));
  return fmt::format("{} lanes", std::popcount(lanes));
}

Json frame_json(uint32_t thread, size_t number, std::string name, uint32_t instruction) {
  return {{"id", (uint64_t{thread} + 1) * frames_of_a_thread + number},
          {"name", std::move(name)},
          {"instructionPointerReference", fmt::format("0x{:x}", instruction)},
          {"column", 0}};
}

}  // namespace

// A group of lanes that are at the same place is a thread of the list, named by its lane in focus or by its
// first one. Every thread of the block can be asked for by its id, in the list or not.
Session::Answer Session::threads(const Request&, const std::stop_token&) {
  const BlockStepper& stepper = m_debuggee->stepper();
  const Dim3 extent = stepper.launch().block;
  const uint32_t focus = m_debuggee->thread();
  Json list = Json::array();
  bool has_focus = false;
  for (uint32_t warp = 0; warp < stepper.warps(); ++warp) {
    const stepping::WarpView view = stepper.warp(warp);
    for (const stepping::StackView& stack : stepper.stacks(warp)) {
      auto lane = static_cast<uint32_t>(std::countr_zero(stack.lanes));
      if (focus / warp_lanes == warp && (stack.lanes >> (focus % warp_lanes) & 1) != 0)
        lane = focus % warp_lanes;
      const uint32_t thread = warp * warp_lanes + lane;
      stepping::Wait wait = stepping::Wait::none;
      for (const stepping::PathView& path : view.paths)
        if ((path.lanes >> lane & 1) != 0) wait = path.wait;
      has_focus = has_focus || thread == focus;
      list.push_back({{"id", thread + 1},
                      {"name", fmt::format("block {} thread {} (warp {}, {}{})", short_place(stepper.block()),
                                           short_place(position_at(thread, extent)), warp,
                                           lanes_text(stack.lanes), waits_text(wait))}});
    }
  }
  if (!has_focus)
    list.push_back({{"id", focus + 1},
                    {"name", fmt::format("block {} thread {} (has ended)", short_place(stepper.block()),
                                         short_place(position_at(focus, extent)))}});
  return Json{{"threads", std::move(list)}};
}

// A file of the user's has its path; other texts are asked for by their reference.
Json Session::source_of(std::string_view file) const {
  const ModuleText& module = *m_debuggee->stepper().request().module;
  const std::string name = std::filesystem::path(file).filename().string();
  const std::string& path = m_debuggee->target().source_path;
  std::error_code ignored;
  if (!path.empty() && std::filesystem::path(path).filename() == name)
    return {{"name", name}, {"path", path}};
  const std::string& folder = m_debuggee->target().folder;
  if (const auto beside = std::filesystem::path(folder) / name;
      !folder.empty() && std::filesystem::is_regular_file(beside, ignored))
    return {{"name", name}, {"path", beside.string()}};
  if (std::filesystem::path(file).is_absolute() && std::filesystem::is_regular_file(file, ignored))
    return {{"name", name}, {"path", file}};
  if (!module.source.empty() && std::filesystem::path(module.source_name).filename() == name)
    return {{"name", name}, {"sourceReference", kernel_source}};
  return {{"name", name}, {"presentationHint", "deemphasize"}};
}

Session::Answer Session::stack_trace(const Request& request, const std::stop_token&) {
  JsonReader reader("stackTrace");
  const JsonNode root{&request.arguments, ""};
  const uint32_t thread = thread_of(reader.unsigned_integer(reader.required(root, "threadId"), UINT32_MAX));
  const uint64_t first = reader.unsigned_integer(reader.member(root, "startFrame"), UINT32_MAX);
  uint64_t levels = reader.unsigned_integer(reader.member(root, "levels"), UINT32_MAX);
  if (!reader.ok()) return reader.error();
  if (levels == 0) levels = frames_of_a_thread - 1;
  const BlockStepper& stepper = m_debuggee->stepper();
  std::vector<std::pair<std::string, stepping::CodePlace>> all;
  for (const stepping::StackView& stack : stepper.stacks(thread / warp_lanes)) {
    if ((stack.lanes >> (thread % warp_lanes) & 1) == 0) continue;
    for (const stepping::FrameView& frame : stack.frames)
      all.emplace_back(frame.inlined ? frame.function + " (inlined)" : frame.function, frame.at);
  }
  const bool ended = all.empty();
  // A thread that has ended is shown at the last instruction that its warp ran.
  const auto trace = stepper.trace();
  for (size_t at = std::min<size_t>(static_cast<size_t>(stepper.position()), trace.size());
       ended && at-- > 0;) {
    const TraceEntry& entry = trace[at];
    if (entry.warp != thread / warp_lanes || (entry.active >> (thread % warp_lanes) & 1) == 0) continue;
    const stepping::CodePlace place = stepper.place(entry.instruction);
    all.emplace_back(std::string(place.function) + " (ended)", place);
    break;
  }
  Json frames = Json::array();
  for (size_t i = static_cast<size_t>(first); i < all.size() && frames.size() < levels; ++i) {
    const auto& [name, at] = all[i];
    Json frame = frame_json(thread, i, name, at.instruction);
    const bool has_line = at.line != 0;
    frame["line"] = (has_line ? at.line : at.ptx_line) - 1 + m_first_line;
    frame["column"] = m_first_line;
    frame["source"] =
        has_line ? source_of(at.file)
                 : Json{{"name", stepper.request().module->ptx_name}, {"sourceReference", ptx_source}};
    frames.push_back(std::move(frame));
  }
  return Json{{"stackFrames", std::move(frames)}, {"totalFrames", all.size()}};
}

Session::Answer Session::scopes(const Request& request, const std::stop_token&) {
  JsonReader reader("scopes");
  const uint64_t id =
      reader.unsigned_integer(reader.required({&request.arguments, ""}, "frameId"), UINT64_MAX);
  if (!reader.ok()) return reader.error();
  const Place place = place_of(id);
  return Json{{"scopes", m_values.scopes(*m_debuggee, place.thread, place.frame)}};
}

Session::Answer Session::variables(const Request& request, const std::stop_token&) {
  JsonReader reader("variables");
  const JsonNode root{&request.arguments, ""};
  const uint64_t reference = reader.unsigned_integer(reader.required(root, "variablesReference"), UINT32_MAX);
  const uint64_t start = reader.unsigned_integer(reader.member(root, "start"), UINT64_MAX / 2);
  const uint64_t count = reader.unsigned_integer(reader.member(root, "count"), UINT64_MAX / 2);
  if (!reader.ok()) return reader.error();
  Result<Json> all = m_values.variables(*m_debuggee, reference, start, count);
  if (!all) return all.error();
  return Json{{"variables", std::move(all).value()}};
}

Session::Answer Session::evaluate(const Request& request, const std::stop_token& stop) {
  JsonReader reader("evaluate");
  const JsonNode root{&request.arguments, ""};
  const std::string text(trimmed(reader.text(reader.required(root, "expression"))));
  const std::string context = reader.text(reader.member(root, "context"));
  const Place place = place_of(reader.unsigned_integer(reader.member(root, "frameId"), UINT64_MAX));
  if (!reader.ok()) return reader.error();
  if (text.starts_with(':')) {
    if (context == "hover" || (context == "watch" && m_watches_often))
      return bad_input("A command is for the console of the debugger: it moves the block.");
    return console(text, place.thread, place.frame, stop);
  }
  return m_values.evaluate(*m_debuggee, text, place.thread, place.frame);
}

// Not of the protocol: what the launch counted, for an editor that writes it beside the lines.
Session::Answer Session::line_counters(const Request&, const std::stop_token& stop) {
  const Result<std::vector<LineCounters>> counted = m_debuggee->line_counters(stop);
  if (!counted) return counted.error();
  Json lines = Json::array();
  for (const LineCounters& line : *counted)
    lines.push_back({{"source", source_of(line.file)},
                     {"line", line.line},
                     {"warpInstructions", line.warp_instructions},
                     {"activeLanePercent", line.active_lane_percent()},
                     {"globalSectors", line.global_sectors},
                     {"globalSectorsIdeal", line.global_sectors_ideal},
                     {"bankConflicts", line.bank_conflicts},
                     {"divergentBranches", line.divergent_branches},
                     {"text", words_of(line)}});
  return Json{{"lines", std::move(lines)}};
}

Session::Answer Session::exception_info(const Request&, const std::stop_token&) {
  const std::optional<Incident>& incident = m_debuggee->incident();
  if (!incident) return bad_input("The block stands at no fault or finding.");
  std::string details = incident->message;
  if (incident->other)
    details +=
        fmt::format(" The other access is by thread ({},{},{}) of block ({},{},{}){}.",
                    incident->other->thread.x, incident->other->thread.y, incident->other->thread.z,
                    incident->other->block.x, incident->other->block.y, incident->other->block.z,
                    incident->other->line == 0 ? "" : fmt::format(" at line {}", incident->other->line));
  return Json{
      {"exceptionId", to_string(incident->kind)},
      {"description", incident->message},
      {"breakMode", "always"},
      {"details", {{"message", details}, {"typeName", is_finding(incident->kind) ? "finding" : "fault"}}}};
}

Session::Answer Session::source(const Request& request, const std::stop_token&) {
  JsonReader reader("source");
  const JsonNode root{&request.arguments, ""};
  uint64_t reference = reader.unsigned_integer(reader.member(root, "sourceReference"), UINT32_MAX);
  if (const JsonNode source = reader.member(root, "source"); source && reference == 0)
    reference = reader.unsigned_integer(reader.member(source, "sourceReference"), UINT32_MAX);
  if (!reader.ok()) return reader.error();
  const ModuleText& module = *m_debuggee->stepper().request().module;
  if (reference == ptx_source) return Json{{"content", module.ptx}, {"mimeType", "text/plain"}};
  if (reference == kernel_source && !module.source.empty())
    return Json{{"content", module.source}, {"mimeType", "text/x-cuda"}};
  return bad_input("There is no such source: a reference is 1 for the kernel's text, and 2 for its PTX.");
}

Session::Answer Session::loaded_sources(const Request&, const std::stop_token&) {
  const ModuleText& module = *m_debuggee->stepper().request().module;
  Json all = Json::array();
  if (!module.source.empty()) all.push_back(source_of(module.source_name));
  all.push_back({{"name", module.ptx_name}, {"sourceReference", ptx_source}});
  return Json{{"sources", std::move(all)}};
}

// PTX. An instruction's address is its number in the program.
Session::Answer Session::disassemble(const Request& request, const std::stop_token&) {
  constexpr uint64_t most = 10'000;
  JsonReader reader("disassemble");
  const JsonNode root{&request.arguments, ""};
  const JsonNode reference = reader.required(root, "memoryReference");
  const std::string text = reader.text(reference);
  const uint64_t count =
      std::min(most, reader.unsigned_integer(reader.required(root, "instructionCount"), UINT32_MAX));
  const auto whole = [&](const char* name) {
    const JsonNode node = reader.member(root, name);
    if (node && !node.value->is_number_integer()) reader.fail(node, "must be a whole number");
    return node && node.value->is_number_integer() ? node.value->get<int64_t>() : int64_t{0};
  };
  const int64_t offset = whole("instructionOffset"), bytes = whole("offset");
  if (!text.starts_with("0x") || text.size() < 3 || text.size() > 10 ||
      text.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string::npos)
    reader.fail(reference, "must be a reference that stackTrace gave");
  if (!reader.ok()) return reader.error();
  if (std::max(std::abs(offset), std::abs(bytes)) > int64_t{UINT32_MAX})
    return bad_input("disassemble: the offset is too large.");
  const BlockStepper& stepper = m_debuggee->stepper();
  const int64_t first = static_cast<int64_t>(std::stoul(text.substr(2), nullptr, 16)) + bytes + offset;
  Json all = Json::array();
  for (int64_t at = first; at < first + static_cast<int64_t>(count); ++at) {
    // The editor wants as many as it asked for.
    if (at < 0 || at >= int64_t{stepper.table().instructions()}) {
      all.push_back({{"address", fmt::format("0x{:x}", at < 0 ? 0 : at)},
                     {"instruction", at < 0 ? "(before the program)" : "(after the program)"},
                     {"presentationHint", "invalid"}});
      continue;
    }
    const auto number = static_cast<uint32_t>(at);
    const stepping::CodePlace place = stepper.place(number);
    Json one = {{"address", fmt::format("0x{:x}", number)}, {"instruction", stepper.text_of(number)}};
    if (number == 0 || stepper.place(number - 1).function != place.function) one["symbol"] = place.function;
    if (place.line != 0) {
      one["line"] = place.line - 1 + m_first_line;
      one["location"] = source_of(place.file);
    }
    all.push_back(std::move(one));
  }
  return Json{{"instructions", std::move(all)}};
}

}  // namespace warplens::dap
