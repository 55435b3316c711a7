#include "app/base/draw/save_picture.h"

#include <fmt/format.h>

#include <utility>

namespace warplens {

Result<void> save_picture(const Picture& picture, const std::string& path, double zoom) {
  if (path.ends_with(".png")) return save_png(picture, path, zoom);
  if (path.ends_with(".svg")) return save_svg(picture, path);
  if (path.ends_with(".pdf")) return save_pdf({page_of(picture)}, picture.title, path);
  return bad_input(
      fmt::format("{}: pictures are saved as .png, .svg or .pdf; choose one of these endings.", path));
}

PaperPage page_of(Picture picture) {
  PaperPage page;
  page.width = picture.width;
  page.height = picture.height;
  page.parts.push_back({std::move(picture), {0, 0, page.width, page.height}});
  return page;
}

Style paper_style(Theme theme, float scale) {
  Style style;
  style.palette = palette_of(theme);
  style.theme = theme;
  style.scale = scale;
  style.measure = paper_measure();
  return style;
}

}  // namespace warplens
