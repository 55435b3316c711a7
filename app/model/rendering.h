// How a view is drawn into a file, without a window: what it is asked for, what it is given, what it gives.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "app/draw/style.h"
#include "app/draw/table.h"
#include "app/model/footprint_digest.h"
#include "app/state/state.h"
#include "core/job/run_job.h"
#include "core/job/sweep.h"

namespace warplens {

// What the command line asks for. Each view reads what it knows.
struct RenderChoice {
  std::string level = "grid", mode = "split", colour = "instructions";  // words that the view has named
  std::optional<Dim3> at;      // the block, or a cell of the result; see Rendering::at_is_cell
  std::optional<Dim3> thread;  // of the block
  uint32_t line = 0;           // of the source; 0: all, or the costliest
  float width = 1280, height = 720, text_scale = 1;
  Theme theme = Theme::dark;
};

// What has to be done before a view can be drawn.
enum class RenderNeeds : uint8_t {
  launch,       // nothing: the launch says it all
  run,          // a run with writers and blocks recorded
  timed_run,    // a run that is compared with the CPU, and so timed
  block_sweep,  // a sweep over block sizes
  size_sweep    // a sweep over sizes
};

// What has been done.
struct RenderSource {
  const Job* job = nullptr;
  const RunResult* result = nullptr;          // of a run
  const Sweep* sweep = nullptr;               // of a sweep
  std::optional<Dim3> today = {};             // the block of the setup that the sweep is about
  Pick pick = {};                             // what is chosen
  const BlockFootprint* footprint = nullptr;  // of the chosen block; null: none is, or it was not replayed
  FootprintDigest digest = {};                // of `footprint`
  std::string footprint_message = {};         // why there is none
  std::stop_token stop = {};
};

// It may refer to the source, and is used while that lives.
struct Rendered {
  // Draws, and returns the y below it.
  std::function<float(Picture& picture, const Style& style, Box box)> draw;
  std::function<Table()> tabulate = {};  // empty: it has no numbers
  std::string refused = {};              // why CUDA would refuse the launch; empty: it would not
};

// One picture that a view can be.
struct Rendering {
  std::string_view name;  // "roofline"
  RenderNeeds needs = RenderNeeds::run;
  bool has_table = false;
  // The picture has the size that is asked for, and the inspector beside it. Else it is as high as it has to
  // be.
  bool with_inspector = false;
  bool at_is_cell = false;
  // What a run's picture is about; null: nothing is chosen. A place outside the result is an error.
  Result<Pick> (*pick)(const RenderChoice& choice, const RunResult& result) = nullptr;
  Rendered (*make)(const RenderChoice& choice, const RenderSource& source) = nullptr;
};

// The cell of the result that `choice.at` names, with the thread that wrote it.
Result<Pick> pick_of_cell(const RenderChoice& choice, const RunResult& result);

// Each drawn view of the list has one of these in its rendering.cpp.
#define WARPLENS_VIEW(name, title, key, dock)
#define WARPLENS_DRAWN_VIEW(name, title, key, dock) std::span<const Rendering> name##_renderings();
#include "app/base/views.def"

}  // namespace warplens
