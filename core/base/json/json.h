// Parses JSON. All JSON from outside the program is read through parse_json().
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/result.h"

namespace warplens {

using Json = nlohmann::json;
using ReportJson = nlohmann::ordered_json;  // keys stay in the order in which they were written

// The largest allowed nesting of lists and objects. Copying, comparing and printing a value are recursive,
// so a very deep value would overflow the stack. The program's own files are at most ten levels deep.
constexpr int max_json_depth = 100;

// Comments are allowed. If a key occurs twice, the last one counts. Errors name `file` and the line where
// the text is not valid JSON.
Result<Json> parse_json(std::string_view text, std::string_view file);

}  // namespace warplens
