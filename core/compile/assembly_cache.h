// Caches machine code that was assembled before, in a folder that all processes of a user share. Its size is
// limited. Files that are damaged, incomplete or of another version are ignored.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "core/compile/ptxas.h"

namespace warplens {

// $XDG_CACHE_HOME/warplens/assembled, or below ~/.cache. Empty if neither exists: then nothing is cached.
std::filesystem::path assembly_cache_folder();

// `key` contains everything on which the outcome depends: the PTX, the options and which ptxas. It is stored
// and compared in full, so that two keys with the same file name are not mixed up.
std::optional<Assembled> find_assembled(const std::filesystem::path& folder, std::string_view key);

struct AssemblyCacheLimits {
  uint64_t bytes = uint64_t{64} << 20;
  size_t files = 1000;
};
// Stores it, and removes the least recently used files if there are too many. A full or read-only disk is not
// an error.
void keep_assembled(const std::filesystem::path& folder, std::string_view key, const Assembled& assembled,
                    AssemblyCacheLimits limits = {});

}  // namespace warplens
