#include "app/frame/veil.h"

#include <imgui.h>

#include <algorithm>

#include "app/base/format.h"
#include "app/views/launch/marker_plot.h"
#include "app/widgets/draw_picture.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "core/lesson/goals/facts.h"

namespace warplens {

std::string veiled_because(const AppState& state, View view) {
  const auto hides = [&](std::initializer_list<std::string_view> groups) {
    return std::ranges::any_of(groups, [&](std::string_view group) { return any_hidden(state, group); });
  };
  bool covered = false;
  switch (view) {
    case View::grid:
      covered = hides({"launch.blocks", "launch.threads"});
      break;
    case View::image:
      covered = hides({"result"});
      break;
    case View::memory:
      covered = hides({"counters"});
      break;
    case View::occupancy:
      covered = hides({"occupancy", "limit", "limiter"});
      break;
    case View::timing:
      covered = hides({"time"});
      break;
    case View::profile:
      covered =
          hides({"counters", "time", "occupancy", "limit", "limiter", "launch.blocks", "launch.threads"});
      break;
    case View::code:
      covered = hides({"code"});
      break;
    case View::inspector:
      covered = hides({"inspector", "formula"});
      break;
    default:
      break;
  }
  if (!covered) return "";
  return state.lesson.is_open() ? "Hidden until you have answered" : "Hidden until you have guessed";
}

namespace {

void draw_question_mark(const std::string& english, ImVec2 at, ImVec2 size) {
  const Palette& p = look().palette;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(at, {at.x + size.x, at.y + size.y}, colour(p.raised), scaled(10));
  ImGui::PushFont(look().strong, 2 * figure_size);
  const ImVec2 mark = size_of_words("?");
  draw->AddText({at.x + (size.x - mark.x) / 2, at.y + scaled(12)}, colour(p.quiet), "?");
  ImGui::PopFont();
  const std::string words = said(english);
  const ImVec2 text = ImGui::CalcTextSize(words.c_str(), nullptr, false, size.x - scaled(20));
  draw->AddText(ImGui::GetFont(), ImGui::GetFontSize(),
                {at.x + (size.x - text.x) / 2, at.y + size.y - text.y - scaled(14)}, colour(p.text),
                words.c_str(), nullptr, size.x - scaled(20));
}

// The lanes of a warp, each with a line to what it reads: that is what is asked.
void draw_lanes(const AppState& state, ImVec2 at, float width, ImVec2 card, float card_width) {
  const uint64_t lanes = std::min<uint64_t>(warp_lanes, state.setup.outlook.shape.block.count());
  if (lanes == 0) return;
  const Palette& p = look().palette;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float cell = std::min(width / static_cast<float>(lanes), scaled(28)), side = cell - scaled(2);
  const float left = at.x + (width - cell * static_cast<float>(lanes)) / 2;
  for (uint64_t lane = 0; lane < lanes; ++lane) {
    const float x = left + cell * static_cast<float>(lane);
    const std::string number = std::to_string(lane);
    const ImVec2 text = size_of_words(number);
    draw->AddRectFilled({x, at.y}, {x + side, at.y + side}, colour(p.accent, 0.3f), scaled(3));
    if (text.x < side)
      draw->AddText({x + (side - text.x) / 2, at.y + (side - text.y) / 2}, colour(p.text), number.c_str());
    const float share = (static_cast<float>(lane) + 0.5f) / static_cast<float>(lanes);
    draw->AddLine({x + side / 2, at.y + side}, {card.x + card_width * share, card.y}, colour(p.accent, 0.5f));
  }
}

// Whether a marker is asked for on a plot of this view: then its empty plot is drawn.
bool draw_marker_plot(const AppState& state, View view, float height, Actions& actions) {
  const auto asked = marker_plot(state, view, window_style(), ImGui::GetContentRegionAvail().x, height);
  if (!asked) return false;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const Box& plot = asked->plot;
  ImGui::SetCursorScreenPos({origin.x + plot.x, origin.y + plot.y});
  ImGui::InvisibleButton("##plot_marker", {plot.width, plot.height});
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (ImGui::IsItemActive())
    actions.push(
        SetAnswer{asked->question, lesson::NumberAnswer{asked->value_at(ImGui::GetMousePos().x - origin.x)}});
  TextureCache none;  // there is no image in it
  draw_picture(asked->picture, origin, *ImGui::GetWindowDrawList(), none);
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({asked->picture.width, height});
  return true;
}

// The source that runs; empty where it is hidden too, or where its formula is what is asked for. Without the
// comment that is WarpLens's own: what it says stands above, and a student would take it for CUDA.
std::string code_to_guess_from(const AppState& state) {
  if (any_hidden(state, "code") || any_hidden(state, "formula") || !state.setup.kernel) return {};
  std::string code = state.code.own ? state.code.text : state.setup.kernel->source;
  constexpr std::string_view comment = "// warplens:";
  for (size_t at = 0; at < code.size();) {
    const size_t end = std::min(code.find('\n', at), code.size() - 1) + 1;
    if (std::string_view(code).substr(at).starts_with(comment))
      code.erase(at, end - at);
    else
      at = end;
  }
  return code;
}

}  // namespace

std::vector<std::string> given_to_guess(const AppState& state) {
  std::vector<std::string> lines;
  if (!state.setup.kernel || !state.setup.outlook.error.empty()) return lines;
  const LaunchShape& shape = state.setup.outlook.shape;
  if (any_hidden(state, "launch.blocks"))
    lines.push_back(extent_text(shape.block) + " threads a block");
  else
    lines.push_back(extent_text(shape.grid) + (shape.grid.count() == 1 ? " block of " : " blocks of ") +
                    extent_text(shape.block) + " threads");
  for (const auto* list : {&state.setup.kernel->settings, &state.setup.kernel->arguments})
    for (const KernelArgument& argument : *list) {
      if (argument.is_buffer || !argument.expression.empty() || any_hidden(state, argument.name)) continue;
      const auto chosen = state.setup.launch.values.find(argument.name);
      lines.push_back(
          argument.name + " = " +
          lesson::number_text(chosen == state.setup.launch.values.end() ? argument.value : chosen->second));
    }
  return lines;
}

void draw_veil(const AppState& state, View view, const std::string& words, Actions& actions) {
  const float plot = std::clamp(ImGui::GetContentRegionAvail().y * 0.6f, scaled(90), scaled(340));
  const bool asked = draw_marker_plot(state, view, plot, actions);
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const ImVec2 size{std::min(room.x, scaled(320)), std::min(room.y, scaled(150))};
  const std::string code = code_to_guess_from(state);
  const float least = 6 * ImGui::GetTextLineHeightWithSpacing();
  const bool with_code = !code.empty() && room.y >= least;
  const float above = view == View::memory ? scaled(114) : scaled(24);
  const bool with_card = !asked && (!with_code || room.y - size.y - above >= least);
  const bool with_lanes = with_card && view == View::memory;
  const float lanes = with_lanes ? scaled(90) : 0;
  const float y = at.y + lanes + (with_code ? scaled(12) : std::max(0.0f, (room.y - size.y) * 0.35f));
  const ImVec2 card{at.x + (room.x - size.x) / 2, y};
  if (with_lanes) draw_lanes(state, {at.x, y - lanes}, room.x, card, size.x);
  if (with_card) draw_question_mark(words, card, size);
  if (!with_code) {
    ImGui::Dummy(room);
    return;
  }
  // Large text: a line instead of the card.
  if (with_card)
    ImGui::SetCursorScreenPos({at.x, y + size.y + scaled(12)});
  else if (!asked)
    body_text("? " + words);
  ImGui::BeginChild("given", {0, 0}, ImGuiChildFlags_NavFlattened, ImGuiWindowFlags_HorizontalScrollbar);
  heading("What you know");
  for (const std::string& line : given_to_guess(state)) body_text(line);
  ImGui::Dummy({0, scaled(4)});
  mono_text(code);
  ImGui::EndChild();
}

}  // namespace warplens
