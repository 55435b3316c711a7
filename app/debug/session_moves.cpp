// Requests that move the block.
#include <fmt/format.h>

#include <algorithm>

#include "app/debug/session.h"

namespace warplens::dap {

namespace {

uint64_t thread_id(const Request& request) {
  JsonReader reader(request.command);
  const uint64_t id =
      reader.unsigned_integer(reader.member({&request.arguments, ""}, "threadId"), UINT32_MAX);
  return reader.ok() ? id : 0;
}

bool by_instruction(const Request& request) {
  const auto found = request.arguments.find("granularity");
  return found != request.arguments.end() && *found == "instruction";
}

}  // namespace

Session::Answer Session::go_on(const Request&, const std::stop_token& stop) {
  answer_now({{"allThreadsContinued", true}});
  m_running = true;
  stopped(m_debuggee->run_on(stop));
  return Json::object();
}

Session::Answer Session::reverse(const Request&, const std::stop_token& stop) {
  answer_now(Json::object());
  stopped(m_debuggee->run_back(stop));
  return Json::object();
}

Session::Answer Session::step(const Request& request, const std::stop_token& stop) {
  const uint32_t thread = thread_of(thread_id(request));
  StepKind kind = request.command == "next"     ? StepKind::over
                  : request.command == "stepIn" ? StepKind::into
                                                : StepKind::out;
  if (by_instruction(request) && kind != StepKind::out)
    kind = kind == StepKind::over ? StepKind::over_instruction : StepKind::instruction;
  answer_now(Json::object());
  stopped(m_debuggee->step(kind, thread, stop));
  return Json::object();
}

Session::Answer Session::step_back(const Request& request, const std::stop_token& stop) {
  const uint32_t thread = thread_of(thread_id(request));
  answer_now(Json::object());
  stopped(m_debuggee->step_back(by_instruction(request), thread, stop));
  return Json::object();
}

// The move that it ends was told to stop when the request arrived.
Session::Answer Session::pause(const Request&, const std::stop_token&) { return Json::object(); }

Session::Answer Session::goto_targets(const Request& request, const std::stop_token&) {
  JsonReader reader("gotoTargets");
  const JsonNode root{&request.arguments, ""};
  const std::string file = file_of(reader.required(root, "source"), reader);
  const uint64_t line =
      reader.unsigned_integer(reader.required(root, "line"), UINT32_MAX - 1) + 1 - m_first_line;
  if (!reader.ok()) return reader.error();
  Json targets = Json::array();
  const std::vector<uint32_t> lines = lines_with_code(m_debuggee->stepper(), file);
  if (const auto found = std::ranges::lower_bound(lines, line); found != lines.end()) {
    m_targets[*found] = {file, *found};
    targets.push_back({{"id", *found},
                       {"label", fmt::format("line {}", *found - 1 + m_first_line)},
                       {"line", *found - 1 + m_first_line}});
  }
  return Json{{"targets", std::move(targets)}};
}

Session::Answer Session::go_to(const Request& request, const std::stop_token& stop) {
  JsonReader reader("goto");
  const JsonNode root{&request.arguments, ""};
  const uint64_t id = reader.unsigned_integer(reader.required(root, "targetId"), UINT32_MAX);
  if (!reader.ok()) return reader.error();
  const auto target = m_targets.find(id);
  if (target == m_targets.end())
    return bad_input("goto: targetId must be one that gotoTargets gave since the last stop.");
  const auto [file, line] = target->second;
  const uint32_t thread = thread_of(thread_id(request));
  answer_now(Json::object());
  stopped(m_debuggee->go_to_line(file, line, thread, stop));
  return Json::object();
}

}  // namespace warplens::dap
