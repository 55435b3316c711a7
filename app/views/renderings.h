// All pictures that the command line can draw, from all views (app/base/views.def).
#pragma once

#include <string_view>
#include <vector>

#include "app/views/model/rendering.h"

namespace warplens {

const std::vector<Rendering>& all_renderings();
// Null if there is none with this name.
const Rendering* rendering_of(std::string_view name);

}  // namespace warplens
