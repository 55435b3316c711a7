// Programs that were recorded: which is open, and which of its launches the other views show.
#include "app/state/parts/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "app/state/reducers/code.h"
#include "app/state/reducers/files.h"
#include "app/state/reducers/frame.h"
#include "app/state/reducers/program.h"
#include "app/state/reducers/runs.h"
#include "app/state/reducers/select.h"
#include "app/state/reducers/setup.h"
#include "core/device/device.h"
#include "core/job/files/device_figures.h"
#include "core/launch/steps.h"
#include "core/recording/finding_title.h"
#include "core/recording/findings.h"
#include "core/recording/launch_source.h"

namespace warplens {
namespace {

using recording::Event;

// "blur.py:14". A launch says it itself; recordings of earlier versions have it in the PTX of those launches
// that can be run again; each is read once.
class Origins {
 public:
  explicit Origins(const recording::Recording& recording) : m_recording(recording) {}

  std::string of(const Event& launch) {
    if (!launch.file.empty()) return text_of(recording::LaunchSource{launch.file, launch.line, launch.line});
    const auto [at, is_new] = m_known.try_emplace({launch.process, launch.name});
    if (is_new && launch.launch != nullptr) {
      if (const auto source = recording::source_of(m_recording, launch)) at->second = text_of(*source);
    }
    return at->second;
  }

 private:
  const recording::Recording& m_recording;
  std::map<std::pair<uint64_t, std::string>, std::string> m_known;
};

std::string why_not_of(const Event& launch) {
  if (launch.launch == nullptr)
    return fmt::format(
        "Launch {} was not recorded so that it can be run again: the first three of each kernel are. "
        "Record it with warplens program --record FILE --launches {}.",
        launch.number, launch.number);
  if (!launch.launch->lacking.empty())
    return fmt::format("Launch {} cannot be run again: {}.", launch.number, launch.launch->lacking);
  return {};
}

constexpr size_t most_findings = 1000;

void take_findings(OpenedProgram& program) {
  for (const auto& [event, launch] : recording::findings_of(program.recording)) {
    if (program.findings.size() == most_findings) return;
    program.findings.push_back(
        {event->finding, event->name, event->file, event->line, launch, event->is_fault});
  }
}

void take_launches(OpenedProgram& program) {
  Origins origins(program.recording);
  program.launches.resize(program.recording.launches.size());
  for (size_t i = 0; i < program.launches.size(); ++i) {
    const Event& launch = *program.recording.launches[i];
    program.launches[i] = {&launch, origins.of(launch), why_not_of(launch)};
  }
}

}  // namespace

Result<std::shared_ptr<const OpenedProgram>> open_program(const std::string& path) {
  Result<recording::Recording> read = recording::read_recording(path);
  if (!read) return read.error();
  return opened_program(std::move(read).value(), path, detail::name_of(path));
}

std::shared_ptr<const OpenedProgram> opened_program(recording::Recording recording, std::string path,
                                                    std::string name) {
  auto program = std::make_shared<OpenedProgram>();
  program->path = std::move(path);
  program->name = std::move(name);
  program->recording = std::move(recording);
  program->report = report_of(program->recording, warplens::figures_of_device(program->recording.device));
  take_launches(*program);
  take_findings(*program);
  return program;
}

const OpenedProgram* ProgramState::shown_program() const {
  if (run.is_busy()) return ran == run.path ? opened.get() : nullptr;
  return run.phase == ProgramRun::Phase::ended && !run.used_device ? nullptr : opened.get();
}

std::vector<ProgramFinding> findings_of(const ProgramState& program) {
  std::vector<ProgramFinding> all;
  if (program.opened) all = program.opened->findings;
  if (!program.search.done) return all;
  for (const ProgramSearch::Found& found : program.search.done->found)
    all.push_back({to_string(found.incident.kind), found.incident.message, found.incident.file,
                   found.incident.line, found.launch, false});
  return all;
}

std::optional<ProgramFinding> finding_of(const ProgramState& program, uint64_t launch) {
  for (ProgramFinding& finding : findings_of(program))
    if (finding.launch == launch && launch != 0) return std::move(finding);
  return std::nullopt;
}

std::string headline_of(const ProgramState& program) {
  const OpenedProgram& opened = *program.opened;
  std::string title = opened.report.title.empty() ? opened.name : opened.report.title;
  const bool is_found = program.search.done && !program.search.done->found.empty();
  const bool is_worse = std::ranges::any_of(opened.findings, [](const ProgramFinding& finding) {
    return finding.is_fault || finding.launch != 0 || finding.kind == "refused";
  });
  if (!is_found || is_worse) return title;
  const ProgramSearch::Found& first = program.search.done->found.front();
  const Event& launch = *opened.launches[static_cast<size_t>(first.launch - 1)].event;
  const std::string place =
      first.incident.line == 0 ? "" : recording::place_text(first.incident.file, first.incident.line);
  return recording::finding_title(to_string(first.incident.kind), first.launch, launch.name, place) + " " +
         title;
}

std::vector<const ViewRow*> offered_tabs(const ProgramState& program) {
  std::vector<const ViewRow*> tabs;
  for (const ViewRow& row : all_views())
    if (row.is_tab() && is_offered(program, row.view)) tabs.push_back(&row);
  return tabs;
}

namespace detail {

void take_opened(AppState& state, std::shared_ptr<const OpenedProgram> opened) {
  ProgramState& program = state.program;
  program.opened = std::move(opened);
  program.shown = program.wanted = 0;
  program.chosen = program.opened->launches.empty() ? 0 : 1;
  // A run that has looked for all while it ran has nothing left to find.
  const bool is_searched = !program.ran.empty() && program.run.choices.looks_for_all;
  program.search = {program.search.serial + 1,
                    !is_searched && state.frame.preferences.looking != Looking::off, nullptr, ""};
  if (program.opened->recording.cut)
    apply(state.problems,
          Notify{ProblemLevel::note, program.opened->name + " is not whole",
                 "It reached its limit, or the program was killed: it contains what was done until then.",
                 NoticeKind::opening});
}

void open_recording(AppState& state, const std::string& path) {
  ProgramState& program = state.program;
  program.reading = path;
  ++program.serial;
  program.wanted = 0;
  state.frame.view = View::program;
}

// The open program stays if the file cannot be read.
void apply(AppState& state, const RecordingRead& action) {
  ProgramState& program = state.program;
  if (action.serial != program.serial || program.reading.empty()) return;
  program.reading.clear();
  if (!action.program)
    return apply(state.problems, Notify{ProblemLevel::error, "The recording was not opened", action.error,
                                        NoticeKind::opening});
  remember_file(state.files, action.program->path);
  if (!program.run.is_busy()) program.run.phase = ProgramRun::Phase::none;  // this is another one
  program.ran.clear();
  take_opened(state, action.program);
}

void apply(ProgramState& program, const ProgramSearched& action) {
  if (action.serial != program.search.serial) return;
  program.search.wanted = false;
  program.search.done = action.search;
  program.search.error = action.error;
}

void apply(ProgramState& program, const ChooseLaunch& action) {
  if (program.opened && action.number >= 1 && action.number <= program.opened->launches.size())
    program.chosen = action.number;
}

void apply(AppState& state, const OpenLaunch& action) {
  ProgramState& program = state.program;
  if (!program.opened || action.number < 1 || action.number > program.opened->launches.size()) return;
  program.chosen = action.number;
  program.step_to.clear();
  const ProgramLaunch& launch = program.opened->launches[static_cast<size_t>(action.number - 1)];
  if (!launch.why_not.empty())
    return apply(state.problems, Notify{ProblemLevel::note, "This launch cannot be opened", launch.why_not,
                                        NoticeKind::opening});
  if (const auto finding = finding_of(program, action.number); finding && action.to_finding)
    program.step_to = finding->kind;
  const bool is_current = program.shown == action.number && state.setup.own_kernel &&
                          state.setup.own_kernel->recorded && program.shown_kernel == state.setup.own_kernel;
  if (is_current) {
    program.wanted = 0;
    return apply(state, ShowView{action.view});
  }
  program.wanted = action.number;
  program.wanted_view = action.view;
  ++program.serial;
}

// The search for races of a large launch runs after the launch, so a race may come late.
void step_to_finding(AppState& state) {
  ProgramState& program = state.program;
  if (program.step_to.empty() || program.wanted != 0 || state.runs.now.wanted != 0) return;
  if (program.shown == 0 || program.shown_kernel != state.setup.own_kernel) return program.step_to.clear();
  const auto found = std::ranges::find_if(state.problems.all, [&](const Problem& problem) {
    return problem.id == program.step_to && problem.block && problem.level <= ProblemLevel::finding;
  });
  if (found == state.problems.all.end()) return;
  program.step_to.clear();
  apply(state, StepToProblem{static_cast<size_t>(found - state.problems.all.begin())});
}

void apply(AppState& state, const LaunchReady& action) {
  ProgramState& program = state.program;
  if (action.serial != program.serial || program.wanted == 0) return;
  const uint64_t number = std::exchange(program.wanted, 0);
  if (!action.kernel)
    return apply(state.problems,
                 Notify{ProblemLevel::error, "The launch was not opened", action.error, NoticeKind::opening});
  keep_for_undo(state, false);
  const recording::Recording& recorded = program.opened->recording;
  if (const Device* device = device_by_id(state, recorded.device_of(*recorded.launches[number - 1]))) {
    state.setup.device = *device;
    state.setup.wanted_device.reset();
  }
  state.setup.remembered[state.setup.launch.kernel] = state.setup.launch;
  KernelSetup setup = default_setup(*action.kernel);
  setup.image = state.setup.launch.image;
  setup.image_path = state.setup.launch.image_path;
  if (const auto* step = first_launch(*action.kernel->recorded))
    setup.shared_dynamic_bytes = step->shared_dynamic_bytes;
  state.setup.launch = std::move(setup);
  take_own(state, action.kernel);
  leave_kernel(state);
  program.shown = number;
  program.shown_kernel = action.kernel;
  if (program.wanted_view) state.frame.view = *program.wanted_view;
  setup_changed(state, fmt::format("Launch {} opened", number));
}

}  // namespace detail
}  // namespace warplens
