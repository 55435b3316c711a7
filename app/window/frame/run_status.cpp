#include "app/window/frame/run_status.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/format.h"
#include "app/state/learn/lesson_facts.h"
#include "app/state/program/program_problems.h"
#include "app/state/runs/shown_run.h"
#include "app/views/image/live_words.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
namespace {

using Mood = RunStatusView::Mood;

constexpr float bar_width = 90;
constexpr const char* cancel_label = "Cancel###cancel";

uint32_t colour_of(Mood mood) {
  const Palette& p = look().palette;
  switch (mood) {
    case Mood::works:
      return p.accent;
    case Mood::good:
      return p.counted;
    case Mood::warns:
      return p.warning;
    case Mood::bad:
      return p.fault;
    case Mood::rests:
      break;
  }
  return p.quiet;
}

RunStatusView working(std::string words, bool cancels) {
  return {Mood::works, std::move(words), "", cancels};
}

// How the shown run ended: in short, and with how often and how long.
RunStatusView ended(const AppState& state) {
  const RunResult& result = *state.runs.result;
  if (outcome_is_hidden(state))
    return {Mood::rests, "outcome hidden", "How it ended is hidden until you have answered.", false};
  switch (result.status) {
    case RunStatus::refused:
      return {Mood::bad, "refused", "Refused: " + result.cuda_error.value_or(""), false};
    case RunStatus::fault:
      return {Mood::bad, "the kernel faulted", "The kernel faulted: Problems shows where.", false};
    case RunStatus::check_failed:
      return {Mood::bad, "differs from the CPU reference", "The result differs from the CPU reference.",
              false};
    default:
      break;
  }
  RunStatusView view{Mood::good, "", "", false};
  const std::string time = milliseconds_text(result.host.execute_ms);
  const bool checked = !result.checks.empty();
  view.words = checked ? "equals the CPU reference" : "ran in " + time;
  view.hover = fmt::format("{} · {} on this machine{}", count_text(state.runs.recorded, "run", "runs"), time,
                           checked ? " · equals the CPU reference" : "");
  return view;
}

// How the program's run ended if it did not end well. The problems say where; empty if it did.
std::string bad_end_of(const ProgramState& program) {
  const ProgramRun& run = program.run;
  const bool has_ended = run.phase == ProgramRun::Phase::ended;
  if (has_ended && !run.mistakes.empty()) return "does not compile";
  if (has_ended && !run.problem.empty()) return "not recorded";
  const OpenedProgram* opened = program.shown_program();
  if (opened != nullptr && std::ranges::any_of(opened->findings, &ProgramFinding::is_fault))
    return "ended in a fault";
  if (has_ended && !run.stopped && run.signal != 0) return fmt::format("ended by signal {}", run.signal);
  if (has_ended && !run.stopped && run.status != 0) return fmt::format("ended with status {}", run.status);
  const bool is_recording = run.phase == ProgramRun::Phase::none && opened != nullptr;
  if (is_recording && opened->recording.exit_status.value_or(0) != 0)
    return fmt::format("ended with status {}", *opened->recording.exit_status);
  return "";
}

RunStatusView words_of_program(const ProgramState& program) {
  const ProgramRun& run = program.run;
  const std::string name = program_name(program);
  if (!program.reading.empty()) return working("reading", false);
  if (run.phase == ProgramRun::Phase::asking) return {Mood::rests, "not run yet", name, false};
  if (run.is_busy()) {
    const bool stops = run.phase == ProgramRun::Phase::stopping;
    return working(fmt::format("{} · {}", stops ? "stopping" : "running",
                               count_text(run.launches, "launch", "launches")),
                   false);
  }
  if (std::string bad = bad_end_of(program); !bad.empty())
    return {Mood::bad, bad, fmt::format("{} {}", name, bad), false};
  const OpenedProgram* opened = program.shown_program();
  const bool is_found = program.search.done && !program.search.done->found.empty();
  if (opened != nullptr && (is_found || !opened->findings.empty()))
    return {Mood::warns, "ended, with a mistake", name, false};
  if (run.phase == ProgramRun::Phase::ended && run.stopped) return {Mood::rests, "stopped", name, false};
  if (opened == nullptr) return {Mood::rests, "did not use the GPU", name, false};
  if (run.phase == ProgramRun::Phase::none && !opened->recording.exit_status)
    return {Mood::rests, "recorded", name + ": how it ended is not known.", false};
  return {Mood::good, "ended without an error",
          fmt::format("{} · {}", name, count_text(opened->launches.size(), "launch", "launches")), false};
}

RunStatusView words_of(const AppState& state) {
  if (is_about_program(state)) return words_of_program(state.program);
  const RunState& run = state.runs.now;
  if (state.code.wanted != 0) return working("compiling", false);
  if (run.phase == RunPhase::running) {
    // A very short run shows no bar, since it could not be read.
    if (run.running_ms < 150) return working("running", false);
    return working(
        fmt::format("running · {:.0f} % · {}", 100 * run.fraction(), milliseconds_text(run.running_ms)),
        true);
  }
  if (state.live.on) return {Mood::good, live_status(state.live), live_status_hint(state.live), false};
  if (!state.setup.outlook.error.empty() && !state.runs.result)
    return {Mood::bad, state.setup.outlook.error, "", false};
  if (!run.stale_because.empty()) return {Mood::rests, run.stale_because, run_before_words(state), false};
  if (!state.runs.result) return {Mood::rests, "not run yet", "", false};
  return ended(state);
}

void draw_bar(double share) {
  const Palette& p = look().palette;
  const float width = scaled(bar_width), height = scaled(6), line = ImGui::GetFrameHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, line});
  const float y = at.y + (line - height) * 0.5f;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled({at.x, y}, {at.x + width, y + height}, colour(p.line), height * 0.5f);
  if (share > 0)
    draw->AddRectFilled({at.x, y}, {at.x + width * static_cast<float>(share), y + height}, colour(p.accent),
                        height * 0.5f);
}

float status_gap() { return scaled(8); }

float cancel_width(const RunStatusView& status) {
  return status.cancels ? scaled(bar_width) + status_gap() + chip_width(cancel_label) + status_gap() : 0;
}

float dot_width() { return ImGui::GetTextLineHeight() * 0.7f; }

bool shows_words(const RunStatusView& status, float room) {
  return cancel_width(status) + dot_width() + status_gap() + text_width(status.words) <= room;
}

}  // namespace

RunStatusView run_status(const AppState& state) {
  RunStatusView view = words_of(state);
  std::string device = (state.setup.device.is_virtual ? "Virtual " : "") + state.setup.device.name;
  view.hover = device +
               (view.hover.empty() ? view.words.empty() ? "" : "\n" + view.words : "\n" + view.hover) +
               fmt::format("\n{:.0f} frames/s", state.frame.frames_per_second);
  return view;
}

float run_status_width(const RunStatusView& status, float room) {
  const float words = shows_words(status, room) ? status_gap() + text_width(status.words) : 0;
  return cancel_width(status) + dot_width() + words;
}

void draw_run_status(const AppState& state, const RunStatusView& status, float room, Actions& actions) {
  if (status.cancels) {
    draw_bar(state.runs.now.fraction());
    ImGui::SameLine(0, status_gap());
    if (chip(cancel_label)) actions.push(CancelRun{});
    hover_text("Ends the run (Esc).");
    ImGui::SameLine(0, status_gap());
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = ImGui::GetFrameHeight(), size = ImGui::GetTextLineHeight();
  const bool words = shows_words(status, room);
  ImGui::Dummy({dot_width() + (words ? status_gap() + text_width(status.words) : 0), line});
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddCircleFilled({at.x + size * 0.3f, at.y + line * 0.5f}, size * 0.26f,
                        colour(colour_of(status.mood)));
  if (words)
    draw->AddText({at.x + dot_width() + status_gap(), at.y + (line - size) * 0.5f},
                  colour(look().palette.quiet), shown(status.words).c_str());
  hover_text(status.hover);
}

}  // namespace warplens
