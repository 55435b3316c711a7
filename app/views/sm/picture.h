// The SM view as a picture: the sentence, the issue slots of each scheduler, and below them the warps of one
// scheduler, or of all.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/base/draw/picture.h"
#include "app/base/draw/style.h"
#include "app/views/sm/model.h"

namespace warplens {

enum class SmVerb : uint8_t {
  play,
  pause,
  slower,
  faster,
  nearer,
  farther,
  all_time,
  scheduler,
  all_schedulers,
  pin
};
constexpr std::string_view name_of(SmVerb verb) {
  constexpr std::string_view names[] = {"play",    "pause",    "slower",     "faster",         "nearer",
                                        "farther", "all_time", "scheduler:", "all_schedulers", "pin"};
  return names[static_cast<size_t>(verb)];
}

// Pictures of so many spans that a pixel has several, kept until what they show changes.
struct SmBitmaps {
  struct Key {
    std::shared_ptr<const SmModel> of;
    size_t first_row = 0, rows = 0;
    double from = 0, to = 0;
    uint32_t width = 0, pitch = 0, line = 0;
    Theme theme = Theme::dark;
    bool slots = false;
    bool operator==(const Key&) const = default;
  };
  std::vector<std::pair<Key, std::shared_ptr<const Raster>>> kept;
};

struct SmPictureInput {
  const SmView* view = nullptr;      // of the shown run
  const SmView* baseline = nullptr;  // of the pinned run, which is drawn above it
  std::string label, baseline_label;
  std::optional<TimeRange> range = {};     // cycles; empty: all
  std::optional<double> cursor = {};       // a cycle
  std::optional<uint32_t> scheduler = 0u;  // whose warps are drawn; empty: those of all
  bool automatic = true;                   // nobody chose: all schedulers where their warps have room
  uint32_t line = 0;                       // the chosen one: what waits at other lines is pale
  std::optional<uint64_t> block = {};      // the chosen one, in the grid
  std::optional<uint32_t> warp = {};       // the chosen one, in it
  bool playing = false, pinned = false;
  double cycles_a_second = 0;
  bool interactive = true;
  SmBitmaps* bitmaps = nullptr;  // null: they are made again
};

// Where one run's parts are.
struct SmPart {
  const SmView* view = nullptr;
  Box bars;               // of all rows: its width is the range
  std::vector<Box> rows;  // those that are drawn, from `first_row` on
  size_t first_row = 0;   // in SmView::rows
};
struct SmLayout {
  float bottom = 0;
  TimeRange range;
  std::optional<uint32_t> scheduler;  // whose warps are drawn; empty: those of all
  double end = 0;                     // of the longer run
  Box time;                           // where the pointer zooms and moves
  Box overview;
  std::vector<SmPart> parts;
};
SmLayout draw_sm_view(Picture& picture, const Style& style, Box box, const SmPictureInput& input);

// The span under the pointer; empty if there is none.
struct SmPointed {
  const SmPart* part = nullptr;
  const SmRow* row = nullptr;
  size_t span = 0;
};
std::optional<SmPointed> sm_span_at(const SmLayout& layout, Point at);

}  // namespace warplens
