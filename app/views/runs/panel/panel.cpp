#include "app/views/runs/panel/panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/base/format.h"
#include "app/views/model/baseline.h"
#include "app/views/model/run_differences.h"
#include "app/views/model/runs.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
namespace {

std::string age_text(double seconds) {
  if (seconds < 5) return "now";
  if (seconds < 90) return fmt::format("{:.0f} s ago", seconds);
  return fmt::format("{:.0f} min ago", seconds / 60);
}

void right_text(const std::string& words, uint32_t rgb, ImFont* font = look().mono) {
  ImGui::PushFont(font, body_size);
  const float room = ImGui::GetContentRegionAvail().x - size_of_words(words).x;
  if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(rgb));
  show_words(words);
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

constexpr const char *time_name = "kernel", *sectors_name = "sectors", *occupancy_name = "occupancy";
constexpr float tag_gap = 6;

float tag_width(Provenance source) {
  ImGui::PushFont(look().words, small_size);
  const float width = size_of_words(to_string(source)).x + scaled(12);
  ImGui::PopFont();
  return width;
}

// With `stacked`, the tag is below the name, for a panel that is too narrow for both side by side.
float header_width(const char* name, Provenance source, bool stacked) {
  const float words = size_of_words(name).x, tag = tag_width(source);
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
void header(const char* name, Provenance source, const char* hover, bool stacked) {
  ImGui::TableNextColumn();
  const float words = size_of_words(name).x, tag = tag_width(source);
  to_right_edge(stacked ? words : words + scaled(tag_gap) + tag);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(look().palette.quiet));
  show_words(name);
  ImGui::PopStyleColor();
  if (stacked) {
    to_right_edge(tag);
  } else {
    ImGui::SameLine(0, scaled(tag_gap));
  }
  source_tag(source, hover);
}

void draw_header(Provenance times, bool stacked) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  quiet_text("run");
  ImGui::TableNextColumn();
  ImGui::TableNextColumn();
  right_text("block", look().palette.quiet, look().words);
  header(time_name, times,
         times == Provenance::measured
             ? "All kernels of the run, by the clock of the GPU; ≈ is the time model's answer."
             : "The time model's answer for all kernels of the run.",
         stacked);
  header(sectors_name, Provenance::counted, "32-byte sectors of global memory that loads and stores touched.",
         stacked);
  header(occupancy_name, Provenance::derived, "Resident warps of an SM / warps that fit on it.", stacked);
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

std::string time_hint(const RunRecord& record) {
  std::string hint;
  if (record.time.low && record.time.high)
    hint = fmt::format("{} to {}, {}. ", microseconds_text(*record.time.low),
                       microseconds_text(*record.time.high), to_string(record.time.source));
  else if (!record.time.unknown.empty())
    hint = fmt::format("Not known: {}. ", record.time.unknown);
  if (record.status == RunStatus::refused) return hint;
  return hint + fmt::format("Counting it took this machine {}.", milliseconds_text(record.execute_ms));
}

// A number, and below it its ratio to the baseline's.
void figure_cell(const std::string& number, const std::string& ratio) {
  ImGui::TableNextColumn();
  right_text(number, look().palette.text);
  if (ratio.empty()) return;
  ImGui::PushFont(look().words, small_size);
  to_right_edge(size_of_words(ratio).x);
  ImGui::PopFont();
  small_text(ratio);
}

std::optional<double> sectors_of(const RunRecord& run) {
  return run.sectors ? std::optional(double(*run.sectors)) : std::nullopt;
}

void quiet_word(const std::string& words) {
  ImGui::PushStyleColor(ImGuiCol_Text, colour(look().palette.quiet));
  show_words(words);
  ImGui::PopStyleColor();
}

float actions_width() {
  ImGui::PushFont(look().words, small_size);
  const float width = size_of_words("restore").x + size_of_words("baseline").x + scaled(20);
  ImGui::PopFont();
  return width;
}

// What can be done with a run. Each has a place of its own: nothing moves when another run is shown.
void draw_actions(const AppState& state, const RunRecord& record, Actions& actions) {
  const std::string id = "##" + std::to_string(record.serial);
  const bool pinned = state.runs.baseline && state.runs.baseline->serial == record.serial;
  ImGui::PushFont(look().words, small_size);
  const float left = ImGui::GetCursorPosX();
  if (record.serial == state.runs.now.shown)
    quiet_word("shown");
  else if (link("restore" + id))
    actions.push(RestoreRun{record.serial});
  ImGui::SameLine();
  ImGui::SetCursorPosX(left + size_of_words("restore").x + scaled(12));
  if (link((pinned ? "unpin" : "baseline") + id)) actions.push(PinBaseline{pinned ? 0 : record.serial});
  hover_text(pinned ? "No longer hold every figure against this run"
                    : "Hold every figure, in every view, against this run");
  ImGui::PopFont();
}

// Below the name of the baseline.
void draw_differences(const AppState& state, const RunRecord& record, Actions& actions) {
  const bool pinned = state.runs.baseline && state.runs.baseline->serial == record.serial;
  if (!pinned || record.serial == state.runs.now.shown || !record.result) return;
  const std::string id = "##" + std::to_string(record.serial);
  ImGui::PushFont(look().words, small_size);
  if (link("step the difference" + id)) actions.push(StepDifference{});
  hover_text("Step the shown run to the first write of an output element that differs from this run's");
  wrap_before(size_of_words("… in this run").x);
  if (link("… in this run" + id)) actions.push(StepDifference{true});
  hover_text("Show this run again, and step it to the write of the same element");
  ImGui::PopFont();
}

void draw_record(const AppState& state, const RunRecord& record, const std::string& difference,
                 Provenance times, Actions& actions) {
  const Palette& p = look().palette;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const bool shown = record.serial == state.runs.now.shown;
  const bool bad = record.status == RunStatus::fault || record.status == RunStatus::refused;
  const std::string words =
      fmt::format("{} · {}{}{}{}", record.label, record.choice.setup.kernel, difference.empty() ? "" : " · ",
                  difference, status_word(record.status));
  ImGui::PushStyleColor(ImGuiCol_Text, colour(bad ? p.fault : shown ? p.text : p.quiet));
  show_words(cut_to(words, ImGui::GetContentRegionAvail().x));
  ImGui::PopStyleColor();
  hover_text(words + "\n" + record.choice.device.name + ", grid " + extent_text(record.grid));
  draw_differences(state, record, actions);
  ImGui::TableNextColumn();
  draw_actions(state, record, actions);
  const RunRecord* base =
      state.runs.baseline && state.runs.baseline->serial != record.serial ? &*state.runs.baseline : nullptr;
  const auto ratio = [&](std::optional<double> now, std::optional<double> then) {
    return base != nullptr ? against(now, then, base->label) : "";
  };
  ImGui::TableNextColumn();
  right_text(extent_text(record.block), p.text);
  figure_cell(time_words(record, times), ratio(record.time.kernel, base ? base->time.kernel : std::nullopt));
  hover_text(time_hint(record));
  figure_cell(record.sectors ? with_separators(*record.sectors) : "–",
              ratio(sectors_of(record), base ? sectors_of(*base) : std::nullopt));
  figure_cell(record.occupancy_percent ? percent_text(*record.occupancy_percent) : "–",
              ratio(record.occupancy_percent, base ? base->occupancy_percent : std::nullopt));
  ImGui::TableNextColumn();
  right_text(age_text(state.frame.now_s - record.finished_at_s), p.quiet, look().words);
}

std::shared_ptr<const std::vector<std::string>> differences_of(const std::vector<RunRecord>& history,
                                                               RunsPanelState& own) {
  return own.differences.get({history.front().serial, history.size()}, true,
                             [&] { return run_differences(history); });
}

void draw_list(const AppState& state, RunsPanelState& own, Actions& actions) {
  constexpr ImGuiTableFlags flags =
      ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY;
  const float block = scaled(80), run = scaled(150), room = ImGui::GetContentRegionAvail().x;
  const float links = actions_width(), age = size_of_words("000 min ago").x;
  const Provenance times = source_of_times(state.runs.history);
  const auto widths = [&](bool stacked) {
    return std::array{header_width(time_name, times, stacked),
                      header_width(sectors_name, Counters::source, stacked),
                      header_width(occupancy_name, Provenance::derived, stacked)};
  };
  const auto least_of = [&](const std::array<float, 3>& w) {
    return w[0] + w[1] + w[2] + block + run + links + age + 14 * ImGui::GetStyle().CellPadding.x;
  };
  const bool stacked = least_of(widths(false)) > room;
  const auto [time, sectors, occupancy] = widths(stacked);
  const float least = least_of({time, sectors, occupancy});
  const float inner = room < least ? least : 0.0f;
  const auto& history = state.runs.history;
  const auto differences = differences_of(history, own);
  if (!ImGui::BeginTable("runs", 7, flags, {0, 0}, inner)) return;
  ImGui::TableSetupColumn("run", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("links", ImGuiTableColumnFlags_WidthFixed, links);
  ImGui::TableSetupColumn("block", ImGuiTableColumnFlags_WidthFixed, block);
  ImGui::TableSetupColumn("time", ImGuiTableColumnFlags_WidthFixed, time);
  ImGui::TableSetupColumn("sectors", ImGuiTableColumnFlags_WidthFixed, sectors);
  ImGui::TableSetupColumn("occupancy", ImGuiTableColumnFlags_WidthFixed, occupancy);
  ImGui::TableSetupColumn("age", ImGuiTableColumnFlags_WidthFixed, age);
  draw_header(times, stacked);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(history.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const auto at = static_cast<size_t>(i);
      draw_record(state, history[at], differences ? (*differences)[at] : "", times, actions);
    }
  }
  ImGui::EndTable();
}

void figure_row(const RunFigure& figure, bool tags) {
  const Palette& p = look().palette;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  quiet_text(figure.name);
  if (!tags) hover_text(to_string(figure.source));
  ImGui::TableNextColumn();
  right_text(figure.a, p.text);
  ImGui::TableNextColumn();
  right_text(figure.b, p.text);
  ImGui::TableNextColumn();
  right_text(figure.ratio_text + verdict_words(figure), figure.better == 0 ? p.quiet : p.text);
  if (!tags) return;
  ImGui::TableNextColumn();
  source_tag(figure.source);
}

// Chooses the baseline among the runs of the history, except the shown one.
void pick_other(const AppState& state, RunsPanelState& own, const RunRecord& shown, const RunRecord& other,
                Actions& actions) {
  const auto& history = state.runs.history;
  const auto differences = differences_of(history, own);
  const auto words = [&](const RunRecord& run) {
    const auto at = std::ranges::find(history, run.serial, &RunRecord::serial);
    return run_words(run, differences && at != history.end()
                              ? (*differences)[static_cast<size_t>(at - history.begin())]
                              : "");
  };
  ImGui::SetNextItemWidth(std::min(ImGui::GetContentRegionAvail().x, scaled(320)));
  if (!begin_drop_down("##other", words(other))) return;
  for (const RunRecord& run : history) {
    if (run.serial == shown.serial) continue;
    const std::string id = words(run) + "##" + std::to_string(run.serial);
    if (ImGui::Selectable(id.c_str(), run.serial == other.serial)) actions.push(PinBaseline{run.serial});
  }
  ImGui::EndCombo();
}

void draw_comparison(const AppState& state, RunsPanelState& own, Actions& actions) {
  const RunRecord *shown = shown_run(state), *other = compared_run(state);
  if (shown == nullptr || other == nullptr) return quiet_text("Two runs are needed: change something.");
  pick_other(state, own, *shown, *other, actions);
  const RunComparison comparison = compare_runs(*other, *shown);
  body_text(comparison.sentence);
  const Palette& p = look().palette;
  float names = 0, tag = 0;
  for (const RunFigure& figure : comparison.figures) {
    names = std::max(names, size_of_words(figure.name).x);
    tag = std::max(tag, tag_width(figure.source));
  }
  ImGui::PushFont(look().mono, body_size);
  const float number = ImGui::CalcTextSize("10,000,000").x + 2 * ImGui::GetStyle().CellPadding.x;
  ImGui::PopFont();
  const float room = ImGui::GetContentRegionAvail().x, numbers = names + 3 * number + scaled(60);
  const bool tags = numbers + tag + scaled(24) <= room;
  constexpr ImGuiTableFlags flags =
      ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY;
  if (!ImGui::BeginTable("comparison", tags ? 5 : 4, flags, {0, 0}, numbers > room ? numbers : 0.0f)) return;
  ImGui::TableSetupColumn("figure", ImGuiTableColumnFlags_WidthFixed, names + scaled(4));
  for (const char* column : {"a", "b", "ratio"}) ImGui::TableSetupColumn(column);
  if (tags) ImGui::TableSetupColumn("source", ImGuiTableColumnFlags_WidthFixed, tag + scaled(4));
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  for (const std::string& name : {other->label, shown->label}) {
    ImGui::TableNextColumn();
    right_text(name, p.text, look().strong);
  }
  ImGui::TableNextColumn();
  right_text("ratio", p.quiet, look().words);
  for (const RunFigure& figure : comparison.figures) figure_row(figure, tags);
  ImGui::EndTable();
}

void draw_toolbar(const AppState& state, RunsPanelState& own, Actions& actions) {
  const Segment modes[] = {{"history", !own.comparing},
                           {"A ∕ B", own.comparing, state.runs.history.size() > 1}};
  if (const auto pressed = segmented(modes)) own.comparing = *pressed == 1;
  wrap_before(chip_width("Undo"));
  if (chip("Undo", false, !state.undo.done.empty())) actions.push(Undo{});
  hover_text(undo_words(state));
  wrap_before(chip_width("Redo"));
  if (chip("Redo", false, !state.undo.undone.empty())) actions.push(Redo{});
  hover_text(redo_words(state));
  if (!state.runs.baseline) return;
  const std::string unpin = "unpin baseline " + state.runs.baseline->label;
  wrap_before(chip_width(unpin));
  if (chip(unpin, true)) actions.push(PinBaseline{0});
}

}  // namespace

void draw_runs(const AppState& state, RunsPanelState& own, Actions& actions) {
  if (state.runs.history.empty()) {
    quiet_text("No run yet.");
    return;
  }
  draw_toolbar(state, own, actions);
  if (own.comparing && state.runs.history.size() > 1)
    draw_comparison(state, own, actions);
  else
    draw_list(state, own, actions);
}

std::unique_ptr<ViewPanel> make_runs_panel() { return make_panel<RunsPanelState, draw_runs>(); }

}  // namespace warplens
