#include "app/panels/runs_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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

constexpr const char *time_name = "time here", *sectors_name = "sectors", *occupancy_name = "occupancy";
constexpr float tag_gap = 6;

float tag_width(Source source) {
  ImGui::PushFont(look().words, small_size - 1);
  const float width = ImGui::CalcTextSize(to_string(source)).x + scaled(12);
  ImGui::PopFont();
  return width;
}

// `stacked`: the tag below the name, where the panel is too narrow for both side by side.
float header_width(const char* name, Source source, bool stacked) {
  const float words = ImGui::CalcTextSize(name).x, tag = tag_width(source);
  ImGui::PushFont(look().mono, body_size);
  const float numbers = ImGui::CalcTextSize("10,000,000").x;
  ImGui::PopFont();
  return std::max(numbers, stacked ? std::max(words, tag) : words + scaled(tag_gap) + tag) + scaled(2);
}

void to_right_edge(float width) {
  const float room = ImGui::GetContentRegionAvail().x - width;
  if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
}

// Name and tag, at the right edge as the numbers below them.
void header(const char* name, Source source, const char* hover, bool stacked) {
  ImGui::TableNextColumn();
  const float words = ImGui::CalcTextSize(name).x, tag = tag_width(source);
  to_right_edge(stacked ? words : words + scaled(tag_gap) + tag);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(look().palette.quiet));
  ImGui::TextUnformatted(name);
  ImGui::PopStyleColor();
  if (stacked) {
    to_right_edge(tag);
  } else {
    ImGui::SameLine(0, scaled(tag_gap));
  }
  source_tag(source, hover);
}

void draw_header(bool stacked) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  quiet_text("run");
  ImGui::TableNextColumn();
  right_text("block", look().palette.quiet, look().words);
  header(time_name, Source::measured,
         "What running the kernel on the virtual GPU cost this machine; not a GPU's time.", stacked);
  header(sectors_name, Source::counted, "32-byte sectors of global memory that loads and stores touched.",
         stacked);
  header(occupancy_name, Source::derived, "Resident warps of an SM / warps that fit on it.", stacked);
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
  constexpr ImGuiTableFlags flags =
      ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY;
  const float block = scaled(88), restore = scaled(52), run = scaled(150),
              room = ImGui::GetContentRegionAvail().x;
  const auto widths = [&](bool stacked) {
    return std::array{header_width(time_name, HostTimes::source, stacked),
                      header_width(sectors_name, Counters::source, stacked),
                      header_width(occupancy_name, Source::derived, stacked)};
  };
  const auto least_of = [&](const std::array<float, 3>& w) {
    return w[0] + w[1] + w[2] + block + restore + run + 12 * ImGui::GetStyle().CellPadding.x;
  };
  const bool stacked = least_of(widths(false)) > room;
  const auto [time, sectors, occupancy] = widths(stacked);
  const float least = least_of({time, sectors, occupancy});
  const float inner = room < least ? least : 0.0f;
  if (!ImGui::BeginTable("runs", 6, flags, {0, 0}, inner)) return;
  ImGui::TableSetupColumn("run", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("block", ImGuiTableColumnFlags_WidthFixed, block);
  ImGui::TableSetupColumn("time", ImGuiTableColumnFlags_WidthFixed, time);
  ImGui::TableSetupColumn("sectors", ImGuiTableColumnFlags_WidthFixed, sectors);
  ImGui::TableSetupColumn("occupancy", ImGuiTableColumnFlags_WidthFixed, occupancy);
  ImGui::TableSetupColumn("restore", ImGuiTableColumnFlags_WidthFixed, restore);
  draw_header(stacked);
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
