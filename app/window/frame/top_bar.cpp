#include "app/window/frame/top_bar.h"

#include <algorithm>

#include "app/state/frame/commands.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "app/window/frame/strips.h"

namespace warplens {
namespace {

// In a page, F5 is the browser's; beside the text of a program, it is the program's.
const char* run_label_text(const AppState& state) {
  return state.frame.in_a_page || edits_program(state) ? "Run" : "Run  F5";
}

struct MenuName {
  Menu menu;
  const char* name;
};
constexpr MenuName menu_names[] = {{Menu::file, "File"},
                                   {Menu::run, "Run"},
                                   {Menu::view, "View"},
                                   {Menu::learn, "Learn"},
                                   {Menu::help, "Help"}};

constexpr float run_glyph = 18;  // room for its triangle

constexpr const char *predict_label = "Predict", *help_label = "?";

float run_width(const AppState& state) {
  ImGui::PushFont(look().strong, 0.0f);
  const float width = chip_width(run_label_text(state)) + scaled(run_glyph);
  ImGui::PopFont();
  return width;
}

float right_width(const AppState& state) {
  return picker_width(device_label(state)) + picker_width(kernel_label(state)) + run_width(state) +
         2 * ImGui::GetStyle().ItemSpacing.x;
}

float toggle_width() {
  return chip_width(predict_label) + chip_width(help_label) + 2 * ImGui::GetStyle().ItemSpacing.x;
}

float left_width() {
  ImGui::PushFont(look().strong, body_size + 2);
  float width = ImGui::CalcTextSize("WarpLens").x;
  ImGui::PopFont();
  for (const MenuName& menu : menu_names) width += chip_width(menu.name) + ImGui::GetStyle().ItemSpacing.x;
  return width;
}

void draw_menu_items(const std::vector<Command>& commands, Menu menu, Actions& actions) {
  for (const Command& command : commands) {
    if (command.menu != menu) continue;
    if (command.separator) ImGui::Separator();
    const std::string key = key_text(command.key);
    const char* shortcut = key.empty() ? nullptr : key.c_str();
    if (ImGui::MenuItem(shown_label(command.title).c_str(), shortcut, command.checked, command.enabled)) {
      actions.push(command.action);
    }
  }
}

void draw_menus(const AppState& state, Actions& actions) {
  // On a phone the menus need all of the line.
  const bool named = left_width() <= ImGui::GetWindowWidth() - 2 * ImGui::GetStyle().WindowPadding.x;
  if (named) {
    ImGui::PushFont(look().strong, body_size + 2);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("WarpLens");
    ImGui::PopFont();
  }
  for (const MenuName& menu : menu_names) {
    if (named || &menu != menu_names) ImGui::SameLine();
    ImGui::PushStyleColor(ImGuiCol_Button, ImVec4{0, 0, 0, 0});
    ImGui::PushStyleColor(ImGuiCol_Text, colour(look().palette.quiet));
    const bool open = ImGui::Button(shown_label(menu.name).c_str());
    ImGui::PopStyleColor(2);
    const std::string popup = std::string("menu_") + menu.name;
    const ImVec2 below{ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + scaled(4)};
    if (open) ImGui::OpenPopup(popup.c_str());
    ImGui::SetNextWindowPos(below);
    if (ImGui::BeginPopup(popup.c_str())) {
      draw_menu_items(menu_commands(state), menu.menu, actions);
      ImGui::EndPopup();
    }
  }
}

// Whether this button is the next thing to do. In a lesson that is an answer, in a challenge the judge, for
// changed code and for a program its own button.
bool run_comes_next(const AppState& state) {
  const bool learns = state.lesson.is_open() || state.challenge.is_open();
  const bool changed = state.code.own && state.code.text != state.code.compiled;
  return !learns && !changed && state.frame.view != View::program;
}

void draw_run_button(const AppState& state, Actions& actions) {
  const Palette& p = look().palette;
  const bool next = run_comes_next(state);
  const uint32_t ground = next ? p.action : p.raised, ink = next ? p.on_action : p.text;
  ImGui::PushStyleColor(ImGuiCol_Button, colour(ground));
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, colour(mix(ground, ink, 0.15)));
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, colour(mix(ground, next ? 0x000000 : ink, 0.15)));
  ImGui::PushStyleColor(ImGuiCol_Text, colour(ink));
  ImGui::PushFont(look().strong, 0.0f);
  if (ImGui::Button("###run", {run_width(state), 0})) actions.push(RunAgain{});
  ImGui::PopStyleColor(4);
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const float left = min.x + ImGui::GetStyle().FramePadding.x, y = (min.y + max.y) * 0.5f, d = scaled(5);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddTriangleFilled({left, y - d}, {left, y + d}, {left + d * 1.7f, y}, colour(ink));
  draw->AddText({left + scaled(run_glyph), min.y + ImGui::GetStyle().FramePadding.y}, colour(ink),
                shown(run_label_text(state)).c_str());
  ImGui::PopFont();
  hover_text("Runs again with the same choices. Every change runs by itself.");
}

void draw_predict_toggle(const AppState& state, Actions& actions) {
  const bool on = state.predict.on;
  if (chip(std::string(predict_label) + "###predict", on, !state.lesson.is_open()))
    actions.push(SetPredict{!on});
  hover_text(
      "Predict, then reveal: after each change, the figures that it gives stay hidden until you have guessed "
      "one.");
}

void draw_help(Actions& actions) {
  if (chip(std::string(help_label) + "###help")) actions.push(ShowManual{});
  hover_text("The manual");
}

// The toggle of predictions is in the menu Learn too, and help in the menu Help: they make no second line,
// and on a phone they leave the second one to the rest. Device and kernel are those of the lesson or
// challenge: where text is large, they leave their line to what is to be read.
struct BarFit {
  bool one_line = true, toggle = true, pickers = true;
};

BarFit bar_fit(const AppState& state, float width) {
  const float spare =
      width - 2 * ImGui::GetStyle().WindowPadding.x - left_width() - right_width(state) - scaled(12);
  const bool one_line = spare >= 0;
  if (!one_line && leaves_room_to_read(state)) return {true, false, false};
  if (one_line) return {true, spare >= toggle_width(), true};
  const float second = spare + left_width() + picker_width(kernel_label(state)) - picker_width("kernel…");
  return {false, second >= toggle_width(), true};
}

}  // namespace

float top_bar_height(const AppState& state, float width) {
  const float line = ImGui::GetFrameHeight();
  const float lines = bar_fit(state, width).one_line ? line : 2 * line + ImGui::GetStyle().ItemSpacing.y;
  return lines + 2 * scaled(7);
}

void draw_top_bar(const AppState& state, TopBarState& own, Actions& actions) {
  draw_menus(state, actions);
  const float right = ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x;
  const BarFit fit = bar_fit(state, ImGui::GetWindowWidth());
  const float toggle = fit.toggle ? toggle_width() : 0;
  if (!fit.pickers) {
    ImGui::SameLine(std::max(right - run_width(state), 0.0f));
    return draw_run_button(state, actions);
  }
  if (fit.one_line) ImGui::SameLine(std::max(right - right_width(state) - toggle, 0.0f));
  draw_device_picker(state, own.pickers, actions);
  ImGui::SameLine();
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float room = right - ImGui::GetCursorPosX() - gap - run_width(state) - toggle;
  draw_kernel_picker(state, own.pickers, actions, room);
  ImGui::SameLine();
  if (fit.toggle) {
    draw_predict_toggle(state, actions);
    ImGui::SameLine();
    draw_help(actions);
    ImGui::SameLine();
  }
  draw_run_button(state, actions);
}

}  // namespace warplens
