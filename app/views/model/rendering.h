// Draws a view into a file, without a window: the choices, the input and the result.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "app/base/draw/style.h"
#include "app/base/draw/table.h"
#include "app/state/state.h"
#include "app/views/model/footprint_digest.h"
#include "core/job/run_job.h"
#include "core/job/sweep.h"
#include "core/recording/recording.h"

namespace warplens {

// The choices of the command line. Each view reads those that it has.
struct RenderChoice {
  std::string level = "grid", mode = "split", colour = "instructions", threads = "warps",
              array;           // words that the view defines
  std::optional<Dim3> at;      // the block, or a cell of the result; see Rendering::at_is_cell
  std::optional<Dim3> thread;  // of the block
  uint32_t line = 0;           // of the source; 0 for all lines, or the costliest
  uint64_t position = 0;       // Step: in the recording of the block
  float width = 1280, height = 720, text_scale = 1;
  Theme theme = Theme::dark;
};

// The runs that are needed before a view can be drawn.
enum class RenderNeeds : uint8_t {
  launch,        // nothing: the launch is enough
  run,           // a run that records writers and blocks
  timed_run,     // a run that is compared with the CPU, which is timed
  profiled_run,  // a run with all that is found out about it: caches, findings, launches that fix it
  block_sweep,   // a sweep over block sizes
  size_sweep,    // a sweep over sizes
  recording      // nothing: what a program did is in its recording
};

// The result of that.
struct RenderSource {
  const Job* job = nullptr;  // null for a recording
  const recording::Recording* recording = nullptr;
  const RunResult* result = nullptr;          // of a run
  const Sweep* sweep = nullptr;               // of a sweep
  std::optional<Dim3> today = {};             // the current block of the swept setup
  Pick pick = {};                             // what is chosen
  const BlockFootprint* footprint = nullptr;  // of the chosen block; null if none was replayed
  FootprintDigest digest = {};                // of `footprint`
  std::string footprint_message = {};         // why there is none
  std::stop_token stop = {};
};

// It may refer to the source, so it is valid only as long as that.
struct Rendered {
  // Draws, and returns the y below it.
  std::function<float(Picture& picture, const Style& style, Box box)> draw;
  std::function<Table()> tabulate = {};  // empty if it has no numbers
  std::string refused = {};              // why CUDA would refuse the launch; empty if it would not
};

// One picture that a view can be.
struct Rendering {
  std::string_view name;  // "roofline"
  RenderNeeds needs = RenderNeeds::run;
  bool has_table = false;
  // The picture has exactly the requested size, with the inspector next to it. Otherwise it becomes as high
  // as needed.
  bool with_inspector = false;
  bool at_is_cell = false;
  // Finds what is picked in the result of a run. Null if the view has no pick. A place outside the result is
  // an error.
  Result<Pick> (*pick)(const RenderChoice& choice, const RunResult& result) = nullptr;
  Rendered (*make)(const RenderChoice& choice, const RenderSource& source) = nullptr;
};

// The cell of the result that `choice.at` names, with the thread that wrote it.
Result<Pick> pick_of_cell(const RenderChoice& choice, const RunResult& result);

// Each drawn view in views.def has one of these functions in its rendering.cpp.
#define WARPLENS_VIEW(name, title, key, dock)
#define WARPLENS_DRAWN_VIEW(name, title, key, dock) std::span<const Rendering> name##_renderings();
#include "app/base/views.def"

}  // namespace warplens
