// A view of a finished run as a picture, with the inspector beside it: what the window shows, without one.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>

#include "app/draw/picture.h"
#include "app/views/grid/picture.h"
#include "app/views/image/picture.h"
#include "core/job/run_job.h"

namespace warplens {

enum class RenderKind : uint8_t {
  grid,
  image,
  memory,
  occupancy,
  code,
  timing,
  stopwatch,
  roofline,
  sweep,
  sizes
};

struct RenderView {
  RenderKind kind = RenderKind::grid;
  GridLevel level = GridLevel::grid;
  ImageMode mode = ImageMode::split;
  Colouring colouring = Colouring::instructions;
  std::optional<Dim3> at;      // grid, memory: the block; image: the cell of the result
  std::optional<Dim3> thread;  // grid, memory
  uint32_t line = 0;           // memory, code: of the source; 0: all, or the costliest
  float width = 1280, height = 720, text_scale = 1;
  Theme theme = Theme::dark;
};

// A picture of that size with the name of the kernel and of the device above; `draw` gets what is left and
// returns the y below what it drew. The picture is as much higher as that needs, so that nothing is cut off.
Picture framed_picture(const Job& job, const RenderView& view,
                       const std::function<float(Picture&, const Style&, Box)>& draw);

// Replays the chosen block where one is chosen. A place outside the result is an error.
Result<Picture> picture_of_run(const Job& job, const RunResult& result, const RenderView& view,
                               std::stop_token stop);

}  // namespace warplens
