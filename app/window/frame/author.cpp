#include "app/window/frame/author.h"

#include <ImGuiColorTextEdit/TextEditor.h>
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/state/parts/author.h"
#include "app/widgets/editor_look.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "app/window/frame/strips.h"
#include "core/lesson/read/write_show.h"

namespace warplens {

struct AuthorEditor {
  TextEditor text;
  uint64_t serial = 0;  // of the file that was read last
  std::string saved;    // the file as it was read
  size_t undo_index = 0;
  bool edited = false;
  std::vector<Diagnostic> marked;
  std::string refusal;  // why the state was not recorded
  EditorLook look;
};

namespace {

constexpr const char* lesson_editor_id = "##lesson_file";

// Unsaved text stays when another editor saves the file: the author decides.
void take_file(const AppState& state, AuthorEditor& editor) {
  if (editor.serial == state.author.serial) return;
  editor.serial = state.author.serial;
  const bool mine = editor.text.GetText() == state.author.text;
  editor.saved = state.author.text;
  if (!editor.edited && !mine) {
    const auto cursor = editor.text.GetMainCursorPosition();
    editor.text.SetText(editor.saved);
    editor.text.SetCursor(cursor);
    editor.undo_index = editor.text.GetUndoIndex();
  }
  editor.edited = editor.text.GetText() != editor.saved;
  editor.marked.clear();
  editor.text.ClearMarkers();
}

void mark_mistakes(const AppState& state, AuthorEditor& editor) {
  const auto same = [](const Diagnostic& a, const Diagnostic& b) {
    return a.line == b.line && a.severity == b.severity && a.message == b.message;
  };
  if (std::ranges::equal(editor.marked, state.lesson.mistakes, same)) return;
  editor.marked = state.lesson.mistakes;
  editor.text.ClearMarkers();
  for (const Diagnostic& mistake : editor.marked) {
    if (mistake.line == 0 || mistake.file != "lesson.md") continue;
    const uint32_t rgb = mistake.severity == Severity::error ? look().palette.fault : look().palette.warning;
    const std::string words = shown(mistake.message);
    editor.text.AddMarker(mistake.line - 1, colour(mix(look().palette.panel, rgb, 0.45)), colour(rgb, 0.16f),
                          words, words);
  }
}

void go_to(AuthorEditor& editor, uint32_t line) {
  editor.text.SetCursor({line - 1, 0});
  editor.text.ScrollToLine(line - 1);
  editor.text.SetFocus();
}

uint32_t line_of(const AuthorEditor& editor) {
  return static_cast<uint32_t>(editor.text.GetMainCursorPosition().line) + 1;
}

void save(AuthorEditor& editor, Actions& actions) {
  editor.edited = false;
  actions.push(SaveLesson{editor.text.GetText(), line_of(editor)});
}

// The editor has it at once, the file when the author saves it: so it can be undone.
void record(const AppState& state, AuthorEditor& editor) {
  const Result<std::string> recorded =
      lesson::with_recorded_show(editor.text.GetText(), line_of(editor), show_of(state));
  editor.refusal = recorded ? "" : recorded.error().message;
  if (!recorded) return;
  const auto cursor = editor.text.GetMainCursorPosition();
  editor.text.SelectAll();
  editor.text.ReplaceTextInAllCursors(*recorded);
  editor.text.SetCursor(cursor);
  editor.edited = true;
}

// The file's name, a dot while it is not saved, and the way out.
void draw_title(const AuthorEditor& editor, Actions& actions) {
  ImGui::PushFont(look().strong, 0.0f);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(editor.edited ? "lesson.md ●" : "lesson.md");
  ImGui::PopFont();
  ImGui::SameLine();
  const float width = chip_width("×");
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, ImGui::GetContentRegionAvail().x - width));
  if (chip("×##close_author")) actions.push(ShowAuthor{false});
  hover_text("Closes the author's view (Learn menu).");
}

void draw_buttons(const AppState& state, AuthorEditor& editor, Actions& actions) {
  if (main_button("Save##lesson", editor.edited)) save(editor, actions);
  hover_text("Saves lesson.md and shows the step that the cursor is in (Ctrl+Enter).");
  wrap_before(chip_width("Record this state"));
  if (chip("Record this state")) record(state, editor);
  hover_text(
      "Writes what the window shows now as the show block of the step that the cursor is in: kernel, sizes, "
      "view, what is pinned. Lines of the block about hiding and changes are kept.");
  if (!state.lesson.is_open()) return;
  const auto& steps = state.lesson.open->lesson.steps;
  const std::string step = fmt::format("to step {}", state.lesson.player.at + 1);
  wrap_before(chip_width(step + "###to_step"));
  if (chip(step + "###to_step") && state.lesson.player.at < steps.size())
    go_to(editor, steps[state.lesson.player.at].line);
  hover_text("Goes to the step that the window shows.");
}

void draw_mistakes(AuthorEditor& editor) {
  constexpr size_t most = 6;
  for (size_t i = 0; i < std::min(editor.marked.size(), most); ++i) {
    const Diagnostic& mistake = editor.marked[i];
    const std::string where =
        mistake.line == 0 ? mistake.file : fmt::format("{}:{}", mistake.file, mistake.line);
    if (link(fmt::format("{}: {}##mistake_{}", where, shown(mistake.message), i)) && mistake.line != 0)
      go_to(editor, mistake.line);
  }
  if (editor.marked.size() > most)
    quiet_text(fmt::format("and {} more mistakes", editor.marked.size() - most));
  if (!editor.refusal.empty()) body_text(editor.refusal);
}

void draw_text(AuthorEditor& editor) {
  ImGui::PushFont(look().mono, small_size);
  editor.text.Render(lesson_editor_id, ImGui::GetContentRegionAvail());
  ImGui::PopFont();
  const std::string name = fmt::format("{}/{}_{:08X}", ImGui::GetCurrentWindow()->Name, lesson_editor_id,
                                       ImGui::GetID(lesson_editor_id));
  if (ImGuiWindow* window = ImGui::FindWindowByName(name.c_str())) mark_as_typed_into(*window, true);
  if (editor.undo_index == editor.text.GetUndoIndex()) return;
  editor.undo_index = editor.text.GetUndoIndex();
  editor.edited = editor.text.GetText() != editor.saved;
}

}  // namespace

bool shows_author(const AppState& state) {
  const bool open = state.lesson.is_open() || !state.lesson.broken.empty();
  return state.author.on && state.author.has_file() && open && !state.frame.present;
}

float author_width(float room) { return std::min(scaled(560), room * 0.42f); }

void draw_author(const AppState& state, AuthorMemory& memory, ImVec2 position, ImVec2 size,
                 Actions& actions) {
  if (!memory.editor) {
    memory.editor = std::make_shared<AuthorEditor>();
    memory.editor->text.SetTabSize(2);
    memory.editor->text.SetInsertSpacesOnTabs(true);
    memory.editor->text.SetShowWhitespacesEnabled(false);
    memory.editor->text.SetCompletePairedGlyphs(false);
  }
  AuthorEditor& editor = *memory.editor;
  if (take_editor_look(editor.text, editor.look)) editor.marked.clear();
  take_file(state, editor);
  mark_mistakes(state, editor);
  draw_strip("###author", position, size, scaled(7), [&] {
    if (editor.edited && ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_Enter, ImGuiInputFlags_RouteFocused))
      save(editor, actions);
    draw_title(editor, actions);
    draw_buttons(state, editor, actions);
    draw_mistakes(editor);
    draw_text(editor);
  });
}

}  // namespace warplens
