#include "app/frame/tour.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <string>

#include "app/widgets/widgets.h"

namespace warplens {
namespace {

struct Stop {
  const char* window;  // that it explains; empty if none
  const char* title;
  const char* words;
};
constexpr std::array<Stop, 6> stops = {{
    {"", "A kernel has just run",
     "WarpLens ran a CUDA kernel on a virtual GPU, on this computer's processor, and kept what every thread "
     "did. No graphics card is needed."},
    {"launch", "Choose what runs",
     "Kernel, data, block and grid. Move something: it runs again at once, and Ctrl+Z takes it back. "
     "Warnings stand below, each with a button that mends it."},
    {"image", "See what it did",
     "The tabs show the same run in different ways: the picture, the grid of blocks, memory, occupancy, "
     "code. Point at something to see it everywhere; click to hold it."},
    {"inspector", "Ask who did it",
     "Which thread of which block wrote the element under the pointer, from what it read, and how it found "
     "its place."},
    {"problems", "Mend what is wrong",
     "Faults, warnings and errors, each with its line. A kernel that runs wild ends here, and never takes "
     "the program with it."},
    {"", "Everything is a key away",
     "Ctrl+P finds every command, F1 lists the keys, Ctrl+E edits a copy of the kernel, F11 is for the "
     "projector. Help › Manual has the rest."},
}};

void point_at(const char* name) {
  const ImGuiWindow* window = ImGui::FindWindowByName((std::string("###") + name).c_str());
  if (window == nullptr || !window->WasActive) return;
  ImGui::GetForegroundDrawList()->AddRect(window->Pos,
                                          {window->Pos.x + window->Size.x, window->Pos.y + window->Size.y},
                                          colour(look().palette.accent), scaled(6), 0, scaled(2.5f));
}

}  // namespace

void draw_tour(const AppState& state, Actions& actions) {
  if (state.frame.tour_step == 0 || state.frame.tour_step > stops.size()) return;
  const Stop& stop = stops[state.frame.tour_step - 1];
  if (*stop.window != '\0') point_at(stop.window);
  const ImVec2 room = ImGui::GetMainViewport()->Size;
  const float width = std::min(scaled(400), room.x * 0.8f);
  ImGui::SetNextWindowPos({(room.x - width) * 0.5f, room.y * 0.62f}, ImGuiCond_Always);
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, room.y * 0.36f});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, colour(look().palette.raised));
  ImGui::PushStyleColor(ImGuiCol_Border, colour(look().palette.accent));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, scaled(1));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {scaled(18), scaled(14)});
  ImGui::Begin("##tour", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_AlwaysAutoResize);
  if (ImGui::IsWindowAppearing()) ImGui::SetWindowFocus();
  title(stop.title);
  body_text(stop.words);
  ImGui::Dummy({0, scaled(4)});
  const bool last = state.frame.tour_step == stops.size();
  if (chip(last ? "Done" : "Next", true)) actions.push(ShowTour{last ? 0 : state.frame.tour_step + 1});
  if (state.frame.tour_step > 1) {
    wrap_before(chip_width("Back"));
    if (chip("Back")) actions.push(ShowTour{state.frame.tour_step - 1});
  }
  if (!last) {
    wrap_before(chip_width("Skip"));
    if (chip("Skip")) actions.push(ShowTour{0});
  }
  const std::string count = std::to_string(state.frame.tour_step) + " of " + std::to_string(stops.size());
  wrap_before(ImGui::CalcTextSize(count.c_str()).x);
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, colour(look().palette.quiet));
  ImGui::TextUnformatted(count.c_str());
  ImGui::PopStyleColor();
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor(2);
}

}  // namespace warplens
