// Opening launches and blocks, and what goes wrong in them.
#include "app/debug/debuggee.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/debug/places.h"
#include "core/gpu/stepping/incident_place.h"
#include "core/job/named_variables.h"

namespace warplens::dap {

using stepping::BlockStepper;

bool is_finding(IncidentKind kind) { return kind < IncidentKind::out_of_bounds; }

Result<std::unique_ptr<Debuggee>> Debuggee::start(DebugTarget target, const LaunchSettings& settings,
                                                  Tell tell, const std::stop_token& stop) {
  if (settings.launch >= target.launches.size())
    return bad_input(fmt::format("launch: {} has {} launches, counted from 0; there is no launch {}.",
                                 target.name, target.launches.size(), settings.launch));
  const std::optional<Dim3> block = parse_place(settings.focus.empty() ? "0" : settings.focus);
  if (!block)
    return bad_input(
        fmt::format("focus: \"{}\" is no block; write X[,Y[,Z]], counted from 0.", settings.focus));
  std::unique_ptr<Debuggee> debuggee(new Debuggee(std::move(target), settings, std::move(tell)));
  const Result<void> opened = debuggee->focus(static_cast<size_t>(settings.launch), *block, stop);
  if (!opened) return opened.error();
  return debuggee;
}

// With names, if there is a source and a compiler for it. Otherwise the code that runs, and why.
std::shared_ptr<const LaunchRequest> Debuggee::stepped(const Job& job, const std::stop_token& stop) {
  if (m_settings.optimized || has_named_variables(*job.request->module)) return job.request;
  const auto with = [&](std::shared_ptr<const ModuleText> module) {
    auto made = std::make_shared<LaunchRequest>(*job.request);
    made->module = std::move(module);
    return made;
  };
  // Launches of a program often have the same module.
  if (m_compiled && m_compiled_from && m_compiled_from->source == job.request->module->source &&
      m_compiled_from->source_name == job.request->module->source_name)
    return with(m_compiled);
  Result<LaunchRequest> named = with_named_variables(*job.request, stop);
  if (!named) {
    m_tell("console", "Variables have no names here. " + named.error().message + "\n");
    return job.request;
  }
  m_compiled_from = job.request->module;
  m_compiled = named->module;
  return std::make_shared<LaunchRequest>(std::move(named).value());
}

Result<void> Debuggee::open_launch(size_t number, const std::stop_token& stop) {
  Result<Job> job = m_target.launches[number].open(stop);
  if (!job) return job.error();
  m_stepped = stepped(*job, stop);
  if (stop.stop_requested()) return Error{ErrorKind::cancelled, "Opening the launch was cancelled."};
  if (m_settings.seed != 0) {
    auto seeded = std::make_shared<LaunchRequest>(*m_stepped);
    seeded->seed = m_settings.seed;
    m_stepped = std::move(seeded);
  }
  m_job = std::move(job).value();
  m_launch = number;
  m_learned = false;
  m_lines.clear();
  m_incidents.clear();
  return {};
}

Result<void> Debuggee::focus(size_t number, Dim3 block, const std::stop_token& stop) {
  if (number >= m_target.launches.size())
    return bad_input(fmt::format("There is no launch {}: there are {}, counted from 0.", number,
                                 m_target.launches.size()));
  // Checked first, so that nothing has changed if it fails.
  if (const Dim3 grid = m_target.launches[number].grid;
      block.x >= grid.x || block.y >= grid.y || block.z >= grid.z)
    return bad_input(fmt::format("The grid has no block {}: it has {} × {} × {} of them.", text_of(block),
                                 grid.x, grid.y, grid.z));
  if (!m_job || number != m_launch)
    if (const Result<void> opened = open_launch(number, stop); !opened) return opened.error();
  stepping::Options options;
  options.launch = m_target.launches[number].number;
  options.earlier_blocks = m_settings.earlier_blocks;
  Result<BlockStepper> opened = BlockStepper::open(m_stepped, block, options, stop);
  if (!opened) return opened.error();
  m_stepper.emplace(std::move(opened).value());
  m_thread = 0;
  m_fresh = true;
  m_ended = false;
  m_printed = 0;
  m_incident.reset();
  place_incidents(stop);
  add_stops();
  return {};
}

void Debuggee::watch_incidents(bool faults, std::set<IncidentKind> findings) {
  m_faults = faults;
  m_findings = std::move(findings);
}

bool Debuggee::is_watched(const Incident& incident) const {
  return is_finding(incident.kind) ? m_findings.contains(incident.kind) : m_faults;
}

// A run of the whole launch says in which blocks something goes wrong. It is made once, and only if that
// stops anything.
void Debuggee::learn_incidents(const std::stop_token& stop) {
  if (m_faults || !m_findings.empty()) learn(stop);
}

void Debuggee::learn(const std::stop_token& stop) {
  if (m_learned || !m_target.make_backend) return;
  if (!m_backend) m_backend = m_target.make_backend();
  Job job = *m_job;
  job.check = job.caches = job.sm = job.fixes = job.libraries = false;
  job.findings = true;
  const Result<RunResult> result = run_job(job, *m_backend, stop, nullptr);
  if (stop.stop_requested()) return;
  m_learned = true;
  if (!result) {
    m_tell("console", "The launch could not be run as a whole. " + result.error().message + "\n");
    return;
  }
  if (result->status == RunStatus::refused)
    m_tell("console",
           fmt::format("CUDA would refuse this launch: {} {}\n", result->message, result->consequence));
  m_lines = result->lines;
  m_incidents = result->faults;
  m_incidents.insert(m_incidents.end(), result->findings.begin(), result->findings.end());
  if (!m_incidents.empty())
    m_tell("console", fmt::format("A run of the whole launch has {} {} and {} {}.\n", result->faults.size(),
                                  result->faults.size() == 1 ? "fault" : "faults", result->findings.size(),
                                  result->findings.size() == 1 ? "finding" : "findings"));
  place_incidents(stop);
  add_stops();
}

Result<std::vector<LineCounters>> Debuggee::line_counters(const std::stop_token& stop) {
  learn(stop);
  if (m_lines.empty())
    return missing("What the lines of this launch count is not known: it did not run as a whole.");
  return m_lines;
}

// Both accesses of a race are places.
void Debuggee::place_incidents(const std::stop_token& stop) {
  m_placed.clear();
  const auto place = [&](const Incident& at, const Incident& incident, bool is_other) {
    if (const auto position = stepping::position_of(*m_stepper, at, stop))
      m_placed.push_back({*position, incident, is_other});
  };
  bool any = false;
  const Dim3 here = m_stepper->block();
  for (const Incident& incident : m_incidents)
    any = any || (is_finding(incident.kind) &&
                  (incident.block == here || (incident.other && incident.other->block == here)));
  if (!any) return;
  for (const uint32_t number : m_stepper->breakpoints()) m_stepper->remove(number);
  for (const Incident& incident : m_incidents) {
    if (!is_finding(incident.kind)) continue;  // a fault ends the block by itself
    place(incident, incident, false);
    if (!incident.other) continue;
    Incident first = *incident.other;
    if (first.allocation.empty()) first.allocation = incident.allocation;
    if (!first.offset) first.offset = incident.offset;
    if (first.bytes == 0) first.bytes = incident.bytes;
    Incident shown = incident;
    shown.block = first.block;
    shown.thread = first.thread;
    shown.line = first.line;
    place(first, shown, true);
  }
  std::ranges::stable_sort(m_placed, {}, &PlacedIncident::position);
}

const Debuggee::PlacedIncident* Debuggee::incident_after(uint64_t position) const {
  for (const PlacedIncident& placed : m_placed)
    if (placed.position > position && is_watched(placed.incident)) return &placed;
  return nullptr;
}

const Debuggee::PlacedIncident* Debuggee::incident_before(uint64_t position) const {
  const PlacedIncident* found = nullptr;
  for (const PlacedIncident& placed : m_placed)
    if (placed.position < position && is_watched(placed.incident)) found = &placed;
  return found;
}

}  // namespace warplens::dap
