// The Grid view in a file.
#include "app/views/model/rendering.h"

#include "app/views/grid/picture.h"

namespace warplens {
namespace {

// A level within a block uses the central block if none is chosen.
Result<Pick> pick_in_grid(const RenderChoice& choice, const RunResult& result) {
  const GridLevel level = grid_level_from(choice.level).value_or(GridLevel::grid);
  const Dim3 grid = result.shape.grid;
  Pick pick;
  if (choice.at) pick.block = choice.at;
  if (!pick.block && (level != GridLevel::grid || choice.thread))
    pick.block = Dim3{grid.x / 2, grid.y / 2, grid.z / 2};
  pick.thread = choice.thread;
  if (!pick.thread && level >= GridLevel::warp) pick.thread = Dim3{0, 0, 0};
  return pick;
}

Rendered make_grid(const RenderChoice& choice, const RenderSource& source) {
  return {[&](Picture& picture, const Style& style, Box box) {
    const HeatMap heat =
        build_heat_map(*source.result, source.job->problem,
                       colouring_from(choice.colour).value_or(Colouring::blocks), style.palette);
    const std::vector<IncidentMark> incidents = incident_marks(*source.result);
    GridViewInput input;
    input.incidents = incidents;
    input.result = source.result;
    input.heat = &heat;
    input.kernel = source.job->kernel.get();
    input.footprint = source.footprint;
    input.digest = source.footprint != nullptr ? &source.digest : nullptr;
    input.footprint_message = source.footprint_message;
    input.problem = source.job->problem;
    input.level = grid_level_from(choice.level).value_or(GridLevel::grid);
    input.chosen = source.pick;
    input.interactive = false;
    return draw_grid_view(picture, style, box, input).bottom;
  }};
}

}  // namespace

std::span<const Rendering> grid_renderings() {
  static constexpr Rendering rows[] = {
      {.name = "grid", .with_inspector = true, .pick = pick_in_grid, .make = make_grid}};
  return rows;
}

}  // namespace warplens
