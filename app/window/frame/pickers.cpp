#include "app/window/frame/pickers.h"

#include <imgui.h>

#include <algorithm>
#include <functional>

#include "app/state/frame/commands.h"
#include "app/state/parts/lesson.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "app/window/frame/strips.h"

namespace warplens {
namespace {

// Shortens "NVIDIA GeForce RTX 3060" to "RTX 3060".
std::string short_name(const std::string& name) {
  std::string text = name;
  for (const std::string_view prefix : {"NVIDIA ", "GeForce ", "Tesla "}) {
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
  }
  return text;
}

// A row of a picker, and what choosing it does.
struct Pickable {
  ChoiceRow row;
  std::string words;  // what else is searched
  Action action;
};

// The matching entries, the best first; all in their groups while nothing is typed.
std::vector<Pickable> matching(std::vector<Pickable> all, const std::string& typed) {
  if (typed.empty()) return all;
  std::vector<std::pair<int, size_t>> ranked;
  for (size_t i = 0; i < all.size(); ++i)
    if (const int score = match_score(all[i].row.text, typed, all[i].words)) ranked.emplace_back(-score, i);
  std::ranges::stable_sort(ranked, {}, [](const auto& entry) { return entry.first; });
  std::vector<Pickable> found;
  for (const auto& [score, index] : ranked) {
    found.push_back(std::move(all[index]));
    found.back().row.heading.clear();
  }
  return found;
}

bool draw_button(const char* id, const std::string& label) {
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, scaled(1));
  ImGui::PushStyleColor(ImGuiCol_Border, colour(look().palette.line));
  ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, {0.0f, 0.5f});
  const bool open = ImGui::Button((shown(label) + "###" + id).c_str(), {picker_width(label), 0});
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  drop_down_arrow(ImGui::GetWindowDrawList(), ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  return open;
}

// Below the button, or above it at the lower edge of the window.
void place_popup(float width) {
  const ImVec2 room = ImGui::GetMainViewport()->Size, min = ImGui::GetItemRectMin(),
               max = ImGui::GetItemRectMax();
  const bool below = max.y < room.y * 0.6f;
  const float gap = scaled(4);
  ImGui::SetNextWindowPos({std::min(min.x, room.x - width), below ? max.y + gap : min.y - gap},
                          ImGuiCond_Always, {0, below ? 0.0f : 1.0f});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, room.y * 0.8f});
}

void draw_picker(const char* id, const std::string& label, ChoiceListState& own,
                 const std::function<std::vector<Pickable>()>& all, Actions& actions) {
  const std::string popup = std::string("pick_") + id;
  if (draw_button(id, label)) ImGui::OpenPopup(popup.c_str());
  const ImVec2 room = ImGui::GetMainViewport()->Size;
  place_popup(std::min(scaled(360), room.x * 0.9f));
  if (!ImGui::BeginPopup(popup.c_str())) return;
  std::vector<Pickable> found;
  ChoiceList list;
  list.height = room.y * 0.62f;
  list.rows = [&](const std::string& typed) {
    found = matching(all(), typed);
    std::vector<ChoiceRow> rows;
    rows.reserve(found.size());
    for (const Pickable& pickable : found) rows.push_back(pickable.row);
    return rows;
  };
  if (const auto taken = draw_choice_list(list, own)) {
    actions.push(found[*taken].action);
    ImGui::CloseCurrentPopup();
  }
  if (ImGui::IsKeyPressed(ImGuiKey_Escape, false)) ImGui::CloseCurrentPopup();  // not only what is typed
  ImGui::EndPopup();
}

void add_devices(const std::vector<Device>& devices, const char* heading, const AppState& state,
                 std::vector<Pickable>& all) {
  for (const Device& device : devices) {
    const std::string about = std::to_string(device.sms) + " SMs · " +
                              std::to_string(device.compute_capability.major) + "." +
                              std::to_string(device.compute_capability.minor);
    ChoiceRow row{device.id, short_name(device.name), about, "", heading, device.id == state.setup.device.id};
    all.push_back({std::move(row), device.name + " " + device.id + " " + about, ChooseDevice{device.id}});
  }
}

std::vector<Pickable> all_devices(const AppState& state) {
  std::vector<Pickable> all;
  add_devices(state.setup.real_gpus.devices, "Real GPUs · of this machine", state, all);
  add_devices(built_in_devices(), "Virtual GPUs · any machine runs them", state, all);
  return all;
}

std::vector<Pickable> all_kernels(const AppState& state) {
  std::vector<Pickable> all;
  for (const KernelDescription& kernel : built_in_kernels()) {
    ChoiceRow row{kernel.name,    kernel.title,    "",
                  kernel.teaches, kernel.category, &kernel == state.setup.kernel};
    all.push_back({std::move(row), words_of(kernel), ChooseKernel{kernel.name}});
  }
  return all;
}

}  // namespace

std::string kernel_label(const AppState& state) {
  return state.setup.kernel ? state.setup.kernel->title : std::string("no kernel");
}

std::string device_label(const AppState& state) {
  return short_name(state.setup.device.name) + (state.setup.device.is_virtual ? " virtual" : "");
}

float picker_width(const std::string& label) {
  return size_of_words(label).x + 2 * ImGui::GetStyle().FramePadding.x + drop_down_arrow_room();
}

void draw_kernel_picker(const AppState& state, PickersState& own, Actions& actions, float room) {
  const std::string label = cut_to(kernel_label(state), room - picker_width(""));
  if (!why_not_for_students(state, ChooseKernel{}).empty()) {  // there is nothing to choose
    const float spare = picker_width(label) - size_of_words(label).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + spare);
    ImGui::AlignTextToFramePadding();
    return show_words(label);
  }
  draw_picker(
      "kernel", label, own.kernel, [&] { return all_kernels(state); }, actions);
}

void draw_device_picker(const AppState& state, PickersState& own, Actions& actions) {
  draw_picker(
      "device", device_label(state), own.device, [&] { return all_devices(state); }, actions);
}

}  // namespace warplens
