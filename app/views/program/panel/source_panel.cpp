#include "app/views/program/panel/source_panel.h"

#include <ImGuiColorTextEdit/TextEditor.h>
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "app/views/program/panel/run_panel.h"
#include "app/widgets/editor_look.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "core/system/capabilities.h"

namespace warplens {

struct ProgramEditor {
  TextEditor text;
  std::string path;     // whose text it is
  uint64_t serial = 0;  // of the text that it loaded last
  size_t undo_index = 0;
  std::vector<Diagnostic> marked;
  EditorLook look;
};

namespace {

constexpr const char* program_editor_id = "##program_text";
namespace THIS_FILE {
constexpr float least_beside = 640;  // of editor and output side by side
}

std::shared_ptr<ProgramEditor> make_editor() {
  auto editor = std::make_shared<ProgramEditor>();
  editor->text.SetInsertSpacesOnTabs(true);
  editor->text.SetShowWhitespacesEnabled(false);
  editor->text.SetShowCurrentLineHighlightEnabled(false);
  editor->text.SetCompletePairedGlyphs(false);
  return editor;
}

// Another program's text is loaded; another text of the same file is an edit that can be undone.
void take_text(const ProgramSource& source, ProgramEditor& editor) {
  if (editor.serial == source.serial && editor.path == source.path) return;
  const bool same = editor.path == source.path;
  editor.path = source.path;
  editor.serial = source.serial;
  if (editor.text.GetText() == source.text && same) return;
  const auto cursor = editor.text.GetMainCursorPosition();
  if (same) {
    editor.text.SelectAll();
    editor.text.ReplaceTextInAllCursors(source.text);
    editor.text.SetCursor(cursor);
  } else {
    const bool python = source.path.ends_with(".py");
    editor.text.SetLanguage(python ? TextEditor::Language::Python() : TextEditor::Language::Cpp());
    editor.text.SetTabSize(python ? 4 : 2);
    editor.text.SetText(source.text);
  }
  editor.undo_index = editor.text.GetUndoIndex();
}

// The compiler's messages, as long as the text is the one that it read.
void mark_mistakes(const AppState& state, ProgramEditor& editor) {
  const ProgramRun& run = state.program.run;
  const bool of_text = !state.program.source.dirty() && !run.is_busy();
  const std::vector<Diagnostic>& wanted = of_text ? run.mistakes : std::vector<Diagnostic>{};
  const auto same = [](const Diagnostic& a, const Diagnostic& b) {
    return a.line == b.line && a.severity == b.severity && a.message == b.message;
  };
  if (std::ranges::equal(editor.marked, wanted, same)) return;
  editor.marked = wanted;
  editor.text.ClearMarkers();
  for (const Diagnostic& mistake : editor.marked) {
    const uint32_t rgb = mistake.severity == Severity::error ? look().palette.fault : look().palette.warning;
    editor.text.AddMarker(mistake.line - 1, colour(mix(look().palette.panel, rgb, 0.45)), colour(rgb, 0.16f),
                          mistake.message, mistake.message);
  }
}

void draw_editor(const ProgramSource& source, ProgramEditor& editor, ImVec2 size, Actions& actions) {
  const std::string name = fmt::format("{}/{}_{:08X}", ImGui::GetCurrentWindow()->Name, program_editor_id,
                                       ImGui::GetID(program_editor_id));
  if (ImGuiWindow* window = ImGui::FindWindowByName(name.c_str())) {
    mark_as_typed_into(*window, true);
    if (takes_run_key(*window)) actions.push(SaveProgram{true});
  }
  ImGui::PushFont(look().mono, small_size);
  editor.text.Render(program_editor_id, size);
  ImGui::PopFont();
  if (editor.undo_index == editor.text.GetUndoIndex() || !source.is_ready()) return;
  editor.undo_index = editor.text.GetUndoIndex();
  actions.push(EditProgramText{editor.text.GetText()});
}

// What another program has made of the file, against what was typed here.
void draw_decision(const std::string& name, Actions& actions) {
  level_glyph(ProblemLevel::warning);
  ImGui::SameLine();
  body_text(name + " has changed on disk, and you have changed it here.");
  if (chip("Keep mine")) actions.push(SettleProgramText{true});
  hover_text("Save then writes your text over what is in the file now.");
  wrap_before(chip_width("Take the file's"));
  if (chip("Take the file's")) actions.push(SettleProgramText{false});
  hover_text("Your text can be had back by Undo in the editor (Ctrl+Z).");
}

// What is typed is kept, and is in no file.
void draw_run_of_given(const AppState& state, Actions& actions) {
  wrap_before(chip_width("Run"));
  const bool is_busy = state.program.run.is_busy();
  if (main_button("Run###run_program", !is_busy && has_programs())) actions.push(SaveProgram{true});
  hover_text("Ctrl+Enter");
  if (const std::string& words = state.program.run.choices.arguments; !words.empty()) {
    const std::string called = fmt::format("called with {}", words);
    wrap_before(size_of_words(called).x);
    quiet_text(called);
  }
  if (!has_programs())
    quiet_text(
        "A page in a browser cannot run programs. Install WarpLens on a computer, and open this there.");
}

namespace THIS_FILE {
void draw_head(const AppState& state, Actions& actions) {
  const ProgramSource& source = state.program.source;
  const std::string name = std::filesystem::path(source.path).filename().string();
  ImGui::PushFont(look().strong, 0.0f);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted((source.dirty() ? name + " ●" : name).c_str());
  ImGui::PopFont();
  if (source.given) return draw_run_of_given(state, actions);
  wrap_before(chip_width("Save"));
  if (chip("Save###save_program", false, source.dirty() && !source.changed)) actions.push(SaveProgram{});
  hover_text("Writes the file (Ctrl+S). Until then what you type is kept as a draft.");
  const char* run = source.dirty() ? "Save and run###run_program" : "Run###run_program";
  wrap_before(chip_width(run));
  const bool can_run = source.is_ready() && !source.changed;
  const bool is_asked =
      state.program.run.phase == ProgramRun::Phase::asking;  // its own button is the next act
  if (is_asked ? chip(run, false, can_run) : main_button(run, can_run)) actions.push(SaveProgram{true});
  hover_text("F5");
  wrap_before(chip_width("×"));
  if (chip("×###close_program_text")) actions.push(EditProgram{false});
  hover_text("Closes the editor. What is not saved is kept as a draft.");
  if (source.changed) draw_decision(name, actions);
}
}  // namespace THIS_FILE

}  // namespace

void draw_edit_chip(const AppState& state, Actions& actions) {
  const ProgramSource& source = state.program.source;
  if (!is_program_text(state.program.run.path) || state.frame.present || source.given) return;
  wrap_before(on_off_width("Edit"));
  if (on_off("Edit###edit_program", source.open)) actions.push(EditProgram{!source.open});
  hover_text("Its text, with its output beside");
}

void draw_program_source(const AppState& state, SourcePanelState& own, Actions& actions) {
  const ProgramSource& source = state.program.source;
  if (!edits_program(state)) return;
  if (!source.error.empty()) return body_text(source.error);
  if (source.wanted) return quiet_text("The file is being read.");
  if (!own.editor) own.editor = make_editor();
  ProgramEditor& editor = *own.editor;
  if (take_editor_look(editor.text, editor.look)) editor.marked.clear();
  const bool is_other = editor.path != source.path;
  take_text(source, editor);
  // The lines that a step lets the student edit are in sight from the start.
  const lesson::Change* change = allowed_change(state, "code");
  if (is_other && source.given && change != nullptr && change->range) {
    const auto line = static_cast<size_t>(std::max(change->range->first, 1.0)) - 1;
    editor.text.SetCursor({line, 0});
    editor.text.ScrollToLine(line);
  }
  mark_mistakes(state, editor);
  ImGui::PushID("source");
  THIS_FILE::draw_head(state, actions);
  const float room = ImGui::GetContentRegionAvail().x, gap = scaled(8);
  const bool beside = room >= scaled(THIS_FILE::least_beside);
  const float height = std::max(ImGui::GetMainViewport()->Size.y * 0.4f, scaled(160));
  draw_editor(source, editor, {beside ? room * 0.6f : room, height}, actions);
  if (beside) ImGui::SameLine(0, gap);
  draw_output(state.program.run, beside ? height : height / 2);
  ImGui::PopID();
  ImGui::Dummy({0, scaled(4)});
}

}  // namespace warplens
