#include "app/views/program/timeline_picture.h"

namespace warplens {

TimelineDrawn draw_timeline(Picture&, const Style&, Box box, const TimelineInput&) {
  return {box.y, box, {}};
}
std::optional<size_t> event_at(const Style&, Box, const TimelineInput&, Point) { return std::nullopt; }
float draw_program(Picture&, const Style&, Box box, const TimelineInput&, const recording::ProgramReport&) {
  return box.y;
}

}  // namespace warplens
