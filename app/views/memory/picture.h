// Draws the Memory view: the hierarchy with its traffic, the lines that cause it, one access lane by lane,
// and the heat map of a buffer.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/base/draw/style.h"
#include "app/views/memory/accesses.h"
#include "app/views/memory/heat.h"
#include "app/views/memory/model.h"
#include "app/views/model/access_picture.h"
#include "app/views/model/incident_marks.h"

namespace warplens {

struct MemoryPictureInput {
  const MemoryView* view = nullptr;
  const MemoryView* baseline = nullptr;  // of the pinned run; null if there is none
  std::string baseline_label;            // "A"
  std::optional<uint32_t> line;          // chosen line of the kernel source
  Dim3 grid;                             // for texts about a block
  const MemoryAccesses* accesses =
      nullptr;  // of the chosen block and warp; if null, `footprint_message` says why
  std::string footprint_message;
  const HeatPicture* heat = nullptr;  // if null, `heat_message` says why
  std::string heat_message;
  std::span<const IncidentMark> incidents = {};
  bool interactive = true;
  bool can_step = false;  // the pinned thread
};

// The positions of the parts, for tests.
struct MemoryLayout {
  struct Arrow {
    size_t flow = 0;  // index in MemoryView::flows
    Point from, to;   // from the thread's side to memory; a load's arrowhead is at `from`
    float width = 0;
    std::string words;  // next to it
    std::string ratio;  // to the baseline, below it: "0.29 × A"; empty if there is none
  };
  struct Line {
    size_t line = 0;          // index in MemoryView::lines
    Box row, sectors, ideal;  // bars of the sectors per request, and of the fewest possible
  };
  // Between L1 and L2, and between L2 and DRAM.
  struct CacheArrow {
    FlowKind kind = FlowKind::load;
    Point from, to;
    std::string words;
  };
  std::vector<CacheArrow> between;
  std::vector<Arrow> requests, sectors;  // from threads to a space; from a space to its cache
  std::vector<Line> lines;
  AccessLayout global, shared;  // empty if none is shown
  Box heat;                     // of the raster
  float bottom = 0;
};

MemoryLayout draw_memory_view(Picture& picture, const Style& style, Box box, const MemoryPictureInput& input);

// What a click in the view does; most are followed by a number.
enum class MemoryVerb : uint8_t { line, access, warp, buffer };
constexpr std::string_view name_of(MemoryVerb verb) {
  constexpr std::string_view names[] = {"line:", "access:", "warp:", "buffer:"};
  return names[static_cast<size_t>(verb)];
}

}  // namespace warplens
