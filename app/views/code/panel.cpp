#include "app/views/code/panel.h"

#include <imgui.h>

#include <algorithm>

#include "app/base/format.h"
#include "app/state/outlook.h"
#include "app/views/code/editor_panel.h"
#include "app/views/code/picture.h"
#include "app/views/code/status.h"
#include "app/widgets/widgets.h"

namespace warplens {
namespace {

void draw_resources(const AppState& state) {
  const Resources* resources = known_resources(state);
  for (const Figure& figure : resource_figures(resources)) {
    const std::string words = figure.value + " " + figure.label;
    ImGui::PushFont(look().words, small_size);
    wrap_before(ImGui::CalcTextSize(words.c_str()).x + scaled(14));
    ImGui::AlignTextToFramePadding();
    const bool spills = figure.label.starts_with("spilled") && !figure.value.starts_with("0 ");
    ImGui::PushStyleColor(ImGuiCol_Text, colour(spills ? look().palette.text : look().palette.quiet));
    ImGui::TextUnformatted(words.c_str());
    ImGui::PopStyleColor();
    ImGui::PopFont();
    hover_text(figure.formula);
  }
  if (resources != nullptr) {
    wrap_before(scaled(60));
    ImGui::AlignTextToFramePadding();
    source_tag(Source::derived, "From NVIDIA's assembler, for the chosen device.");
  }
}

// With very little height, the lines of the source come first.
bool is_low() { return ImGui::GetWindowHeight() < scaled(360); }

void draw_head(const AppState& state, Actions& actions) {
  const CodeState& code = state.code;
  const std::string name = code.own ? code.name : state.setup.kernel->source_name;
  ImGui::PushFont(look().strong, body_size);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted((name + (code.dirty() ? " •" : "")).c_str());
  ImGui::PopFont();
  if (code.own) hover_text(code.path.empty() ? "In no file yet: Save code as… in the File menu." : code.path);
  const CodeStatus status = status_of(code);
  wrap_before(ImGui::CalcTextSize(status.words.c_str()).x);
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, colour(status.errors ? look().palette.text : look().palette.quiet));
  ImGui::TextUnformatted(status.words.c_str());
  ImGui::PopStyleColor();
  if (status.measured) {
    wrap_before(scaled(70));
    ImGui::AlignTextToFramePadding();
    source_tag(Source::measured, "How long NVIDIA's compiler took on this machine.");
  }
  if (!code.own) {
    wrap_before(chip_width("Edit a copy"));
    if (chip("Edit a copy")) actions.push(EditCopy{});
    hover_text("The built-in kernel stays as it is; your copy runs in its place (Ctrl+E).");
  } else if (code.wanted != 0) {
    wrap_before(chip_width("Cancel"));
    if (chip("Cancel##compile")) actions.push(CancelRun{});
  } else {
    wrap_before(chip_width("Run it"));
    if (chip("Run it", code.text != code.compiled)) actions.push(RunSource{});
    hover_text("Compiles and runs the text; saves it where it has a file (Ctrl+S).");
  }
  if (code.own && code.entries.size() > 1) {
    ImGui::SetNextItemWidth(scaled(160));
    wrap_before(scaled(160));
    if (begin_drop_down("##entry", state.setup.kernel->title)) {
      for (const std::string& entry : code.entries)
        if (ImGui::Selectable(entry.c_str(), entry == state.setup.kernel->title))
          actions.push(ChooseEntry{entry});
      ImGui::EndCombo();
    }
  }
  if (!is_low()) draw_resources(state);
}

// The tabs that choose the shown side, and the text beside the source.
void draw_tabs(CodePanelState& own, bool both) {
  bool first = both;
  if (!both && chip("CUDA C++", own.show_source)) own.show_source = true;
  const auto tab = [&](const std::string& label, std::optional<CodeForm> form) {
    if (!first) wrap_before(chip_width(label));
    first = false;
    if (!chip(label, own.form == form && (both || !own.show_source))) return;
    own.form = form;
    own.show_source = false;
  };
  tab("PTX", std::nullopt);
  for (const CodeForm form : code_forms) tab(std::string(title_of(form)), form);
  wrap_before(chip_width("Save picture…"));
  if (chip("Save picture…")) ImGui::OpenPopup(save_popup_id);
}

// The same as a list that opens, beside the head.
void draw_tab_list(CodePanelState& own) {
  const std::string shown = own.show_source ? "CUDA C++"
                            : own.form      ? std::string(title_of(*own.form))
                                            : std::string("PTX");
  const float width = chip_width("CUDA C++") + ImGui::GetFrameHeight();
  wrap_before(width);
  ImGui::SetNextItemWidth(width);
  if (begin_drop_down("##shown", shown)) {
    if (ImGui::Selectable("CUDA C++", own.show_source)) own.show_source = true;
    const auto entry = [&](const std::string& label, std::optional<CodeForm> form) {
      if (!ImGui::Selectable(label.c_str(), !own.show_source && own.form == form)) return;
      own.form = form;
      own.show_source = false;
    };
    entry("PTX", std::nullopt);
    for (const CodeForm form : code_forms) entry(std::string(title_of(form)), form);
    ImGui::EndCombo();
  }
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
  ImGui::BeginChild("form", {0, 0}, ImGuiChildFlags_None, ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PushFont(look().mono, small_size);
  const auto lines = lines_of(*text);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(lines.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const std::string_view line = lines[static_cast<size_t>(i)];
      ImGui::TextUnformatted(line.data(), line.data() + line.size());
    }
  ImGui::PopFont();
  ImGui::EndChild();
}

constexpr float least_beside = 330;  // the width that other texts need beside the source

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
  ImGui::TextWrapped("%s", change.sentence.c_str());
  ImGui::PopFont();
  ImGui::SameLine();
  if (chip("Undo##change")) actions.push(Undo{});
  hover_text("Brings the kernel from before back (Ctrl+Z).");
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

}  // namespace

void draw_code(const AppState& state, CodePanelState& own, Actions& actions) {
  if (!state.setup.kernel) return quiet_text("No kernel is chosen.");
  if (!own.editor) own.editor = make_code_editor();
  follow_part(state, View::code, own.part, [&](std::string_view part) {
    own.show_source = part == "cuda";
    if (part != "cuda") own.form = code_form_from(part);
  });
  tell_part(View::code, own.show_source ? "cuda" : own.form ? name_of(*own.form) : "ptx", own.part, actions);
  draw_head(state, actions);
  const auto change = change_of(state, own);
  if (change) draw_change(*change, actions);
  const LinksKey key{state.setup.launch.kernel, state.setup.own_kernel};
  const auto links =
      own.links.get(key, state.setup.kernel->ptx.size() < (1 << 17), [key, kernel = *state.setup.kernel] {
        return LinksOfKernel{key, link_code(kernel)};
      });
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float source = source_width(state), beside = room.x - source - scaled(12);
  const bool both = beside >= scaled(least_beside);  // else one at a time
  if (!both) is_low() ? draw_tab_list(own) : draw_tabs(own, false);
  const float width = both ? std::max(source, room.x * 0.5f) : 0;
  if (both || own.show_source) {
    const float height = ImGui::GetContentRegionAvail().y;
    draw_code_editor(state, *own.editor, state.selection.shown().line,
                     width > 0 ? width : ImGui::GetContentRegionAvail().x, height, change.get(), actions);
    if (!both) return;
    ImGui::SameLine(0, scaled(12));
  }
  ImGui::BeginChild("beside", {0, 0});
  if (both) draw_tabs(own, true);
  if (links != nullptr) draw_save(state, own, links->links, actions);
  if (own.form) {
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
