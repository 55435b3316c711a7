// Pictures as files, through cairo: needs no display.
#pragma once

#include <string>

#include "app/draw/picture.h"
#include "app/draw/style.h"
#include "core/base/result.h"

namespace warplens {

// `zoom`: pixels of the file per pixel of the picture. Unwritable paths are errors that name the path.
Result<void> save_png(const Picture& picture, const std::string& path, double zoom = 1);
Result<void> save_svg(const Picture& picture, const std::string& path);
// By the ending: .png or .svg; another one is an error that names both.
Result<void> save_picture(const Picture& picture, const std::string& path, double zoom = 1);

// The pixels that save_png would write.
Result<Raster> rasterized(const Picture& picture, double zoom = 1);

// How wide cairo draws words; the same on every call, so that layouts can be tested.
MeasureText cairo_measure();
// A style for pictures that are not drawn in the window.
Style paper_style(Theme theme, float scale = 1);

}  // namespace warplens
