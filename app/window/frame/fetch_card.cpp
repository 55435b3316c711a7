#include "app/window/frame/fetch_card.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>

#include "app/widgets/widgets.h"
#include "app/window/frame/corner_card.h"
#include "core/kernels/catalogue.h"
#include "core/system/capabilities.h"
#include "core/system/places.h"

namespace warplens {
namespace {

// A message of the command line names the command; here is its button.
bool a_message_asks_for_it(const AppState& state, FetchCardState& own) {
  bool asks = false;
  uint64_t newest = own.seen_notice;
  for (const Problem& notice : state.problems.notices) {
    if (notice.notice <= own.seen_notice) continue;
    newest = std::max(newest, notice.notice);
    asks = asks || notice.message.find("warplens fetch") != notice.message.npos;
  }
  own.seen_notice = newest;
  return asks;
}

void begin_to_look(FetchCardState& own) {
  if (!own.fetcher) own.fetcher = std::make_unique<Fetcher>(own.tools, own.wake);
  own.fetcher->look();
  own.offered = own.open = true;
}

// The room that is left for the card.
float most_height() { return (ImGui::GetMainViewport()->Size.y - below_corner_card()) * 0.9f; }

uint64_t megabytes_of(const std::vector<FetchPart>& parts) {
  uint64_t sum = 0;
  for (const FetchPart& part : parts) sum += part.megabytes;
  return sum;
}

// With large text the words scroll, and the buttons below them stay in sight.
template <class Words>
void above_the_buttons(const Words& words) {
  const float buttons = ImGui::GetFrameHeightWithSpacing() + ImGui::GetStyle().WindowPadding.y * 2;
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, std::max(most_height() - buttons, scaled(60))});
  ImGui::BeginChild("words", {0, 0}, ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_NavFlattened);
  words();
  ImGui::EndChild();
}

void draw_offer(const FetchStatus& status, FetchCardState& own) {
  above_the_buttons([&] {
    title("No CUDA compiler on this machine");
    body_text(fmt::format("All {} built-in kernels run without it, and so do PTX files. You can fetch:",
                          built_in_kernels().size()));
    for (const FetchPart& part : status.parts) {
      ImGui::Dummy({0, scaled(2)});
      body_text(fmt::format("{} MB: {}, for {}", part.megabytes, part.title, part.gives));
      small_text("Licence: " + part.licence);
    }
    ImGui::Dummy({0, scaled(2)});
    small_text("pip downloads it from the Python Package Index into " + cache_folder().string() +
               ", with its licences. Nothing else of this machine changes.");
  });
  if (main_button(fmt::format("Agree and fetch {} MB", megabytes_of(status.parts)))) own.fetcher->fetch();
  wrap_before(chip_width("Not now"));
  if (chip("Not now")) own.open = false;
}

void draw_progress(const FetchStatus& status, FetchCardState& own) {
  const FetchPart& part = status.parts[std::min(status.at, status.parts.size() - 1)];
  title("Fetching");
  body_text(part.title);
  const float share = part.megabytes == 0 ? 0 : float(status.megabytes) / float(part.megabytes);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = scaled(5);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(at, {at.x + width, at.y + height}, colour(look().palette.line), height / 2);
  draw->AddRectFilled(at, {at.x + width * std::min(share, 1.0f), at.y + height},
                      colour(look().palette.accent), height / 2);
  ImGui::Dummy({width, height});
  // The steps after a download take as long on a slow disk.
  const bool unpacking = status.megabytes >= part.megabytes;
  small_text(fmt::format("Part {} of {}: {} of {} MB{}", status.at + 1, status.parts.size(), status.megabytes,
                         part.megabytes, unpacking ? ", unpacking" : ""));
  if (chip("Cancel")) own.fetcher->cancel();
}

void draw_end(const FetchStatus& status, FetchCardState& own) {
  const bool failed = status.phase == FetchPhase::failed;
  above_the_buttons([&] {
    title(failed ? "It was not fetched" : "It was cancelled");
    body_text(failed ? status.why
                     : "The unfinished part is removed. Parts that were fetched before are kept.");
  });
  if (!status.parts.empty()) {
    if (main_button("Try again")) own.fetcher->fetch();
    wrap_before(chip_width("Close"));
  }
  if (chip("Close")) own.open = false;
}

// The text of the Code view is compiled, or the kernel runs again with its registers.
void draw_done(FetchCardState& own, Actions& actions) {
  title("The compiler is here");
  body_text("Kernels of your own compile now: Edit a copy in the Code view, or open a .cu file.");
  if (!main_button("Go on")) return;
  own.open = false;
  actions.push(RunSource{});
}

void draw_phase(const FetchStatus& status, FetchCardState& own, Actions& actions) {
  switch (status.phase) {
    case FetchPhase::found:
      return draw_offer(status, own);
    case FetchPhase::fetching:
      return draw_progress(status, own);
    case FetchPhase::done:
      return draw_done(own, actions);
    default:
      return draw_end(status, own);
  }
}

}  // namespace

// Like the card of the first start: in the corner of the views, it takes no focus and dims nothing.
void draw_fetch_card(const AppState& state, FetchCardState& own, Actions& actions) {
  if (!has_programs()) return;  // one fetches
  const bool asked = a_message_asks_for_it(state, own);
  if (!own.busy() && (asked || !own.offered) && !state.frame.welcome) begin_to_look(own);
  if (!own.open || !own.fetcher || state.frame.present || state.frame.welcome) return;
  const FetchStatus status = own.fetcher->status();
  if (status.phase == FetchPhase::looking) return;
  if (status.phase == FetchPhase::rest) {
    own.open = false;
    return;
  }
  const ImVec2 room = ImGui::GetMainViewport()->Size;
  const float width = std::min(scaled(400), room.x * 0.75f);
  begin_corner_card("##fetch", width, most_height());
  draw_phase(status, own, actions);
  ImGui::End();
}

}  // namespace warplens
