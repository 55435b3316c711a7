// Draws the Memory view: the hierarchy with its traffic, the lines that make it, one access lane by lane, and
// where in a buffer it goes.
#pragma once

#include <string_view>
#include <vector>

#include "app/draw/style.h"
#include "app/model/access_picture.h"
#include "app/views/memory/accesses.h"
#include "app/views/memory/heat.h"
#include "app/views/memory/model.h"

namespace warplens {

struct MemoryPictureInput {
  const MemoryView* view = nullptr;
  std::optional<uint32_t> line;  // of the kernel source, chosen
  Dim3 grid;                     // for the words about a block
  const MemoryAccesses* accesses =
      nullptr;  // of the chosen block and warp; null: `footprint_message` says why
  std::string footprint_message;
  const HeatPicture* heat = nullptr;  // null: `heat_message` says why
  std::string heat_message;
  bool interactive = true;
};

// Where things came to lie, for tests.
struct MemoryLayout {
  struct Arrow {
    size_t flow = 0;  // in MemoryView::flows
    Point from, to;   // from the thread's side to memory; a load's head is at `from`
    float width = 0;
    std::string words;  // beside it
  };
  struct Line {
    size_t line = 0;          // in MemoryView::lines
    Box row, sectors, ideal;  // bars of sectors per request, and of the fewest
  };
  std::vector<Arrow> requests, sectors;  // threads to a space; a space to its cache
  std::vector<Line> lines;
  AccessLayout global, shared;  // empty where none is shown
  Box heat;                     // of the raster
  float bottom = 0;
};

MemoryLayout draw_memory_view(Picture& picture, const Style& style, Box box, const MemoryPictureInput& input);

constexpr std::string_view line_id = "line:", memory_access_id = "access:", memory_warp_id = "warp:",
                           memory_buffer_id = "buffer:", memory_save_id = "save";

}  // namespace warplens
