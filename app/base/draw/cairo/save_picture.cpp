#include "app/base/draw/save_picture.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <numbers>
#include <utility>

#include "app/base/draw/cairo/fonts.h"

namespace warplens {

namespace {

struct CairoDeleter {
  void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
using CairoPointer = std::unique_ptr<cairo_t, CairoDeleter>;
using SurfacePointer = std::unique_ptr<cairo_surface_t, CairoDeleter>;

// Largest side of a picture in file pixels: cairo's images end at 32767.
constexpr double max_side = 16384;

void set_colour(cairo_t* cairo, Colour colour) {
  cairo_set_source_rgba(cairo, ((colour.rgb >> 16) & 255) / 255.0, ((colour.rgb >> 8) & 255) / 255.0,
                        (colour.rgb & 255) / 255.0, static_cast<double>(colour.alpha));
}

// How letters are drawn does not depend on the settings of the machine.
void set_font(cairo_t* cairo, Font font, double size) {
  use_own_fonts();
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
  cairo_set_font_options(cairo, options);
  cairo_font_options_destroy(options);
  cairo_select_font_face(cairo, font == Font::mono ? "JetBrains Mono" : "Inter", CAIRO_FONT_SLANT_NORMAL,
                         font == Font::strong ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cairo, size);
}

double advance_of(cairo_t* cairo, const char* words) {
  cairo_text_extents_t extents;
  cairo_text_extents(cairo, words, &extents);
  return extents.x_advance;
}

void outline(cairo_t* cairo, Box box, double rounding) {
  const double x = box.x, y = box.y, w = box.width, h = box.height;
  const double r = std::min({rounding, w / 2, h / 2});
  if (r <= 0) {
    cairo_rectangle(cairo, x, y, w, h);
    return;
  }
  const double quarter = std::numbers::pi / 2;
  cairo_new_sub_path(cairo);
  cairo_arc(cairo, x + w - r, y + r, r, -quarter, 0);
  cairo_arc(cairo, x + w - r, y + h - r, r, 0, quarter);
  cairo_arc(cairo, x + r, y + h - r, r, quarter, 2 * quarter);
  cairo_arc(cairo, x + r, y + r, r, 2 * quarter, 3 * quarter);
  cairo_close_path(cairo);
}

void draw(cairo_t* cairo, const Rectangle& shape) {
  const auto rounding = static_cast<double>(shape.rounding);
  if (shape.fill.visible()) {
    outline(cairo, shape.box, rounding);
    set_colour(cairo, shape.fill);
    cairo_fill(cairo);
  }
  if (shape.line.visible()) {
    outline(cairo, shape.box.inset(shape.line_width / 2), rounding);
    set_colour(cairo, shape.line);
    cairo_set_line_width(cairo, static_cast<double>(shape.line_width));
    cairo_stroke(cairo);
  }
}

void draw(cairo_t* cairo, const Path& shape) {
  if (shape.points.empty()) return;
  for (const Point& point : shape.points)
    cairo_line_to(cairo, static_cast<double>(point.x), static_cast<double>(point.y));
  if (shape.closed) cairo_close_path(cairo);
  if (shape.fill.visible()) {
    set_colour(cairo, shape.fill);
    cairo_fill_preserve(cairo);
  }
  if (shape.line.visible()) {
    set_colour(cairo, shape.line);
    cairo_set_line_width(cairo, static_cast<double>(shape.line_width));
    cairo_stroke_preserve(cairo);
  }
  cairo_new_path(cairo);
}

void draw(cairo_t* cairo, const Text& shape) {
  const auto size = static_cast<double>(shape.size);
  set_font(cairo, shape.font, size);
  double x = shape.at.x, y = shape.at.y;
  if (shape.align_x != AlignX::left) {
    const double width = advance_of(cairo, shape.words.c_str());
    x -= shape.align_x == AlignX::centre ? width / 2 : width;
  }
  // Inter and JetBrains Mono: capitals are about 0.73 em high, a line box is about 1.2 em.
  y += shape.align_y == AlignY::middle ? 0.36 * size : 0.95 * size;
  set_colour(cairo, shape.colour);
  cairo_move_to(cairo, x, y);
  cairo_show_text(cairo, shape.words.c_str());
  cairo_new_path(cairo);
}

// Cairo wants premultiplied, native-endian ARGB.
SurfacePointer surface_of(const Raster& raster) {
  const auto width = static_cast<int>(raster.width), height = static_cast<int>(raster.height);
  SurfacePointer surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height));
  if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS) return nullptr;
  unsigned char* data = cairo_image_surface_get_data(surface.get());
  const auto stride = static_cast<size_t>(cairo_image_surface_get_stride(surface.get()));
  for (size_t y = 0; y < raster.height; ++y) {
    for (size_t x = 0; x < raster.width; ++x) {
      const uint8_t* from = raster.rgba.data() + 4 * (y * raster.width + x);
      const uint32_t a = from[3];
      const auto scaled = [a](uint32_t value) { return (value * a + 127) / 255; };
      const uint32_t pixel = a << 24 | scaled(from[0]) << 16 | scaled(from[1]) << 8 | scaled(from[2]);
      std::memcpy(data + y * stride + 4 * x, &pixel, sizeof pixel);
    }
  }
  cairo_surface_mark_dirty(surface.get());
  return surface;
}

void draw(cairo_t* cairo, const Bitmap& shape) {
  if (!shape.raster || shape.raster->width == 0 || shape.raster->height == 0 || shape.box.empty()) return;
  const SurfacePointer surface = surface_of(*shape.raster);
  if (!surface) return;
  const double scale_x = shape.box.width / (double{shape.part.width} * shape.raster->width);
  const double scale_y = shape.box.height / (double{shape.part.height} * shape.raster->height);
  cairo_save(cairo);
  cairo_rectangle(cairo, shape.box.x, shape.box.y, shape.box.width, shape.box.height);
  cairo_clip(cairo);
  cairo_translate(cairo, shape.box.x, shape.box.y);
  cairo_scale(cairo, scale_x, scale_y);
  cairo_set_source_surface(cairo, surface.get(), -double{shape.part.x} * shape.raster->width,
                           -double{shape.part.y} * shape.raster->height);
  const bool shrinks = scale_x < 1 || scale_y < 1;
  cairo_pattern_set_filter(cairo_get_source(cairo), shrinks ? CAIRO_FILTER_GOOD
                                                    : shape.sampling == Sampling::nearest
                                                        ? CAIRO_FILTER_NEAREST
                                                        : CAIRO_FILTER_BILINEAR);
  cairo_pattern_set_extend(cairo_get_source(cairo), CAIRO_EXTEND_PAD);
  cairo_paint_with_alpha(cairo, static_cast<double>(shape.alpha));
  cairo_restore(cairo);
}

void draw(cairo_t* cairo, const Hatch& shape) {
  set_colour(cairo, shape.line);
  cairo_set_line_width(cairo, 1);
  for (const auto& [from, to] : hatch_lines(shape)) {
    cairo_move_to(cairo, static_cast<double>(from.x), static_cast<double>(from.y));
    cairo_line_to(cairo, static_cast<double>(to.x), static_cast<double>(to.y));
  }
  cairo_stroke(cairo);
}

void draw(cairo_t* cairo, const BeginClip& shape) {
  cairo_save(cairo);
  cairo_rectangle(cairo, shape.box.x, shape.box.y, shape.box.width, shape.box.height);
  cairo_clip(cairo);
}

void draw(cairo_t* cairo, const EndClip&) { cairo_restore(cairo); }

void draw_picture(cairo_t* cairo, const Picture& picture) {
  if (picture.background.visible()) {
    set_colour(cairo, picture.background);
    cairo_paint(cairo);
  }
  for (const Shape& shape : picture.shapes) std::visit([cairo](const auto& s) { draw(cairo, s); }, shape);
}

Result<SurfacePointer> drawn_surface(const Picture& picture, double zoom) {
  const double width = std::ceil(picture.width * zoom), height = std::ceil(picture.height * zoom);
  if (!(width >= 1 && height >= 1 && width <= max_side && height <= max_side))
    return bad_input(
        fmt::format("A picture of {:.0f} × {:.0f} pixels cannot be drawn: use 1 to {:.0f} a side.", width,
                    height, max_side));
  SurfacePointer surface(
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(width), static_cast<int>(height)));
  const CairoPointer cairo(cairo_create(surface.get()));
  cairo_scale(cairo.get(), zoom, zoom);
  draw_picture(cairo.get(), picture);
  if (const cairo_status_t status = cairo_status(cairo.get()); status != CAIRO_STATUS_SUCCESS)
    return failed(fmt::format("The picture could not be drawn: {}.", cairo_status_to_string(status)));
  cairo_surface_flush(surface.get());
  return surface;
}

Result<void> not_writable(const std::string& path, cairo_status_t status) {
  return failed(
      fmt::format("The picture could not be written to {}: {}. Choose a folder that exists and that "
                  "you may write to.",
                  path, cairo_status_to_string(status)));
}

}  // namespace

Result<void> save_png(const Picture& picture, const std::string& path, double zoom) {
  Result<SurfacePointer> surface = drawn_surface(picture, zoom);
  if (!surface) return surface.error();
  const cairo_status_t status = cairo_surface_write_to_png(surface->get(), path.c_str());
  return status == CAIRO_STATUS_SUCCESS ? Result<void>() : not_writable(path, status);
}

namespace {

// Draws into a surface and ends it. An error is one of drawing; what became of the file is the surface's
// status.
Result<void> draw_svg(const SurfacePointer& surface, const Picture& picture) {
  cairo_svg_surface_set_document_unit(surface.get(), CAIRO_SVG_UNIT_PX);
  {
    const CairoPointer cairo(cairo_create(surface.get()));
    draw_picture(cairo.get(), picture);
    if (const cairo_status_t status = cairo_status(cairo.get()); status != CAIRO_STATUS_SUCCESS)
      return failed(fmt::format("The picture could not be drawn: {}.", cairo_status_to_string(status)));
  }
  cairo_surface_finish(surface.get());
  return {};
}

}  // namespace

Result<void> save_svg(const Picture& picture, const std::string& path) {
  // Cairo reports a file that cannot be opened only as "write error", so the file is opened here first.
  if (!std::ofstream(path, std::ios::binary | std::ios::app))
    return not_writable(path, CAIRO_STATUS_WRITE_ERROR);
  const SurfacePointer surface(cairo_svg_surface_create(path.c_str(), static_cast<double>(picture.width),
                                                        static_cast<double>(picture.height)));
  if (const Result<void> drawn = draw_svg(surface, picture); !drawn) return drawn.error();
  const cairo_status_t status = cairo_surface_status(surface.get());
  return status == CAIRO_STATUS_SUCCESS ? Result<void>() : not_writable(path, status);
}

Result<std::string> svg_text(const Picture& picture) {
  std::string text;
  const auto append = [](void* to, const unsigned char* bytes, unsigned size) {
    static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), size);
    return CAIRO_STATUS_SUCCESS;
  };
  const SurfacePointer surface(cairo_svg_surface_create_for_stream(
      append, &text, static_cast<double>(picture.width), static_cast<double>(picture.height)));
  if (const Result<void> drawn = draw_svg(surface, picture); !drawn) return drawn.error();
  const cairo_status_t status = cairo_surface_status(surface.get());
  if (status != CAIRO_STATUS_SUCCESS)
    return failed(fmt::format("The picture could not be drawn: {}.", cairo_status_to_string(status)));
  return text;
}

Result<void> save_pdf(const std::vector<PaperPage>& pages, const std::string& title,
                      const std::string& path) {
  if (!std::ofstream(path, std::ios::binary | std::ios::app))
    return not_writable(path, CAIRO_STATUS_WRITE_ERROR);
  const PaperPage first = pages.empty() ? PaperPage{} : pages.front();
  SurfacePointer surface(cairo_pdf_surface_create(path.c_str(), static_cast<double>(first.width),
                                                  static_cast<double>(first.height)));
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, title.c_str());
  {
    const CairoPointer cairo(cairo_create(surface.get()));
    for (const PaperPage& page : pages) {
      cairo_pdf_surface_set_size(surface.get(), static_cast<double>(page.width),
                                 static_cast<double>(page.height));
      for (const PaperPage::Part& part : page.parts) {
        const Box box = fitted(part.box, part.picture.width, part.picture.height);
        cairo_save(cairo.get());
        cairo_translate(cairo.get(), static_cast<double>(box.x), static_cast<double>(box.y));
        const float scale = part.picture.width > 0 ? box.width / part.picture.width : 1;
        cairo_scale(cairo.get(), static_cast<double>(scale), static_cast<double>(scale));
        cairo_rectangle(cairo.get(), 0, 0, static_cast<double>(part.picture.width),
                        static_cast<double>(part.picture.height));
        cairo_clip(cairo.get());
        draw_picture(cairo.get(), part.picture);
        cairo_restore(cairo.get());
      }
      cairo_show_page(cairo.get());
    }
    if (const cairo_status_t status = cairo_status(cairo.get()); status != CAIRO_STATUS_SUCCESS)
      return failed(fmt::format("The page could not be drawn: {}.", cairo_status_to_string(status)));
  }
  cairo_surface_finish(surface.get());
  const cairo_status_t status = cairo_surface_status(surface.get());
  return status == CAIRO_STATUS_SUCCESS ? Result<void>() : not_writable(path, status);
}

Result<Raster> rasterized(const Picture& picture, double zoom) {
  Result<SurfacePointer> surface = drawn_surface(picture, zoom);
  if (!surface) return surface.error();
  cairo_surface_t* drawn = surface->get();
  Raster raster = make_raster(static_cast<uint32_t>(cairo_image_surface_get_width(drawn)),
                              static_cast<uint32_t>(cairo_image_surface_get_height(drawn)));
  const unsigned char* data = cairo_image_surface_get_data(drawn);
  const auto stride = static_cast<size_t>(cairo_image_surface_get_stride(drawn));
  for (size_t y = 0; y < raster.height; ++y) {
    for (size_t x = 0; x < raster.width; ++x) {
      uint32_t pixel = 0;
      std::memcpy(&pixel, data + y * stride + 4 * x, sizeof pixel);
      const uint32_t a = pixel >> 24;
      const auto plain = [a](uint32_t value) {
        return a == 0 ? 0 : std::min(255u, (value * 255 + a / 2) / a);
      };
      const uint32_t rgb = plain(pixel >> 16 & 255) << 16 | plain(pixel >> 8 & 255) << 8 | plain(pixel & 255);
      put_pixel(raster, y * raster.width + x, rgb, static_cast<uint8_t>(a));
    }
  }
  return raster;
}

bool draws_into_files() { return true; }

MeasureText paper_measure() {
  const std::shared_ptr<cairo_surface_t> surface(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1),
                                                 cairo_surface_destroy);
  const std::shared_ptr<cairo_t> cairo(cairo_create(surface.get()), cairo_destroy);
  return [surface, cairo](std::string_view words, Font font, float size) {
    set_font(cairo.get(), font, static_cast<double>(size));
    return static_cast<float>(advance_of(cairo.get(), std::string(words).c_str()));
  };
}

}  // namespace warplens
