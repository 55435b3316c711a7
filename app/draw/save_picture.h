// Writes pictures to files with cairo. It needs no display.
#pragma once

#include <string>

#include "app/draw/picture.h"
#include "app/draw/style.h"
#include "core/base/result.h"

namespace warplens {

// `zoom` is the number of file pixels for each pixel of the picture. A path that cannot be written is an
// error that names it.
Result<void> save_png(const Picture& picture, const std::string& path, double zoom = 1);
Result<void> save_svg(const Picture& picture, const std::string& path);
// Saves as .png or .svg, by the ending of the path. Another ending is an error that names both.
Result<void> save_picture(const Picture& picture, const std::string& path, double zoom = 1);

// The pixels that save_png would write.
Result<Raster> rasterized(const Picture& picture, double zoom = 1);

// The width of words as cairo draws them. It is the same on every call, so that layouts can be tested.
MeasureText cairo_measure();
// A style for pictures that are not drawn in the window.
Style paper_style(Theme theme, float scale = 1);

}  // namespace warplens
