// The Step view: the source with where each path is, the block's warps as rows of lanes, the values of the
// shown warp lane by lane, shared memory, the access under way, and the block's course as a scrubber.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/draw/style.h"
#include "app/model/access_picture.h"
#include "app/state/step.h"

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
};

// The positions of the parts, for tests.
struct StepLayout {
  std::vector<Box> lines;  // of the text that is shown; its first line is `first_line`
  uint32_t first_line = 1;
  std::optional<size_t> current;        // index in `lines`
  std::vector<std::vector<Box>> warps;  // the squares of the lanes, warp by warp, of those that are shown
  uint32_t first_warp = 0;
  std::vector<Box> values;  // the rows of variables or registers that fit
  std::vector<Box> arrays;
  Box scrubber;
  float bottom = 0;
};

StepLayout draw_step_view(Picture& picture, const Style& style, Box box, const StepViewInput& input);

// "line 9, next", "waits at the barrier of line 10 for warps 0–3", "finished".
std::string words_of_warp(const StepSnapshot& shown, uint32_t warp);
// Where the lanes of the shown warp are, and where they meet again: a line for each path.
std::vector<std::string> words_of_paths(const StepSnapshot& shown);
// "0–3, 7".
std::string ranges_text(const std::vector<uint32_t>& numbers);
std::string lanes_words(uint32_t lanes);  // "lanes 0–15", "all lanes"

// Ids of the clickable parts. Those with a number behind them end in ':'.
constexpr std::string_view step_line_id = "line:", step_warp_id = "warp:", step_lane_id = "lane:",
                           step_do_id = "do:", step_play_id = "play", step_ptx_id = "ptx",
                           step_slower_id = "slower", step_faster_id = "faster", step_start_id = "start";

}  // namespace warplens
