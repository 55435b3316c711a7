#include "app/frame/all.h"

#include <string_view>

namespace warplens {

const std::vector<Panel>& all_panels() {
  using S = const AppState&;
  using P = PanelStates&;
  using A = Actions&;
  static const std::vector<Panel> panels = {
      {"launch", "Launch", Dock::left, {}, [](S s, P p, A a) { draw_launch(s, p.launch, a); }},
      {"grid", "Grid", Dock::centre, View::grid, [](S s, P p, A a) { draw_grid(s, p.grid, a); }},
      {"image", "Image", Dock::centre, View::image, [](S s, P p, A a) { draw_image(s, p.image, a); }},
      {"memory", "Memory", Dock::centre, View::memory, [](S s, P p, A a) { draw_memory(s, p.memory, a); }},
      {"occupancy", "Occupancy", Dock::centre, View::occupancy,
       [](S s, P p, A a) { draw_occupancy(s, p.occupancy, a); }},
      {"timing", "Timing", Dock::centre, View::timing, [](S s, P p, A a) { draw_timing(s, p.timing, a); }},
      {"code", "Code", Dock::centre, View::code, [](S s, P p, A a) { draw_code(s, p.code, a); }},
      {"inspector", "Inspector", Dock::right, {}, [](S s, P p, A a) { draw_inspector(s, p.inspector, a); }},
      {"problems", "Problems", Dock::bottom_left, {}, [](S s, P p, A a) { draw_problems(s, p.problems, a); }},
      {"runs", "Runs", Dock::bottom_right, {}, [](S s, P p, A a) { draw_runs(s, p.runs, a); }},
  };
  return panels;
}

namespace {

// Of those that take longer than a frame.
template <class Own, class Do>
void for_each_built(Own& own, Do act) {
  act(own.grid.heat);
  act(own.image.images);
  act(own.memory.heat);
  act(own.occupancy.others);
  act(own.code.links);
}

}  // namespace

void collect_made(PanelStates& own) {
  for_each_built(own, [](auto& built) { built.collect(); });
}

bool panels_busy(const PanelStates& own) {
  bool busy = false;
  for_each_built(own, [&busy](const auto& built) { busy = busy || built.busy(); });
  return busy;
}

std::string panel_title(const Panel& panel, const AppState& state) {
  std::string title = panel.title;
  if (std::string_view(panel.id) == "problems" && !state.problems.empty()) {
    title += " " + std::to_string(state.problems.size());
  }
  return title;
}

}  // namespace warplens
