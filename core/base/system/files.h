// Reads and writes whole files. Errors name the path and say what is wrong with it. A file is written
// completely or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warplens {

Result<std::vector<std::byte>> read_bytes(const std::string& path, uint64_t limit);
Result<std::string> read_text(const std::string& path, uint64_t limit);

// Whether this path can be written. Call it before a long run, so that the result is not lost at the end. It
// changes nothing.
Result<void> check_writable(const std::string& path);

// Calls `write` with the path of a temporary file in the target's folder, with the same extension. If `write`
// succeeds, the temporary file replaces the target; otherwise it is removed. A target that is not a regular
// file (/dev/stdout) is written directly.
Result<void> write_with(const std::string& path,
                        const std::function<Result<void>(const std::string&)>& write);
Result<void> write_bytes(const std::string& path, std::span<const std::byte> bytes);
Result<void> write_text(const std::string& path, std::string_view text);

}  // namespace warplens
