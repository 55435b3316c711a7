#include "app/views/memory/panel/panel.h"

#include "app/views/memory/picture.h"
#include "app/views/model/baseline.h"
#include "app/views/model/step_chip.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"

namespace warplens {

namespace {

// A part of a launch is enough for a picture. If a launch is longer, a message says so.
constexpr uint64_t heat_budget = 200'000'000;

uint32_t chosen_warp(const AppState& state) {
  const Pick& pick = state.selection.shown();
  return pick.thread ? warp_of(*pick.thread, state.runs.result->shape.block) : 0;
}

std::shared_ptr<const MemoryAccesses> accesses_of(const AppState& state, MemoryPanelState& own) {
  if (!state.footprint.replayed || !state.runs.result->request) return nullptr;
  const uint32_t warp = chosen_warp(state);
  const AccessesKey key{
      state.footprint.replayed, warp, state.selection.shown().line,
      own.access ? find_access(*state.footprint.replayed, warp, *own.access) : std::nullopt};
  return own.accesses.get(key, true, [&] {
    return choose_accesses(*state.runs.result->request, *key.footprint, state.runs.result->shape.block,
                           key.warp, key.line, key.chosen);
  });
}

std::shared_ptr<const HeatPicture> heat_of(const AppState& state, MemoryPanelState& own) {
  if (!state.runs.result->request || state.runs.result->status == RunStatus::refused) return nullptr;
  const std::shared_ptr<const LaunchRequest> request = state.runs.result->request;
  const bool known = own.of == request;
  if (!known) {
    // Another kernel has other accesses and other buffers.
    if (own.of == nullptr || own.of->kernel != request->kernel) {
      own.access.reset();
      own.buffer.reset();
    }
    own.of = request;
  }
  const std::stop_token stop = known ? own.stopper.source.get_token() : own.stopper.renew();
  const std::shared_ptr<const RecordedHeat> recorded = own.heat.get(request, false, [request, stop] {
    Result<AddressHeat> heat = record_heat(*request, stop, 4096, heat_budget);
    return heat ? RecordedHeat{request, std::move(heat).value(), {}}
                : RecordedHeat{request, {}, heat.error().message};
  });
  if (recorded == nullptr || recorded->request != request) return nullptr;
  return own.heat_picture.get({recorded, own.buffer}, true, [&] {
    HeatPicture picture = view_heat(*request, recorded->heat, own.buffer);
    if (!recorded->error.empty()) picture.message = recorded->error;
    return picture;
  });
}

std::shared_ptr<const MemoryView> baseline_view(const AppState& state, MemoryPanelState& own) {
  const RunRecord* baseline = baseline_of(state);
  if (baseline == nullptr || !baseline->result) return nullptr;
  return own.baseline.get(baseline->result, true, [&] { return view_memory(*baseline->result); });
}

// Owns what the input points to while the frame draws it.
struct ShownMemory {
  std::shared_ptr<const MemoryView> view, baseline;
  std::shared_ptr<const MemoryAccesses> accesses;
  std::shared_ptr<const HeatPicture> heat;
};

MemoryPictureInput input_of(const AppState& state, const MemoryPanelState& own, const ShownMemory& shown) {
  MemoryPictureInput input;
  input.view = shown.view.get();
  input.baseline = shown.baseline.get();
  if (const RunRecord* baseline = baseline_of(state)) input.baseline_label = baseline->label;
  input.grid = state.runs.result->shape.grid;
  if (const uint32_t line = state.selection.shown().line; line != 0) input.line = line;
  input.accesses = shown.accesses.get();
  input.can_step = can_step_thread(state);
  if (!state.footprint.error.empty()) {
    input.footprint_message = "The accesses of this block are not known: " + state.footprint.error;
  } else if (state.footprint.wanted) {
    input.footprint_message = "Replaying a block to see its accesses…";
  }
  if (const std::string why = own.accesses.why_not("The accesses"); !why.empty())
    input.footprint_message = why;
  input.heat = shown.heat.get();
  input.heat_message = "Recording the addresses…";
  for (const std::string& why : {own.heat.why_not("The map"), own.heat_picture.why_not("The map")})
    if (!why.empty()) input.heat_message = why;
  return input;
}

void follow(const Click& click, const AppState& state, MemoryPanelState& own, Actions& actions) {
  const auto number = static_cast<uint32_t>(click.number());
  if (click.is(MemoryVerb::access) && state.footprint.replayed)
    own.access = name_of_access(*state.footprint.replayed, number);
  if (click.is(MemoryVerb::buffer)) own.buffer = number;
  if (click.is(ThreadVerb::step)) actions.push(StepThread{});
  Pick pick = state.selection.pinned;
  if (click.is(MemoryVerb::line)) {
    pick.line = pick.line == number ? 0 : number;
    if (!pick.block && state.footprint.replayed)
      pick.block = state.footprint.replayed->block;  // whose access is shown
    own.access.reset();
    actions.push(Pin{pick});
  }
  if (click.is(MemoryVerb::warp) && state.footprint.replayed) {
    pick.block = state.footprint.replayed->block;
    pick.thread = position_at(uint64_t{number} * warp_lanes, state.runs.result->shape.block);
    pick.element.reset();
    own.access.reset();
    actions.push(Pin{pick});
  }
}

// Where a part of the view begins; −1 while it is not drawn.
float y_of_part(const MemoryLayout& layout, std::string_view part) {
  if (part == "lines") return layout.lines.empty() ? -1 : layout.lines.front().row.y;
  if (part == "heat") return layout.heat.empty() ? -1 : layout.heat.y;
  if (part != "accesses") return 0;
  for (const AccessLayout* access : {&layout.global, &layout.shared})
    if (!access->lanes.empty()) return access->lanes.front().y;
  return -1;
}

// Explains the cell under the pointer.
void point_at_heat(const MemoryLayout& layout, const HeatPicture& heat, ImVec2 origin) {
  if (layout.heat.empty() || !ImGui::IsWindowHovered()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Point at{mouse.x - origin.x - layout.heat.x, mouse.y - origin.y - layout.heat.y};
  if (at.x < 0 || at.y < 0 || at.x >= layout.heat.width || at.y >= layout.heat.height) return;
  const auto column = static_cast<size_t>(at.x / layout.heat.width * static_cast<float>(heat.columns));
  const auto row = static_cast<size_t>(at.y / layout.heat.height * static_cast<float>(heat.rows));
  const std::string words = words_of_bin(heat, row * heat.columns + column);
  if (!words.empty()) show_tip(words);
}

}  // namespace

void draw_memory(const AppState& state, MemoryPanelState& own, Actions& actions) {
  own.picture.textures.collect();
  if (!state.runs.result) return quiet_text("No run yet: its memory traffic appears with the first result.");
  const auto view = own.view.get(state.runs.result, true, [&] { return view_memory(*state.runs.result); });
  if (!view) return quiet_text(own.view.why_not("This view"));
  const ShownMemory shown{view, baseline_view(state, own), accesses_of(state, own), heat_of(state, own)};
  MemoryPictureInput input = input_of(state, own, shown);
  const auto incidents =
      own.incidents.get(state.runs.result, true, [&] { return incident_marks(*state.runs.result); });
  if (incidents) input.incidents = *incidents;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  MemoryLayout layout;  // in the window
  const auto draw = [&](Picture& picture, const Style& style, Box box, bool interactive) {
    input.interactive = interactive;
    const MemoryLayout drawn = draw_memory_view(picture, style, box, input);
    if (interactive) layout = drawn;
    return drawn.bottom;
  };
  const Click click =
      draw_scrolled({"memory", draw, [&] { return memory_table(*view); }}, own.picture, state, actions);
  follow(click, state, own, actions);
  scroll_to_part(state, View::memory, own.part,
                 [&](std::string_view part) { return y_of_part(layout, part); });
  if (input.heat != nullptr) point_at_heat(layout, *input.heat, origin);
}

std::unique_ptr<ViewPanel> make_memory_panel() { return make_panel<MemoryPanelState, draw_memory>(); }

}  // namespace warplens
