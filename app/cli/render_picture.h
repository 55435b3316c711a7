// A view as a picture of its own: framed, with the kernel's name above, and the inspector beside it.
#pragma once

#include <functional>

#include "app/draw/picture.h"
#include "app/model/rendering.h"

namespace warplens {

using DrawView = std::function<float(Picture& picture, const Style& style, Box box)>;

// A picture of that size with the name of the kernel and of the device above; `draw` gets what is left and
// returns the y below what it drew. The picture is as much higher as that needs, so that nothing is cut off.
Picture framed_picture(const RenderChoice& choice, const Job& job, const DrawView& draw);

// A picture of exactly that size. Where something is chosen and both have room, the inspector stands beside
// it.
Picture inspected_picture(const RenderChoice& choice, const RenderSource& source, const DrawView& draw);

}  // namespace warplens
