// Without cairo: views are drawn only in the window.
#include "app/base/draw/save_picture.h"

namespace warplens {
namespace {

Error no_cairo() {
  return missing(
      "This build draws no pictures into files: it was made without cairo. Build it with cairo and "
      "fontconfig "
      "(-DWARPLENS_PICTURES=cairo), or take the numbers: warplens run --json.");
}

}  // namespace

bool draws_into_files() { return false; }

Result<void> save_png(const Picture&, const std::string&, double) { return no_cairo(); }
Result<void> save_svg(const Picture&, const std::string&) { return no_cairo(); }
Result<std::string> svg_text(const Picture&) { return no_cairo(); }
Result<void> save_pdf(const std::vector<PaperPage>&, const std::string&, const std::string&) {
  return no_cairo();
}
Result<Raster> rasterized(const Picture&, double) { return no_cairo(); }

// Layouts need some width; nothing of them is drawn.
MeasureText paper_measure() {
  return
      [](std::string_view words, Font, float size) { return 0.6f * size * static_cast<float>(words.size()); };
}

}  // namespace warplens
