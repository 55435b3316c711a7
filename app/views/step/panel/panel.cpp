#include "app/views/step/panel/panel.h"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "app/views/model/access_view.h"
#include "app/views/step/commands.h"
#include "app/widgets/widgets.h"
#include "app/widgets/words.h"
#include "core/launch/steps.h"

namespace warplens {
namespace {

constexpr double slowest = 1, fastest = 64;  // lines a second

const ModuleText* code_of(const StepState& step) {
  const auto& stepped = step.shown && step.shown->stepped ? step.shown->stepped : step.request;
  return stepped ? stepped->module.get() : nullptr;
}

std::string message_of(const StepState& step) {
  if (!step.error.empty()) return "This block cannot be stepped: " + step.error;
  if (!step.request) return "No run yet: a block can be stepped when there is one.";
  return step.choice.earlier_blocks ? "Running the blocks before this one…"
                                    : "Compiling it for the names of its variables, and opening the block…";
}

void take_thread(const AppState& state, StepViewInput& input) {
  const StepState& step = state.step;
  const LaunchShape shape = stepped_shape(step);
  input.grid = shape.grid;
  input.threads = shape.block;
  const LaunchStep* launch = step.request ? nth_launch(*step.request, step.choice.launch) : nullptr;
  input.cooperative = launch != nullptr && launch->cooperative;
  const uint64_t index = step.shown ? uint64_t{step.shown->warp} * warp_lanes + step.lane : 0;
  if (!step.request || !state.setup.kernel || step.choice.launch != 0 || index >= shape.block.count()) return;
  if (step.request->kernel != state.setup.kernel->name) return;
  const KernelDescription& kernel = *state.setup.kernel;
  input.formula = fill_formula(kernel.index_formula,
                               {shape.grid, shape.block, step.block, position_at(index, shape.block)},
                               scalar_names(&kernel, *step.request));
}

StepViewInput input_of(const AppState& state, const StepPanelState& own) {
  const StepState& step = state.step;
  StepViewInput input;
  input.shown = step.shown.get();
  input.message = message_of(step);
  input.request = step.request.get();
  if (const ModuleText* code = code_of(step)) {
    input.source = code->source;
    input.source_name = code->source_name;
    input.ptx = code->ptx;
    for (const StepBreakpoint& breakpoint : step.wants.breakpoints)
      if (breakpoint.file == code->source_name) input.breakpoints.push_back(breakpoint);
  }
  input.block = step.block;
  take_thread(state, input);
  if (step.request) input.launches = launches_of(*step.request);
  input.lane = step.lane;
  input.show_ptx = own.show_ptx;
  input.playing = step.playing;
  input.lines_per_second = step.lines_per_second;
  input.moving = step.moving;
  input.choice = step.choice;
  input.race = step.race.has_value();
  input.target = step_target(state);
  input.scroll = own.scroll;
  input.all_buttons = own.all_buttons;
  input.source_scroll = own.source_scroll;
  return input;
}

StepMove move_of(const StepState& step, StepMoveKind kind, uint64_t value = 0) {
  StepMove move{kind};
  move.warp = step.shown ? step.shown->warp : 0;
  move.value = value;
  return move;
}

// What a button or a key does.
class StepDo {
 public:
  StepDo(const AppState& state, StepPanelState& own, Actions& actions)
      : m_state(state), m_step(state.step), m_own(own), m_actions(actions) {}

  void follow(const Click& click) {
    if (const auto verb = click.as<StepVerb>()) follow(*verb, click.number(), click.about());
  }

  void follow(StepVerb verb, uint64_t number, const std::string& about) {
    const double rate = m_step.lines_per_second;
    switch (verb) {
      case StepVerb::ptx:
        m_own.show_ptx = !m_own.show_ptx;
        return;
      case StepVerb::more:
        m_own.all_buttons = !m_own.all_buttons;
        return;
      case StepVerb::start:
        return go(StepMoveKind::to_position);
      case StepVerb::move:
        return move(static_cast<StepMoveKind>(number));
      case StepVerb::line:
        return go(StepMoveKind::to_line, number);
      case StepVerb::at:
        return go(StepMoveKind::to_position, number);
      case StepVerb::frame:
        return m_actions.push(ChooseFrame{static_cast<uint32_t>(number)});
      case StepVerb::part:
        return open_part(about);
      case StepVerb::play:
        return m_actions.push(StepPlay{!m_step.playing, rate});
      case StepVerb::slower:
        return m_actions.push(StepPlay{m_step.playing, std::max(slowest, rate / 2)});
      case StepVerb::faster:
        return m_actions.push(StepPlay{m_step.playing, std::min(fastest, rate * 2)});
      case StepVerb::order:
      case StepVerb::in_turn:
      case StepVerb::earlier:
      case StepVerb::launch:
        return choose(verb);
      case StepVerb::lane:
      case StepVerb::next_lane:
      case StepVerb::lane_before:
      case StepVerb::warp:
      case StepVerb::next_warp:
      case StepVerb::warp_before:
        return show(verb, number);
      case StepVerb::toggle:
      case StepVerb::remove:
      case StepVerb::break_here:
      case StepVerb::condition:
        return breakpoints(verb, static_cast<uint32_t>(number));
    }
  }

 private:
  void go(StepMoveKind kind, uint64_t value = 0) { m_actions.push(StepBy{move_of(m_step, kind, value)}); }

  void move(StepMoveKind kind) {
    if (kind != StepMoveKind::who_wrote && kind != StepMoveKind::next_write) return go(kind);
    const auto target = step_target(m_state);
    if (!target) return;
    StepMove move = move_of(m_step, kind);
    move.space = target->space;
    move.address = target->address;
    move.bytes = target->bytes;
    m_actions.push(StepBy{move});
  }

  void choose(StepVerb verb) {
    StepChoice choice = m_step.choice;
    if (verb == StepVerb::order) ++choice.seed;
    if (verb == StepVerb::in_turn) choice.seed = 0;
    if (verb == StepVerb::earlier) choice.earlier_blocks = !choice.earlier_blocks;
    if (verb == StepVerb::launch && m_step.request) {
      const size_t launches = launches_of(*m_step.request).size();
      choice.launch = launches == 0 ? 0 : static_cast<uint32_t>((choice.launch + 1) % launches);
    }
    if (!(choice == m_step.choice)) m_actions.push(ChooseStep{choice});
  }

  void look_at(uint64_t warp) {
    StepMove look{StepMoveKind::look};
    look.warp = static_cast<uint32_t>(warp);
    m_actions.push(StepBy{look});
  }

  void show(StepVerb verb, uint64_t number) {
    if (!m_step.shown) return;
    const uint64_t warps = std::max<size_t>(1, m_step.shown->warps.size()), warp = m_step.shown->warp;
    if (verb == StepVerb::lane) m_actions.push(ShowLane{static_cast<uint32_t>(number)});
    if (verb == StepVerb::next_lane) m_actions.push(ShowLane{m_step.lane + 1});
    if (verb == StepVerb::lane_before) m_actions.push(ShowLane{m_step.lane + warp_lanes - 1});
    if (verb == StepVerb::warp) look_at(number);
    if (verb == StepVerb::next_warp) look_at((warp + 1) % warps);
    if (verb == StepVerb::warp_before) look_at((warp + warps - 1) % warps);
  }

  void breakpoints(StepVerb verb, uint32_t line) {
    const ModuleText* code = code_of(m_step);
    if (code == nullptr || code->source.empty()) return;
    const uint32_t here = m_step.shown ? m_step.shown->line : 0;
    if (verb == StepVerb::toggle) toggle(code->source_name, line);
    if (verb == StepVerb::remove) m_actions.push(SetBreakpoint{{code->source_name, line, ""}, false});
    if (verb == StepVerb::break_here && here != 0) toggle(code->source_name, here);
    if (verb != StepVerb::condition || here == 0) return;
    if (breakpoint_at(m_step, code->source_name, here) == nullptr) toggle(code->source_name, here);
    m_own.write_condition = here;
  }

  void toggle(const std::string& file, uint32_t line) {
    m_actions.push(SetBreakpoint{{file, line, ""}, breakpoint_at(m_step, file, line) == nullptr});
  }

  void open_part(const std::string& path) {
    const bool open = std::ranges::find(m_step.wants.open, path) == m_step.wants.open.end();
    m_actions.push(OpenPart{path, open});
  }

  const AppState& m_state;
  const StepState& m_step;
  StepPanelState& m_own;
  Actions& m_actions;
};

ImGuiKey key_named(std::string_view name) {
  if (name.size() == 1 && name[0] >= 'A' && name[0] <= 'Z')
    return static_cast<ImGuiKey>(ImGuiKey_A + (name[0] - 'A'));
  if (name == "F8") return ImGuiKey_F8;
  if (name == "F9") return ImGuiKey_F9;
  if (name == "F10") return ImGuiKey_F10;
  if (name == "Home") return ImGuiKey_Home;
  if (name == "End") return ImGuiKey_End;
  if (name == ",") return ImGuiKey_Comma;
  if (name == ".") return ImGuiKey_Period;
  return ImGuiKey_None;
}

void use_keys(const AppState& state, StepPanelState& own, Actions& actions) {
  const bool typing = is_typing();
  for (const StepCommand& command : step_commands()) {
    const KeyPress& key = command.key;
    if (typing && belongs_to_text(key)) continue;
    const ImGuiKeyChord mods =
        (key.ctrl ? ImGuiMod_Ctrl : 0) | (key.shift ? ImGuiMod_Shift : 0) | (key.alt ? ImGuiMod_Alt : 0);
    const bool moves = command.verb == StepVerb::move;
    const ImGuiInputFlags repeat = moves ? ImGuiInputFlags_Repeat : ImGuiInputFlags_None;
    if (!ImGui::Shortcut(mods | key_named(key.name), ImGuiInputFlags_RouteGlobal | repeat)) continue;
    if (!moves || !state.step.moving) StepDo(state, own, actions).follow(click_of(command));
  }
}

void scrub(const AppState& state, const StepLayout& layout, ImVec2 origin, Actions& actions) {
  const Canvas canvas = canvas_item("##scrubber", layout.scrubber, origin);
  const StepSnapshot& shown = *state.step.shown;
  const uint64_t length = shown.length.value_or(shown.recorded);
  const bool dragged = ImGui::IsItemActive() || canvas.clicked;
  if (!dragged || length == 0 || layout.scrubber.width <= 0) return;
  const double share =
      std::clamp(double(canvas.at.x - layout.scrubber.x) / double(layout.scrubber.width), 0.0, 1.0);
  const auto position = static_cast<uint64_t>(std::lround(share * double(length)));
  if (position != shown.position)
    actions.push(StepBy{move_of(state.step, StepMoveKind::to_position, position)});
}

// What is typed next to a breakpoint counts with Enter, or when the field is left.
void draw_conditions(const AppState& state, StepPanelState& own, const StepLayout& layout, ImVec2 origin,
                     Actions& actions) {
  const ModuleText* code = code_of(state.step);
  if (code == nullptr) return;
  for (const StepLayout::Condition& field : layout.conditions) {
    const StepBreakpoint* breakpoint = breakpoint_at(state.step, code->source_name, field.line);
    if (breakpoint == nullptr) continue;
    const Box& clip = layout
                          .columns[static_cast<size_t>(
                              layout.columns[0].box.empty() ? StepColumn::centre : StepColumn::below_source)]
                          .box;
    ImGui::PushClipRect({origin.x + clip.x, origin.y + clip.y},
                        {origin.x + clip.right(), origin.y + clip.bottom()}, true);
    ImGui::PushFont(look().mono, small_size);
    ImGui::SetCursorScreenPos({origin.x + field.box.x, origin.y + field.box.y});
    ImGui::SetNextItemWidth(field.box.width);
    const std::string id = "##condition_" + std::to_string(field.line);
    auto typed = own.conditions.find(field.line);
    std::string text = typed == own.conditions.end() ? breakpoint->condition : typed->second;
    if (own.write_condition == field.line) {
      ImGui::SetKeyboardFocusHere();
      own.write_condition.reset();
    }
    if (ImGui::InputTextWithHint(id.c_str(), shown("any lane, or i == 17 && x > 3").c_str(), &text))
      own.conditions[field.line] = text;
    if (ImGui::IsItemDeactivated()) {
      own.conditions.erase(field.line);
      if (text != breakpoint->condition)
        actions.push(SetBreakpoint{{code->source_name, field.line, text}, true});
    }
    ImGui::PopFont();
    ImGui::PopClipRect();
  }
}

StepTarget element_target(const StepArray& array, const stepping::NamedArray* named, uint64_t element) {
  StepTarget target;
  target.bytes = std::max<uint64_t>(1, array.array.element_bytes);
  target.address = array.array.address + element * target.bytes;
  const std::vector<stepping::NamedArray> arrays =
      named != nullptr ? std::vector<stepping::NamedArray>{*named} : std::vector<stepping::NamedArray>{};
  target.name =
      stepping::place_text(arrays, Space::shared, target.address, static_cast<uint32_t>(target.bytes));
  return target;
}

// A click on a cell of a shared array chooses it; another one lets it go.
void use_cells(const AppState& state, const StepLayout& layout, ImVec2 origin, Actions& actions) {
  const StepSnapshot& shown = *state.step.shown;
  const Box& clip = layout.columns[static_cast<size_t>(StepColumn::centre)].box;
  for (size_t i = 0; i < std::min(layout.arrays.size(), shown.arrays.size()); ++i) {
    const Box box = intersection(layout.arrays[i], clip);
    if (box.empty()) continue;
    const Canvas canvas = canvas_item(("##array" + std::to_string(i)).c_str(), box, origin);
    if (!canvas.hovered && !canvas.clicked) continue;
    const StepLayout::Grid& grid = layout.grids[i];
    const StepArray& array = shown.arrays[i];
    const auto column = static_cast<uint64_t>((canvas.at.x - layout.arrays[i].x) / grid.cell_width);
    const auto row = static_cast<uint64_t>((canvas.at.y - layout.arrays[i].y) / grid.cell_height);
    const uint64_t element = (row * grid.columns + std::min(column, grid.columns - 1)) * grid.each;
    const uint64_t size = std::max<uint64_t>(1, array.array.element_bytes);
    if (element * size >= array.bytes.size()) continue;
    const auto* named = stepping::array_at(shown.named, Space::shared, array.array.address);
    const StepTarget target = element_target(array, named, element);
    const uint8_t writer = element * size < array.writers.size() ? array.writers[element * size] : 0;
    std::string hint = target.name;
    if (named != nullptr)
      hint += " = " + stepping::element_text(named->element, array.bytes, element * bytes_of(named->element));
    hint += writer == 0 ? "\nNo thread is known to have written it."
                        : "\nWritten last by warp " + std::to_string(writer - 1);
    show_tip(hint + "\nClick: choose it for \"who wrote it?\"");
    if (!canvas.clicked) continue;
    const bool again = state.step.target && *state.step.target == target;
    actions.push(ChooseCell{again ? std::nullopt : std::optional(target)});
  }
}

float limited(float scroll, const StepLayout::Column& column) {
  return std::clamp(scroll, 0.0f, std::max(0.0f, column.height - column.box.height));
}

// The wheel scrolls the part that it is over; a part with what the keyboard is on comes into sight.
void scroll_columns(const AppState& state, StepPanelState& own, const StepLayout& layout, ImVec2 origin,
                    const Area* focused) {
  const ImGuiIO& io = ImGui::GetIO();
  const Point mouse{io.MousePos.x - origin.x, io.MousePos.y - origin.y};
  const bool wheel =
      io.MouseWheel != 0 && ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  if (own.scrolled_for != state.step.shown) {
    own.scrolled_for = state.step.shown;
    own.source_scroll = 0;
  }
  if (wheel && layout.source.contains(mouse))
    own.source_scroll -= static_cast<int>(std::lround(3 * io.MouseWheel));
  const std::string id = focused != nullptr ? focused->click.id() : "";
  const bool moved = !id.empty() && id != own.focused;
  own.focused = id;
  for (size_t i = 0; i < own.scroll.size(); ++i) {
    const StepLayout::Column& column = layout.columns[i];
    if (column.box.empty()) continue;
    if (wheel && column.box.contains(mouse)) own.scroll[i] -= 60 * io.MouseWheel;
    if (moved && focused->clip == column.box) {
      own.scroll[i] += std::max(0.0f, focused->box.bottom() - column.box.bottom());
      own.scroll[i] -= std::max(0.0f, column.box.y - focused->box.y);
    }
    own.scroll[i] = limited(own.scroll[i], column);
  }
}

// The last row reads text of 28 px on a screen of 1080 lines.
Style style_of(const AppState& state) {
  Style style = window_style();
  constexpr float large = 28, of_lines = 1080;
  const float wanted = large * ImGui::GetMainViewport()->Size.y / of_lines;
  if (state.frame.present) style.scale *= std::max(1.0f, wanted / style.small());
  return style;
}

// Where a block cannot be opened, its choices can be taken back.
void draw_way_back(const AppState& state, Actions& actions) {
  const StepChoice plain;
  if (state.step.shown || state.step.choice == plain || !state.step.request) return;
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + scaled(40));
  if (chip(state.step.error.empty() ? "Cancel" : "Only this block, in the usual order"))
    actions.push(ChooseStep{plain});
}

}  // namespace

void draw_step(const AppState& state, StepPanelState& own, Actions& actions) {
  own.textures.collect();
  // A new tab is drawn once, also if it is hidden. Nothing is opened for that.
  const bool looked_at = state.frame.view == View::step || !ImGui::IsWindowDocked();
  if (looked_at && step_is_due(state)) actions.push(OpenStep{});
  const StepViewInput input = input_of(state, own);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImVec2 room = ImGui::GetContentRegionAvail();
  // The bar of present mode comes with the pointer, and may not cover the buttons that it goes to.
  constexpr float present_bar = 52;
  if (state.frame.present) room.y -= scaled(present_bar);
  Picture picture;
  picture.width = room.x;
  picture.height = room.y;
  const StepLayout layout =
      draw_step_view(picture, style_of(state), {0, 0, room.x - scaled(8), room.y}, input);
  draw_picture(picture, origin, *ImGui::GetWindowDrawList(), own.textures);
  if (!state.step.shown) return draw_way_back(state, actions);
  const Area* focused = nullptr;
  draw_conditions(state, own, layout, origin, actions);
  StepDo(state, own, actions).follow(picture_areas(picture, origin, &focused));
  use_cells(state, layout, origin, actions);
  scrub(state, layout, origin, actions);
  scroll_columns(state, own, layout, origin, focused);
  use_keys(state, own, actions);
  // Parts that are scrolled out of sight do not make the panel longer.
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  window->DC.CursorMaxPos = window->DC.IdealMaxPos = origin;
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({room.x, room.y});
}

std::unique_ptr<ViewPanel> make_step_panel() { return make_panel<StepPanelState, draw_step>(); }

}  // namespace warplens
