#include "app/base/draw/picture.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/base/language.h"

namespace warplens {

Box intersection(Box a, Box b) {
  const float x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  return {x, y, std::max(0.0f, std::min(a.right(), b.right()) - x),
          std::max(0.0f, std::min(a.bottom(), b.bottom()) - y)};
}

Box fitted(Box box, double width, double height) {
  if (box.empty() || width <= 0 || height <= 0) return {box.x, box.y, 0, 0};
  const double scale = std::min(box.width / width, box.height / height);
  const auto w = static_cast<float>(width * scale), h = static_cast<float>(height * scale);
  return {box.x + (box.width - w) / 2, box.y + (box.height - h) / 2, w, h};
}

void Picture::rectangle(Box box, Colour fill, float rounding, Colour line, float line_width) {
  if (!box.empty()) shapes.emplace_back(Rectangle{box, rounding, fill, line, line_width});
}

void Picture::line(Point from, Point to, Colour colour, float line_width) {
  shapes.emplace_back(Path{{from, to}, false, {}, colour, line_width});
}

void Picture::text(Point at, std::string_view words, Font font, float size, Colour colour, AlignX align_x,
                   AlignY align_y) {
  std::string said = font == Font::mono ? shown_amount(words) : shown(words);
  if (!said.empty()) shapes.emplace_back(Text{at, std::move(said), font, size, colour, align_x, align_y});
}

void Picture::hatch(Box box, Colour line_colour, float spacing) {
  if (!box.empty()) shapes.emplace_back(Hatch{box, line_colour, spacing});
}

void Picture::area(Box box, Click click, std::string hint) {
  areas.push_back(Area{box, std::move(click), std::move(hint)});
}

std::vector<std::pair<Point, Point>> hatch_lines(const Hatch& hatch) {
  std::vector<std::pair<Point, Point>> lines;
  const Box& box = hatch.box;
  const float spacing = std::max(2.0f, hatch.spacing);
  // Lines x + y = c, at distances that do not depend on the box, so that the lines of neighbouring boxes
  // meet.
  const float first = std::ceil((box.x + box.y) / spacing) * spacing;
  for (float c = first; c < box.right() + box.bottom(); c += spacing) {
    const float x0 = std::max(box.x, c - box.bottom()), x1 = std::min(box.right(), c - box.y);
    if (x1 > x0) lines.push_back({{x0, c - x0}, {x1, c - x1}});
  }
  return lines;
}

}  // namespace warplens
