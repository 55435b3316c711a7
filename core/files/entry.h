// Fits the launches of a request to the entries of its module: the default entry, the number of arguments,
// the width of scalars.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/launch/launch_request.h"

namespace warplens {

// A launch without an entry gets the only one of the module. Scalars are widened to their parameter, or
// checked against it. PTX that does not parse, an unknown entry, several where none is named, too many or too
// few arguments, and scalars that do not fit are errors; `name` begins their messages.
Result<LaunchRequest> match_entries(LaunchRequest request, const std::string& name);

}  // namespace warplens
