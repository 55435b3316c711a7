// Draws pictures into images by the window's OpenGL: for builds that have nothing that draws into files
// (app/base/draw/save_picture.h), as in a web page.
#pragma once

#include "app/base/draw/picture.h"
#include "core/base/result.h"
#include "core/image/image.h"

namespace warplens {

// `zoom` is the number of pixels for each pixel of the picture; the texts have the window's fonts. Call it
// within a frame of Dear ImGui. Errors of kind failed: the picture is too large for the graphics driver.
Result<Image> drawn_by_window(const Picture& picture, float zoom);

}  // namespace warplens
