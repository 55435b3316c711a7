// The thing under the pointer, or the pinned thing: its value before and after, the thread that wrote it,
// how its index was computed, and what its warp loads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/base/draw/style.h"
#include "app/state/state.h"
#include "app/views/model/access_view.h"
#include "app/views/model/incident_marks.h"
#include "app/views/model/index_formula.h"

namespace warplens {

struct InspectorInput {
  const RunResult* result = nullptr;
  const KernelDescription* kernel = nullptr;  // may be null
  const BlockFootprint* footprint = nullptr;  // used if it is of the shown thread's block
  std::string footprint_message;              // why there is none
  Pick shown;
  std::string lost;              // what this run does not have of what is pinned
  bool stale = false;            // the setup has changed since this run, and the next one is not there yet
  std::optional<size_t> access;  // chosen in the Grid view; or else the thread's first global load
};

struct InspectorValue {
  std::string name;                // "rgb"
  std::string value;               // "R 201  G 143  B 108"
  std::optional<uint32_t> colour;  // of the swatch; empty for hatched
};

struct InspectorView {
  std::string heading;                 // "PIXEL (308, 119)"; empty if nothing is shown
  std::vector<InspectorValue> values;  // before, after
  bool nobody_wrote = false;
  std::optional<Dim3> block, thread;
  std::vector<std::string> written_by;  // "block (19, 7)", …
  bool is_writer = true;                // otherwise the thread itself was picked
  std::vector<FormulaLine> formula;
  std::vector<IncidentMark> incidents;  // of the thread
  std::vector<ThreadAccess> accesses;
  bool accesses_known = false;
  std::string cost;  // "1,034 instructions, 128 passes through loops"
  std::optional<AccessView> load;
  std::optional<uint32_t> lane;  // of the thread, in `load`
  std::string load_sentence;
  std::vector<Figure> figures;  // of a block
  bool stale = false;           // of the run before the last change, so that nothing counts for the next one
  bool can_step = false;        // its thread is pinned
  std::string lost;             // of what is pinned; empty if all of it is there
  std::string message;          // what is missing and why
};

InspectorView inspect(const InspectorInput& input);

// Draws at the width of the box, wraps longer text, and returns the y below.
float draw_inspector_view(Picture& picture, const Style& style, Box box, const InspectorView& view);

}  // namespace warplens
