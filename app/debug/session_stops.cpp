// Requests about breakpoints.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "app/debug/session.h"

namespace warplens::dap {

using Kind = stepping::Breakpoint::Kind;

namespace {

constexpr size_t most_breakpoints_of_a_group = 1000;

size_t breakpoints_in(JsonReader& reader, const JsonNode& list) {
  const size_t count = reader.array_size(list);
  if (count > most_breakpoints_of_a_group) reader.fail(list, "has too many breakpoints: at most 1,000");
  return count;
}

// The parts that all kinds of breakpoints have.
WantedStop stop_of(JsonReader& reader, const JsonNode& node) {
  WantedStop wanted;
  wanted.place.condition = reader.text(reader.member(node, "condition"));
  wanted.hit_rule = reader.text(reader.member(node, "hitCondition"));
  wanted.message = reader.text(reader.member(node, "logMessage"));
  return wanted;
}

std::optional<uint32_t> instruction_of(std::string_view reference) {
  if (!reference.starts_with("0x") || reference.size() < 3 || reference.size() > 10) return std::nullopt;
  const std::string digits(reference.substr(2));
  if (digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) return std::nullopt;
  return static_cast<uint32_t>(std::stoul(digits, nullptr, 16));
}

}  // namespace

// The name by which the program knows a source: that of its file.
std::string Session::file_of(const JsonNode& source, JsonReader& reader) const {
  const std::string path = reader.text(reader.member(source, "path"));
  const std::string name = reader.text(reader.member(source, "name"));
  return std::filesystem::path(path.empty() ? name : path).filename().string();
}

Json Session::as_breakpoint(const WantedStop& wanted) const {
  Json made = {{"id", wanted.id}, {"verified", wanted.number != 0}};
  if (!wanted.problem.empty()) made["message"] = wanted.problem;
  if (wanted.number == 0 && wanted.problem.empty()) made["message"] = "It is set when the launch is open.";
  if (wanted.place.kind == Kind::source_line) made["line"] = wanted.line - 1 + m_first_line;
  return made;
}

Json Session::take_stops(const std::string& group, std::vector<WantedStop> wanted,
                         const std::stop_token& stop) {
  for (WantedStop& one : wanted) one.id = m_next_id++;
  const std::vector<WantedStop>* all = nullptr;
  if (m_debuggee) {
    all = &m_debuggee->set_stops(group, std::move(wanted), stop);
  } else {
    for (WantedStop& one : wanted) one.line = one.place.line;
    all = &(m_wanted[group] = std::move(wanted));
  }
  Json list = Json::array();
  for (const WantedStop& one : *all) {
    list.push_back(as_breakpoint(one));
    m_told_stops[one.id] = list.back();
  }
  return {{"breakpoints", std::move(list)}};
}

// Another launch or block has other code.
void Session::tell_changed_stops() {
  std::map<uint32_t, Json> now;
  for (const auto& [group, all] : m_debuggee->stops())
    for (const WantedStop& wanted : all) now[wanted.id] = as_breakpoint(wanted);
  for (const auto& [id, made] : now)
    if (const auto told = m_told_stops.find(id); told == m_told_stops.end() || told->second != made)
      m_send(event("breakpoint", {{"reason", "changed"}, {"breakpoint", made}}));
  m_told_stops = std::move(now);
}

Session::Answer Session::set_breakpoints(const Request& request, const std::stop_token& stop) {
  JsonReader reader("setBreakpoints");
  const JsonNode root{&request.arguments, ""};
  const JsonNode source = reader.required(root, "source");
  const std::string file = file_of(source, reader);
  const uint64_t reference = reader.unsigned_integer(reader.member(source, "sourceReference"), UINT32_MAX);
  const bool ptx = reference == ptx_source && reader.text(reader.member(source, "path")).empty();
  std::vector<WantedStop> wanted;
  const JsonNode list = reader.member(root, "breakpoints"), lines = reader.member(root, "lines");
  const size_t count = breakpoints_in(reader, list ? list : lines);
  for (size_t i = 0; i < count && reader.ok(); ++i) {
    const JsonNode node = list ? reader.element(list, i) : reader.element(lines, i);
    WantedStop one = list ? stop_of(reader, node) : WantedStop{};
    const uint64_t line =
        reader.unsigned_integer(list ? reader.required(node, "line") : node, UINT32_MAX - 1);
    one.place.kind = ptx ? Kind::ptx_line : Kind::source_line;
    one.place.line = static_cast<uint32_t>(line) + 1 - m_first_line;
    one.place.file = ptx || reference == kernel_source ? "" : file;
    wanted.push_back(std::move(one));
  }
  if (!reader.ok()) return reader.error();
  return take_stops(fmt::format("source {} {}", reference, file), std::move(wanted), stop);
}

Session::Answer Session::set_function_breakpoints(const Request& request, const std::stop_token& stop) {
  JsonReader reader("setFunctionBreakpoints");
  const JsonNode list = reader.required({&request.arguments, ""}, "breakpoints");
  std::vector<WantedStop> wanted;
  for (size_t i = 0, count = breakpoints_in(reader, list); i < count && reader.ok(); ++i) {
    const JsonNode node = reader.element(list, i);
    WantedStop one = stop_of(reader, node);
    one.place.kind = Kind::function;
    one.place.function = reader.text(reader.required(node, "name"));
    wanted.push_back(std::move(one));
  }
  if (!reader.ok()) return reader.error();
  return take_stops("functions", std::move(wanted), stop);
}

Session::Answer Session::set_instruction_breakpoints(const Request& request, const std::stop_token& stop) {
  JsonReader reader("setInstructionBreakpoints");
  const JsonNode list = reader.required({&request.arguments, ""}, "breakpoints");
  std::vector<WantedStop> wanted;
  for (size_t i = 0, count = breakpoints_in(reader, list); i < count && reader.ok(); ++i) {
    const JsonNode node = reader.element(list, i);
    WantedStop one = stop_of(reader, node);
    const JsonNode reference = reader.required(node, "instructionReference");
    const auto number = instruction_of(reader.text(reference));
    if (!number) reader.fail(reference, "must be a reference that stackTrace or disassemble gave");
    const JsonNode offset = reader.member(node, "offset");
    const int64_t at = int64_t{number.value_or(0)} +
                       (offset && offset.value->is_number_integer() ? offset.value->get<int64_t>() : 0);
    one.place.kind = Kind::ptx_line;
    if (m_debuggee && at >= 0 && at < int64_t{m_debuggee->stepper().table().instructions()})
      one.place.line = m_debuggee->stepper().place(static_cast<uint32_t>(at)).ptx_line;
    wanted.push_back(std::move(one));
  }
  if (!reader.ok()) return reader.error();
  return take_stops("instructions", std::move(wanted), stop);
}

Session::Answer Session::set_exception_breakpoints(const Request& request, const std::stop_token&) {
  JsonReader reader("setExceptionBreakpoints");
  const JsonNode list = reader.required({&request.arguments, ""}, "filters");
  bool faults = false;
  std::set<IncidentKind> findings;
  for (size_t i = 0; i < reader.array_size(list); ++i) {
    const std::string name = reader.text(reader.element(list, i));
    if (name == "fault") faults = true;
    for (auto kind = IncidentKind::race; is_finding(kind);
         kind = static_cast<IncidentKind>(static_cast<uint8_t>(kind) + 1))
      if (name == to_string(kind)) findings.insert(kind);
  }
  if (!reader.ok()) return reader.error();
  m_incidents.emplace(faults, findings);
  if (m_debuggee) m_debuggee->watch_incidents(faults, std::move(findings));
  return Json::object();
}

Session::Answer Session::data_breakpoint_info(const Request& request, const std::stop_token&) {
  JsonReader reader("dataBreakpointInfo");
  const JsonNode root{&request.arguments, ""};
  const std::string name = reader.text(reader.required(root, "name"));
  const uint64_t reference = reader.unsigned_integer(reader.member(root, "variablesReference"), UINT32_MAX);
  const Place place = place_of(reader.unsigned_integer(reader.member(root, "frameId"), UINT64_MAX));
  if (!reader.ok()) return reader.error();
  const Result<Watched> found = m_values.watched(*m_debuggee, reference, name, place.thread);
  if (!found) return Json{{"dataId", nullptr}, {"description", found.error().message}};
  if (!found->space)
    return Json{{"dataId", "variable " + found->name},
                {"description", fmt::format("{}, in each thread", found->name)},
                {"accessTypes", {"write"}}};
  return Json{{"dataId", fmt::format("{} {} {} {}", to_string(*found->space), found->address, found->bytes,
                                     found->name)},
              {"description", fmt::format("{}, {} {} of {} memory", found->name, found->bytes,
                                          found->bytes == 1 ? "byte" : "bytes", to_string(*found->space))},
              {"accessTypes", {"read", "write", "readWrite"}}};
}

Session::Answer Session::set_data_breakpoints(const Request& request, const std::stop_token& stop) {
  JsonReader reader("setDataBreakpoints");
  const JsonNode list = reader.required({&request.arguments, ""}, "breakpoints");
  std::vector<WantedStop> wanted;
  for (size_t i = 0, count = breakpoints_in(reader, list); i < count && reader.ok(); ++i) {
    const JsonNode node = reader.element(list, i);
    WantedStop one = stop_of(reader, node);
    const JsonNode id = reader.required(node, "dataId");
    std::string text = reader.text(id);
    const std::string access = reader.text(reader.member(node, "accessType"));
    if (text.starts_with("variable ")) {
      one.place.kind = Kind::variable;
      one.place.variable = text.substr(9);
      wanted.push_back(std::move(one));
      continue;
    }
    one.place.kind = access == "read" ? Kind::read : access == "readWrite" ? Kind::access : Kind::write;
    one.place.space = text.starts_with("shared ") ? Space::shared : Space::global;
    const bool known = text.starts_with("shared ") || text.starts_with("global ");
    uint64_t address = 0, bytes = 0;
    std::istringstream numbers(known ? text.substr(7) : "");
    if (!(numbers >> address >> bytes) || bytes == 0)
      reader.fail(id, "must be an id that dataBreakpointInfo gave");
    one.place.address = address;
    one.place.bytes = bytes;
    wanted.push_back(std::move(one));
  }
  if (!reader.ok()) return reader.error();
  return take_stops("data", std::move(wanted), stop);
}

Session::Answer Session::breakpoint_locations(const Request& request, const std::stop_token&) {
  JsonReader reader("breakpointLocations");
  const JsonNode root{&request.arguments, ""};
  const std::string file = file_of(reader.required(root, "source"), reader);
  const JsonNode end = reader.member(root, "endLine");
  const uint64_t first =
      reader.unsigned_integer(reader.required(root, "line"), UINT32_MAX - 1) + 1 - m_first_line;
  const uint64_t last = end ? reader.unsigned_integer(end, UINT32_MAX - 1) + 1 - m_first_line : first;
  if (!reader.ok()) return reader.error();
  Json list = Json::array();
  for (const uint32_t line : lines_with_code(m_debuggee->stepper(), file))
    if (line >= first && line <= last) list.push_back({{"line", line - 1 + m_first_line}});
  return Json{{"breakpoints", std::move(list)}};
}

}  // namespace warplens::dap
