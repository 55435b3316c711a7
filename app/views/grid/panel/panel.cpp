#include "app/views/grid/panel/panel.h"

#include <cmath>

#include "app/state/learn/lesson_facts.h"
#include "app/views/grid/captions.h"
#include "app/views/model/lesson_marks.h"
#include "app/widgets/card_room.h"
#include "app/widgets/widgets.h"

namespace warplens {

namespace {

// Maps of at most this many blocks are made within a frame, larger ones in the background.
constexpr uint64_t blocks_at_once = 1 << 17;

GridLevel deeper(GridLevel level) {
  return level == GridLevel::lane ? level : static_cast<GridLevel>(static_cast<int>(level) + 1);
}
GridLevel outward(GridLevel level) {
  return level == GridLevel::grid ? level : static_cast<GridLevel>(static_cast<int>(level) - 1);
}

std::shared_ptr<const HeatOfRun> heat_of(const AppState& state, GridPanelState& own) {
  // What the student is to predict is not given away by colours.
  const Colouring colouring = any_hidden(state, "counters") ? Colouring::blocks : own.colouring;
  // Hatching says which threads have no element.
  const bool hides_result = state.lesson.is_open() && is_hidden(state, "result");
  const std::optional<Dim3> problem = hides_result ? std::nullopt : state.setup.outlook.problem;
  const HeatKey key{state.runs.result, problem, colouring, state.frame.preferences.theme};
  const Palette palette = look().palette;
  const bool soon = state.runs.result->shape.grid.count() <= blocks_at_once;
  return own.heat.get(key, soon, [key, palette] {
    return HeatOfRun{key, build_heat_map(*key.result, key.problem, key.colouring, palette)};
  });
}

GridViewInput input_of(const AppState& state, GridPanelState& own, const HeatOfRun& heat) {
  GridViewInput input;
  input.result = heat.key.result.get();
  input.heat = &heat.map;
  input.kernel = state.setup.kernel != nullptr && state.setup.kernel->name == input.result->request->kernel
                     ? state.setup.kernel
                     : nullptr;
  input.problem = heat.key.problem;
  input.level = own.level;
  input.map_view = own.map_view;
  input.block_view = own.block_view;
  input.chosen = state.selection.pinned;
  input.hovered = state.selection.hover;
  input.show_writers = !is_hidden(state, "formula") && !is_hidden(state, "result");
  if (const auto marks =
          own.incidents.get(heat.key.result, true, [&] { return incident_marks(*heat.key.result); }))
    if (!outcome_is_hidden(state)) input.incidents = *marks;  // kept by `own`
  const bool same_run = heat.key.result == state.runs.result;
  if (same_run && !state.footprint.replayed && !state.footprint.error.empty())
    input.footprint_message = "What this block reads and writes is not known: " + state.footprint.error;
  // What its threads read and wrote says which of them have no work, and whose an element is.
  const bool asked = state.lesson.is_open() && !input.show_writers;
  if (!asked && same_run && state.footprint.replayed &&
      input.chosen.block == state.footprint.replayed->block) {
    const DigestKey key{state.runs.result, state.footprint.replayed, state.selection.pinned, own.threads};
    input.footprint = state.footprint.replayed.get();
    const auto digest = own.digest.get(
        key, true, [&] { return digest_of(*key.result, *key.footprint, key.chosen, key.threads); });
    input.digest = digest.get();  // kept by `own`
    if (own.access) {
      const Dim3 thread = input.chosen.thread.value_or(Dim3{0, 0, 0});
      input.access = find_access(*input.footprint, warp_of(thread, input.result->shape.block), *own.access);
    }
    if (!digest) input.footprint_message = own.digest.why_not("The accesses");
  }
  return input;
}

// What was clicked for a lesson's question: what is right, and the last click if it was wrong.
void draw_clicked(const AppState& state, const GridViewInput& input, const GridViewLayout& layout,
                  ImVec2 origin) {
  using Kind = lesson::Target::Kind;
  for (const auto& [target, wrong] : click_marks(state)) {
    const auto mark = [&, is_wrong = wrong](Box box) {
      click_mark({box.x + origin.x, box.y + origin.y}, {box.right() + origin.x, box.bottom() + origin.y},
                 is_wrong);
    };
    const bool here =
        target.kind == Kind::thread && !layout.block_box.empty() && input.chosen.block == target.block;
    const uint64_t linear = uint64_t{target.block.x} * input.result->shape.block.x + target.thread.x;
    if (target.kind == Kind::thread && linear < layout.threads.size()) mark(layout.threads[linear]);
    if (here && inside(target.thread, layout.block_plane.extent))
      mark(layout.block.box_of(cell_of(layout.block_plane, target.thread)));
    const bool block = target.kind == Kind::block && !layout.map_box.empty();
    if (block && inside(target.block, input.heat->plane.extent))
      mark(layout.map.box_of(cell_of(input.heat->plane, target.block)));
  }
}

// The inner levels need a block and a thread. If none is chosen, the central ones are used.
void enter(const AppState& state, GridPanelState& own, Actions& actions, GridLevel level) {
  Pick pick = state.selection.pinned;
  const LaunchShape& shape = state.runs.result->shape;
  if (level > GridLevel::grid && !pick.block)
    pick.block =
        state.selection.hover.block.value_or(Dim3{shape.grid.x / 2, shape.grid.y / 2, shape.grid.z / 2});
  if (level > GridLevel::block && !pick.thread) pick.thread = Dim3{0, 0, 0};
  own.level = level;
  if (!(pick == state.selection.pinned)) actions.push(Pin{pick});
}

void navigate(const Canvas& canvas, MapView& view, uint64_t columns, uint64_t rows, Box box,
              float largest_cell) {
  if (canvas.wheel != 0)
    view = zoomed(columns, rows, box, view, largest_cell, canvas.at, std::pow(wheel_factor, canvas.wheel));
  if (canvas.dragged.x != 0 || canvas.dragged.y != 0)
    view = panned(columns, rows, box, view, largest_cell, canvas.dragged);
}

struct Pointing {
  Pick hover;
  bool any = false;
};

bool is_asked_for_a_thread(const AppState& state) {
  const auto question = open_question(state, lesson::QuestionKind::click);
  return question && current_step(state)->questions[*question].what == lesson::Target::Kind::thread;
}

void use_map(const AppState& state, GridPanelState& own, Actions& actions, const GridViewLayout& layout,
             const HeatMap& heat, ImVec2 origin, Pointing& pointing) {
  const Canvas canvas = canvas_item("##map", layout.map_box, origin);
  navigate(canvas, own.map_view, heat.plane.columns, heat.plane.rows, layout.map_box,
           scaled(largest_block_cell));
  if (!canvas.hovered) return;
  const std::optional<Cell> cell = layout.map.cell_at(heat.plane, canvas.at);
  const std::optional<Dim3> at = cell ? position_in(heat.plane, *cell) : std::nullopt;
  const Dim3 grid = heat.grid;
  if (!at || at->x >= grid.x || at->y >= grid.y || at->z >= grid.z) return;
  pointing.any = true;
  pointing.hover.block = at;
  Pick pick;
  pick.block = at;
  if (own.level >= GridLevel::warp) pick.thread = state.selection.pinned.thread.value_or(Dim3{0, 0, 0});
  if (canvas.clicked || canvas.double_clicked) actions.push(Pin{pick});
  // Where a thread is asked for, a click on its block is half of the way.
  const bool enters = canvas.double_clicked || (canvas.clicked && is_asked_for_a_thread(state));
  if (enters && own.level == GridLevel::grid) own.level = GridLevel::block;
}

void use_block(const AppState& state, GridPanelState& own, Actions& actions, const GridViewLayout& layout,
               ImVec2 origin, Pointing& pointing) {
  const Canvas canvas = canvas_item("##block", layout.block_box, origin);
  const Plane& plane = layout.block_plane;
  navigate(canvas, own.block_view, plane.columns, plane.rows, layout.block_box, scaled(largest_lane_cell));
  if (!canvas.hovered || !state.selection.pinned.block) return;
  const std::optional<Cell> cell = layout.block.cell_at(plane, canvas.at);
  const std::optional<Dim3> thread = cell ? position_in(plane, *cell) : std::nullopt;
  if (!thread) return;
  pointing.any = true;
  pointing.hover.block = state.selection.pinned.block;
  pointing.hover.thread = thread;
  if (canvas.clicked || canvas.double_clicked) actions.push(Pin{pointing.hover});
  if (canvas.double_clicked) own.level = deeper(own.level);
}

void use_lanes(const AppState& state, Actions& actions, const GridViewLayout& layout, ImVec2 origin,
               Pointing& pointing) {
  if (layout.access.lanes.empty() || !state.selection.pinned.block || !state.selection.pinned.thread) return;
  const Dim3 block = state.runs.result->shape.block;
  const Box first = layout.access.lanes.front(), last = layout.access.lanes.back();
  const Canvas canvas =
      canvas_item("##lanes", {first.x, first.y, last.right() - first.x, first.height}, origin);
  if (!canvas.hovered) return;
  for (uint32_t lane = 0; lane < layout.access.lanes.size(); ++lane) {
    const uint64_t linear = uint64_t{warp_of(*state.selection.pinned.thread, block)} * warp_lanes + lane;
    if (!layout.access.lanes[lane].contains(canvas.at) || linear >= block.count()) continue;
    pointing.any = true;
    pointing.hover.block = state.selection.pinned.block;
    pointing.hover.thread = position_at(linear, block);
    if (canvas.clicked) actions.push(Pin{pointing.hover});
  }
}

void follow(const Click& click, const AppState& state, GridPanelState& own, Actions& actions) {
  if (click.is(SaveVerb::save)) ImGui::OpenPopup(save_popup_id);
  const std::optional<GridVerb> verb = click.as<GridVerb>();
  if (!verb) return;
  const uint64_t number = click.number();
  Pick pick;
  switch (*verb) {
    case GridVerb::level:
      return enter(state, own, actions, static_cast<GridLevel>(number));
    case GridVerb::colouring:
      own.colouring = static_cast<Colouring>(number);
      return;
    case GridVerb::threads:
      own.threads = static_cast<ThreadColouring>(number);
      return;
    case GridVerb::access:
      if (state.footprint.replayed) own.access = name_of_access(*state.footprint.replayed, number);
      return;
    case GridVerb::thread_at: {
      const uint32_t size = state.runs.result->shape.block.x;
      pick.block = Dim3{uint32_t(number / size), 0, 0};
      pick.thread = Dim3{uint32_t(number % size), 0, 0};
      return actions.push(Pin{pick});
    }
    case GridVerb::warp:
      if (!state.selection.pinned.block) return;
      pick.block = state.selection.pinned.block;
      pick.thread = position_at(number * warp_lanes, state.runs.result->shape.block);
      actions.push(Pin{pick});
      own.level = GridLevel::warp;
  }
}

void use_keys(GridPanelState& own) {
  if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) || is_typing()) return;
  if (ImGui::IsKeyPressed(ImGuiKey_Backspace, false)) own.level = outward(own.level);
  if (ImGui::IsKeyPressed(ImGuiKey_F, false)) own.map_view = own.block_view = {};
}

void share_hover(const AppState& state, GridPanelState& own, Actions& actions, const Pointing& pointing) {
  if (pointing.any && !(state.selection.hover == pointing.hover)) actions.push(Hover{pointing.hover});
  if (!pointing.any && own.hovering && !state.selection.hover.empty()) actions.push(Hover{});
  own.hovering = pointing.any;
}

void draw_save(const AppState& state, GridPanelState& own, Actions& actions, const GridViewInput& shown) {
  const auto draw = [&](Picture& picture, const Style& style, Box box) {
    GridViewInput input = shown;
    input.interactive = false;
    input.free_at_right = 0;
    return draw_grid_view(picture, style, box, input).bottom;
  };
  draw_save_popup(own.save, {"grid", draw}, state, actions);
}

}  // namespace

void draw_grid(const AppState& state, GridPanelState& own, Actions& actions) {
  own.textures.collect();
  if (!state.runs.result || !state.runs.result->request || state.runs.result->shape.grid.count() == 0) {
    quiet_text("No run yet: the grid appears with the first result.");
    return;
  }
  follow_part(state, View::grid, own.part, [&](std::string_view part) {
    if (const auto level = grid_level_from(part)) own.level = *level;
    own.asked = grid_level_from(part);
  });
  use_keys(own);
  // While a lesson or a session is still being set, its pin may be yet to come.
  const bool settled = state.runs.now.wanted == 0 && state.code.wanted == 0;
  if (settled && !state.selection.pinned.block) own.level = GridLevel::grid;
  if (settled && own.level > GridLevel::block && !state.selection.pinned.thread) own.level = GridLevel::block;
  const bool waits = own.asked && *own.asked > GridLevel::grid && own.level == GridLevel::grid;
  if (waits && state.lesson.is_open() && state.selection.pinned.block) own.level = GridLevel::block;
  if (own.level != GridLevel::grid && state.selection.pinned.block) own.asked.reset();
  if (settled) tell_part(View::grid, name_of(own.level), own.part, actions);
  const auto heat = heat_of(state, own);
  if (heat == nullptr) {
    const std::string why = own.heat.why_not("The map");
    return quiet_text(why.empty() ? "Drawing the map…" : why);
  }
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  Picture picture;
  picture.width = room.x;
  picture.height = room.y;
  GridViewInput input = input_of(state, own, *heat);
  input.free_at_right = room_of_expected_card();
  const GridViewLayout layout = draw_grid_view(picture, window_style(), {0, 0, room.x, room.y}, input);
  draw_picture(picture, origin, *ImGui::GetWindowDrawList(), own.textures);
  draw_clicked(state, input, layout, origin);
  Pointing pointing;
  if (!layout.map_box.empty()) use_map(state, own, actions, layout, heat->map, origin, pointing);
  if (!layout.block_box.empty()) use_block(state, own, actions, layout, origin, pointing);
  use_lanes(state, actions, layout, origin, pointing);
  follow(picture_areas(picture, origin), state, own, actions);
  share_hover(state, own, actions, pointing);
  draw_save(state, own, actions, input);
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy(room);
}

std::unique_ptr<ViewPanel> make_grid_panel() { return make_panel<GridPanelState, draw_grid>(); }

}  // namespace warplens
