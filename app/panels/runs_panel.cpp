#include "app/panels/runs_panel.h"

#include <fmt/format.h>

#include "app/panels/widgets.h"
#include "app/view_model/format.h"

namespace warplens {
namespace {

std::string age_text(double seconds) {
  if (seconds < 5) return "now";
  if (seconds < 90) return fmt::format("{:.0f} s ago", seconds);
  return fmt::format("{:.0f} min ago", seconds / 60);
}

void right_text(const std::string& words, uint32_t rgb, ImFont* font = look().mono) {
  ImGui::PushFont(font, body_size);
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(words.c_str()).x;
  if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(rgb));
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

// Name and tag, at the right edge as the numbers below them.
void header(const char* name, Source source, const char* hover) {
  ImGui::TableNextColumn();
  ImGui::PushFont(look().words, small_size - 1);
  const float tag = ImGui::CalcTextSize(to_string(source)).x + scaled(12);
  ImGui::PopFont();
  const float words = ImGui::CalcTextSize(name).x, gap = scaled(6);
  const float room = ImGui::GetContentRegionAvail().x - words - tag - gap;
  if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
  quiet_text(name);
  if (room > 0) ImGui::SameLine(0, gap);
  source_tag(source, hover);
}

void draw_header() {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  quiet_text("run");
  ImGui::TableNextColumn();
  right_text("block", look().palette.quiet, look().words);
  header("run time here", Source::measured,
         "What running the kernel on the virtual GPU cost this machine; not a GPU's time.");
  header("sectors", Source::counted, "32-byte sectors of global memory that loads and stores touched.");
  header("occupancy", Source::derived, "Resident warps of an SM / warps that fit on it.");
  ImGui::TableNextColumn();
}

std::string status_word(RunStatus status) {
  switch (status) {
    case RunStatus::ok:
      return "";
    case RunStatus::fault:
      return " · fault";
    case RunStatus::check_failed:
      return " · differs";
    case RunStatus::refused:
      return " · refused";
    case RunStatus::cancelled:
      return " · cancelled";
  }
  return "";
}

void draw_record(const AppState& state, const RunRecord& record, Actions& actions) {
  const Palette& p = look().palette;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const bool shown = record.serial == state.run.shown;
  const bool bad = record.status == RunStatus::fault || record.status == RunStatus::refused;
  ImGui::PushStyleColor(ImGuiCol_Text, colour(bad ? p.fault : shown ? p.text : p.quiet));
  ImGui::TextWrapped("%s · %s · %s%s", record.label.c_str(), record.choice.setup.kernel.c_str(),
                     age_text(state.now_s - record.finished_at_s).c_str(),
                     status_word(record.status).c_str());
  ImGui::PopStyleColor();
  hover_text(record.choice.device.name + ", grid " + extent_text(record.grid));
  ImGui::TableNextColumn();
  right_text(extent_text(record.block), p.text);
  ImGui::TableNextColumn();
  right_text(record.status == RunStatus::refused ? "–" : milliseconds_text(record.execute_ms), p.text);
  ImGui::TableNextColumn();
  right_text(record.sectors ? with_separators(*record.sectors) : "–", p.text);
  ImGui::TableNextColumn();
  right_text(record.occupancy_percent ? percent_text(*record.occupancy_percent) : "–", p.text);
  ImGui::TableNextColumn();
  if (shown) {
    quiet_text("shown");
  } else if (link("restore##" + std::to_string(record.serial))) {
    actions.push(RestoreRun{record.serial});
  }
}

}  // namespace

void draw_runs(const AppState& state, RunsPanelState&, Actions& actions) {
  if (state.history.empty()) {
    quiet_text("No run yet.");
    return;
  }
  const float least = scaled(660);
  const ImGuiTableFlags flags =
      ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY;
  const float inner = ImGui::GetContentRegionAvail().x < least ? least : 0.0f;
  if (!ImGui::BeginTable("runs", 6, flags, {0, 0}, inner)) return;
  ImGui::TableSetupColumn("run", 0, 2.2f);
  ImGui::TableSetupColumn("block", 0, 1.0f);
  ImGui::TableSetupColumn("time", 0, 1.8f);
  ImGui::TableSetupColumn("sectors", 0, 1.4f);
  ImGui::TableSetupColumn("occupancy", 0, 1.5f);
  ImGui::TableSetupColumn("restore", 0, 0.8f);
  draw_header();
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(state.history.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      draw_record(state, state.history[static_cast<size_t>(i)], actions);
    }
  }
  ImGui::EndTable();
}

}  // namespace warplens
