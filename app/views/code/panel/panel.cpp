#include "app/views/code/panel/panel.h"

#include <imgui.h>

#include <algorithm>

#include "app/base/format.h"
#include "app/state/code/offered_code.h"
#include "app/state/parts/lesson.h"
#include "app/state/setup/outlook.h"
#include "app/views/code/panel/editor_panel.h"
#include "app/views/code/panel/lines_panel.h"
#include "app/views/code/panel/not_typed_panel.h"
#include "app/views/code/picture.h"
#include "app/views/code/status.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
namespace {

// With very little height, the lines of the source come first.
bool is_low() { return ImGui::GetWindowHeight() < scaled(360); }

// What the kernel takes of an SM, at the end of the line, as far as there is room. The rest is in the hover
// text.
void draw_resources(const AppState& state, float left) {
  const Resources* resources = known_resources(state);
  if (resources == nullptr) return;
  ImGui::PushFont(look().words, small_size);
  const float tag = size_of_words(source_words(Provenance::derived)).x + scaled(12);
  const float gap = scaled(14), right = ImGui::GetContentRegionMax().x;
  float room = right - left - tag - gap;
  std::string words, all;
  bool full = false;
  for (const Figure& figure : resource_figures(resources)) {
    const std::string next = figure.value + " " + figure.label;
    all += next + (figure.formula.empty() ? "\n" : ": " + figure.formula + "\n");
    const float width = size_of_words((" · " + next)).x;
    full = full || width > room;
    if (full) continue;
    room -= width;
    words += (words.empty() ? "" : " · ") + next;
  }
  if (!words.empty()) {
    ImGui::SameLine(right - tag - gap - size_of_words(words).x);
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, colour(look().palette.quiet));
    show_words(words);
    ImGui::PopStyleColor();
    hover_text(all);
    ImGui::SameLine(right - tag);
    const float height = ImGui::GetTextLineHeight() + scaled(2);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + (ImGui::GetFrameHeight() - height) * 0.5f);
    source_tag(Provenance::derived, "From NVIDIA's assembler, for the chosen device.");
  }
  ImGui::PopFont();
}

// What can be done with the source, at the end of the first line.
struct HeadButton {
  const char* label;
  const char* hint;
  bool main = false;
};

std::optional<HeadButton> head_button(const AppState& state) {
  const CodeState& code = state.code;
  if (state.setup.kernel->recorded) return std::nullopt;  // it is changed in its program
  if (!code.own && (lacks_compiler(state) || !why_not_for_students(state, EditCopy{}).empty()))
    return std::nullopt;
  if (!code.own)
    return HeadButton{"Edit a copy", "The built-in kernel is not changed; your copy runs instead (Ctrl+E)."};
  if (code.wanted != 0) return HeadButton{"Cancel##compile", ""};
  return HeadButton{"Run it", "Compiles and runs the text; saves it where it has a file (Ctrl+S).",
                    code.text != code.compiled && !state.challenge.is_open()};  // which is judged
}

void press(const CodeState& code, Actions& actions) {
  if (!code.own)
    actions.push(EditCopy{});
  else if (code.wanted != 0)
    actions.push(CancelRun{});
  else
    actions.push(RunSource{});
}

// One line whatever happens: name and state at its start, what can be done at its end.
void draw_head(const AppState& state, Actions& actions) {
  const CodeState& code = state.code;
  const std::optional<HeadButton> button = head_button(state);
  constexpr float entry_room = 160;
  const bool entries = code.own && code.entries.size() > 1;
  const float gap = ImGui::GetStyle().ItemSpacing.x, right = ImGui::GetContentRegionMax().x;
  const float action = std::max({chip_width("Edit a copy"), chip_width("Run it"), chip_width("Cancel")});
  const float end = right - action - (entries ? scaled(entry_room) + gap : 0);
  const std::string& path = state.setup.kernel->source_name;  // a recorded kernel's has its folder
  const std::string name =
      (code.own ? code.name : path.substr(path.find_last_of("/\\") + 1)) + (code.dirty() ? " •" : "");
  const float start = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  ImGui::PushFont(look().strong, body_size);
  ImGui::TextUnformatted(cut_to(name, end - start - gap).c_str());
  ImGui::PopFont();
  if (code.own) hover_text(code.path.empty() ? "In no file yet: Save code as… in the File menu." : code.path);
  if (state.setup.kernel->recorded) hover_text(path);
  CodeStatus status = status_of(code);
  if (state.setup.kernel->recorded) status = {.words = "of the recorded program"};
  ImGui::SameLine();
  const float room = end - ImGui::GetCursorPosX() - gap;
  if (room > scaled(40)) {
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, colour(status.errors ? look().palette.text : look().palette.quiet));
    show_words(cut_to(status.words, room));
    ImGui::PopStyleColor();
    hover_text(status.measured ? status.words + " Measured: how long NVIDIA's compiler took on this machine."
                               : status.words);
    ImGui::SameLine();
  }
  if (entries) {
    ImGui::SameLine(end);
    ImGui::SetNextItemWidth(scaled(entry_room));
    if (begin_drop_down("##entry", state.setup.kernel->title)) {
      for (const std::string& entry : code.entries)
        if (ImGui::Selectable(entry.c_str(), entry == state.setup.kernel->title))
          actions.push(ChooseEntry{entry});
      ImGui::EndCombo();
    }
  }
  if (!button) return ImGui::NewLine();
  ImGui::SameLine(right - chip_width(button->label));
  if (button->main ? main_button(button->label) : chip(button->label)) press(code, actions);
  hover_text(button->hint);
}

struct Tab {
  std::string label;
  bool source = false;           // as the kernel was written
  std::optional<CodeForm> form;  // else PTX
  bool compares = false;         // instead: both compilers
};

// A kernel of a program that was recorded has no other forms: how its data is made is the program's.
std::vector<Tab> tabs_of(const AppState& state, bool both) {
  std::vector<Tab> tabs;
  if (!both) tabs.push_back({is_python(*state.setup.kernel) ? "Python" : "CUDA C++", true, std::nullopt});
  tabs.push_back({"PTX", false, std::nullopt});
  if (state.setup.kernel->recorded) return tabs;
  for (const CodeForm form : code_forms) tabs.push_back({std::string(title_of(form)), false, form});
  if (can_compare_compilers(state)) tabs.push_back({"Compilers", false, std::nullopt, true});
  return tabs;
}

bool is_shown(const CodePanelState& own, const Tab& tab, bool both) {
  if (tab.source) return own.show_source;
  return own.compares == tab.compares && own.form == tab.form && (both || !own.show_source);
}

void show(CodePanelState& own, const Tab& tab) {
  own.show_source = tab.source;
  if (tab.source) return;
  own.form = tab.form;
  own.compares = tab.compares;
}

// One line: the tabs that choose the shown side or the text next to the source, and what the kernel takes. A
// list that opens where there is no room.
void draw_tabs(const AppState& state, CodePanelState& own, bool both) {
  const std::vector<Tab> tabs = tabs_of(state, both);
  std::vector<Segment> segments;
  size_t shown = 0;
  for (size_t i = 0; i < tabs.size(); ++i) {
    if (is_shown(own, tabs[i], both)) shown = i;
    segments.push_back({tabs[i].label, is_shown(own, tabs[i], both)});
  }
  const float save = chip_width("Save…") + ImGui::GetStyle().ItemSpacing.x;
  if (!is_low() && segmented_width(segments) + save <= ImGui::GetContentRegionAvail().x) {
    if (const auto pressed = segmented(segments)) show(own, tabs[*pressed]);
  } else {
    ImGui::SetNextItemWidth(chip_width("CUDA C++") + ImGui::GetFrameHeight());
    if (begin_drop_down("##shown", tabs[shown].label)) {
      for (size_t i = 0; i < tabs.size(); ++i)
        if (ImGui::Selectable(shown_label(tabs[i].label).c_str(), i == shown)) show(own, tabs[i]);
      ImGui::EndCombo();
    }
  }
  wrap_before(save);
  if (chip("Save…###save_code")) ImGui::OpenPopup(save_popup_id);
  hover_text("Saves this view as a picture.");
  if (!both) draw_resources(state, ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x + scaled(14));
}

void draw_ptx_line(const AppState& state, const CodeLinks& links, int index, const std::vector<uint32_t>* lit,
                   Actions& actions) {
  const auto number = static_cast<uint32_t>(index) + 1;
  const uint32_t source = links.source_of[static_cast<size_t>(index)];
  const bool chosen = lit != nullptr && std::ranges::binary_search(*lit, number);
  const std::string_view text = links.ptx_lines[static_cast<size_t>(index)];
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetTextLineHeight(), width = std::max(ImGui::GetContentRegionAvail().x, 1.0f);
  ImGui::PushID(index);
  const bool pressed =
      ImGui::InvisibleButton("##ptx", {width, height}, source != 0 ? ImGuiButtonFlags_EnableNav : 0);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  if (chosen)
    draw->AddRectFilled(at, {at.x + width, at.y + height}, colour(look().palette.accent, 0.2f), scaled(2));
  if (ImGui::IsItemHovered() && source != 0)
    draw->AddRectFilled(at, {at.x + width, at.y + height}, colour(look().palette.text, 0.06f));
  if (source != 0) {
    const uint32_t rgb = group_colours[source % group_colours.size()];
    draw->AddRectFilled({at.x, at.y + 1}, {at.x + scaled(3), at.y + height - 1}, colour(rgb));
    hover_text("From line " + std::to_string(source) + " of the source.");
  }
  std::string plain;
  for (const char c : text) plain += c == '\t' ? std::string("  ") : std::string(1, c);
  draw->AddText({at.x + scaled(10), at.y}, colour(chosen ? look().palette.text : look().palette.quiet),
                plain.c_str());
  ImGui::PopID();
  if (!pressed || source == 0) return;
  Pick pick = state.selection.pinned;
  pick.line = source;
  actions.push(Pin{pick});
}

void draw_ptx(const AppState& state, CodePanelState& own, const CodeLinks& links, Actions& actions) {
  ImGui::BeginChild("ptx", {0, 0}, ImGuiChildFlags_None, ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PushFont(look().mono, small_size);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, scaled(2)});
  const uint32_t line = state.selection.shown().line;
  const auto found = links.ptx_of.find(line);
  const std::vector<uint32_t>* lit = found == links.ptx_of.end() ? nullptr : &found->second;
  const float step = ImGui::GetTextLineHeightWithSpacing();
  const uint32_t wanted = lit ? lit->front() : links.entry_line;
  const uint32_t key = line + 1;
  if (own.scrolled_to != key && (lit || own.scrolled_to == 0)) {
    own.scrolled_to = key;
    const float top = static_cast<float>(wanted - 1) * step;
    const float seen = ImGui::GetScrollY();
    if (top < seen || top + 3 * step > seen + ImGui::GetWindowHeight())
      ImGui::SetScrollY(std::max(top - 3 * step, 0.0f));
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(links.ptx_lines.size()), step);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      draw_ptx_line(state, links, i, lit, actions);
  ImGui::PopStyleVar();
  ImGui::PopFont();
  ImGui::EndChild();
}

void draw_form(const AppState& state, CodePanelState& own) {
  const Result<std::string> text = code_in(*own.form, *state.setup.kernel, state.setup.launch);
  if (!text) return quiet_text(text.error().message);
  if (chip("Copy")) ImGui::SetClipboardText(text->c_str());
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  small_text("the numbers of the launch as it is now are put in");
  draw_lines("form", *text, {0, 0});
}

constexpr float least_beside = 330;  // the width that other texts need next to the source

// The width at which no line of the source is cut, up to 100 characters. It does not follow what is typed, so
// that the editor stays as wide as it is.
float source_width(const AppState& state) {
  size_t longest = 40;
  for (const std::string_view line : lines_of(state.setup.kernel->source))
    longest = std::max(longest, std::min<size_t>(line.size(), 100));
  ImGui::PushFont(look().mono, small_size);
  const float letter = ImGui::CalcTextSize("0").x;
  ImGui::PopFont();
  constexpr float numbers = 17;  // letters for what stands left of the lines: counters and numbers
  return (static_cast<float>(longest) + numbers) * letter + ImGui::GetStyle().ScrollbarSize;
}

void draw_save(const AppState& state, CodePanelState& own, const CodeLinks& links, Actions& actions) {
  const auto draw = [&](Picture& picture, const Style& style, Box box) {
    draw_code_view(picture, style, box,
                   {state.setup.kernel, &links, state.runs.result.get(), state.selection.shown().line,
                    incidents_of_kernel(state)});
    return box.bottom();
  };
  draw_save_popup(own.save, {"code", draw}, state, actions);
}

std::shared_ptr<const SourceChange> change_of(const AppState& state, CodePanelState& own) {
  const std::string& before = state.code.changed_from;
  const auto from = before.empty() ? Result<const KernelDescription*>(failed("")) : find_kernel(before);
  if (!from || state.setup.kernel == nullptr) return nullptr;
  return own.change.get({before, state.setup.kernel->name}, true,
                        [&] { return source_change(**from, *state.setup.kernel); });
}

// After a fix that put another kernel in place: what differs, and the way back.
void draw_change(const SourceChange& change, Actions& actions) {
  constexpr size_t most = 8;
  ImGui::PushFont(look().strong, body_size);
  ImGui::AlignTextToFramePadding();
  show_wrapped(change.sentence);
  ImGui::PopFont();
  ImGui::SameLine();
  if (chip("Undo##change")) actions.push(Undo{});
  hover_text("Restores the previous kernel (Ctrl+Z).");
  // A small window shows the lines in the code alone, where they are marked.
  const float line = ImGui::GetTextLineHeight();
  const float room = ImGui::GetContentRegionAvail().y * 0.35f;
  ImGui::PushFont(look().mono, small_size);
  for (size_t i = 0; i < std::min(most, change.lines.size()); ++i) {
    if (static_cast<float>(i + 1) * line > room) break;
    const LineChange& row = change.lines[i];
    const uint32_t rgb = row.added ? look().palette.accent : look().palette.quiet;
    ImGui::PushStyleColor(ImGuiCol_Text, colour(rgb));
    ImGui::TextUnformatted(((row.added ? "+ " : "− ") + std::to_string(row.line) + "  " + row.text).c_str());
    ImGui::PopStyleColor();
  }
  ImGui::PopFont();
  ImGui::Dummy({0, scaled(4)});
}

// For a recorded kernel without its source: only the PTX, and how to get the source.
void draw_without_source(const AppState& state, CodePanelState& own, const CodeLinks* links,
                         Actions& actions) {
  const bool has_lines =
      links != nullptr && std::ranges::any_of(links->source_of, [](uint32_t line) { return line != 0; });
  show_wrapped(has_lines ? "The source of this kernel is not on this machine, or was moved since: this "
                           "is its PTX, and lines are those of the source."
                         : "The program keeps no line of its source with this kernel: this is its PTX. "
                           "Numba writes lines with @cuda.jit(lineinfo=True), nvcc and NVRTC with "
                           "-lineinfo, CuPy with options=('-lineinfo',). Then record it again.");
  if (links == nullptr) return quiet_text(own.links.why_not("The PTX's lines"));
  draw_save(state, own, *links, actions);
  if (chip("Save…###save_code")) ImGui::OpenPopup(save_popup_id);
  draw_ptx(state, own, *links, actions);
}

}  // namespace

void draw_code(const AppState& state, CodePanelState& own, Actions& actions) {
  if (!state.setup.kernel) return quiet_text("No kernel is chosen.");
  if (!own.editor) own.editor = make_code_editor();
  follow_part(state, View::code, own.part, [&](std::string_view part) {
    own.show_source = part == "cuda";
    own.compares = false;
    if (part != "cuda") own.form = code_form_from(part);
  });
  own.compares = own.compares && can_compare_compilers(state);
  tell_part(View::code, own.show_source ? "cuda" : own.form ? name_of(*own.form) : "ptx", own.part, actions);
  draw_head(state, actions);
  draw_not_typed(state, actions);
  const auto change = change_of(state, own);
  if (change) draw_change(*change, actions);
  const LinksKey key{state.setup.launch.kernel, state.setup.own_kernel};
  const auto links =
      own.links.get(key, state.setup.kernel->ptx.size() < (1 << 17), [key, kernel = *state.setup.kernel] {
        return LinksOfKernel{key, link_code(kernel)};
      });
  if (state.setup.kernel->recorded && state.setup.kernel->source.empty())
    return draw_without_source(state, own, links != nullptr ? &links->links : nullptr, actions);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float source = source_width(state), beside = room.x - source - scaled(12);
  const bool both = beside >= scaled(least_beside);  // else one at a time
  // With the box that its button opens, which belongs to the same window.
  const auto draw_head_of_text = [&] {
    draw_tabs(state, own, both);
    if (links != nullptr) draw_save(state, own, links->links, actions);
  };
  if (!both) draw_head_of_text();
  const float width = both ? std::max(source, room.x * 0.5f) : 0;
  if (both || own.show_source) {
    const float height = ImGui::GetContentRegionAvail().y;
    draw_code_editor(state, *own.editor, state.selection.shown().line,
                     width > 0 ? width : ImGui::GetContentRegionAvail().x, height, change.get(), actions);
    if (!both) return;
    ImGui::SameLine(0, scaled(12));
  }
  ImGui::BeginChild("beside", {0, 0});
  if (both) draw_head_of_text();
  if (own.compares) {
    draw_compilers(state, own.compilers);
  } else if (own.form) {
    draw_form(state, own);
  } else if (links != nullptr) {
    draw_ptx(state, own, links->links, actions);
  } else if (const std::string why = own.links.why_not("The PTX's lines"); !why.empty()) {
    quiet_text(why);
  }
  ImGui::EndChild();
}

std::unique_ptr<ViewPanel> make_code_panel() { return make_panel<CodePanelState, draw_code>(); }

}  // namespace warplens
