#include "app/worker/program_runner.h"

#include <exception>
#include <filesystem>
#include <utility>

#include "app/state/update.h"

namespace warplens {
namespace {

ProgramProgress progress_of(const program_run::RunSoFar& so_far) {
  return {so_far.seconds, so_far.launches, {so_far.output.lines(), so_far.output.left_out(), so_far.printed}};
}

ProgramEnded ended(uint64_t serial, const program_run::RecordedRun& run, program_run::RecordedEnd end) {
  ProgramEnded event;
  event.serial = serial;
  event.status = end.status;
  event.signal = end.signal;
  event.stopped = end.stopped;
  event.compiles = end.compiles;
  event.progress = progress_of(end.so_far);
  event.error = end.not_recorded;
  if (end.recording)
    event.program =
        opened_program(*std::move(end.recording), "", std::filesystem::path(run.path).filename().string());
  return event;
}

using OneRun = std::function<Result<program_run::RecordedEnd>()>;

Action end_of(uint64_t serial, const program_run::RecordedRun& run, const OneRun& one) {
  ProgramEnded failed;
  failed.serial = serial;
  try {
    Result<program_run::RecordedEnd> end = one();
    if (end) return ended(serial, run, std::move(end).value());
    failed.error = end.error().message;
  } catch (const std::exception& e) {
    failed.error = std::string("What the program did could not be read: ") + e.what();
  }
  return failed;
}

// Only the newest progress is of interest.
bool outdates(const Action& newer, const Action& older) {
  return as<ProgramProgressed>(newer) != nullptr && as<ProgramProgressed>(older) != nullptr;
}

}  // namespace

ProgramRunner::ProgramRunner(std::function<void()> on_event)
    : m_box(
          {.replaces = [](const Order&, const Order&) { return true; },
           .stops = [](const Order&, const Order&) { return true; },
           .outdates = outdates},
          [](const Order& order, const auto& worker) -> std::optional<Action> {
            const auto tell = [&](const program_run::RunSoFar& so_far) {
              worker.report(ProgramProgressed{order.serial, progress_of(so_far)});
            };
            return end_of(order.serial, order.run,
                          [&] { return program_run::run_recorded(order.run, tell, worker.stop); });
          },
          std::move(on_event)) {}

void drive_program_run(AppState& state, ProgramRunner& runner) {
  for (const Action& event : runner.poll()) update(state, event);
  const ProgramRun& run = state.program.run;
  // What a lesson or challenge has left behind is ended too.
  const bool is_left = runner.busy() && runner.submitted != run.serial;
  if (run.phase == ProgramRun::Phase::stopping || is_left) runner.stop();
  if (run.phase != ProgramRun::Phase::running || runner.submitted == run.serial) return;
  runner.submitted = run.serial;
  runner.run(run.serial, {.path = run.path,
                          .text = run.given ? std::optional(run.text) : std::nullopt,
                          .arguments = run.arguments,
                          .device = run.device,
                          .looks_for_all = run.choices.looks_for_all && !run.is_other_order,
                          .variables = run.choices.variables,
                          .stream_order = run.is_other_order ? "late" : ""});
}

}  // namespace warplens
