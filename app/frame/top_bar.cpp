#include "app/frame/top_bar.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "app/state/commands.h"
#include "app/widgets/widgets.h"

namespace warplens {
namespace {

constexpr const char* run_label_text = "Run  F5";

struct MenuName {
  Menu menu;
  const char* name;
};
constexpr MenuName menu_names[] = {
    {Menu::file, "File"}, {Menu::run, "Run"}, {Menu::view, "View"}, {Menu::help, "Help"}};

// Shortens "NVIDIA GeForce RTX 3060" to "RTX 3060".
std::string short_name(const std::string& name) {
  std::string text = name;
  for (const std::string_view prefix : {"NVIDIA ", "GeForce ", "Tesla "}) {
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
  }
  return text;
}

std::string device_label(const AppState& state) {
  return short_name(state.setup.device.name) + (state.setup.device.is_virtual ? " virtual" : "");
}

std::string kernel_label(const AppState& state) {
  return state.setup.kernel ? state.setup.kernel->title : std::string("no kernel");
}

float arrow_room() { return scaled(16); }

float picker_width(const std::string& label) {
  return ImGui::CalcTextSize(label.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x + arrow_room();
}

constexpr float run_glyph = 18;  // room for its triangle

float run_width() {
  ImGui::PushFont(look().strong, 0.0f);
  const float width = chip_width(run_label_text) + scaled(run_glyph);
  ImGui::PopFont();
  return width;
}

float right_width(const AppState& state) {
  return picker_width(device_label(state)) + picker_width(kernel_label(state)) + run_width() +
         2 * ImGui::GetStyle().ItemSpacing.x;
}

float left_width() {
  ImGui::PushFont(look().strong, body_size + 2);
  float width = ImGui::CalcTextSize("WarpLens").x + scaled(12);
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
    if (ImGui::MenuItem(command.title.c_str(), shortcut, command.checked, command.enabled)) {
      actions.push(command.action);
    }
  }
}

void draw_menus(const AppState& state, Actions& actions) {
  ImGui::PushFont(look().strong, body_size + 2);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("WarpLens");
  ImGui::PopFont();
  const std::vector<Command> commands = menu_commands(state);
  for (const MenuName& menu : menu_names) {
    ImGui::SameLine();
    ImGui::PushStyleColor(ImGuiCol_Button, ImVec4{0, 0, 0, 0});
    ImGui::PushStyleColor(ImGuiCol_Text, colour(look().palette.quiet));
    const bool open = ImGui::Button(menu.name);
    ImGui::PopStyleColor(2);
    const std::string popup = std::string("menu_") + menu.name;
    const ImVec2 below{ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + scaled(4)};
    if (open) ImGui::OpenPopup(popup.c_str());
    ImGui::SetNextWindowPos(below);
    if (ImGui::BeginPopup(popup.c_str())) {
      draw_menu_items(commands, menu.menu, actions);
      ImGui::EndPopup();
    }
  }
}

// A button with the choice on it; its popup has a search field and the list.
void draw_picker(const char* id, const std::string& label, std::string& filter,
                 const std::function<void(const std::string&)>& draw_list) {
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, scaled(1));
  ImGui::PushStyleColor(ImGuiCol_Border, colour(look().palette.line));
  ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, {0.0f, 0.5f});
  const bool open = ImGui::Button((label + "###" + id).c_str(), {picker_width(label), 0});
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const float x = max.x - arrow_room() + scaled(2), y = (min.y + max.y) * 0.5f, d = scaled(4);
  ImGui::GetWindowDrawList()->AddTriangleFilled({x - d, y - d * 0.6f}, {x + d, y - d * 0.6f},
                                                {x, y + d * 0.8f}, colour(look().palette.quiet));
  const std::string popup = std::string("pick_") + id;
  if (open) {
    filter.clear();
    ImGui::OpenPopup(popup.c_str());
  }
  const ImVec2 room = ImGui::GetMainViewport()->Size;
  const float width = std::min(scaled(340), room.x * 0.9f);
  ImGui::SetNextWindowPos({std::min(min.x, room.x - width), max.y + scaled(4)});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, room.y * 0.7f});
  if (!ImGui::BeginPopup(popup.c_str())) return;
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, colour(look().palette.panel));
  char text[64] = {};
  filter.copy(text, sizeof(text) - 1);
  if (ImGui::InputTextWithHint("##search", "search", text, sizeof(text))) filter = text;
  ImGui::PopStyleColor();
  draw_list(filter);
  ImGui::EndPopup();
}

void draw_devices(const std::vector<Device>& devices, const AppState& state, const std::string& filter,
                  Actions& actions) {
  for (const Device& device : devices) {
    if (match_score(device.name, filter) == 0) continue;
    const std::string label = short_name(device.name) + "##" + device.id;
    if (ImGui::Selectable(label.c_str(), device.id == state.setup.device.id))
      actions.push(ChooseDevice{device.id});
    const std::string about = std::to_string(device.sms) + " SMs · " +
                              std::to_string(device.compute_capability.major) + "." +
                              std::to_string(device.compute_capability.minor);
    const float room = ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x;
    const float width = ImGui::CalcTextSize(about.c_str()).x;
    const ImVec2 at = ImGui::GetItemRectMin();
    ImGui::GetWindowDrawList()->AddText(
        {ImGui::GetWindowPos().x + room - width, at.y + ImGui::GetStyle().ItemSpacing.y * 0.5f},
        colour(look().palette.quiet), about.c_str());
  }
}

void draw_device_list(const AppState& state, const std::string& filter, Actions& actions) {
  if (!state.setup.real_gpus.devices.empty()) heading("Real GPUs · of this machine");
  draw_devices(state.setup.real_gpus.devices, state, filter, actions);
  heading("Virtual GPUs · any machine runs them");
  draw_devices(built_in_devices(), state, filter, actions);
}

void draw_kernel_list(const AppState& state, const std::string& filter, Actions& actions) {
  std::string category;  // kernels of one category stand together
  for (const KernelDescription& kernel : built_in_kernels()) {
    if (match_score(kernel.title + " " + kernel.name + " " + kernel.category, filter) == 0) continue;
    if (std::exchange(category, kernel.category) != kernel.category) heading(kernel.category);
    const std::string label = kernel.title + "##" + kernel.name;
    if (ImGui::Selectable(label.c_str(), &kernel == state.setup.kernel))
      actions.push(ChooseKernel{kernel.name});
    hover_text(kernel.teaches);
  }
}

void draw_run_button(Actions& actions) {
  const Palette& p = look().palette;
  ImGui::PushStyleColor(ImGuiCol_Button, colour(p.action));
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, colour(mix(p.action, p.on_action, 0.15)));
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, colour(mix(p.action, 0x000000, 0.15)));
  ImGui::PushStyleColor(ImGuiCol_Text, colour(p.on_action));
  ImGui::PushFont(look().strong, 0.0f);
  if (ImGui::Button("###run", {run_width(), 0})) actions.push(RunAgain{});
  ImGui::PopStyleColor(4);
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const float left = min.x + ImGui::GetStyle().FramePadding.x, y = (min.y + max.y) * 0.5f, d = scaled(5);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddTriangleFilled({left, y - d}, {left, y + d}, {left + d * 1.7f, y}, colour(p.on_action));
  draw->AddText({left + scaled(run_glyph), min.y + ImGui::GetStyle().FramePadding.y}, colour(p.on_action),
                run_label_text);
  ImGui::PopFont();
  hover_text("Runs again with the same choices. Every change runs by itself.");
}

bool fits_one_line(const AppState& state, float width) {
  return left_width() + right_width(state) + scaled(24) <= width - 2 * ImGui::GetStyle().WindowPadding.x;
}

}  // namespace

float top_bar_height(const AppState& state, float width) {
  const float line = ImGui::GetFrameHeight();
  const float lines = fits_one_line(state, width) ? line : 2 * line + ImGui::GetStyle().ItemSpacing.y;
  return lines + 2 * scaled(7);
}

void draw_top_bar(const AppState& state, TopBarState& own, Actions& actions) {
  draw_menus(state, actions);
  const float right = ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x;
  if (fits_one_line(state, ImGui::GetWindowWidth())) {
    ImGui::SameLine(std::max(right - right_width(state), 0.0f));
  }
  draw_picker("device", device_label(state), own.device_filter,
              [&](const std::string& filter) { draw_device_list(state, filter, actions); });
  ImGui::SameLine();
  draw_picker("kernel", kernel_label(state), own.kernel_filter,
              [&](const std::string& filter) { draw_kernel_list(state, filter, actions); });
  ImGui::SameLine();
  draw_run_button(actions);
}

}  // namespace warplens
