#include "app/views/program/panel/run_panel.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "app/base/format.h"
#include "app/views/program/panel/compile_mistakes_panel.h"
#include "app/views/program/panel/source_panel.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
namespace {

using Phase = ProgramRun::Phase;

constexpr float most_output_lines = 12;

constexpr const char* variables_label = "Variables in Step";
constexpr const char* other_order_label = "Run in another order";

std::string name_of(const ProgramRun& run) { return std::filesystem::path(run.path).filename().string(); }

void problem_line(const std::string& words) {
  if (words.empty()) return;
  level_glyph(ProblemLevel::error);
  ImGui::SameLine();
  body_text(words);
}

void choice_chip(const char* label, bool ProgramRunChoices::*which, const ProgramRun& run, Actions& actions) {
  if (!on_off(label, run.choices.*which)) return;
  ProgramRunChoices choices = run.choices;
  choices.*which = !(choices.*which);
  actions.push(SetProgramChoices{choices});
}

// A program of a lesson or a challenge has its button beside its text.
void draw_before_run(const ProgramRun& run) {
  problem_line(run.problem);
  quiet_text("It has not run yet.");
}

void draw_question(const AppState& state, RunPanelState& own, Actions& actions) {
  const ProgramRun& run = state.program.run;
  title(fmt::format("Run {}?", name_of(run)));
  mono_text_wrapped(run.path, look().palette.quiet);
  body_text(
      "It is a program. Once it runs it may do all that you may do on this machine: read and change your "
      "files, and use "
      "the network. Run it only if you trust it.");
  const Device& device = state.setup.device;
  quiet_text(fmt::format("Its CUDA calls go to the {}. What it does there is recorded and shown here.",
                         device.is_virtual
                             ? fmt::format("virtual GPU ({}), so it needs no graphics card", device.name)
                             : fmt::format("{} of this machine ({})", device.name, device.id)));
  ImGui::AlignTextToFramePadding();
  show_words("Arguments");
  ImGui::SameLine();
  ImGui::PushFont(look().mono, body_size);
  ImGui::SetNextItemWidth(std::min(ImGui::GetContentRegionAvail().x, scaled(420)));
  const bool entered = ImGui::InputTextWithHint("##arguments", shown("as in a shell, or none").c_str(),
                                                &own.arguments, ImGuiInputTextFlags_EnterReturnsTrue);
  const bool editing = ImGui::IsItemActive() || entered;
  ImGui::PopFont();
  if (editing && own.arguments != run.choices.arguments) {
    ProgramRunChoices choices = run.choices;
    choices.arguments = own.arguments;
    actions.push(SetProgramChoices{choices});
  }
  if (!editing) own.arguments = run.choices.arguments;
  if (device.is_virtual) {
    choice_chip("Check all launches for races", &ProgramRunChoices::looks_for_all, run, actions);
    hover_text(
        "Small launches are checked after the run anyway, the first three of each kernel. This checks every "
        "launch of any size while the program runs, also for reads of uninitialised memory: several times "
        "slower.");
  }
  if (device.is_virtual && run.path.ends_with(".cu")) {
    wrap_before(on_off_width(variables_label));
    choice_chip(variables_label, &ProgramRunChoices::variables, run, actions);
    hover_text("Compiles it for the debugger (-G): slower, and Step shows the kernels' variables by name.");
  }
  problem_line(run.problem);
  if (main_button("Run it") || entered) actions.push(RunProgram{});
  wrap_before(chip_width("Not now"));
  if (chip("Not now")) actions.push(CloseProgram{});
  draw_edit_chip(state, actions);
}

// As high as its lines, up to a dozen of them.
float output_height(const ProgramRun& run) {
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const size_t most = std::max(run.output.lines.size(), run.other_order ? run.other_order->lines.size() : 0);
  const float lines = std::clamp(static_cast<float>(most), 1.0f, most_output_lines);
  return (lines + (run.other_order ? 1 : 0)) * line + 2 * ImGui::GetStyle().WindowPadding.y +
         ImGui::GetStyle().ScrollbarSize;
}

// Below the state of the run, unless it is next to the program's text.
void draw_output_here(const AppState& state) {
  const ProgramRun& run = state.program.run;
  if (!run.output.lines.empty() && !edits_program(state)) draw_output(run, output_height(run));
}

void draw_running(const AppState& state, Actions& actions) {
  const ProgramRun& run = state.program.run;
  const bool stopping = run.phase == Phase::stopping;
  title(name_of(run) + (stopping ? " is asked to end" : " is running"));
  if (run.is_other_order)
    quiet_text("With the work of its streams in another order.");
  else
    quiet_text(fmt::format("{}{} · {:.0f} s · {} so far", run.device.is_virtual ? "virtual " : "",
                           run.device.name, run.seconds, count_text(run.launches, "launch", "launches")));
  if (!stopping && chip("Stop")) actions.push(StopProgram{});
  draw_edit_chip(state, actions);
  draw_output_here(state);
}

bool lacks_wait(const ProgramState& program) {
  return program.opened && std::ranges::any_of(program.opened->recording.events, [](const auto& event) {
           return event.kind == recording::Event::Kind::finding && event.finding == "missing_wait";
         });
}

std::string end_words(const ProgramRun& run) {
  const std::string after = "after " + milliseconds_text(run.seconds * 1000);
  if (run.stopped)
    return fmt::format("{} was stopped {}. Here is what it did until then.", name_of(run), after);
  if (run.signal != 0) return fmt::format("{} was ended by signal {} {}.", name_of(run), run.signal, after);
  if (run.status != 0) return fmt::format("{} ended with status {} {}.", name_of(run), run.status, after);
  return fmt::format("{} ended {}.", name_of(run), after);
}

void draw_ended(const AppState& state, RunPanelState& own, Actions& actions) {
  const ProgramRun& run = state.program.run;
  const bool started = run.problem.empty() || run.used_device || run.seconds > 0;
  if (own.seen_end != run.serial) {
    own.source = run.mistakes.empty() ? recording::SourceText()
                 : run.given          ? recording::lines_of_text(run.text)
                                      : recording::read_lines(run.path);
    own.shows_output = run.mistakes.empty() && (run.status != 0 || !run.used_device || run.other_order);
    own.lacks_wait = run.device.is_virtual && lacks_wait(state.program);
  }
  own.seen_end = run.serial;
  const bool compiles = run.mistakes.empty();
  if (!compiles) title(name_of(run) + " does not compile");
  if (started && compiles) {
    if (run.status != 0 && !run.stopped) {
      level_glyph(ProblemLevel::error);
      ImGui::SameLine();
    }
    body_text(end_words(run));
  }
  if (compiles) problem_line(run.problem);
  if (started && compiles && !run.used_device && run.problem.empty())
    quiet_text(std::string("It asked for no CUDA device, so there is nothing to show of one.") +
               (run.device.is_virtual
                    ? " Programs that NVIDIA's runtime library is linked into (PyTorch, JAX) cannot use the "
                      "virtual GPU; CUDA C++ that is compiled here, Numba and PyCUDA can."
                    : ""));
  if (!run.given) {
    if (chip("Run again")) actions.push(RunProgram{});
    wrap_before(chip_width("Change…"));
    if (chip("Change…")) actions.push(ChangeProgram{});
    hover_text("Its arguments, and what to look for");
    if (run.used_device) wrap_before(chip_width("Save recording…"));
  }
  if (run.used_device) {
    if (chip("Save recording…")) actions.push(SaveRecording{});
  }
  if (own.lacks_wait) {
    wrap_before(chip_width(other_order_label));
    if (chip(other_order_label)) actions.push(RunInOtherOrder{});
    hover_text(
        "A wait is missing, so a GPU may do the two in either order. This runs the program once more, with "
        "the "
        "work of its streams in another order than that of its calls.");
  }
  draw_edit_chip(state, actions);
  if (!run.output.lines.empty() && !edits_program(state)) {
    wrap_before(on_off_width("Output"));
    if (on_off("Output", own.shows_output)) own.shows_output = !own.shows_output;
  }
  if (!run.given) {
    wrap_before(on_off_width("Run again on save"));
    choice_chip("Run again on save", &ProgramRunChoices::again_on_save, run, actions);
  }
  if (!compiles) draw_compile_mistakes(run.mistakes, own.source);
  if (own.shows_output) draw_output_here(state);
}

constexpr float least_output_width = 200;  // of each of two

void draw_lines(const char* id, const ProgramOutput& output, bool is_busy, ImVec2 size) {
  const float line = ImGui::GetTextLineHeightWithSpacing();
  ImGui::BeginChild(id, size, ImGuiChildFlags_FrameStyle, ImGuiWindowFlags_HorizontalScrollbar);
  if (output.lines.empty()) quiet_text(is_busy ? "Nothing yet." : "Its output comes here.");
  ImGui::PushFont(look().mono, small_size);
  if (output.left_out > 0)
    show_disabled(fmt::format("{} before these", count_text(output.left_out, "line", "lines")));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(output.lines.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      ImGui::TextUnformatted(output.lines[static_cast<size_t>(i)].c_str());
  ImGui::PopFont();
  if (ImGui::GetScrollY() >= ImGui::GetScrollMaxY() - line) ImGui::SetScrollHereY(1);
  ImGui::EndChild();
}

// But for what WarpLens says.
bool prints_same(const ProgramOutput& one, const ProgramOutput& other) {
  const auto of_program = [](const ProgramOutput& output) {
    std::vector<std::string_view> lines;
    for (const std::string& line : output.lines)
      if (!line.starts_with("warplens: ")) lines.push_back(line);
    return lines;
  };
  return of_program(one) == of_program(other);
}

void draw_in_order(const char* name, const char* id, const ProgramOutput& output, bool is_busy, ImVec2 size) {
  ImGui::BeginGroup();
  const float top = ImGui::GetCursorPosY();
  heading(name);
  draw_lines(id, output, is_busy, {size.x, std::max(size.y - (ImGui::GetCursorPosY() - top), 1.0f)});
  ImGui::EndGroup();
}

}  // namespace

void draw_output(const ProgramRun& run, float height) {
  if (!run.other_order) return draw_lines("output", run.output, run.is_busy(), {0, height});
  ImGui::BeginGroup();  // the program's text may be beside it
  const float room = ImGui::GetContentRegionAvail().x, gap = scaled(8);
  const bool beside = room >= 2 * scaled(least_output_width);
  const ImVec2 size{beside ? (room - gap) / 2 : room, beside ? height : height / 2};
  draw_in_order("In the order of its calls", "output", run.output, false, size);
  if (beside) ImGui::SameLine(0, gap);
  draw_in_order("In another order that CUDA allows", "other output", *run.other_order, run.is_other_order,
                size);
  if (run.phase == Phase::ended)
    body_text(
        prints_same(run.output, *run.other_order)
            ? "It prints the same in this order. In yet another one it may not."
            : "A GPU may do either, since the program does not wait. With the missing wait, both print the "
              "same.");
  ImGui::EndGroup();
}

void draw_program_run(const AppState& state, RunPanelState& own, Actions& actions) {
  const ProgramRun& run = state.program.run;
  if (run.phase == Phase::none) return;
  ImGui::PushID("run");
  if (run.phase == Phase::asking && run.given)
    draw_before_run(run);
  else if (run.phase == Phase::asking)
    draw_question(state, own, actions);
  else if (run.is_busy())
    draw_running(state, actions);
  else
    draw_ended(state, own, actions);
  ImGui::PopID();
  ImGui::Dummy({0, scaled(4)});
}

}  // namespace warplens
