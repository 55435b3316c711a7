// Writes pictures to files, with cairo (cairo/), which needs no display. A build without it (none/) answers
// with errors of the kind missing.
#pragma once

#include <string>
#include <vector>

#include "app/base/draw/picture.h"
#include "app/base/draw/style.h"
#include "core/base/result.h"

namespace warplens {

// Whether this build draws into files.
bool draws_into_files();

// `zoom` is the number of file pixels for each pixel of the picture. A path that cannot be written is an
// error that names it.
Result<void> save_png(const Picture& picture, const std::string& path, double zoom = 1);
Result<void> save_svg(const Picture& picture, const std::string& path);
Result<std::string> svg_text(const Picture& picture);  // what save_svg would write

// A page of a document: pictures, each scaled into its box. Lengths are points (1/72 inch).
struct PaperPage {
  struct Part {
    Picture picture;
    Box box;  // the picture keeps its shape and is centred in it
  };
  float width = 595, height = 842;  // A4
  std::vector<Part> parts;
};
// Everything stays vectors and text, but for what are photographs.
Result<void> save_pdf(const std::vector<PaperPage>& pages, const std::string& title, const std::string& path);

// A page as large as its picture, a point a pixel.
PaperPage page_of(Picture picture);

// Saves as .png, .svg or .pdf, by the ending of the path. Another ending is an error that names them.
Result<void> save_picture(const Picture& picture, const std::string& path, double zoom = 1);

// The pixels that save_png would write.
Result<Raster> rasterized(const Picture& picture, double zoom = 1);

// The width of words in these pictures. It is the same on every call, so that layouts can be tested.
MeasureText paper_measure();
// A style for pictures that are not drawn in the window.
Style paper_style(Theme theme, float scale = 1);

}  // namespace warplens
