// What is debugged: a list of launches, one block of one of them in focus, its breakpoints and its moves. It
// knows nothing of the protocol.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/debug/stops.h"
#include "app/debug/target.h"
#include "core/gpu/stepping/block_stepper.h"
#include "core/launch/run_result.h"

namespace warplens::dap {

// Why it stands where it stands.
struct Halt {
  enum class Why : uint8_t {
    entry,
    step,
    breakpoint,
    function_breakpoint,
    instruction_breakpoint,
    data_breakpoint,
    exception,  // a fault or a finding
    moved,      // it was asked to go there
    paused,
    end,       // nothing more stops it; it stands at the end of a block, from which it can go back
    finished,  // it was at that end already
  } why = Why::step;
  std::string text = {};                  // a sentence for people; may be empty
  std::vector<uint32_t> stops = {};       // the ids of breakpoints
  std::optional<Incident> incident = {};  // for exception
};

enum class StepKind : uint8_t { over, into, out, instruction, over_instruction };

// Output for the user: "stdout" is the kernels', "console" is about the debugger's work.
using Tell = std::function<void(std::string_view category, const std::string& text)>;

class Debuggee {
 public:
  // Opens the launch and the block of the settings.
  static Result<std::unique_ptr<Debuggee>> start(DebugTarget target, const LaunchSettings& settings,
                                                 Tell tell, const std::stop_token& stop);

  const DebugTarget& target() const { return m_target; }
  const TargetLaunch& launch() const { return m_target.launches[m_launch]; }
  size_t launch_number() const { return m_launch; }
  stepping::BlockStepper& stepper() { return *m_stepper; }
  const stepping::BlockStepper& stepper() const { return *m_stepper; }
  // The thread in focus: its index in the block.
  uint32_t thread() const { return m_thread; }
  uint32_t threads() const { return static_cast<uint32_t>(m_stepper->launch().block.count()); }
  void choose_thread(uint32_t thread) { m_thread = std::min(thread, threads() - 1); }
  // The incident at which it stands, if it does.
  const std::optional<Incident>& incident() const { return m_incident; }

  // Breakpoints come in groups; a group is replaced as a whole.
  const std::vector<WantedStop>& set_stops(const std::string& group, std::vector<WantedStop> wanted,
                                           const std::stop_token& stop);
  const std::map<std::string, std::vector<WantedStop>>& stops() const { return m_stops; }
  // The faults and kinds of findings that stop it.
  void watch_incidents(bool faults, std::set<IncidentKind> findings);

  Result<void> focus(size_t launch, Dim3 block, const std::stop_token& stop);

  // What the whole launch counted in each line of its source. It is run for that once, if it was not yet.
  Result<std::vector<LineCounters>> line_counters(const std::stop_token& stop);

  // --- moves. Each ends with the reason for which it stopped.
  Halt run_on(const std::stop_token& stop);
  Halt run_back(const std::stop_token& stop);
  Halt step(StepKind kind, uint32_t thread, const std::stop_token& stop);
  Halt step_back(bool instruction, uint32_t thread, const std::stop_token& stop);
  // To where the thread's warp next begins the line; if it does not any more, to where it last did.
  Halt go_to_line(std::string_view file, uint32_t line, uint32_t thread, const std::stop_token& stop);
  Halt go_to_position(uint64_t position, const std::stop_token& stop);
  // Back to just after the last write to these bytes, or on to the next one.
  Halt go_to_write(Space space, uint64_t address, uint64_t bytes, bool back, const std::stop_token& stop);

 private:
  // Where a thread is.
  struct Spot {
    bool live = false, next = false;  // `next`: its warp runs its path next
    bool inlined = false;             // its innermost frame is of an inlined function
    uint32_t line = 0;
    std::string_view file;
    size_t depth = 0;    // frames, with those of inlined functions
    uint32_t level = 0;  // calls
  };
  struct PlacedIncident {
    uint64_t position = 0;
    Incident incident;
    bool is_other = false;  // the access that the one of the incident conflicts with
  };

  Debuggee(DebugTarget target, LaunchSettings settings, Tell tell)
      : m_target(std::move(target)), m_settings(std::move(settings)), m_tell(std::move(tell)) {}
  Result<void> open_launch(size_t number, const std::stop_token& stop);
  std::shared_ptr<const LaunchRequest> stepped(const Job& job, const std::stop_token& stop);
  void learn_incidents(const std::stop_token& stop);
  void learn(const std::stop_token& stop);
  void place_incidents(const std::stop_token& stop);
  bool is_watched(const Incident& incident) const;
  const PlacedIncident* incident_after(uint64_t position) const;
  const PlacedIncident* incident_before(uint64_t position) const;

  WantedStop* wanted_of(uint32_t number);
  void add_stops();
  void count_passed(const std::stop_token& stop);
  bool arrives(const stepping::Stop& hit) const;
  std::optional<Halt> at_stops(const std::vector<stepping::Stop>& hits, bool forward);
  void write_message(const WantedStop& wanted, const stepping::Stop& hit);
  std::optional<Halt> at_watchpoint(const stepping::Stop& stopped);
  Halt at_incident(const PlacedIncident& placed);
  std::optional<Halt> at_end(const stepping::Stop& stopped);
  void print();

  std::optional<Halt> run_block(const std::stop_token& stop);
  std::optional<uint64_t> next_block(uint64_t after, const std::stop_token& stop) const;
  Halt finish(size_t launch, Dim3 block, const std::stop_token& stop);
  Spot spot(uint32_t thread) const;
  bool ran_since(uint32_t thread, uint64_t from) const;
  void settle();
  Halt halt_at(const stepping::Stop& stopped, Halt::Why why);

  DebugTarget m_target;
  LaunchSettings m_settings;
  Tell m_tell;
  size_t m_launch = 0;
  std::optional<Job> m_job;
  std::shared_ptr<const LaunchRequest> m_stepped;  // the job's request, with names of variables
  std::shared_ptr<const ModuleText> m_compiled, m_compiled_from;  // the last one that was compiled for names
  std::unique_ptr<Backend> m_backend;
  std::optional<stepping::BlockStepper> m_stepper;
  uint32_t m_thread = 0;
  bool m_fresh = true;   // breakpoints at the block's start were not looked at yet
  bool m_ended = false;  // it stands at the end, and said so
  size_t m_printed = 0;  // bytes of the block's console that were shown
  std::map<std::string, std::vector<WantedStop>> m_stops;
  bool m_faults = false;
  std::set<IncidentKind> m_findings;
  bool m_learned = false;  // the incidents and counters of this launch are known
  std::vector<LineCounters> m_lines;
  std::vector<Incident> m_incidents;
  std::vector<PlacedIncident> m_placed;  // in this block, by position
  std::optional<Incident> m_incident;
};

// Whether a kind of incident is one of the findings, and not a fault.
bool is_finding(IncidentKind kind);

}  // namespace warplens::dap
