// Matches the launches of a request with the entries of its module: the default entry, the number of
// arguments, the width of scalars.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/launch/launch_request.h"

namespace warplens {

// A launch that names no entry gets the module's only one. Scalars are widened to their parameter, or
// checked against it. These are errors: PTX that does not parse, an unknown entry, no name although the
// module has several entries, too many or too few arguments, and scalars that do not fit. Their messages
// begin with `name`.
Result<LaunchRequest> match_entries(LaunchRequest request, const std::string& name);

}  // namespace warplens
