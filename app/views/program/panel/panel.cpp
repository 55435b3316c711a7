#include "app/views/program/panel/panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdio>

#include "app/base/draw/parts.h"
#include "app/base/format.h"
#include "app/views/program/pages_picture.h"
#include "app/views/program/timeline_picture.h"
#include "app/widgets/draw_picture.h"
#include "app/widgets/slider.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "core/base/figures.h"
#include "core/recording/kernel_name.h"

namespace warplens {
namespace {

using recording::Event;

constexpr float detail_width = 330, least_list_width = 440, least_lines_width = 700, list_rows = 12,
                least_height = 210;
constexpr float shares[] = {0.4f, 1.4f, 1.7f, 1.2f, 1.2f, 1.1f, 1.1f, 1.2f};  // of the columns
constexpr std::array opens_in = {View::grid,   View::memory, View::occupancy,
                                 View::timing, View::step,   View::code};

std::string time_text(std::optional<double> us) { return us ? microseconds_text(*us) : "–"; }

void draw_totals(const OpenedProgram& program) {
  const recording::ProgramTotals& totals = program.report.totals;
  const recording::Recording& recording = program.recording;
  quiet_text(fmt::format("{} · {}", command_text(recording), totals_text(totals)));
  ImGui::PushStyleColor(ImGuiCol_Text, colour(look().palette.quiet));
  show_words(fmt::format("{} on the GPU", microseconds_text(totals.device_us())));
  ImGui::PopStyleColor();
  wrap_before(source_tag_width(window_style(), recording.times()));
  const bool is_real = recording.times() == Provenance::measured;
  source_tag(recording.times(),
             fmt::format("Kernels {} and copies {} {}, one after the other, on {}.",
                         microseconds_text(totals.kernel_us), microseconds_text(totals.copy_us),
                         is_real ? "between two events on their streams" : "by the time model",
                         is_real ? recording.device_name : recording.device));
  const std::string status = !recording.exit_status ? "; how it ended is not known"
                             : *recording.exit_status == 0
                                 ? ""
                                 : fmt::format("; it ended with status {}", *recording.exit_status);
  const std::string took =
      fmt::format("the program itself took {} here{}", milliseconds_text(recording.wall_ms), status);
  wrap_before(size_of_words(took).x);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(look().palette.quiet));
  show_wrapped(took);
  ImGui::PopStyleColor();
  wrap_before(source_tag_width(window_style(), Provenance::measured));
  source_tag(Provenance::measured, "By this machine's clock, from the start of the program to its end.");
}

// A launch on the time line is chosen by a click, and what is merged to one bar is zoomed into.
void take_click(const OpenedProgram& program, const Click& click, ProgramPanelState& own, Actions& actions) {
  double from = 0, to = 0;
  if (click.is(TimelineVerb::range) && std::sscanf(click.about().c_str(), "%lf %lf", &from, &to) == 2)
    own.range = TimeRange{from, to};
  const uint64_t index = click.number();
  if (!click.is(TimelineVerb::event) || index >= program.recording.events.size()) return;
  const Event& event = program.recording.events[index];
  if (event.kind == Event::Kind::launch) actions.push(ChooseLaunch{event.number});
  show_line_of(own.lines, event, index);
}

std::optional<size_t> event_of(const OpenedProgram& program, uint64_t number) {
  if (number == 0 || number > program.launches.size()) return std::nullopt;
  const Event* event = program.launches[static_cast<size_t>(number - 1)].event;
  return static_cast<size_t>(event - program.recording.events.data());
}

// A copy that was clicked, else the chosen launch.
std::optional<size_t> marked_event(const OpenedProgram& program, uint64_t chosen,
                                   const ProgramPanelState& own) {
  return own.lines.copy ? own.lines.copy : event_of(program, chosen);
}

void draw_time(const AppState& state, const std::shared_ptr<const OpenedProgram>& program,
               ProgramPanelState& own, Actions& actions) {
  if (own.drawn != program) {
    own.range.reset();
    begin_host_lines(*program, own.lines);
  }
  own.drawn = program;
  const auto timeline = own.timeline.get(program, program->recording.events.size() < 2000,
                                         [program] { return program_timeline(program->recording); });
  if (!timeline) {
    const std::string why = own.timeline.why_not("The time line");
    return quiet_text(why.empty() ? "The time line is being made." : why);
  }
  // Above the picture: it stays under the pointer when the picture becomes higher.
  if (timeline->overlap && !own.range &&
      link(own.shows_overlap ? "hide what could overlap" : "What could overlap?"))
    own.shows_overlap = !own.shows_overlap;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const Box box{0, 0, ImGui::GetContentRegionAvail().x, FLT_MAX};
  const ImVec2 mouse = ImGui::GetMousePos();
  Picture picture;
  picture.width = box.width;  // the axis keeps its labels inside
  const TimelineDrawn drawn = draw_timeline(
      picture, window_style(), box,
      {&program->recording, timeline.get(), own.range, marked_event(*program, state.program.chosen, own),
       Point{mouse.x - origin.x, mouse.y - origin.y}, own.shows_overlap});
  draw_picture(picture, origin, *ImGui::GetWindowDrawList(), own.textures);
  const Canvas canvas = canvas_item("##time", {0, 0, box.width, std::max(drawn.bottom, 1.0f)}, origin);
  const ImVec2 below = ImGui::GetCursorScreenPos();
  take_click(*program, picture_areas(picture, origin), own, actions);
  ImGui::SetCursorScreenPos(below);
  const double end = timeline->device_us;
  const double us_per_pixel = drawn.range.length() / double(std::max(drawn.device.width, 1.0f));
  if (canvas.wheel != 0) {
    const double about = drawn.range.from + double(canvas.at.x - drawn.device.x) * us_per_pixel;
    own.range = zoomed(drawn.range, about, std::pow(double(wheel_factor), -double(canvas.wheel)), end);
  }
  if (canvas.dragged.x != 0 && own.range) {
    const double by = -double(canvas.dragged.x) * us_per_pixel;
    own.range = clamped({own.range->from + by, own.range->to + by}, end);
  }
  if (own.range && own.range->length() >= end * (1 - 1e-9)) own.range.reset();
  if (own.range && link("show all of the time")) own.range.reset();
}

// Steps that do not fit side by side are reached by a slider.
void draw_managed(const std::shared_ptr<const OpenedProgram>& opened, ProgramPanelState& own,
                  Actions& actions) {
  const OpenedProgram& program = *opened;
  const std::vector<recording::ManagedArray>& arrays = program.report.managed;
  if (arrays.empty()) return;
  const Style& style = window_style();
  const float width = ImGui::GetContentRegionAvail().x;
  size_t most = 0;
  for (const recording::ManagedArray& array : arrays) most = std::max(most, array.events.size());
  const size_t fit = page_steps_in(style, width);
  own.page_step = std::min<int>(own.page_step, static_cast<int>(most - std::min(most, fit)));
  const auto step = static_cast<size_t>(own.page_step);
  if (own.pages_of != opened || own.pages.step != step)
    own.pages = pages_before(program.recording, arrays, step);
  own.pages_of = opened;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  Picture picture;
  picture.width = width;
  const float bottom =
      draw_pages(picture, style, {0, 0, width, FLT_MAX}, {&program.recording, &arrays, &own.pages});
  draw_picture(picture, origin, *ImGui::GetWindowDrawList(), own.textures);
  canvas_item("##pages", {0, 0, width, std::max(bottom, 1.0f)}, origin);
  const ImVec2 below = ImGui::GetCursorScreenPos();
  take_click(program, picture_areas(picture, origin), own, actions);
  ImGui::SetCursorScreenPos(below);
  if (most <= fit) return;
  const SliderChange change = slider_row(
      {"first_step", "first step", double(own.page_step + 1), 1, double(most - fit + 1), false, true, true});
  if (change.changed) own.page_step = static_cast<int>(change.value) - 1;
}

// "out of bounds"; the whole sentence is next to the list.
std::string finding_words(const ProgramFinding& finding) {
  std::string words = finding.kind;
  std::ranges::replace(words, '_', ' ');
  return words;
}

// One launch. Its cells are a single item: arrows go from one to the next, Enter and a double click open it.
void draw_launch(const AppState& state, const ProgramLaunch& launch, ProgramPanelState& own,
                 Actions& actions) {
  const Event& event = *launch.event;
  const bool chosen = event.number == state.program.chosen;
  const bool shown = event.number == state.program.shown;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(static_cast<int>(event.number));
  const bool activated =
      ImGui::Selectable(std::to_string(event.number).c_str(), chosen,
                        ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick |
                            ImGuiSelectableFlags_AllowOverlap);
  const bool focused = ImGui::IsItemFocused() && ImGui::GetIO().NavVisible;
  const bool opens = activated && (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) ||
                                   (chosen && !ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
                                    !ImGui::IsMouseClicked(ImGuiMouseButton_Left)));
  if (opens)
    actions.push(OpenLaunch{event.number});
  else if ((activated || focused) && !chosen)
    actions.push(ChooseLaunch{event.number});
  if (activated || focused) own.scrolled_to = event.number;  // it is in sight
  ImGui::TableNextColumn();
  // What kernels launch stands to the right of them.
  const std::string indent(2 * std::min<size_t>(event.depth, 8), ' ');
  ImGui::TextUnformatted((indent + recording::short_kernel_name(event.name)).c_str());
  if (event.name.find("::") != std::string::npos || event.depth != 0)
    hover_text(event.name + recording::launched_by_text(event));
  ImGui::TableNextColumn();
  mono_text(launch.from.empty() ? "–" : cut_to(launch.from, ImGui::GetContentRegionAvail().x, look().mono));
  if (!launch.from.empty()) hover_text(launch.from);
  ImGui::TableNextColumn();
  mono_text(extent_text(event.grid));
  ImGui::TableNextColumn();
  mono_text(extent_text(event.block));
  ImGui::TableNextColumn();
  mono_text(time_text(event.device_us));
  ImGui::TableNextColumn();
  if (const auto found = own.findings.find(event.number); found == own.findings.end()) {
    ImGui::TextUnformatted("–");
  } else {
    mono_text(finding_words(found->second), look().palette.fault);
    hover_text(found->second.sentence);
  }
  ImGui::TableNextColumn();
  if (shown)
    show_disabled("shown");
  else if (!launch.why_not.empty())
    show_disabled("not kept");
  else if (link("open"))
    actions.push(OpenLaunch{event.number});
  if (!launch.why_not.empty()) hover_text(launch.why_not);
  ImGui::PopID();
}

// As high as its rows, and never so low that the launch next to it cannot be read.
float list_height(const OpenedProgram& program) {
  const float rows = std::min(static_cast<float>(program.launches.size()), list_rows) + 1;
  const float row = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
  return std::max(rows * row + row / 2, scaled(least_height));
}

void draw_launches(const AppState& state, const OpenedProgram& program, float width, float height,
                   ProgramPanelState& own, Actions& actions) {
  constexpr ImGuiTableFlags flags =
      ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_Resizable;
  if (!ImGui::BeginTable("launches", 8, flags, {width, height})) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  int column = 0;
  for (const char* name : {"#", "kernel", "from", "grid", "block", "time", "finding", "##open"}) {
    const bool is_time = std::string_view(name) == "time";
    const std::string title = std::string(name) + (is_time ? about(program.recording.times()) : "");
    const bool is_hidden = std::string_view(name) == "finding" && own.findings.empty();
    ImGui::TableSetupColumn(shown_label(title).c_str(),
                            ImGuiTableColumnFlags_WidthStretch |
                                (is_hidden ? ImGuiTableColumnFlags_Disabled : ImGuiTableColumnFlags_None),
                            shares[column++]);
  }
  ImGui::TableHeadersRow();
  const uint64_t chosen = state.program.chosen;
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(program.launches.size()));
  const bool scrolls = chosen != 0 && own.scrolled_to != chosen;
  if (scrolls) clipper.IncludeItemByIndex(static_cast<int>(chosen - 1));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      draw_launch(state, program.launches[static_cast<size_t>(i)], own, actions);
      if (scrolls && static_cast<uint64_t>(i) + 1 == chosen) ImGui::SetScrollHereY();
    }
  }
  own.scrolled_to = chosen;
  ImGui::EndTable();
}

void draw_open_buttons(const ProgramLaunch& launch, const AppState& state, Actions& actions) {
  heading("Open this launch in");
  if (!launch.why_not.empty()) return quiet_text(launch.why_not);
  if (state.program.wanted == launch.event->number) return quiet_text("It is being made ready.");
  bool first = true;
  for (const View view : opens_in) {
    const ViewRow& row = row_of(view);
    if (!first) wrap_before(chip_width(row.title));
    first = false;
    if (chip(std::string(row.title) + "##open")) actions.push(OpenLaunch{launch.event->number, view});
  }
}

void draw_source(const recording::SourceText& source) {
  if (source.lines.empty()) {
    if (!source.why_not.empty()) small_text(source.why_not);
    return;
  }
  uint32_t line = source.first;
  for (const std::string& text : source.lines) mono_text(fmt::format("{:>4}  {}", line++, text));
}

void draw_details(const AppState& state, const std::shared_ptr<const OpenedProgram>& program,
                  ProgramPanelState& own, Actions& actions) {
  const uint64_t number = state.program.chosen;
  if (number == 0 || number > program->launches.size()) return quiet_text("Choose a launch in the list.");
  const ProgramLaunch& launch = program->launches[static_cast<size_t>(number - 1)];
  const Event& event = *launch.event;
  heading(fmt::format("Launch {} · {}{}", number, event.name, recording::launched_by_text(event)));
  if (const auto found = own.findings.find(number); found != own.findings.end()) {
    level_glyph(found->second.is_fault ? ProblemLevel::fault : ProblemLevel::finding);
    ImGui::SameLine();
    body_text(found->second.sentence);
    if (launch.why_not.empty() && link("Step to it ›"))
      actions.push(OpenLaunch{launch.event->number, View::step, true});
  }
  draw_open_buttons(launch, state, actions);
  const auto details = own.details.get({program, number}, false, [program, number] {
    const Event& of = *program->launches[static_cast<size_t>(number - 1)].event;
    LaunchDetails made{arguments_of(program->recording, of), {}};
    if (const auto source = source_of(program->recording, of))
      made.source = read_source(*source, program->path);
    name_arguments(made.arguments, made.source);
    return made;
  });
  if (!details) return;
  if (!details->arguments.empty()) heading("Its arguments");
  for (const recording::ShownArgument& argument : details->arguments)
    mono_text_wrapped(text_of(argument), look().palette.text);
  if (launch.from.empty()) return;
  heading(launch.from);
  draw_source(details->source);
}

void draw_help(const OpenedProgram& program, Actions& actions) {
  if (program.report.warnings.empty()) return;
  heading("What would help");
  int index = 0;
  for (const recording::ProgramWarning& warning : program.report.warnings) {
    ImGui::PushID(index++);
    level_glyph(ProblemLevel::warning);
    ImGui::SameLine();
    std::string line = warning.what + " " + warning.advice;
    if (const std::string saves = estimate_text(warning); !saves.empty())
      line += " " + saves + about(program.recording.times());
    body_text(line);
    std::string where = warning.where;
    if (const std::string lines = places_text(warning.places); !lines.empty())
      where += (where.empty() ? "" : "; ") + lines;
    if (!where.empty()) small_text(where);
    if (!warning.launches.empty() && link("show the first launch"))
      actions.push(ChooseLaunch{warning.launches.front()});
    ImGui::PopID();
  }
}

// The first finding of each launch, again whenever there are new ones.
void note_findings(const ProgramState& program, ProgramPanelState& own) {
  if (own.findings_of == program.opened && own.search == program.search.done) return;
  own.findings_of = program.opened;
  own.search = program.search.done;
  own.findings.clear();
  for (ProgramFinding& finding : findings_of(program)) {
    const uint64_t launch = finding.launch;
    if (launch != 0) own.findings.try_emplace(launch, std::move(finding));
  }
}

std::string search_words(const SearchState& search) {
  if (search.wanted) return "Races are being looked for.";
  if (!search.done || search.done->searched == 0) return {};
  const std::string launches = count_text(search.done->searched, "launch", "launches");
  return search.done->found.empty() ? fmt::format("No race was found in {}.", launches)
                                    : fmt::format("Races were looked for in {}.", launches);
}

// Time line, launches, and what would help.
void draw_recording(const AppState& state, ProgramPanelState& own, Actions& actions) {
  const ProgramState& program = state.program;
  draw_totals(*program.opened);
  if (const std::string words = search_words(program.search); !words.empty()) quiet_text(words);
  draw_time(state, program.opened, own, actions);
  draw_managed(program.opened, own, actions);
  if (program.opened->launches.empty()) return quiet_text("The program launched no kernel.");
  const bool has_lines = draw_list_choice(own.lines);
  const float room = ImGui::GetContentRegionAvail().x, detail = scaled(detail_width);
  const bool lists_lines = has_lines && own.lines.shown;
  // Source needs more room than numbers.
  const bool beside = room - detail >= scaled(lists_lines ? least_lines_width : least_list_width);
  const float height = list_height(*program.opened);
  const float width = beside ? room - detail - scaled(16) : 0;
  if (lists_lines)
    draw_host_lines(program.opened, state.program.chosen, {width, height}, own.lines, actions);
  else
    draw_launches(state, *program.opened, width, height, own, actions);
  if (beside) {
    ImGui::SameLine(0, scaled(16));
    ImGui::BeginChild("details", {0, height});
  }
  draw_details(state, program.opened, own, actions);
  if (beside) ImGui::EndChild();
  draw_help(*program.opened, actions);
}

}  // namespace

// The headline is above the program's output, however much that is.
void draw_program_view(const AppState& state, ProgramPanelState& own, Actions& actions) {
  own.textures.collect();
  const ProgramState& program = state.program;
  const bool is_shown = program.shown_program() != nullptr && program.run.phase != ProgramRun::Phase::asking;
  if (is_shown) note_findings(program, own);
  if (is_shown && !program.run.is_busy()) title(headline_of(program));
  // What is edited is not pushed out of sight by what is said of the run. But a question comes first.
  const bool asks = program.run.phase == ProgramRun::Phase::asking && !program.run.given;
  if (!asks) draw_program_source(state, own.source, actions);
  draw_program_run(state, own.run, actions);
  if (asks) draw_program_source(state, own.source, actions);
  if (!program.reading.empty()) quiet_text("Reading " + program.reading);
  if (!is_shown) return;
  if (program.run.is_busy()) {
    quiet_text("Below is the run before, until this one has ended.");
    title(headline_of(program));
  }
  draw_recording(state, own, actions);
}

std::unique_ptr<ViewPanel> make_program_panel() { return make_panel<ProgramPanelState, draw_program_view>(); }

}  // namespace warplens
