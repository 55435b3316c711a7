#include "app/views/program/panel/host_lines_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/base/format.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "core/base/figures.h"

namespace warplens {
namespace {

using recording::Event;
using recording::HostLine;

constexpr uint32_t lines_around = 3;  // the first and the last call

const HostLine* line_at(const recording::HostSource& source, uint32_t number) {
  const auto at = std::lower_bound(source.lines.begin(), source.lines.end(), number,
                                   [](const HostLine& line, uint32_t n) { return line.line < n; });
  return at != source.lines.end() && at->line == number ? &*at : nullptr;
}

std::string name_of(const HostText& source) {
  return std::filesystem::path(source.calls.file).filename().string();
}

// The next launch of the line after the chosen one; 0: it has none.
uint64_t next_launch(const OpenedProgram& program, const HostLine& line, uint64_t chosen) {
  uint64_t first = 0;
  for (const size_t index : line.events) {
    const Event& event = program.recording.events[index];
    if (event.kind != Event::Kind::launch) continue;
    if (first == 0) first = event.number;
    if (event.number > chosen) return event.number;
  }
  return first;
}

void take_line(const OpenedProgram& program, const HostText& source, const HostLine& line, uint64_t chosen,
               HostLinesState& own, Actions& actions) {
  own.lit = line.line;
  own.lit_file = source.calls.file;
  own.copy.reset();
  if (const uint64_t launch = next_launch(program, line, chosen); launch != 0)
    return actions.push(ChooseLaunch{launch});
  for (const size_t index : line.events)
    if (!own.copy && program.recording.events[index].kind == Event::Kind::copy) own.copy = index;
}

void draw_line(const OpenedProgram& program, const HostText& source, uint32_t number, uint64_t chosen,
               HostLinesState& own, Actions& actions) {
  const HostLine* line = line_at(source.calls, number);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const std::string label = std::to_string(number);
  const bool lit = own.lit == number && own.lit_file == source.calls.file;
  if (line == nullptr) {
    mono_text(label, look().palette.quiet);
  } else {
    if (ImGui::Selectable(label.c_str(), lit, ImGuiSelectableFlags_SpanAllColumns))
      take_line(program, source, *line, chosen, own, actions);
    if (line->launches > 1) hover_text("Click again for the line's next launch.");
  }
  ImGui::TableNextColumn();
  const bool has_text = number >= source.text.first && number - source.text.first < source.text.lines.size();
  if (has_text)
    mono_text(source.text.lines[number - source.text.first],
              line == nullptr ? look().palette.quiet : look().palette.text);
  ImGui::TableNextColumn();
  if (line == nullptr) return;
  const std::string calls = calls_text(*line);
  show_words(cut_to(calls, ImGui::GetContentRegionAvail().x));
  hover_text(calls);
  ImGui::TableNextColumn();
  if (line->launches + line->copies != 0)
    mono_text(line->device_us ? microseconds_text(*line->device_us) : "not known");
  ImGui::TableNextColumn();
  if (line->crossed_bytes != 0) mono_text(byte_size_text(line->crossed_bytes));
}

}  // namespace

void begin_host_lines(const OpenedProgram& program, HostLinesState& own) {
  own.known = std::ranges::any_of(program.recording.events,
                                  [](const Event& event) { return event.place != nullptr; });
  own.copy.reset();
  own.lit = 0;
  own.scrolls = false;
}

bool draw_list_choice(HostLinesState& own) {
  if (!own.known) {
    heading("Launches");
    return false;
  }
  const std::array segments = {Segment{"The program's lines", own.shown}, Segment{"Launches", !own.shown}};
  if (const auto pressed = segmented(segments)) own.shown = *pressed == 0;
  return true;
}

void show_line_of(HostLinesState& own, const Event& event, size_t index) {
  own.copy.reset();
  if (event.kind == Event::Kind::copy) own.copy = index;
  if (event.place == nullptr) return;
  own.lit = event.place->line;
  own.lit_file = event.place->file;
  own.scrolls = true;
}

void draw_host_lines(const std::shared_ptr<const OpenedProgram>& program, uint64_t chosen, ImVec2 size,
                     HostLinesState& own, Actions& actions) {
  const auto sources = own.sources.get(program, false, [program] {
    std::vector<HostText> made;
    for (recording::HostSource& calls : recording::host_sources(program->recording)) {
      recording::SourceText text = recording::read_lines(calls.file, program->path);
      made.push_back({std::move(calls), std::move(text)});
    }
    return made;
  });
  if (!sources || sources->empty()) return ImGui::Dummy(size);
  if (own.scrolls) {
    const auto lit = std::ranges::find_if(
        *sources, [&](const HostText& source) { return source.calls.file == own.lit_file; });
    if (lit != sources->end()) own.file = static_cast<size_t>(lit - sources->begin());
  }
  own.file = std::min(own.file, sources->size() - 1);
  const HostText& source = (*sources)[own.file];
  ImGui::BeginChild("host_lines", size);
  if (sources->size() > 1) {
    ImGui::SetNextItemWidth(scaled(260));
    if (begin_drop_down("##file", name_of(source))) {
      for (size_t i = 0; i < sources->size(); ++i)
        if (ImGui::Selectable(name_of((*sources)[i]).c_str(), i == own.file)) own.file = i;
      ImGui::EndCombo();
    }
    hover_text(source.calls.file);
  }
  if (!source.text.why_not.empty()) quiet_text(source.text.why_not);
  constexpr ImGuiTableFlags flags =
      ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_Resizable;
  if (ImGui::BeginTable("lines", 5, flags)) {
    ImGui::TableSetupScrollFreeze(0, 1);
    const std::string on_gpu = "GPU" + std::string(about(program->recording.times()));
    const auto number_column = [](const std::string& title, const char* widest) {
      const float width = std::max(text_width(title), text_width(widest, look().mono));
      ImGui::TableSetupColumn(shown_label(title).c_str(), ImGuiTableColumnFlags_WidthFixed, width);
    };
    number_column("line", "9999");
    ImGui::TableSetupColumn(name_of(source).c_str(), ImGuiTableColumnFlags_WidthStretch, 5);
    ImGui::TableSetupColumn(shown_label("calls").c_str(), ImGuiTableColumnFlags_WidthStretch, 3);
    number_column(on_gpu, "not known");
    number_column("bus", "999.9 KiB");
    ImGui::TableHeadersRow();
    const uint32_t begin = source.calls.lines.front().line, end = source.calls.lines.back().line;
    const uint32_t first = begin > lines_around ? begin - lines_around : 1;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(end + lines_around - first + 1));
    const bool scrolls = own.scrolls && own.lit >= first && own.lit_file == source.calls.file;
    if (scrolls) clipper.IncludeItemByIndex(static_cast<int>(own.lit - first));
    while (clipper.Step()) {
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
        const uint32_t number = first + static_cast<uint32_t>(i);
        draw_line(*program, source, number, chosen, own, actions);
        if (scrolls && number == own.lit) ImGui::SetScrollHereY();
      }
    }
    own.scrolls = false;
    ImGui::EndTable();
  }
  ImGui::EndChild();
}

}  // namespace warplens
