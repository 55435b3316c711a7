#include "app/views/occupancy/panel/panel.h"

#include <array>

#include "app/views/model/baseline.h"
#include "app/views/model/lesson_marks.h"
#include "app/views/occupancy/picture.h"
#include "app/widgets/widgets.h"
#include "core/compile/compiler.h"

namespace warplens {

namespace {

// As lessons name the curves, in the order in which they are drawn.
constexpr std::array<std::string_view, 3> curve_plots = {"occupancy_block", "occupancy_registers",
                                                         "occupancy_shared"};

bool same(const std::optional<Resources>& a, const std::optional<Resources>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->registers_per_thread == b->registers_per_thread &&
         a->shared_static_bytes == b->shared_static_bytes && a->origin == b->origin;
}

bool same(const LaunchShape& a, const LaunchShape& b) {
  return a.grid == b.grid && a.block == b.block && a.shared_dynamic_bytes == b.shared_dynamic_bytes;
}

// Asks the assembler for every architecture of the list. It takes about 20 ms for each, so it is done in the
// background.
ResourcesByArchitecture link_everywhere(const std::string& ptx, const std::string& entry,
                                        AssemblyOptions options) {
  ResourcesByArchitecture known;
  for (const Device& device : built_in_devices()) {
    const uint32_t architecture = device.compute_capability.number();
    if (known.contains(architecture)) continue;
    if (const Result<Resources> found = resources_of(ptx, entry, device.compute_capability, options))
      known.emplace(architecture, *found);
  }
  return known;
}

std::shared_ptr<const ResourcesByArchitecture> other_resources(const AppState& state,
                                                               OccupancyPanelState& own) {
  const KernelDescription& kernel = *state.setup.kernel;
  const uint32_t cap = register_cap(kernel, state.setup.launch);
  const LinkKey key{kernel.name, state.setup.own_kernel, cap};
  return own.others.get(key, false, [ptx = std::string(kernel.ptx), entry = std::string(kernel.entry), cap] {
    return link_everywhere(ptx, entry, {.max_registers = cap});
  });
}

// The shown run, if it ran what is set now.
std::shared_ptr<const RunResult> run_of_launch(const AppState& state) {
  return state.runs.now.stale_because.empty() ? state.runs.result : nullptr;
}

// The first launch of the run that has this shape: a kernel may launch several.
std::optional<AchievedOccupancy> achieved_by(const std::shared_ptr<const RunResult>& run,
                                             const LaunchShape& shape) {
  if (run == nullptr) return std::nullopt;
  for (size_t i = 0; i < run->launches.size(); ++i)
    if (same(run->launches[i].shape, shape)) return achieved_occupancy(*run, i);
  return std::nullopt;
}

OccupancyViewInput input_of(const AppState& state, const OccupancyKey& key) {
  const ResourcesByArchitecture* others = key.others.get();
  OccupancyViewInput input;
  input.achieved = achieved_by(key.run, key.shape);
  input.will_run = key.will_run;
  input.device = state.setup.device;
  input.shape = state.setup.outlook.shape;
  input.resources = state.setup.outlook.resources;
  input.refusal = state.setup.outlook.refusal;
  for (const Device& device : built_in_devices()) {
    DeviceCandidate candidate{device, {}};
    if (device.id == state.setup.device.id) {
      candidate.resources = input.resources;
    } else if (others != nullptr) {
      if (const auto found = others->find(device.compute_capability.number()); found != others->end())
        candidate.resources = found->second;
    }
    input.devices.push_back(std::move(candidate));
  }
  return input;
}

// Where a part of the view begins; −1 while it is not drawn.
float y_of_part(const OccupancyLayout& layout, std::string_view part) {
  if (part == "curves") return layout.curves.empty() ? -1 : layout.curves.front().plot.y;
  if (part == "sm") return layout.warps.empty() ? -1 : layout.warps.front().y;
  if (part == "waves") return layout.waves.empty() ? -1 : layout.waves.front().box.y;
  return 0;
}

}  // namespace

bool OccupancyKey::operator==(const OccupancyKey& other) const {
  return kernel == other.kernel && device == other.device && same(shape, other.shape) &&
         same(resources, other.resources) && refused == other.refused && others == other.others &&
         run == other.run && will_run == other.will_run;
}

void draw_occupancy(const AppState& state, OccupancyPanelState& own, Actions& actions) {
  own.picture.textures.collect();
  if (state.setup.kernel == nullptr) return quiet_text("Choose a kernel to see its occupancy.");
  if (!state.setup.outlook.error.empty()) return quiet_text(state.setup.outlook.error);
  const auto others = other_resources(state, own);
  const LaunchOutlook& outlook = state.setup.outlook;
  const OccupancyKey key{state.setup.kernel->name, state.setup.device.id,       outlook.shape,
                         outlook.resources,        outlook.refusal.has_value(), others,
                         run_of_launch(state),     state.runs.now.wanted != 0};
  const auto view = own.view.get(key, true, [&] { return view_occupancy(input_of(state, key)); });
  if (!view) return quiet_text(own.view.why_not("This view"));
  std::string ratio;
  if (const auto& baseline = state.runs.baseline; baseline && outlook.occupancy)
    ratio = against(outlook.occupancy->theoretical_percent, baseline->occupancy_percent, baseline->label);
  std::vector<std::vector<PlotMark>> marks;
  marks.reserve(std::size(curve_plots));
  for (const std::string_view plot : curve_plots) marks.push_back(lesson_marks(state, plot));
  OccupancyLayout layout;  // in the window
  const auto draw = [&](Picture& picture, const Style& style, Box box, bool interactive) {
    const OccupancyLayout drawn = draw_occupancy_view(picture, style, box, *view, interactive, ratio, marks);
    if (interactive) layout = drawn;
    return drawn.bottom;
  };
  const Click click =
      draw_scrolled({"occupancy", draw, [&] { return occupancy_table(*view); }}, own.picture, state, actions);
  scroll_to_part(state, View::occupancy, own.part,
                 [&](std::string_view part) { return y_of_part(layout, part); });
  if (click.is(OccupancyVerb::device)) actions.push(ChooseDevice{click.about()});
}

std::unique_ptr<ViewPanel> make_occupancy_panel() {
  return make_panel<OccupancyPanelState, draw_occupancy>();
}

}  // namespace warplens
