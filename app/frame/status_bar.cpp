#include "app/frame/status_bar.h"

#include <fmt/format.h>

#include "app/base/format.h"
#include "app/state/lesson_facts.h"
#include "app/views/image/live_words.h"
#include "app/widgets/widgets.h"

namespace warplens {
namespace {

void dot(uint32_t rgb) {
  const float size = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({size * 0.7f, size});
  ImGui::GetWindowDrawList()->AddCircleFilled({at.x + size * 0.3f, at.y + size * 0.55f}, size * 0.26f,
                                              colour(rgb));
}

// Draws the words on the same line if they fit. Returns whether they did.
bool word(const std::string& words, uint32_t rgb, float keep_free = 0) {
  const float gap = scaled(18), width = ImGui::CalcTextSize(words.c_str()).x;
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - scaled(12) - keep_free;
  if (ImGui::GetItemRectMax().x + gap + width > right) return false;
  ImGui::SameLine(0, gap);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(rgb));
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopStyleColor();
  return true;
}

void draw_progress(const AppState& state, Actions& actions) {
  const Palette& p = look().palette;
  const float width = scaled(140), height = scaled(6), line = ImGui::GetTextLineHeight();
  ImGui::SameLine(0, scaled(14));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, line});
  const float y = at.y + (line - height) * 0.5f;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled({at.x, y}, {at.x + width, y + height}, colour(p.line), height * 0.5f);
  const float share = static_cast<float>(state.runs.now.fraction());
  if (share > 0)
    draw->AddRectFilled({at.x, y}, {at.x + width * share, y + height}, colour(p.accent), height * 0.5f);
  ImGui::SameLine();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {scaled(8), 0});
  if (ImGui::Button("Cancel  Esc###cancel")) actions.push(CancelRun{});
  ImGui::PopStyleVar();
}

}  // namespace

std::string status_text(const AppState& state) {
  const RunState& run = state.runs.now;
  if (state.code.wanted != 0) return "compiling";
  if (run.phase == RunPhase::running) {
    if (run.running_ms < 150) return "running";
    return fmt::format("running · {:.0f} % · {}", 100 * run.fraction(), milliseconds_text(run.running_ms));
  }
  if (!state.setup.outlook.error.empty() && !state.runs.result) return state.setup.outlook.error;
  if (!run.stale_because.empty())
    return run.stale_because + (state.runs.result ? ": the pictures show the run before" : "");
  if (!state.runs.result) return "not run yet";
  if (outcome_is_hidden(state)) return "how it ended is hidden until you have answered";
  switch (state.runs.result->status) {
    case RunStatus::refused:
      return "refused: " + state.runs.result->cuda_error.value_or("");
    case RunStatus::fault:
      return "the kernel faulted";
    case RunStatus::check_failed:
      return "the result differs from the CPU reference";
    default:
      break;
  }
  std::string text = fmt::format("{} · {} on this machine", count_text(state.runs.recorded, "run", "runs"),
                                 milliseconds_text(state.runs.result->host.execute_ms));
  if (!state.runs.result->checks.empty()) text += " · equals the CPU reference";
  return text;
}

void draw_status_bar(const AppState& state, Actions& actions) {
  const Palette& p = look().palette;
  ImGui::PushFont(look().words, small_size);
  const bool running = state.runs.now.phase == RunPhase::running;
  const bool bad = state.runs.result && (state.runs.result->status == RunStatus::fault ||
                                         state.runs.result->status == RunStatus::check_failed ||
                                         state.runs.result->status == RunStatus::refused);
  dot(running ? p.accent : bad && !outcome_is_hidden(state) ? p.fault : p.counted);
  ImGui::SameLine(0, scaled(6));
  ImGui::TextUnformatted(
      ((state.setup.device.is_virtual ? "virtual " : "") + state.setup.device.name).c_str());
  if (state.live.on) {
    word(live_status(state.live), p.measured);
    const std::string hint = live_status_hint(state.live);
    if (!hint.empty() && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", hint.c_str());
  } else {
    word(status_text(state), p.quiet);
  }
  // A very short run shows no progress bar, since nobody could read it.
  if (running && state.runs.now.running_ms > 150) draw_progress(state, actions);
  const std::string rate = fmt::format("{:.0f} frames/s", state.frame.frames_per_second);
  const std::string hint = "Ctrl+P every command";
  const float end = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - scaled(12);
  const float needed = ImGui::CalcTextSize((rate + hint).c_str()).x + scaled(40);
  if (ImGui::GetItemRectMax().x + needed < end) {
    ImGui::SameLine(ImGui::GetWindowWidth() - scaled(12) - needed + scaled(22));
    ImGui::PushStyleColor(ImGuiCol_Text, colour(p.quiet));
    ImGui::TextUnformatted(rate.c_str());
    ImGui::SameLine(0, scaled(18));
    ImGui::TextUnformatted(hint.c_str());
    ImGui::PopStyleColor();
  }
  ImGui::PopFont();
}

}  // namespace warplens
