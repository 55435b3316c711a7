// The Image view shows what the kernel did to the picture: input, result and difference, the blocks over
// them, and the thread that wrote the cell under the pointer.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/base/draw/style.h"
#include "app/state/state.h"
#include "app/views/image/series.h"
#include "app/views/model/incident_marks.h"
#include "app/views/model/raster_buffer.h"
#include "app/views/model/thread_cost.h"

namespace warplens {

enum class ImageMode : uint8_t { side_by_side, split, difference, result };
constexpr std::array<ImageMode, 4> all_image_modes = {ImageMode::split, ImageMode::side_by_side,
                                                      ImageMode::difference, ImageMode::result};
const char* name_of(ImageMode mode);                              // "side"
const char* to_string(ImageMode mode);                            // "input | result"
std::optional<ImageMode> image_mode_from(std::string_view name);  // from either text

// Everything that is made once for a result, not in each frame.
struct ImageSet {
  ShownBuffers shown;
  std::optional<BufferRaster> input, result;
  DifferenceRaster difference;
  std::optional<Series> input_series, result_series, difference_series;  // of one-dimensional arrays
  BlockRaster blocks;
  std::vector<IncidentMark> incidents;
  Dim3 grid, block;
  bool masked = false;
};
// `array` is the name of a buffer that is shown in place of the first input or output; it may be empty.
ImageSet build_image_set(const RunResult& result, std::string_view array = {});

// Takes out everything that the result says, where it is to be found out: its cells stay, without values.
void mask_result(ImageSet& set);

// Elements of the shown input and output that one thread read and wrote, as recorded.
struct ThreadElements {
  std::vector<uint64_t> read, written;
};

// The cells that one block wrote, in the colours of what their threads did.
struct BlockCost {
  ThreadCost cost;
  std::vector<std::pair<uint64_t, uint64_t>> cells;  // cell, linear thread
};
// Empty if the block was not counted, or if all threads did the same.
std::optional<BlockCost> block_cost(const RunResult& result, const ImageSet& set,
                                    const BlockFootprint& footprint);
ThreadElements elements_of_thread(const RunResult& result, const ShownBuffers& shown,
                                  const BlockFootprint& footprint, const Pick& pick);

struct ImageViewInput {
  const RunResult* result = nullptr;
  const ImageSet* set = nullptr;
  const ThreadElements* elements = nullptr;  // of the chosen thread; null if not known
  const BlockCost* cost = nullptr;           // of the chosen block; null if not known
  bool show_cost = false;
  ImageMode mode = ImageMode::split;
  float split = 0.47f;   // share of the picture left of the divider
  bool flipped = false;  // Space is held, which shows the input in place of the result
  bool show_blocks = true;
  bool hide_blocks = false;  // how many there are is still to be predicted: no lines, and "?" in the caption
  MapView view;
  Pick chosen, hovered;
  float free_at_right = 0;  // for a card: left free where the picture is as large without it
  bool interactive = true;
  bool has_live = true;                // a page has no live mode
  bool live = false, playing = false;  // live mode
  std::string live_note;               // text under the picture: how it is made
};

// One picture on the canvas.
struct ImageFrame {
  MapFrame frame;
  Box visible;  // the part of the canvas where it is visible
  bool is_input = false;
  const BufferRaster* raster = nullptr;
};
// One array as a plot.
struct VectorPlot {
  Box box;
  SeriesView view;
  const Series* series = nullptr;
  uint32_t buffer = 0;  // index in LaunchRequest::buffers
  bool is_input = false;
};
struct ImageViewLayout {
  std::vector<ImageFrame> frames;
  std::vector<VectorPlot> plots;  // of one-dimensional arrays, in place of frames
  std::optional<float> divider;   // x of the split
};

ImageViewLayout draw_image_view(Picture& picture, const Style& style, Box box, const ImageViewInput& input);

// The element of the shown result at a point, with its block and thread if they are known.
Pick pick_at(const ImageViewInput& input, const ImageViewLayout& layout, Point at);

constexpr float largest_pixel = 160;
// What a click in the tool bar does.
enum class ImageVerb : uint8_t { mode, raster, cost, array, live, play };
constexpr std::string_view name_of(ImageVerb verb) {
  constexpr std::string_view names[] = {"mode:", "raster", "cost", "array:", "live", "play"};
  return names[static_cast<size_t>(verb)];
}

}  // namespace warplens
