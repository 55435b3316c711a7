// The one way in for JSON from outside: everything that reads it begins here.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/result.h"

namespace warplens {

using Json = nlohmann::json;
using ReportJson = nlohmann::ordered_json;  // keys stay in the order in which they were written

// Lists and objects within each other. Copying, comparing and printing a value recurse, so that a deep one
// would end the process; no file of ours goes beyond ten.
constexpr int max_json_depth = 100;

// Comments are allowed; of two equal keys the last one counts. Errors name `file`, and the line where it is
// no JSON.
Result<Json> parse_json(std::string_view text, std::string_view file);

}  // namespace warplens
