// The beginning and the end of a session, and which function answers which request.
#include "app/debug/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/json/json_values.h"

namespace warplens::dap {

namespace {

constexpr IncidentKind kinds_of_findings[] = {
    IncidentKind::race, IncidentKind::uninitialized, IncidentKind::division_by_zero,
    IncidentKind::mask, IncidentKind::shuffle,       IncidentKind::wrong_allocation,
};

const char* label_of(IncidentKind kind) {
  switch (kind) {
    case IncidentKind::race:
      return "Data races";
    case IncidentKind::uninitialized:
      return "Reads of uninitialised memory";
    case IncidentKind::division_by_zero:
      return "Divisions by zero";
    case IncidentKind::mask:
      return "Wrong masks";
    case IncidentKind::shuffle:
      return "Shuffles from lanes that are not there";
    default:
      return "Accesses to another array";
  }
}

Json capabilities() {
  Json filters = Json::array();
  filters.push_back({{"filter", "fault"},
                     {"label", "Faults"},
                     {"description", "Accesses outside of memory, barriers that not all threads reach, …"},
                     {"default", true}});
  for (const IncidentKind kind : kinds_of_findings)
    filters.push_back({{"filter", to_string(kind)}, {"label", label_of(kind)}, {"default", true}});
  Json all = {{"exceptionBreakpointFilters", std::move(filters)}};
  for (const char* able :
       {"supportsConfigurationDoneRequest", "supportsFunctionBreakpoints", "supportsConditionalBreakpoints",
        "supportsHitConditionalBreakpoints", "supportsLogPoints", "supportsEvaluateForHovers",
        "supportsStepBack", "supportsGotoTargetsRequest", "supportsDataBreakpoints",
        "supportsDisassembleRequest", "supportsSteppingGranularity", "supportsInstructionBreakpoints",
        "supportsExceptionInfoRequest", "supportsTerminateRequest", "supportsBreakpointLocationsRequest",
        "supportsLoadedSourcesRequest", "supportsDelayedStackTraceLoading"})
    all[able] = true;
  return all;
}

// Texts of the settings; numbers and lists of numbers are taken as well: "block": [16, 16].
std::string setting(JsonReader& reader, const JsonNode& node) {
  if (!node) return "";
  if (node.value->is_number()) return std::to_string(reader.unsigned_integer(node, UINT64_MAX));
  if (!node.value->is_array()) return reader.text(node);
  std::string text;
  for (size_t i = 0; i < reader.array_size(node); ++i)
    text +=
        (i == 0 ? "" : ",") + std::to_string(reader.unsigned_integer(reader.element(node, i), UINT32_MAX));
  return text;
}

std::vector<std::string> settings_list(JsonReader& reader, const JsonNode& node) {
  std::vector<std::string> all;
  if (node && node.value->is_object()) {  // {"n": 1000}
    for (const auto& [name, value] : node.value->items())
      all.push_back(name + "=" +
                    (value.is_string() ? value.get<std::string>() : json_values::one_line(value)));
    return all;
  }
  for (size_t i = 0; i < reader.array_size(node); ++i) all.push_back(reader.text(reader.element(node, i)));
  return all;
}

Result<LaunchSettings> settings_of(const Json& arguments) {
  JsonReader reader("launch");
  const JsonNode root{&arguments, ""};
  LaunchSettings settings;
  settings.program = reader.text(reader.required(root, "program"));
  if (reader.ok() && settings.program.empty())
    reader.fail(reader.member(root, "program"), "must not be empty");
  settings.args = settings_list(reader, reader.member(root, "args"));
  settings.set = settings_list(reader, reader.member(root, "set"));
  for (const auto& [name, value] : {std::pair{"challenge", &settings.challenge},
                                    {"device", &settings.device},
                                    {"grid", &settings.grid},
                                    {"block", &settings.block},
                                    {"shared", &settings.shared},
                                    {"entry", &settings.entry},
                                    {"image", &settings.image},
                                    {"dataSeed", &settings.data_seed},
                                    {"compiler", &settings.compiler},
                                    {"recorded", &settings.recorded},
                                    {"focus", &settings.focus}})
    *value = setting(reader, reader.member(root, name));
  settings.seed = reader.unsigned_integer(reader.member(root, "seed"), UINT64_MAX);
  settings.launch = reader.unsigned_integer(reader.member(root, "launch"), UINT32_MAX);
  settings.stop_on_entry = reader.boolean(reader.member(root, "stopOnEntry"), false);
  settings.earlier_blocks = reader.boolean(reader.member(root, "earlierBlocks"), false);
  settings.optimized = reader.boolean(reader.member(root, "optimized"), false);
  if (!reader.ok()) return reader.error();
  return settings;
}

}  // namespace

const std::map<std::string, Session::Command, std::less<>>& Session::commands() {
  static const std::map<std::string, Command, std::less<>> all = {
      {"initialize", {&Session::initialize, false}},
      {"launch", {&Session::launch, false}},
      {"attach", {&Session::attach, false}},
      {"configurationDone", {&Session::configuration_done}},
      {"terminate", {&Session::terminate, false}},
      {"disconnect", {&Session::disconnect, false}},
      {"setVariable", {&Session::refuse_to_set, false}},
      {"setExpression", {&Session::refuse_to_set, false}},
      {"setBreakpoints", {&Session::set_breakpoints, false}},
      {"setFunctionBreakpoints", {&Session::set_function_breakpoints, false}},
      {"setInstructionBreakpoints", {&Session::set_instruction_breakpoints, false}},
      {"setExceptionBreakpoints", {&Session::set_exception_breakpoints, false}},
      {"dataBreakpointInfo", {&Session::data_breakpoint_info}},
      {"setDataBreakpoints", {&Session::set_data_breakpoints, false}},
      {"breakpointLocations", {&Session::breakpoint_locations}},
      {"continue", {&Session::go_on}},
      {"reverseContinue", {&Session::reverse}},
      {"next", {&Session::step}},
      {"stepIn", {&Session::step}},
      {"stepOut", {&Session::step}},
      {"stepBack", {&Session::step_back}},
      {"pause", {&Session::pause}},
      {"gotoTargets", {&Session::goto_targets}},
      {"goto", {&Session::go_to}},
      {"threads", {&Session::threads}},
      {"stackTrace", {&Session::stack_trace}},
      {"scopes", {&Session::scopes}},
      {"variables", {&Session::variables}},
      {"evaluate", {&Session::evaluate}},
      {"exceptionInfo", {&Session::exception_info}},
      {"source", {&Session::source}},
      {"loadedSources", {&Session::loaded_sources}},
      {"disassemble", {&Session::disassemble}},
      {"warplens/lineCounters", {&Session::line_counters}},
  };
  return all;
}

void Session::handle(const Request& request, const std::stop_token& stop) {
  if (request.command.empty()) return;  // the answer to a request that was never made
  const auto found = commands().find(request.command);
  m_request = &request;
  m_answered = false;
  if (found == commands().end()) {
    m_send(refusal(request, fmt::format("The request \"{}\" is not known.", request.command.substr(0, 40))));
  } else if (!m_initialized && request.command != "initialize" && request.command != "disconnect") {
    m_send(refusal(request, "The first request of a session is initialize."));
  } else if (found->second.needs_target && !m_debuggee) {
    m_send(refusal(request, "Nothing is being debugged: the request launch comes first."));
  } else {
    Answer answer = (this->*found->second.handler)(request, stop);
    const bool launches = request.command == "launch" && answer.ok();
    if (m_answered) {
      // A move has answered before it began.
    } else if (answer) {
      m_send(response(request, std::move(answer).value()));
    } else {
      m_send(refusal(request, answer.error().message));
    }
    // The editor may set breakpoints from here on.
    if (launches) m_send(event("initialized", Json::object()));
  }
  m_request = nullptr;
}

void Session::answer_now(Json body) {
  m_send(response(*m_request, std::move(body)));
  m_answered = true;
}

void Session::say(std::string_view category, const std::string& text) {
  m_send(event("output", {{"category", category}, {"output", text}}));
}

Session::Answer Session::initialize(const Request& request, const std::stop_token&) {
  if (m_initialized) return bad_input("The session is initialized already.");
  JsonReader reader("initialize");
  const JsonNode root{&request.arguments, ""};
  m_first_line = reader.boolean(reader.member(root, "linesStartAt1"), true) ? 1 : 0;
  const JsonNode format = reader.member(root, "pathFormat");
  if (format && reader.text(format) != "path")
    return bad_input("Only paths of files are understood: pathFormat must be \"path\".");
  m_watches_often = !reader.text(reader.member(root, "clientID")).empty();
  if (!reader.ok()) return reader.error();
  m_initialized = true;
  return capabilities();
}

Session::Answer Session::launch(const Request& request, const std::stop_token& stop) {
  if (m_debuggee) return bad_input("Something is being debugged already; one session debugs one program.");
  const Result<LaunchSettings> settings = settings_of(request.arguments);
  if (!settings) return settings.error();
  Result<DebugTarget> target = m_open(*settings, stop);
  if (!target) return target.error();
  for (const std::string& note : target->notes) say("console", note + "\n");
  if (!target->printed.empty()) say("stdout", target->printed);
  const auto tell = [this](std::string_view category, const std::string& text) { say(category, text); };
  Result<std::unique_ptr<Debuggee>> made = Debuggee::start(std::move(target).value(), *settings, tell, stop);
  if (!made) return made.error();
  m_debuggee = std::move(made).value();
  m_stop_on_entry = settings->stop_on_entry;
  std::set<IncidentKind> all(std::begin(kinds_of_findings), std::end(kinds_of_findings));
  if (!m_incidents) m_incidents.emplace(true, std::move(all));
  m_debuggee->watch_incidents(m_incidents->first, m_incidents->second);
  for (auto& [group, wanted] : m_wanted) {
    m_debuggee->set_stops(group, std::move(wanted), stop);
    tell_changed_stops();
  }
  m_wanted.clear();
  return Json::object();
}

Session::Answer Session::attach(const Request&, const std::stop_token&) {
  return bad_input(
      "There is nothing to attach to: WarpLens runs a kernel itself. Use a configuration with \"request\": "
      "\"launch\".");
}

Session::Answer Session::configuration_done(const Request&, const std::stop_token& stop) {
  if (m_running) return bad_input("The program was started already.");
  m_running = true;
  answer_now(Json::object());
  stopped(m_stop_on_entry ? Halt{.why = Halt::Why::entry} : m_debuggee->run_on(stop));
  return Json::object();
}

Session::Answer Session::terminate(const Request&, const std::stop_token&) {
  answer_now(Json::object());
  m_debuggee.reset();
  m_send(event("terminated", Json::object()));
  return Json::object();
}

Session::Answer Session::disconnect(const Request&, const std::stop_token&) {
  m_debuggee.reset();
  m_over = true;
  return Json::object();
}

Session::Answer Session::refuse_to_set(const Request&, const std::stop_token&) {
  return bad_input(
      "Values cannot be set: the block can go back, and what it did must stay the same. Change the source, "
      "or "
      "\"set\" in the launch configuration.");
}

void Session::stopped(const Halt& halt) {
  m_values.forget();
  m_targets.clear();
  if (halt.why == Halt::Why::finished) {
    m_debuggee.reset();
    m_send(event("exited", {{"exitCode", 0}}));
    m_send(event("terminated", Json::object()));
    return;
  }
  tell_changed_stops();
  static constexpr const char* reasons[] = {"entry",
                                            "step",
                                            "breakpoint",
                                            "function breakpoint",
                                            "instruction breakpoint",
                                            "data breakpoint",
                                            "exception",
                                            "goto",
                                            "pause",
                                            "pause"};
  Json body = {{"reason", reasons[static_cast<size_t>(halt.why)]},
               {"threadId", m_debuggee->thread() + 1},
               {"allThreadsStopped", true}};
  if (!halt.stops.empty()) body["hitBreakpointIds"] = halt.stops;
  if (!halt.text.empty()) {
    body["text"] = halt.text;
    body["description"] =
        halt.incident ? fmt::format("Stopped: {}", to_string(halt.incident->kind)) : halt.text;
    Json output = {{"category", halt.incident ? "important" : "console"}, {"output", halt.text + "\n"}};
    if (halt.incident && halt.incident->line != 0) {
      output["source"] = source_of(halt.incident->file);
      output["line"] = halt.incident->line - 1 + m_first_line;
    }
    m_send(event("output", std::move(output)));
  }
  m_send(event("stopped", std::move(body)));
}

uint32_t Session::thread_of(uint64_t id) const {
  if (id == 0 || id > m_debuggee->threads()) return m_debuggee->thread();
  return static_cast<uint32_t>(id - 1);
}

Session::Place Session::place_of(uint64_t frame_id) const {
  Place place{m_debuggee->thread(), {}};
  size_t number = 0;
  if (frame_id >= frames_of_a_thread && frame_id / frames_of_a_thread <= m_debuggee->threads()) {
    place.thread = static_cast<uint32_t>(frame_id / frames_of_a_thread - 1);
    number = static_cast<size_t>(frame_id % frames_of_a_thread);
  }
  place.frame = frame_of(m_debuggee->stepper(), place.thread, number);
  return place;
}

}  // namespace warplens::dap
