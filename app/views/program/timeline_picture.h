// The time line of a recorded program as a picture, and the whole view for a file.
#pragma once

#include <optional>

#include "app/base/draw/picture.h"
#include "app/base/draw/style.h"
#include "app/views/model/program_timeline.h"
#include "core/recording/program_warnings.h"

namespace warplens {

// What a click on a bar does: an event by its number, or a part of the time, "BEGIN END" in microseconds.
enum class TimelineVerb : uint8_t { event, range };
constexpr std::string_view name_of(TimelineVerb verb) {
  constexpr std::string_view names[] = {"event ", "range "};
  return names[static_cast<size_t>(verb)];
}

struct TimelineInput {
  const recording::Recording* recording = nullptr;
  const ProgramTimeline* timeline = nullptr;
  std::optional<TimeRange> range = {};  // of the device's clock; empty: all of it
  std::optional<size_t> chosen = {};    // an event, as an index of Recording::events
  std::optional<Point> pointer = {};    // where the mouse is: narrow bars are areas only there
  bool shows_overlap = false;           // what could overlap, below; only where all of the time is shown
};
struct TimelineDrawn {
  float bottom = 0;
  Box device;       // where the device's bars are: its width is the range
  TimeRange range;  // that was drawn
};
// Areas (Picture::areas) of bars have the id "event INDEX", of merged ones "range FROM TO" in microseconds,
// which zooms in. What is made is bounded by the width, and for each pixel it is a part of a rectangle.
TimelineDrawn draw_timeline(Picture& picture, const Style& style, Box box, const TimelineInput& input);

// Title, sums, time line, launches and warnings. Returns the y below it.
float draw_program(Picture& picture, const Style& style, Box box, const TimelineInput& input,
                   const recording::ProgramReport& report);

}  // namespace warplens
