#include "app/views/sm/panel/panel.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/views/model/baseline.h"
#include "app/widgets/draw_picture.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {
namespace {

constexpr double zoom_step = 0.6, pan_share = 0.15;  // of the range, for a key or a button
constexpr double quickest_s = 2.5, slowest_s = 640;  // across the picture
constexpr double cursor_share = 0.75;                // of the picture: from here on the cycles move instead
constexpr ImGuiKey own_keys[] = {ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Space};

std::shared_ptr<const SmView> view_of(const std::shared_ptr<const RunResult>& result, SmBuilt& built) {
  if (built.of != result) {
    built.stop.request_stop();
    built.stop = {};
    built.of = result;
  }
  const auto view = built.view.get(
      result, false, [result, stop = built.stop.get_token()] { return view_sm(*result, stop); });
  if (view && !view->stopped) built.last = view;
  return built.last;
}

void go_to(SmPanelState& own, const SmLayout& layout, TimeRange range) {
  own.range = clamped(range, layout.end, shortest_cycles);
  if (own.range->length() >= layout.end * (1 - 1e-9)) own.range.reset();
}

void zoom(SmPanelState& own, const SmLayout& layout, double about, double factor) {
  go_to(own, layout, zoomed(layout.range, about, factor, layout.end, shortest_cycles));
}

void pan(SmPanelState& own, const SmLayout& layout, double cycles) {
  if (own.range) go_to(own, layout, {layout.range.from + cycles, layout.range.to + cycles});
}

// About the cursor, if it is in sight.
double middle_of(const SmPanelState& own, const SmLayout& layout) {
  const TimeRange& r = layout.range;
  return own.cursor && *own.cursor >= r.from && *own.cursor <= r.to ? *own.cursor : r.from + r.length() / 2;
}

void turn_play(SmPanelState& own, const SmLayout& layout) {
  own.playing = !own.playing;
  const bool in_sight = own.cursor && *own.cursor >= layout.range.from && *own.cursor < layout.range.to;
  if (own.playing && (!in_sight || *own.cursor >= layout.end))
    own.cursor = layout.range.to >= layout.end && in_sight ? 0 : layout.range.from;
}

// By the window's clock, at most a part of the picture in a frame.
void play(SmPanelState& own, const SmLayout& layout) {
  if (!own.playing || !own.cursor) return;
  const double length = layout.range.length();
  const double by = std::min(double(ImGui::GetIO().DeltaTime), 0.1) * length / own.seconds;
  own.cursor = std::min(*own.cursor + by, layout.end);
  if (*own.cursor >= layout.end) own.playing = false;
  const double from = *own.cursor - cursor_share * length;
  if (own.range && from > layout.range.from) go_to(own, layout, {from, from + length});
}

void show_all(SmPanelState& own) {
  own.range.reset();
  if (!own.playing) own.cursor.reset();
}

// Arrows and Space are the picture's, unless the keyboard is on one of the buttons.
void use_keys(SmPanelState& own, const SmLayout& layout, bool on_picture) {
  if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) || is_typing()) return;
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key); };
  if (ImGui::GetIO().KeyCtrl || ImGui::GetIO().KeyAlt) return;
  if (pressed(ImGuiKey_F)) show_all(own);
  if (pressed(ImGuiKey_Equal) || pressed(ImGuiKey_KeypadAdd))
    zoom(own, layout, middle_of(own, layout), zoom_step);
  if (pressed(ImGuiKey_Minus) || pressed(ImGuiKey_KeypadSubtract))
    zoom(own, layout, middle_of(own, layout), 1 / zoom_step);
  if (pressed(ImGuiKey_Comma)) own.seconds = std::min(own.seconds * 2, slowest_s);
  if (pressed(ImGuiKey_Period)) own.seconds = std::max(own.seconds / 2, quickest_s);
  if (ImGui::GetIO().NavVisible && !on_picture) return;
  for (const ImGuiKey key : own_keys) ImGui::SetKeyOwner(key, ImGui::GetID("##time"));
  if (pressed(ImGuiKey_LeftArrow)) pan(own, layout, -pan_share * layout.range.length());
  if (pressed(ImGuiKey_RightArrow)) pan(own, layout, pan_share * layout.range.length());
  if (ImGui::IsKeyPressed(ImGuiKey_Space, false)) turn_play(own, layout);
}

Pick pick_of(const SmPointed& at) {
  const SmView& view = *at.part->view;
  const SmLife& life = at.row->life_of(at.span);
  Pick pick;
  pick.block = position_at(life.block, view.grid);
  pick.thread = position_at(uint64_t{life.warp} * warp_lanes, view.block);
  pick.line = view.line(view.span(*at.row, at.span));
  return pick;
}

// What is under the pointer has its words, and is shared with the other views by its line; a click pins it.
void point(const AppState& state, SmPanelState& own, Actions& actions, const SmLayout& layout,
           const Canvas& canvas) {
  const auto at = canvas.hovered ? sm_span_at(layout, canvas.at) : std::nullopt;
  const bool is_current = at && at->part->view == own.now.last.get() && own.now.of == state.runs.result;
  Pick hover;
  if (is_current) hover.line = at->part->view->line(at->part->view->span(*at->row, at->span));
  if (!hover.empty() && !(state.selection.hover == hover)) actions.push(Hover{hover});
  if (hover.empty() && own.hovering && !state.selection.hover.empty()) actions.push(Hover{});
  own.hovering = !hover.empty();
  if (at && !clicked_here()) show_tip(hint_of(*at->part->view, *at->row, at->span));
  if (!canvas.clicked) return;
  if (!own.playing && layout.time.width > 0)
    own.cursor = layout.range.from +
                 double(canvas.at.x - layout.time.x) / double(layout.time.width) * layout.range.length();
  if (!is_current) return;
  const Pick pick = pick_of(*at);
  if (pick == state.selection.pinned)
    actions.push(Unpin{});
  else
    actions.push(Pin{pick});
}

void navigate(SmPanelState& own, const SmLayout& layout, const Canvas& canvas) {
  const double cycles_a_pixel = layout.range.length() / double(std::max(layout.time.width, 1.0f));
  if (canvas.wheel != 0)
    zoom(own, layout, layout.range.from + double(canvas.at.x - layout.time.x) * cycles_a_pixel,
         std::pow(double(wheel_factor), -double(canvas.wheel)));
  if (canvas.dragged.x != 0) pan(own, layout, -double(canvas.dragged.x) * cycles_a_pixel);
}

// A click or a drag there brings this part of the time to the middle.
void use_overview(SmPanelState& own, const SmLayout& layout, ImVec2 origin) {
  const Canvas canvas = canvas_item("##overview", layout.overview, origin);
  const bool dragged = canvas.dragged.x != 0 || canvas.dragged.y != 0;
  if (!own.range || (!canvas.clicked && !dragged)) return;
  const double at =
      std::clamp(double(canvas.at.x - layout.overview.x) / double(layout.overview.width), 0.0, 1.0) *
      layout.end;
  const double half = layout.range.length() / 2;
  go_to(own, layout, {at - half, at + half});
}

void follow(const Click& click, const AppState& state, SmPanelState& own, const SmLayout& layout,
            Actions& actions) {
  if (click.is(SaveVerb::save)) ImGui::OpenPopup(save_popup_id);
  const std::optional<SmVerb> verb = click.as<SmVerb>();
  if (!verb) return;
  switch (*verb) {
    case SmVerb::play:
    case SmVerb::pause:
      return turn_play(own, layout);
    case SmVerb::slower:
      own.seconds = std::min(own.seconds * 2, slowest_s);
      return;
    case SmVerb::faster:
      own.seconds = std::max(own.seconds / 2, quickest_s);
      return;
    case SmVerb::nearer:
      return zoom(own, layout, middle_of(own, layout), zoom_step);
    case SmVerb::farther:
      return zoom(own, layout, middle_of(own, layout), 1 / zoom_step);
    case SmVerb::all_time:
      return show_all(own);
    case SmVerb::scheduler:
      own.automatic = false;
      own.scheduler = static_cast<uint32_t>(click.number());
      return;
    case SmVerb::all_schedulers:
      own.scheduler = layout.scheduler ? std::nullopt : std::optional(0u);
      own.automatic = false;
      return;
    case SmVerb::pin:
      return actions.push(PinBaseline{state.runs.baseline ? 0 : state.runs.now.shown});
  }
}

std::string label_of(const AppState& state, uint64_t serial) {
  for (const RunRecord& run : state.runs.history)
    if (run.serial == serial) return run.label;
  return "";
}

SmPictureInput input_of(const AppState& state, SmPanelState& own) {
  SmPictureInput input;
  input.view = own.now.last.get();
  if (const RunRecord* baseline = baseline_of(state); baseline != nullptr && baseline->result)
    input.baseline = view_of(baseline->result, own.baseline).get();
  if (state.runs.baseline) input.baseline_label = state.runs.baseline->label;
  input.pinned = state.runs.baseline.has_value();
  input.label = label_of(state, state.runs.now.shown);
  input.range = own.range;
  input.cursor = own.cursor;
  input.scheduler = own.scheduler;
  input.automatic = own.automatic;
  input.line = state.selection.pinned.line;
  if (const Pick& pinned = state.selection.pinned; pinned.block && own.now.of == state.runs.result) {
    input.block = linear_index(*pinned.block, own.now.last->grid);
    if (pinned.thread)
      input.warp = static_cast<uint32_t>(linear_index(*pinned.thread, own.now.last->block) / warp_lanes);
  }
  input.playing = own.playing;
  input.bitmaps = &own.bitmaps;
  const double end = std::max(own.now.last->cycles, input.baseline != nullptr ? input.baseline->cycles : 0);
  input.cycles_a_second =
      clamped(own.range.value_or(TimeRange{0, end}), end, shortest_cycles).length() / own.seconds;
  return input;
}

}  // namespace

bool SmPanelState::moves() const { return playing && ImGui::GetFrameCount() - drawn <= 1; }

void draw_sm(const AppState& state, SmPanelState& own, Actions& actions) {
  own.textures.collect();
  own.drawn = ImGui::GetFrameCount();
  if (!state.runs.result) return quiet_text("No run yet: what the warps do appears with the first result.");
  if (view_of(state.runs.result, own.now) == nullptr) {
    const std::string why = own.now.view.why_not("This view");
    return quiet_text(why.empty() ? "Working out what the warps do…" : why);
  }
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const SmPictureInput input = input_of(state, own);
  Picture picture;
  picture.width = room.x;
  const SmLayout layout = draw_sm_view(picture, window_style(), {0, 0, room.x, room.y}, input);
  picture.height = layout.bottom;
  draw_picture(picture, origin, *ImGui::GetWindowDrawList(), own.textures);
  bool on_picture = false;
  if (!layout.parts.empty()) {
    const Canvas canvas = canvas_item("##time", layout.time, origin);
    on_picture = ImGui::IsItemFocused();
    navigate(own, layout, canvas);
    point(state, own, actions, layout, canvas);
    use_overview(own, layout, origin);
    use_keys(own, layout, on_picture);
    play(own, layout);
  }
  follow(picture_areas(picture, origin), state, own, layout, actions);
  const auto on_paper = [&](Picture& into, const Style& style, Box box) {
    SmPictureInput shown = input;
    shown.interactive = false;
    shown.bitmaps = nullptr;
    return draw_sm_view(into, style, box, shown).bottom;
  };
  draw_save_popup(own.save, {"sm", on_paper, [&] { return sm_table(*own.now.last); }}, state, actions);
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({room.x, layout.bottom});  // longer than the panel: it scrolls
}

std::unique_ptr<ViewPanel> make_sm_panel() { return make_panel<SmPanelState, draw_sm>(); }

}  // namespace warplens
