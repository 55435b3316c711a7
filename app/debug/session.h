// One editor's session: answers the requests of the Debug Adapter Protocol, one after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/debug/debuggee.h"
#include "app/debug/messages.h"
#include "app/debug/target.h"
#include "app/debug/values.h"
#include "core/base/json/json_reader.h"

namespace warplens::dap {

class Session {
 public:
  // Called with each message for the editor, without its number `seq`.
  using Send = std::function<void(Json)>;
  Session(OpenTarget open, Send send) : m_open(std::move(open)), m_send(std::move(send)) {}

  // Answers a request. A move ends soon after `stop` is requested.
  void handle(const Request& request, const std::stop_token& stop);
  bool is_over() const { return m_over; }  // the editor has left

 private:
  using Answer = Result<Json>;
  using Handler = Answer (Session::*)(const Request&, const std::stop_token&);
  struct Command {
    Handler handler = nullptr;
    bool needs_target = true;
  };
  static const std::map<std::string, Command, std::less<>>& commands();

  // --- session.cpp
  Answer initialize(const Request& request, const std::stop_token& stop);
  Answer launch(const Request& request, const std::stop_token& stop);
  Answer attach(const Request& request, const std::stop_token& stop);
  Answer configuration_done(const Request& request, const std::stop_token& stop);
  Answer terminate(const Request& request, const std::stop_token& stop);
  Answer disconnect(const Request& request, const std::stop_token& stop);
  Answer refuse_to_set(const Request& request, const std::stop_token& stop);
  // --- session_stops.cpp
  Answer set_breakpoints(const Request& request, const std::stop_token& stop);
  Answer set_function_breakpoints(const Request& request, const std::stop_token& stop);
  Answer set_instruction_breakpoints(const Request& request, const std::stop_token& stop);
  Answer set_exception_breakpoints(const Request& request, const std::stop_token& stop);
  Answer data_breakpoint_info(const Request& request, const std::stop_token& stop);
  Answer set_data_breakpoints(const Request& request, const std::stop_token& stop);
  Answer breakpoint_locations(const Request& request, const std::stop_token& stop);
  // --- session_moves.cpp
  Answer go_on(const Request& request, const std::stop_token& stop);
  Answer reverse(const Request& request, const std::stop_token& stop);
  Answer step(const Request& request, const std::stop_token& stop);
  Answer step_back(const Request& request, const std::stop_token& stop);
  Answer pause(const Request& request, const std::stop_token& stop);
  Answer goto_targets(const Request& request, const std::stop_token& stop);
  Answer go_to(const Request& request, const std::stop_token& stop);
  // --- session_look.cpp
  Answer threads(const Request& request, const std::stop_token& stop);
  Answer stack_trace(const Request& request, const std::stop_token& stop);
  Answer scopes(const Request& request, const std::stop_token& stop);
  Answer variables(const Request& request, const std::stop_token& stop);
  Answer evaluate(const Request& request, const std::stop_token& stop);
  Answer exception_info(const Request& request, const std::stop_token& stop);
  Answer line_counters(const Request& request, const std::stop_token& stop);
  Answer source(const Request& request, const std::stop_token& stop);
  Answer loaded_sources(const Request& request, const std::stop_token& stop);
  Answer disassemble(const Request& request, const std::stop_token& stop);
  // --- console.cpp: commands such as ":back"
  Answer console(std::string_view text, uint32_t thread, const std::optional<stepping::FrameView>& frame,
                 const std::stop_token& stop);

  void say(std::string_view category, const std::string& text);
  void stopped(const Halt& halt);
  void tell_changed_stops();
  // Sends the answer before a move that may take long.
  void answer_now(Json body);
  Json take_stops(const std::string& group, std::vector<WantedStop> wanted, const std::stop_token& stop);
  Json as_breakpoint(const WantedStop& wanted) const;
  uint32_t thread_of(uint64_t id) const;
  struct Place {
    uint32_t thread = 0;
    std::optional<stepping::FrameView> frame;
  };
  Place place_of(uint64_t frame_id) const;
  Json source_of(std::string_view file) const;
  std::string file_of(const JsonNode& source, JsonReader& reader) const;

  OpenTarget m_open;
  Send m_send;
  const Request* m_request = nullptr;  // being answered
  bool m_answered = false;
  bool m_initialized = false, m_over = false, m_running = false, m_stop_on_entry = false;
  // Watched expressions are evaluated again at each stop. Kate, which does not say its name, has none: it
  // asks in this way for what the user types.
  bool m_watches_often = false;
  uint32_t m_first_line = 1;  // the editor's lines and columns count from here
  std::unique_ptr<Debuggee> m_debuggee;
  Values m_values;
  uint32_t m_next_id = 1;
  std::map<std::string, std::vector<WantedStop>> m_wanted;  // before there is a target
  std::map<uint32_t, Json> m_told_stops;                    // as the editor knows them
  std::optional<std::pair<bool, std::set<IncidentKind>>> m_incidents;
  std::map<uint64_t, std::pair<std::string, uint32_t>> m_targets;  // of goto
};

// Ids of the protocol: threads from 1 on; a frame is a thread and a number in its stack.
constexpr uint64_t frames_of_a_thread = 4096;
// References to sources that are in no file.
constexpr uint64_t kernel_source = 1, ptx_source = 2;

}  // namespace warplens::dap
