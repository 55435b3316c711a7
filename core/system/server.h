// The server that a page came from, if it compiles for its students (docs/serve.md). Only a page in a browser
// has one.
#pragma once

#include <string>

#include "core/base/result.h"

namespace warplens {

bool has_server();

// Posts JSON to a path of it, as "/api/compile", waits, and returns the text of its answer, whatever its
// status. An error of kind missing means that it did not answer. Not to be called in a frame.
Result<std::string> ask_server(const std::string& path, const std::string& json);

}  // namespace warplens
