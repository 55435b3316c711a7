// The compiler of the server that a page came from (docs/serve.md), for a program that has none itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/json/json.h"
#include "core/compile/compiler.h"

namespace warplens {

// Like compile_cuda, on the server. Options that it does not have are an error of kind missing.
Result<Compilation> compile_on_server(std::string_view source, std::string_view name,
                                      const CompileOptions& options);

// What the server said of the registers of this PTX's entry when it compiled it. Empty if it did not.
std::optional<Resources> served_resources(std::string_view ptx, std::string_view entry);

// What the server answered, an object. {"error": "a sentence"} becomes the error.
Result<Json> json_of_server(std::string_view text);

struct ServedCompilation {
  Compilation compilation;
  std::vector<std::pair<std::string, Resources>> entries;  // of those whose registers the server knows
};
// Reads its answer to a source: that of `warplens compile --json`.
Result<ServedCompilation> parse_served(std::string_view json);

}  // namespace warplens
