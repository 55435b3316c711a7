#include "app/views/code/panel/editor_panel.h"

#include <ImGuiColorTextEdit/TextEditor.h>
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "app/base/draw/amounts.h"
#include "app/base/format.h"
#include "app/state/code/offered_code.h"
#include "app/state/learn/lesson_facts.h"
#include "app/state/runs/shown_run.h"
#include "app/views/code/change.h"
#include "app/views/code/picture.h"
#include "app/views/code/status.h"
#include "app/widgets/editor_look.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {

struct CodeEditor {
  TextEditor text;
  std::string shown;   // the last text that both sides agreed on
  std::string seen;    // the text of the state when it was last compared
  std::string kernel;  // whose text it is
  uint64_t serial = ~uint64_t{0};
  size_t undo_index = 0;
  uint32_t line = 0;  // of the cursor, that the selection knows
  EditorLook look;
  std::vector<Diagnostic> marked;
  std::shared_ptr<const RunResult> marked_run;  // whose faults and findings are marked
  std::string marked_change;                    // whose new lines are marked
};

namespace {

void set_theme(CodeEditor& editor) {
  if (!take_editor_look(editor.text, editor.look)) return;
  editor.marked.clear();  // in the colours of the other theme
  editor.marked_run.reset();
  editor.marked_change.clear();
}

// The shown run is of the shown text.
bool text_ran(const AppState& state) {
  const RunResult* result = state.runs.result.get();
  return result != nullptr && result->request && state.setup.kernel != nullptr &&
         result->request->kernel == state.setup.kernel->name &&
         (!state.code.own || state.code.text == state.code.compiled);
}

const std::string& text_of(const AppState& state) {
  if (state.code.own) return state.code.text;
  return state.setup.kernel->source.empty() ? state.setup.kernel->ptx : state.setup.kernel->source;
}

// Loads a text from elsewhere: a file, a copy, an undo. If it is the same kernel, the cursor stays.
void take_text(const AppState& state, CodeEditor& editor) {
  const std::string kernel = state.code.own ? state.code.name : state.setup.kernel->name;
  // The text of the state is what was typed here, or it was changed by another: then it is loaded.
  const bool elsewhere = state.code.own && editor.seen != state.code.text;
  if (elsewhere) editor.seen = state.code.text;
  if (editor.serial == state.code.text_serial && editor.kernel == kernel && !elsewhere) return;
  const bool same = editor.kernel == kernel;
  editor.serial = state.code.text_serial;
  editor.kernel = kernel;
  if (editor.shown == text_of(state) && same) return;
  const auto cursor = editor.text.GetMainCursorPosition();
  editor.shown = text_of(state);
  editor.text.SetText(editor.shown);
  const bool python = !state.code.own && is_python(*state.setup.kernel);
  editor.text.SetLanguage(python ? TextEditor::Language::Python() : TextEditor::Language::Cpp());
  if (same) editor.text.SetCursor(cursor);
  editor.undo_index = editor.text.GetUndoIndex();
  editor.line = 0;
  editor.marked.clear();
  editor.marked_run.reset();
  editor.marked_change.clear();
  editor.text.ClearMarkers();
}

bool equal(const std::vector<Diagnostic>& a, const std::vector<Diagnostic>& b) {
  return std::ranges::equal(a, b, [](const Diagnostic& x, const Diagnostic& y) {
    return x.line == y.line && x.severity == y.severity && x.message == y.message;
  });
}

// Under a marked line's number, which stays readable; the marker's tip has it as its ground, so nothing
// shines through.
ImU32 number_ground(uint32_t rgb) { return colour(mix(look().palette.panel, rgb, 0.45)); }

// Where the shown run went wrong, as long as the text is the one that ran.
void mark_incidents(const AppState& state, CodeEditor& editor) {
  std::set<uint32_t> marked;  // one mark for a line, the first
  for (const IncidentMark& mark : incidents_of_kernel(state)) {
    if (mark.line == 0 || !marked.insert(mark.line).second || mark.file != state.setup.kernel->source_name)
      continue;
    const uint32_t rgb = mark.fault ? look().palette.fault : look().palette.text;
    const std::string words = (mark.fault ? "× " : "! ") + mark.message;
    editor.text.AddMarker(mark.line - 1, number_ground(rgb), colour(rgb, 0.24f), words, words);
  }
}

void mark_change(CodeEditor& editor, const SourceChange& change) {
  const uint32_t rgb = look().palette.accent;
  for (const LineChange& row : change.lines)
    if (row.added)
      editor.text.AddMarker(row.line - 1, number_ground(rgb), colour(rgb, 0.18f), "+ new: " + change.sentence,
                            "+ new: " + change.sentence);
}

void mark(const AppState& state, CodeEditor& editor, const SourceChange* change) {
  const std::string changed = change != nullptr ? change->sentence : "";
  const bool shown = text_ran(state) && !outcome_is_hidden(state);
  const std::shared_ptr<const RunResult> of = shown ? state.runs.result : nullptr;
  if (equal(editor.marked, state.code.diagnostics) && editor.marked_run == of &&
      editor.marked_change == changed)
    return;
  editor.marked_change = changed;
  editor.marked = state.code.diagnostics;
  editor.marked_run = of;
  editor.text.ClearMarkers();
  if (change != nullptr) mark_change(editor, *change);
  mark_incidents(state, editor);
  for (const Diagnostic& diagnostic : editor.marked) {
    if (diagnostic.line == 0 || diagnostic.severity == Severity::note) continue;
    const bool error = diagnostic.severity == Severity::error;
    const uint32_t rgb = error ? look().palette.fault : look().palette.warning;
    editor.text.AddMarker(diagnostic.line - 1, number_ground(rgb), colour(rgb, 0.16f), diagnostic.message,
                          diagnostic.message);
  }
}

// Shows the cost of each line next to its number: the count of warp instructions, on a colour for its amount.
// Not while it is guessed.
void decorate(const AppState& state, CodeEditor& editor) {
  // The column is always there, so the code does not move when the numbers come and go.
  constexpr int column = 10;  // letters
  const bool fits = speaks_of_shown_run(state) && state.setup.kernel &&
                    (!state.code.own || state.code.text == state.code.compiled);
  if (!fits || any_hidden(state, "counters") ||
      costliest_line(state.runs.result.get(), *state.setup.kernel) == 0)
    return editor.text.SetLineDecorator(column, [](TextEditor::Decorator&) {});
  uint64_t most = 1;
  for (const LineCounters& line : state.runs.result->lines)
    if (line.file == state.setup.kernel->source_name) most = std::max(most, line.warp_instructions);
  editor.text.SetLineDecorator(column, [&state, most](TextEditor::Decorator& decorator) {
    const LineCounters* counters = counters_of_line(state.runs.result.get(), *state.setup.kernel,
                                                    static_cast<uint32_t>(decorator.line + 1));
    if (counters == nullptr) return;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const double share = double(counters->warp_instructions) / double(most);
    const float width = decorator.width - decorator.glyphSize.x;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled({at.x, at.y + 1}, {at.x + width, at.y + decorator.height - 1},
                        colour(mix(look().palette.panel, viridis(share), 0.45)), scaled(2));
    std::string text = with_separators(counters->warp_instructions);
    if (text.size() > 9) text = significant(double(counters->warp_instructions) / 1e6) + " M";
    const float text_width = ImGui::CalcTextSize(text.c_str()).x;
    draw->AddText({at.x + width - text_width - scaled(3), at.y}, colour(look().palette.text), text.c_str());
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, {at.x + width, at.y + decorator.height}))
      show_tip(line_sentence(*counters));
  });
}

constexpr const char* editor_id = "##source";

// The child window of the editor that was just drawn; null before its first frame.
ImGuiWindow* editor_window() {
  const std::string name =
      fmt::format("{}/{}_{:08X}", ImGui::GetCurrentWindow()->Name, editor_id, ImGui::GetID(editor_id));
  return ImGui::FindWindowByName(name.c_str());
}

// The cursor's line, over the whole width. (The editor's own way ends before the edge.)
void light_line(const TextEditor& text, ImGuiWindow& window) {
  if (text.AnyCursorHasSelection()) return;
  const float height = text.GetLineHeight();
  const float y =
      window.Pos.y - window.Scroll.y + static_cast<float>(text.GetMainCursorPosition().line) * height;
  window.DrawList->PushClipRect(window.InnerRect.Min, window.InnerRect.Max);
  window.DrawList->AddRectFilled({window.InnerRect.Min.x, y}, {window.InnerRect.Max.x, y + height},
                                 colour(look().palette.accent, 0.12f));
  window.DrawList->PopClipRect();
}

// Letters that are typed into code that cannot be changed are not shortcuts of the window. (Not while
// presenting.)
void take_letters() {
  for (const auto& [first, last] : {std::pair{ImGuiKey_A, ImGuiKey_Z}, std::pair{ImGuiKey_0, ImGuiKey_9}})
    for (int key = first; key <= last; ++key)
      for (const ImGuiKeyChord shift : {ImGuiKeyChord{0}, ImGuiKeyChord{ImGuiMod_Shift}})
        ImGui::Shortcut(shift | key, ImGuiInputFlags_RouteFocused);
}

// Keeps the cursor's line and the selection's line the same, whichever of them moves.
void follow_line(const AppState& state, CodeEditor& editor, uint32_t chosen, bool typing, Actions& actions) {
  const auto at = static_cast<uint32_t>(editor.text.GetMainCursorPosition().line + 1);
  // While the user types, the cursor stays: when a run ends, the pinned line is looked up in the new text and
  // may have moved.
  if (!typing && chosen != 0 && chosen != editor.line && chosen != at) {
    editor.line = chosen;
    editor.text.SetCursor({chosen - 1, 0});
    editor.text.ScrollToLine(chosen - 1);
    return;
  }
  if (!typing && chosen != 0) editor.line = chosen;
  if (editor.line == 0) {
    editor.line = at;  // where a new text begins is no choice
  } else if (at != editor.line) {
    editor.line = at;
    Pick pick = state.selection.pinned;
    pick.line = at;
    actions.push(Pin{pick});
  }
}

}  // namespace

std::vector<IncidentMark> incidents_of_kernel(const AppState& state) {
  if (outcome_is_hidden(state)) return {};
  return text_ran(state) ? incident_marks(*state.runs.result) : std::vector<IncidentMark>{};
}

std::shared_ptr<CodeEditor> make_code_editor() {
  auto editor = std::make_shared<CodeEditor>();
  editor->text.SetTabSize(2);
  editor->text.SetInsertSpacesOnTabs(true);
  editor->text.SetShowWhitespacesEnabled(false);
  editor->text.SetShowCurrentLineHighlightEnabled(false);
  // The editor's pairs may leave extra brackets: it remembers only the last one that it inserted.
  editor->text.SetCompletePairedGlyphs(false);
  return editor;
}

void draw_code_editor(const AppState& state, CodeEditor& editor, uint32_t chosen, float width, float height,
                      const SourceChange* change, Actions& actions) {
  set_theme(editor);
  take_text(state, editor);
  mark(state, editor, change);
  decorate(state, editor);
  const bool typed = state.code.own && !is_not_typed(state);
  editor.text.SetReadOnlyEnabled(!typed);
  if (const ImGuiWindow* before = editor_window();
      before != nullptr && state.code.own && takes_run_key(*before))
    actions.push(RunAgain{});
  ImGui::PushFont(look().mono, small_size);
  editor.text.Render(editor_id, {width, height});
  ImGui::PopFont();
  ImGuiWindow* window = editor_window();
  if (window != nullptr) light_line(editor.text, *window);
  if (window != nullptr) mark_as_typed_into(*window, typed);
  const bool has_keyboard = window != nullptr && ImGui::GetCurrentContext()->NavWindow == window;
  if (!typed && !state.frame.present && has_keyboard) take_letters();
  if (state.code.own && editor.undo_index != editor.text.GetUndoIndex()) {
    editor.undo_index = editor.text.GetUndoIndex();
    editor.shown = editor.text.GetText();
    actions.push(EditSource{editor.shown});
  }
  follow_line(state, editor, chosen, has_keyboard, actions);
}

}  // namespace warplens
