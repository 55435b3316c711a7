#include <fmt/format.h>

#include <algorithm>

#include "app/base/draw/parts.h"
#include "app/base/format.h"
#include "app/views/inspector/model.h"
#include "app/views/model/access_picture.h"
#include "app/views/model/grid_map_picture.h"
#include "app/views/model/step_chip.h"

namespace warplens {

namespace {

constexpr float swatch_size = 52;

// Where a number comes from. The numbers of the run before a change are not those of the launch that is set
// up now.
void draw_tag(Picture& picture, const Style& style, Point at, const InspectorView& view, Provenance source,
              const std::string& formula) {
  if (!view.stale) {
    draw_source_tag(picture, style, at, source, formula);
    return;
  }
  picture.text({at.x, at.y + style.px(2)}, "before the change", Font::words, style.small(),
               solid(style.palette.quiet));
}

// Over several lines where it needs them.
float draw_wrapped_heading(Picture& picture, const Style& style, Box box, std::string_view words) {
  const float below = draw_paragraph(picture, style, {box.x, box.y}, std::string(words), Font::strong,
                                     style.small(), solid(style.palette.quiet), box.width);
  return std::max(below, box.y + style.px(22));
}

// A heading with its tag beside it, or below it where there is no room.
float draw_tagged_heading(Picture& picture, const Style& style, Box box, std::string_view words,
                          const InspectorView& view, Provenance source, const std::string& formula) {
  const float beside = box.x + style.width(words, Font::strong, style.small()) + style.px(10);
  const bool fits = beside + source_tag_width(style, source) <= box.right();
  float y = draw_wrapped_heading(picture, style, box, words);
  draw_tag(picture, style, fits ? Point{beside, box.y - style.px(2)} : Point{box.x, y}, view, source,
           formula);
  return fits ? y : y + style.px(20);
}

void draw_swatch(Picture& picture, const Style& style, Box box, const InspectorValue& value, bool hatched) {
  if (hatched) {
    picture.rectangle(box, {}, style.px(6), solid(style.palette.warning));
    picture.hatch(box.inset(style.px(3)), solid(style.palette.warning, 0.8f));
  } else {
    picture.rectangle(box, solid(*value.colour), style.px(6), solid(style.palette.line));
  }
  picture.area(box, {}, value.name + " = " + value.value);
}

// Draws coloured squares for pictures and text for numbers.
float draw_values(Picture& picture, const Style& style, Box box, const InspectorView& view) {
  float x = box.x, y = box.y;
  const float side = style.px(swatch_size);
  bool squares = false;
  for (size_t i = 0; i < view.values.size(); ++i) {
    const bool last = i + 1 == view.values.size(), hatched = last && view.nobody_wrote;
    if (!view.values[i].colour && !hatched) continue;
    if (squares) {
      picture.text({x + style.px(18), y + side / 2}, "→", Font::words, style.px(19),
                   solid(style.palette.text), AlignX::centre, AlignY::middle);
      x += style.px(36);
    }
    draw_swatch(picture, style, {x, y, side, side}, view.values[i], hatched);
    x += side + style.px(4);
    squares = true;
  }
  float width = 0;
  for (const InspectorValue& value : view.values)
    width = std::max(width, style.width(value.value, Font::mono, style.small()));
  const bool beside = squares && x + style.px(10) + width <= box.right();
  const float left = beside ? x + style.px(10) : box.x;
  float line = beside ? y + style.px(8) : squares ? y + side + style.px(8) : y;
  for (const InspectorValue& value : view.values) {
    const std::string words = squares ? value.value : value.name + " = " + value.value;
    line = draw_paragraph(picture, style, {left, line}, words, Font::mono, style.small(),
                          solid(style.palette.text), box.right() - left);
  }
  return std::max(line, squares ? y + side : y) + style.px(8);
}

float draw_written_by(Picture& picture, const Style& style, Box box, const InspectorView& view) {
  float y = box.y;
  if (view.nobody_wrote) {
    y = draw_wrapped_heading(picture, style, box, "WRITTEN BY");
    return draw_paragraph(picture, style, {box.x, y},
                          "No thread wrote it: no thread of the grid covers this element, so it still has "
                          "the value from before the launch.",
                          Font::words, style.small(), solid(style.palette.warning), box.width) +
           style.px(10);
  }
  if (view.written_by.empty()) return y;
  y = draw_tagged_heading(picture, style, box, view.is_writer ? "WRITTEN BY" : "WHERE IT IS", view,
                          view.is_writer ? Provenance::counted : Provenance::derived,
                          view.is_writer ? "the last thread that wrote this element, as the run recorded it"
                                         : "warp = linear thread / 32, lane = linear thread % 32");
  for (const std::string& line : view.written_by)
    y = draw_paragraph(picture, style, {box.x, y}, line, Font::mono, style.small(), solid(style.palette.text),
                       box.width);
  return y + style.px(8);
}

float draw_formula(Picture& picture, const Style& style, Box box, const InspectorView& view) {
  if (view.formula.empty()) return box.y;
  float y = draw_wrapped_heading(picture, style, box, "HOW ITS INDEX CAME ABOUT");
  const float indent = style.px(12);
  for (const FormulaLine& line : view.formula) {
    y = draw_paragraph(picture, style, {box.x, y}, line.line, Font::mono, style.small(),
                       solid(style.palette.text), box.width);
    if (line.value)
      y = draw_paragraph(picture, style, {box.x + indent, y},
                         fmt::format("= {} = {}", line.with_numbers, *line.value), Font::mono, style.small(),
                         solid(style.palette.accent), box.width - indent);
    y += style.px(3);
  }
  return y + style.px(10);
}

// The access that was refused, or in which a mistake was found, and the sentence about it.
float draw_incidents(Picture& picture, const Style& style, Box box, const InspectorView& view) {
  float y = box.y;
  constexpr size_t most = 3;
  for (size_t i = 0; i < std::min(most, view.incidents.size()); ++i) {
    const IncidentMark& mark = view.incidents[i];
    const Colour colour = colour_of_mark(style, mark);
    const float top = y, left = box.x + style.px(12);
    picture.text({left, y}, mark.verb, Font::strong, style.body(), colour);
    const float beside = left + style.width(mark.verb, Font::strong, style.body()) + style.px(10);
    picture.text({beside, y},
                 shortened(style, mark.place, Font::mono, style.body(), std::max(1.0f, box.right() - beside)),
                 Font::mono, style.body(), colour);
    y = draw_paragraph(picture, style, {left, y + style.px(22)}, mark.message, Font::words, style.small(),
                       solid(style.palette.text), box.width - style.px(12));
    if (mark.line != 0)
      y = draw_paragraph(picture, style, {left, y}, fmt::format("line {}", mark.line), Font::mono,
                         style.px(12), solid(style.palette.quiet), box.width - style.px(12));
    picture.rectangle({box.x, top, style.px(4), y - top}, colour, style.px(2));
    y += style.px(10);
  }
  return y;
}

float draw_accesses(Picture& picture, const Style& style, Box box, const InspectorView& view) {
  if (!view.accesses_known || (view.accesses.empty() && !view.incidents.empty())) return box.y;
  float y = draw_wrapped_heading(picture, style, box, "WHAT IT READ AND WROTE");
  constexpr size_t most = 5;
  for (size_t i = 0; i < std::min(most, view.accesses.size()); ++i) {
    const ThreadAccess& access = view.accesses[i];
    const bool load = access.kind == AccessKind::load;
    picture.text({box.x, y},
                 load                               ? "read"
                 : access.kind == AccessKind::store ? "wrote"
                                                    : "atomic",
                 Font::words, style.small(), solid(style.palette.quiet));
    const std::string words = access.place + (access.value ? " = " + *access.value : "");
    picture.text({box.x + style.px(48), y},
                 shortened(style, words, Font::mono, style.small(), box.width - style.px(48)), Font::mono,
                 style.px(12), solid(style.palette.text));
    picture.area({box.x, y, box.width, style.px(20)}, {},
                 access.line != 0 ? fmt::format("{} at line {} of the kernel", words, access.line) : words);
    y += style.px(20);
  }
  if (view.accesses.empty() && view.incidents.empty())
    y = draw_paragraph(picture, style, {box.x, y}, "It read and wrote nothing.", Font::words, style.small(),
                       solid(style.palette.quiet), box.width);
  if (view.accesses.size() > most) {
    picture.text({box.x, y},
                 fmt::format("… and {} more (Grid view, lane)", with_separators(view.accesses.size() - most)),
                 Font::words, style.small(), solid(style.palette.quiet));
    y += style.px(20);
  }
  return y + style.px(10);
}

float draw_cost_words(Picture& picture, const Style& style, Box box, const InspectorView& view) {
  if (view.cost.empty()) return box.y;
  const float y = draw_tagged_heading(picture, style, box, "WHAT IT COST", view, Provenance::counted,
                                      "Counted for this thread while the virtual GPU replayed its block.");
  return draw_paragraph(picture, style, {box.x, y}, view.cost, Font::words, style.small(),
                        solid(style.palette.text), box.width) +
         style.px(10);
}

float draw_load(Picture& picture, const Style& style, Box box, const InspectorView& view, uint32_t colour) {
  if (!view.load) return box.y;
  const std::string heading = view.load->kind == AccessKind::load ? "ITS WARP'S LOAD" : "ITS WARP'S ACCESS";
  float y = draw_tagged_heading(
      picture, style, box, heading, view, Provenance::counted,
      "every arrow is an access that the virtual GPU recorded while it replayed the block");
  y = draw_paragraph(picture, style, {box.x, y}, view.load->title, Font::mono, style.small(),
                     solid(style.palette.text), box.width);
  const AccessLayout layout = draw_access(picture, style, {box.x, y + style.px(4), box.width, style.px(106)},
                                          *view.load, colour, {view.lane});
  return draw_paragraph(picture, style, {box.x, layout.bottom + style.px(4)}, view.load_sentence, Font::words,
                        style.small(), solid(style.palette.quiet), box.width);
}

float draw_figures(Picture& picture, const Style& style, Box box, const InspectorView& view) {
  float y = box.y;
  for (const Figure& figure : view.figures) {
    picture.text({box.x, y}, figure.value, Font::strong, style.px(22), solid(style.palette.text));
    y += style.px(28);
    const float below = draw_paragraph(picture, style, {box.x, y}, figure.label, Font::words, style.small(),
                                       solid(style.palette.quiet), box.width);
    const float beside = box.x + style.width(figure.label, Font::words, style.small()) + style.px(8);
    const bool fits = beside + source_tag_width(style, figure.source) <= box.right();
    if (!fits) y = below;
    draw_tag(picture, style, {fits ? beside : box.x, y - style.px(1)}, view, figure.source, figure.formula);
    y += style.px(28);
  }
  return y;
}

}  // namespace

float draw_inspector_view(Picture& picture, const Style& style, Box box, const InspectorView& view) {
  const auto below = [&box](float y) { return Box{box.x, y, box.width, box.bottom() - y}; };
  if (!view.lost.empty()) {
    box.y = draw_paragraph(picture, style, {box.x, box.y}, view.lost, Font::words, style.body(),
                           solid(style.palette.text), box.width) +
            style.px(10);
  }
  if (view.heading.empty())
    return draw_paragraph(
        picture, style, {box.x, box.y},
        "Point at a pixel, a block or a thread to see where it came from. A click pins it, Esc lets go.",
        Font::words, style.body(), solid(style.palette.quiet), box.width);
  float y = draw_wrapped_heading(picture, style, box, view.heading);
  if (!view.values.empty()) y = draw_values(picture, style, below(y), view);
  y = draw_incidents(picture, style, below(y), view);
  y = draw_figures(picture, style, below(y), view);
  y = draw_written_by(picture, style, below(y), view);
  if (view.can_step) y = draw_chips(picture, style, below(y), {step_thread_chip()}) + style.px(8);
  y = draw_formula(picture, style, below(y), view);
  y = draw_cost_words(picture, style, below(y), view);
  y = draw_accesses(picture, style, below(y), view);
  y = draw_load(picture, style, below(y), view, warp_colour(view.load ? view.load->warp : 0));
  if (!view.message.empty())
    y = draw_paragraph(picture, style, {box.x, y}, view.message, Font::words, style.small(),
                       solid(style.palette.quiet), box.width);
  return y;
}

}  // namespace warplens
