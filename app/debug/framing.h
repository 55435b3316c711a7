// The frames of the Debug Adapter Protocol: "Content-Length: N", an empty line, N bytes of JSON.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>

#include "core/base/json/json.h"
#include "core/base/result.h"

namespace warplens::dap {

// Requests are small; a longer one is a mistake or an attack.
constexpr size_t max_message_bytes = size_t{16} << 20;

// The content of the next frame. Empty at the end of the input. An Error means that the input is not of this
// protocol, or too long: nothing after it can be read.
Result<std::optional<std::string>> read_frame(std::istream& in);
std::string framed(const Json& message);

}  // namespace warplens::dap
