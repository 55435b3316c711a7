// Every picture that the command line can draw: those of all views (app/base/views.def).
#pragma once

#include <string_view>
#include <vector>

#include "app/model/rendering.h"

namespace warplens {

const std::vector<Rendering>& all_renderings();
// Null: there is none of this name.
const Rendering* rendering_of(std::string_view name);

}  // namespace warplens
