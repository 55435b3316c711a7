// The call stack of the shown lane. A click on a frame shows its variables.
#include <fmt/format.h>

#include <algorithm>

#include "app/base/draw/parts.h"
#include "app/base/format.h"
#include "app/views/step/picture_sections.h"

namespace warplens {
namespace {

// A recursion of hundreds of levels keeps its ends: where it is, and where it began.
constexpr size_t most_frames = 12, first_frames = 8;

const stepping::StackView* stack_of(const StepSnapshot& shown, uint32_t lane) {
  for (const stepping::StackView& stack : shown.stacks)
    if ((stack.lanes >> lane & 1) != 0) return &stack;
  return nullptr;
}

StepFrameRow row_of(const StepSnapshot& shown, const stepping::FrameView& frame, uint32_t number) {
  StepFrameRow row{.words = {}, .number = number, .line = frame.at.line};
  const std::string where = frame.at.line != 0 ? fmt::format("line {}", frame.at.line)
                                               : fmt::format("PTX line {}", frame.at.ptx_line);
  row.words = number == 0 ? fmt::format("{}, {}", frame.function, where)
                          : fmt::format("{}, called in {}", frame.function, where);
  if (frame.inlined) row.words += " (inlined)";
  row.shown = number == 0 ? !shown.frame : shown.frame == frame;
  return row;
}

}  // namespace

std::vector<StepFrameRow> frame_rows(const StepSnapshot& shown, uint32_t lane) {
  std::vector<StepFrameRow> rows;
  const stepping::StackView* stack = stack_of(shown, lane);
  if (stack == nullptr || stack->frames.size() < 2) return rows;
  const size_t count = stack->frames.size();
  const size_t left_out = count > most_frames ? count - most_frames : 0;
  for (size_t i = 0; i < count; ++i) {
    if (left_out != 0 && i == first_frames) {
      rows.push_back({.words = fmt::format("… {} more calls", with_separators(left_out))});
      i += left_out;
    }
    rows.push_back(row_of(shown, stack->frames[i], static_cast<uint32_t>(i)));
  }
  return rows;
}

float draw_step_stack(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                      StepLayout& layout) {
  const std::vector<StepFrameRow> rows = frame_rows(*input.shown, input.lane);
  if (rows.empty()) return box.y;
  const Palette& p = style.palette;
  float y = draw_heading(picture, style, {box.x, box.y}, fmt::format("CALLS OF LANE {}", input.lane));
  const float row = style.px(20);
  for (size_t i = 0; i < rows.size(); ++i, y += row) {
    const StepFrameRow& frame = rows[i];
    const Box line{box.x, y, box.width, row};
    layout.frames.push_back(line);
    const bool left_out = i != 0 && frame.number == 0;
    if (frame.shown) {
      picture.rectangle(line, solid(mix(p.panel, p.accent, 0.16)), style.px(3));
      picture.rectangle({line.x, line.y, style.px(3), line.height}, solid(p.accent));
    }
    picture.text({box.x + style.px(12), line.centre().y},
                 shortened(style, frame.words, Font::mono, style.small(), box.width - style.px(12)),
                 Font::mono, style.small(), solid(frame.shown ? p.text : p.quiet), AlignX::left,
                 AlignY::middle);
    if (left_out) continue;
    picture.area(line, input.interactive ? Click(StepVerb::frame, frame.number) : Click(),
                 frame.words + (frame.shown ? "\nIts variables are shown below."
                                            : "\nClick: show its variables, as they are at the call"));
  }
  return y + style.px(8);
}

}  // namespace warplens
