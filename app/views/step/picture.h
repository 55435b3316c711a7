// The Step view: the source with where each path is, the block's warps as rows of lanes, the values of the
// shown warp lane by lane, shared memory, the access under way, and the block's course as a scrubber.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/draw/style.h"
#include "app/state/parts/step.h"
#include "app/views/model/access_picture.h"
#include "app/views/model/index_formula.h"

namespace warplens {

struct StepViewInput {
  const StepSnapshot* shown = nullptr;  // null: `message` says why
  std::string message;
  const LaunchRequest* request = nullptr;
  std::string_view source, source_name;  // CUDA C++; empty if it is not known
  std::string_view ptx;
  Dim3 block{0, 0, 0}, grid, threads;  // which block; extents
  uint32_t lane = 0;
  bool show_ptx = false;  // and registers instead of variables
  bool playing = false;
  double lines_per_second = 4;
  bool moving = false;
  bool interactive = true;
  std::vector<StepBreakpoint> breakpoints;  // of this source
  std::optional<StepTarget> target;         // whose writes are looked for
  std::vector<FormulaLine> formula;         // of the shown thread
  StepChoice choice;
  std::vector<std::string> launches;  // of the request
  bool cooperative = false;
  bool race = false;              // a race was opened: its two orders are shown, or on the way
  std::array<float, 3> scroll{};  // how far each column is scrolled
  bool all_buttons = false;       // with little room: in place of everything else
  int source_scroll = 0;          // lines away from where the current one is in sight
};

enum class StepColumn : uint8_t { below_source, centre, side };

// The positions of the parts, for tests.
struct StepLayout {
  std::vector<Box> lines;  // of the text that is shown; its first line is `first_line`
  uint32_t first_line = 1;
  std::optional<size_t> current;        // index in `lines`
  std::vector<std::vector<Box>> warps;  // the squares of the lanes, warp by warp, of those that are shown
  uint32_t first_warp = 0;
  std::vector<Box> values;  // the rows of variables or registers
  std::vector<Box> arrays;
  struct Grid {  // of an array in `arrays`
    float cell_width = 0, cell_height = 0;
    uint64_t columns = 1, each = 1;  // elements in a cell
    bool values = false;             // a cell has its value
  };
  std::vector<Grid> grids;
  struct Column {
    Box box;           // empty if there is no such column
    float height = 0;  // of what is in it
  };
  std::array<Column, 3> columns;
  struct Condition {
    Box box;
    uint32_t line = 0;
  };
  std::vector<Condition> conditions;  // where the condition of a breakpoint is written
  std::vector<Box> meetings;          // the places of the divergence tree
  std::vector<Box> frames;            // of the call stack
  Box source;
  Box scrubber;
  float bottom = 0;
};

StepLayout draw_step_view(Picture& picture, const Style& style, Box box, const StepViewInput& input);

// "line 9, next", "waits at the barrier of line 10 for warps 0–3", "finished".
std::string words_of_warp(const StepSnapshot& shown, uint32_t warp);
// Where the lanes of the shown warp are, and where they meet again: a line for each path.
std::vector<std::string> words_of_paths(const StepSnapshot& shown);
// The frames of the shown lane, innermost first: "lucas_number, line 8", "lucas_recursive, called in line
// 13".
struct StepFrameRow {
  std::string words;
  uint32_t number = 0;
  uint32_t line = 0;   // of the source; 0 if it is not known
  bool shown = false;  // its variables are shown
};
// If there are very many, the middle ones are left out: a row without a number of its own says how many.
std::vector<StepFrameRow> frame_rows(const StepSnapshot& shown, uint32_t lane);
// "0–3, 7".
std::string ranges_text(const std::vector<uint32_t>& numbers);
std::string lanes_words(uint32_t lanes);  // "lanes 0–15", "all lanes"

// "reads values[161] = 0.26, writes values[33] = 0.87": what the lane has accessed on a line in the last
// move. Empty if it has accessed nothing there.
std::string words_of_access(const StepSnapshot& shown, uint32_t line, uint32_t lane);
// The abilities and limits of the engine for this block, in a few sentences.
std::string words_of_block(const StepViewInput& input);
// The last values that the shown warp read and wrote, as rows of lanes: "in[i] (read)".
std::vector<StepValue> accessed_values(const StepViewInput& input);

// What a click or a key does. A move is followed by the number of its StepMoveKind; others by a line, a lane,
// a name.
enum class StepVerb : uint8_t {
  line,
  warp,
  lane,
  move,
  play,
  ptx,
  slower,
  faster,
  start,
  toggle,
  part,
  at,
  order,
  in_turn,
  launch,
  earlier,
  more,
  remove,
  frame,
  break_here,
  condition,
  next_lane,
  lane_before,
  next_warp,
  warp_before
};
constexpr std::string_view name_of(StepVerb verb) {
  constexpr std::string_view names[] = {
      "line:",     "warp:",       "lane:",     "do:",        "play",   "ptx",   "slower",
      "faster",    "start",       "break:",    "part:",      "at:",    "order", "in turn",
      "launch",    "earlier",     "more",      "remove:",    "frame:", "break", "condition",
      "next lane", "lane before", "next warp", "warp before"};
  return names[static_cast<size_t>(verb)];
}

}  // namespace warplens
