// The pages of managed memory over time: for each array a column for each step that used other pages than
// before, with where its pages lie after the step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/base/draw/picture.h"
#include "app/base/draw/style.h"
#include "core/recording/managed_arrays.h"
#include "core/recording/recording.h"

namespace warplens {

// Where the units of each array are before a step: the same for all frames that begin there.
struct PagesBefore {
  size_t step = 0;
  std::vector<std::vector<uint8_t>> places;  // of each array, of each unit
};
PagesBefore pages_before(const recording::Recording& recording,
                         const std::vector<recording::ManagedArray>& arrays, size_t step);

struct PagesInput {
  const recording::Recording* recording = nullptr;
  const std::vector<recording::ManagedArray>* arrays = nullptr;
  const PagesBefore* before = nullptr;  // whose step is the first that is drawn
};
// How many steps fit side by side.
size_t page_steps_in(const Style& style, float width);
// Draws nothing if there is no such array. Returns the y below it. What is made is bounded by the width.
float draw_pages(Picture& picture, const Style& style, Box box, const PagesInput& input);

}  // namespace warplens
