// A drawing as plain data. The same list of shapes is drawn in the window (app/widgets/draw_picture.h) and
// written to PNG and SVG (save_picture.h). Coordinates are pixels at 100 %; y points down.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/base/draw/click.h"
#include "app/base/draw/raster.h"

namespace warplens {

struct Point {
  float x = 0, y = 0;
  bool operator==(const Point&) const = default;
};

struct Box {
  float x = 0, y = 0, width = 0, height = 0;
  float right() const { return x + width; }
  float bottom() const { return y + height; }
  Point centre() const { return {x + width / 2, y + height / 2}; }
  bool contains(Point at) const { return at.x >= x && at.x < right() && at.y >= y && at.y < bottom(); }
  bool empty() const { return width <= 0 || height <= 0; }
  Box inset(float by) const { return {x + by, y + by, width - 2 * by, height - 2 * by}; }
  bool operator==(const Box&) const = default;
};
Box intersection(Box a, Box b);
// The largest centred box inside `box` with this ratio of width to height.
Box fitted(Box box, double width, double height);

// 0xRRGGBB and its opacity. With alpha 0 nothing is drawn.
struct Colour {
  uint32_t rgb = 0;
  float alpha = 0;
  bool visible() const { return alpha > 0; }
  bool operator==(const Colour&) const = default;
};
inline Colour solid(uint32_t rgb, float alpha = 1.0f) { return {rgb, alpha}; }

enum class Font : uint8_t { words, strong, mono };
enum class AlignX : uint8_t { left, centre, right };
enum class AlignY : uint8_t { top, middle };
// How a bitmap is enlarged. When it shrinks, pixels are always averaged.
enum class Sampling : uint8_t { nearest, linear };

struct Rectangle {
  Box box;
  float rounding = 0;
  Colour fill, line;
  float line_width = 1;  // drawn inside the box
};
struct Path {
  std::vector<Point> points;
  bool closed = false;
  Colour fill, line;  // a fill needs a convex outline
  float line_width = 1;
};
struct Text {
  Point at;
  std::string words;  // one line, UTF-8
  Font font = Font::words;
  float size = 15;
  Colour colour;
  AlignX align_x = AlignX::left;
  AlignY align_y = AlignY::top;
};
struct Bitmap {
  Box box;
  std::shared_ptr<const Raster> raster;
  Box part{0, 0, 1, 1};  // the part of the raster that is drawn, as shares of its extents
  Sampling sampling = Sampling::linear;
  float alpha = 1;
};
// Diagonal lines for a region that nothing covers.
struct Hatch {
  Box box;
  Colour line;
  float spacing = 6;
};
struct BeginClip {
  Box box;
};
struct EndClip {};
using Shape = std::variant<Rectangle, Path, Text, Bitmap, Hatch, BeginClip, EndClip>;

// A region with a hover text. If it has a click, it can be clicked and reached by the keyboard.
struct Area {
  Box box;
  Click click;
  std::string hint;  // hover text
  Box clip = {};     // the part of the picture in which it is to be seen; empty: all of it
};

struct Picture {
  float width = 0, height = 0;
  Colour background;
  std::string title;  // of the SVG document
  std::vector<Shape> shapes;
  std::vector<Area> areas;

  void rectangle(Box box, Colour fill, float rounding = 0, Colour line = {}, float line_width = 1);
  void line(Point from, Point to, Colour colour, float width = 1);
  // Words are shown in the chosen language (app/base/language.h), code is not changed.
  void text(Point at, std::string_view words, Font font, float size, Colour colour,
            AlignX align_x = AlignX::left, AlignY align_y = AlignY::top);
  void hatch(Box box, Colour line, float spacing = 6);
  void begin_clip(Box box) { shapes.emplace_back(BeginClip{box}); }
  void end_clip() { shapes.emplace_back(EndClip{}); }
  void area(Box box, Click click, std::string hint);
};

// The lines of a hatch inside its box, for the code that draws it.
std::vector<std::pair<Point, Point>> hatch_lines(const Hatch& hatch);

}  // namespace warplens
