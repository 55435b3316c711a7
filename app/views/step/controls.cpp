// The buttons of the Step view, and the scrubber over the whole block.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/base/format.h"
#include "app/draw/parts.h"
#include "app/views/step/picture_parts.h"

namespace warplens {
namespace {

std::string move_id(StepMoveKind kind) { return fmt::format("{}{}", step_do_id, static_cast<int>(kind)); }

std::vector<Chip> chips_of(const StepViewInput& input) {
  const std::string rate =
      fmt::format("{} {}/s", input.playing ? "pause" : "play", significant(input.lines_per_second));
  std::vector<Chip> chips;
  const auto add = [&](std::string label, std::string id, std::string hint, bool chosen = false) {
    chips.push_back({std::move(label), std::move(id), std::move(hint), chosen, {}});
  };
  add("start", std::string(step_start_id), "Back to the block's start (Home)");
  add("◀ line", move_id(StepMoveKind::back_line), "Back by a line of the shown warp (Shift+F10)");
  add("line ▶", move_id(StepMoveKind::line), "To the next line of the shown warp (F10)", true);
  add("instruction ▶", move_id(StepMoveKind::instruction), "The next instruction of any warp (Alt+F10)");
  add("this warp ▶", move_id(StepMoveKind::this_warp),
      "An instruction of the shown warp, though another has its turn");
  add(rate, std::string(step_play_id), "One line after the other (P)", input.playing);
  add("slower", std::string(step_slower_id), "Half as many lines a second");
  add("faster", std::string(step_faster_id), "Twice as many lines a second");
  add("next barrier", move_id(StepMoveKind::barrier), "To the next __syncthreads() of any warp");
  add("next divergence", move_id(StepMoveKind::divergence), "To where the lanes of a warp part");
  add("next conflict", move_id(StepMoveKind::conflict), "To an access with bank conflicts");
  add("end", move_id(StepMoveKind::to_end), "To the block's end (End)");
  return chips;
}

std::string where_words(const StepSnapshot& shown) {
  const std::string at = fmt::format("position {}", with_separators(shown.position));
  if (shown.length) return fmt::format("{} of {}", at, with_separators(*shown.length));
  return fmt::format("{}, {} or more", at, with_separators(shown.recorded));
}

const char* name_of(stepping::TimelineMark::Kind kind) {
  return kind == stepping::TimelineMark::Kind::barrier ? "barrier" : "divergence";
}

void draw_marks(Picture& picture, const Style& style, Box track, const stepping::Timeline& line) {
  const Palette& p = style.palette;
  float free_from = track.x;
  for (const stepping::TimelineMark& mark : line.marks) {
    const float x = track.x + track.width * float(double(mark.position) / double(line.length));
    const bool barrier = mark.kind == stepping::TimelineMark::Kind::barrier;
    // A barrier goes through the track, a divergence stands below it.
    picture.line({x, barrier ? track.y : track.bottom()}, {x, track.bottom() + style.px(4)},
                 solid(barrier ? p.text : p.accent, barrier ? 0.55f : 1.0f), barrier ? 1.0f : style.px(2));
    const std::string name = name_of(mark.kind);
    const float half = style.width(name, Font::words, style.small()) / 2;
    if (x - half < free_from || x + half > track.right()) continue;
    picture.text({x, track.bottom() + style.px(6)}, name, Font::words, style.small(), solid(p.quiet),
                 AlignX::centre);
    free_from = x + half + style.px(14);
  }
}

}  // namespace

float step_controls_height(const Style& style, float width, const StepViewInput& input) {
  Picture scratch;
  const float chips = draw_chips(scratch, style, {0, 0, width, 0}, chips_of(input));
  return chips + style.px(26 + 28 + 30);
}

float draw_step_controls(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                         StepLayout& layout) {
  const StepSnapshot& shown = *input.shown;
  const Palette& p = style.palette;
  float y = box.y;
  if (input.interactive) y = draw_chips(picture, style, {box.x, y, box.width, 0}, chips_of(input));
  const bool fault = shown.end == stepping::End::fault;
  const std::string where = where_words(shown);
  const float right = style.width(where, Font::mono, style.small()) + style.px(16);
  const std::string said = input.moving ? "running…" : shown.message;
  picture.text({box.x, y}, shortened(style, said, Font::words, style.small(), box.width - right), Font::words,
               style.small(), solid(fault ? p.fault : p.text));
  picture.area({box.x, y, box.width - right, style.px(20)}, "", said);
  picture.text({box.right(), y}, where, Font::mono, style.small(), solid(p.quiet), AlignX::right);
  y += style.px(24);
  const Box track{box.x, y, box.width, style.px(26)};
  layout.scrubber = track;
  picture.rectangle(track, solid(p.raised), style.px(3));
  const uint64_t length = shown.length.value_or(std::max(shown.recorded, shown.position));
  if (shown.timeline && shown.timeline->length > 0) {
    const auto& active = shown.timeline->active;
    const auto parts = std::min<size_t>(active.size(), static_cast<size_t>(std::max(1.0f, track.width)));
    for (size_t i = 0; i < parts; ++i) {
      const float x0 = track.x + track.width * float(i) / float(parts);
      const float lanes = active[i * active.size() / parts] / float(warp_lanes);
      picture.rectangle({x0, track.y, track.width / float(parts) + 0.5f, track.height},
                        solid(mix(p.raised, p.accent, 0.10 + 0.55 * double(lanes))));
    }
    draw_marks(picture, style, track, *shown.timeline);
  }
  if (length > 0) {
    const float x = track.x + track.width * float(double(shown.position) / double(length));
    picture.rectangle({x - style.px(1.5f), track.y - style.px(4), style.px(3), track.height + style.px(8)},
                      solid(fault ? p.fault : p.text), 1);
  }
  return track.bottom() + style.px(26);
}

}  // namespace warplens
