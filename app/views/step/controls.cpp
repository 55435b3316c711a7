// The buttons of the Step view, and the scrubber over the whole block.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/base/draw/parts.h"
#include "app/base/format.h"
#include "app/views/step/commands.h"
#include "app/views/step/picture_sections.h"

namespace warplens {
namespace {

std::string hint_of(const StepCommand& command) {
  return fmt::format("{} ({})", command.words, key_text(command.key));
}

// Order and launch are choices with a state, so that their buttons say it.
std::vector<Chip> order_chips(const StepViewInput& input) {
  std::vector<Chip> chips;
  const auto add = [&](std::string label, StepVerb verb, bool chosen, ChipKind kind) {
    chips.push_back({std::move(label), verb, hint_of(step_command(verb)), chosen, {}, kind});
  };
  const uint64_t seed = input.choice.seed;
  add(seed == 0 ? "order: in turn" : fmt::format("order: seed {}", seed), StepVerb::order, seed != 0,
      ChipKind::tool);
  if (seed != 0) add("in turn again", StepVerb::in_turn, false, ChipKind::tool);
  if (input.launches.size() > 1)
    add(fmt::format("launch {} of {}", input.choice.launch + 1, input.launches.size()), StepVerb::launch,
        false, ChipKind::tool);
  if (!input.cooperative && input.grid.count() > 1)
    add("earlier blocks first", StepVerb::earlier, input.choice.earlier_blocks, ChipKind::on_off);
  return chips;
}

std::vector<Chip> chips_of(const StepViewInput& input, bool compact) {
  std::vector<Chip> chips;
  for (const StepCommand& command : step_commands()) {
    std::string label(compact ? command.brief : command.label);
    if (label.empty()) continue;
    bool chosen = false;
    if (command.verb == StepVerb::play) {
      label = input.playing ? "pause" : "play";
      if (!compact) label += fmt::format(" {}/s", significant(input.lines_per_second));
    }
    if (command.verb == StepVerb::more) chosen = input.all_buttons;
    chips.push_back(
        {std::move(label), click_of(command), hint_of(command), chosen, {}, ChipKind::tool, command.begins});
  }
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

class Marks {
 public:
  Marks(Picture& picture, const Style& style, Box track, uint64_t length, bool named)
      : m_picture(picture),
        m_style(style),
        m_track(track),
        m_length(length),
        m_with_names(named),
        m_free_from(track.x) {}

  float at(uint64_t position) const {
    return m_track.x + m_track.width * float(double(position) / double(m_length));
  }
  // Each kind is named once, where there is room.
  void name(const std::string& words, float x) {
    if (!m_with_names || m_named.contains(words)) return;
    const float half = m_style.width(words, Font::words, m_style.small()) / 2;
    const float left = std::clamp(x - half, m_track.x, std::max(m_track.x, m_track.right() - 2 * half));
    if (left < m_free_from) return;
    m_picture.text({left, m_track.bottom() + m_style.px(6)}, words, Font::words, m_style.small(),
                   solid(m_style.palette.quiet));
    m_free_from = left + 2 * half + m_style.px(14);
    m_named.insert(words);
  }
  // A barrier goes through the track, a divergence stands below it.
  void of_course(const stepping::Timeline& line) {
    const Palette& p = m_style.palette;
    for (const stepping::TimelineMark& mark : line.marks) {
      const float x = at(mark.position);
      const bool barrier = mark.kind == stepping::TimelineMark::Kind::barrier;
      m_picture.line({x, barrier ? m_track.y : m_track.bottom()}, {x, m_track.bottom() + m_style.px(4)},
                     solid(barrier ? p.text : p.accent, barrier ? 0.4f : 1.0f),
                     barrier ? 1.0f : m_style.px(2));
      name(name_of(mark.kind), x);
    }
  }
  // Discs above the track, as in the gutter. Many in the same place are one.
  void of_breakpoints(const std::vector<uint64_t>& stops) {
    float last = -1e9f;
    for (const uint64_t stop : stops) {
      const float x = at(stop), size = m_style.px(7);
      if (x - last < size) continue;
      last = x;
      m_picture.rectangle({x - size / 2, m_track.y - size / 2, size, size}, solid(m_style.palette.action),
                          size / 2, solid(m_style.palette.on_action), 1);
      name("breakpoint", x);
    }
  }
  // A fault is a red cross, a finding an amber triangle.
  void of_incident(uint64_t position, const std::string& words, bool fault) {
    const float x = at(position), half = m_style.px(5), y = m_track.centre().y;
    if (fault) {
      const Colour red = solid(m_style.palette.fault);
      m_picture.line({x - half, y - half}, {x + half, y + half}, red, m_style.px(2));
      m_picture.line({x - half, y + half}, {x + half, y - half}, red, m_style.px(2));
    } else {
      Path triangle;
      triangle.points = {{x, y - half}, {x + half, y + half}, {x - half, y + half}};
      triangle.closed = true;
      triangle.fill = solid(m_style.palette.warning);
      m_picture.shapes.emplace_back(std::move(triangle));
    }
    name(words, x);
  }

 private:
  Picture& m_picture;
  const Style& m_style;
  const Box m_track;
  const uint64_t m_length;
  const bool m_with_names;
  float m_free_from;
  std::set<std::string> m_named;
};

void draw_track(Picture& picture, const Style& style, Box track, const stepping::Timeline& line) {
  const Palette& p = style.palette;
  const auto parts = std::min<size_t>(line.active.size(), static_cast<size_t>(std::max(1.0f, track.width)));
  for (size_t i = 0; i < parts; ++i) {
    const float x0 = track.x + track.width * float(i) / float(parts);
    const float lanes = line.active[i * line.active.size() / parts] / float(warp_lanes);
    picture.rectangle({x0, track.y, track.width / float(parts) + 0.5f, track.height},
                      solid(mix(p.raised, p.accent, 0.10 + 0.55 * double(lanes))));
  }
}

void draw_marks(Picture& picture, const Style& style, Box track, const StepSnapshot& shown, bool named) {
  const Palette& p = style.palette;
  const uint64_t length = shown.length.value_or(std::max(shown.recorded, shown.position));
  if (length == 0) return;
  if (shown.timeline && shown.timeline->length > 0) {
    draw_track(picture, style, track, *shown.timeline);
    Marks marks(picture, style, track, length, named);
    for (const auto& [position, words] : shown.incidents)
      marks.of_incident(position, words, shown.length && position + 1 >= length);
    marks.of_course(*shown.timeline);
    if (shown.stops) marks.of_breakpoints(*shown.stops);
  }
  const float x = track.x + track.width * float(double(shown.position) / double(length));
  picture.rectangle({x - style.px(1.5f), track.y - style.px(4), style.px(3), track.height + style.px(8)},
                    solid(shown.end == stepping::End::fault ? p.fault : p.text), 1);
}

constexpr float track_height = 24, names_height = 24, words_height = 22, order_height = 30, slim_height = 12;

}  // namespace

float step_controls_height(const Style& style, float width, const StepViewInput& input, bool compact) {
  Picture scratch;
  const float chips =
      input.interactive ? draw_chips(scratch, style, {0, 0, width, 0}, chips_of(input, compact)) : 0;
  return chips + style.px(compact ? slim_height + 14
                                  : words_height + 12 + track_height + names_height + order_height);
}

float draw_step_buttons(Picture& picture, const Style& style, Box box, const StepViewInput& input) {
  const float y = draw_chips(picture, style, box, chips_of(input, false)) + style.px(8);
  return draw_chips(picture, style, {box.x, y, box.width, 0}, order_chips(input)) + style.px(8);
}

float draw_step_message(Picture& picture, const Style& style, Box box, const StepViewInput& input) {
  const StepSnapshot& shown = *input.shown;
  if (shown.message.empty()) return box.y;
  const bool fault = shown.end == stepping::End::fault;
  return draw_paragraph(picture, style, {box.x, box.y}, shown.message, Font::words, style.small(),
                        solid(fault ? style.palette.fault : style.palette.text), box.width) +
         style.px(6);
}

float draw_step_controls(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                         bool compact, StepLayout& layout) {
  const StepSnapshot& shown = *input.shown;
  const Palette& p = style.palette;
  float y = box.y;
  if (input.interactive) y = draw_chips(picture, style, {box.x, y, box.width, 0}, chips_of(input, compact));
  y += style.px(compact ? 6 : 8);
  if (!compact) {
    const bool fault = shown.end == stepping::End::fault;
    const std::string where = where_words(shown);
    const float right = style.width(where, Font::mono, style.small()) + style.px(16);
    const std::string said = input.moving ? "running…" : shown.message;
    picture.text({box.x, y}, shortened(style, said, Font::words, style.small(), box.width - right),
                 Font::words, style.small(), solid(fault ? p.fault : p.text));
    picture.area({box.x, y, box.width - right, style.px(20)}, {}, said);
    picture.text({box.right(), y}, where, Font::mono, style.small(), solid(p.quiet), AlignX::right);
    y += style.px(words_height + 4);
  }
  const Box track{box.x, y, box.width, style.px(compact ? slim_height : track_height)};
  layout.scrubber = track;
  picture.rectangle(track, solid(p.raised), style.px(3));
  draw_marks(picture, style, track, shown, !compact);
  if (compact) return track.bottom() + style.px(4);
  y = track.bottom() + style.px(names_height);
  // What can be said of this block, and next to it what would change that: the order of its warps, and
  // whether other blocks run before it.
  const std::string notes = words_of_block(input);
  const std::vector<Chip> orders = input.interactive ? order_chips(input) : std::vector<Chip>{};
  float taken = 0;
  for (const Chip& chip : orders) taken += chip_width(style, chip) + style.px(8);
  const float room = std::max(0.0f, box.width - taken - style.px(8)), line = chip_height(style);
  picture.text({box.x, y + line / 2}, shortened(style, notes, Font::words, style.small(), room), Font::words,
               style.small(), solid(p.quiet), AlignX::left, AlignY::middle);
  picture.area({box.x, y, room, line}, {}, notes);
  draw_chips(picture, style, {box.right() - taken, y, taken, 0}, orders);
  return y + style.px(order_height);
}

}  // namespace warplens
