// Machine code that was assembled before, in files: a folder for all processes of a user. It is bounded, and
// what is damaged, cut short or of another version is as if it were not there.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "core/compile/ptxas.h"

namespace warplens {

// $XDG_CACHE_HOME/warplens/assembled, or below ~/.cache. Empty if there is neither: then nothing is kept.
std::filesystem::path assembly_cache_folder();

// `key` is everything on which the outcome depends, whole: the PTX, the options and which ptxas. It is stored
// and compared, so that two keys with one file name are not mixed up.
std::optional<Assembled> find_assembled(const std::filesystem::path& folder, std::string_view key);

struct AssemblyCacheLimits {
  uint64_t bytes = uint64_t{64} << 20;
  size_t files = 1000;
};
// Keeps it, and removes those that were used longest ago where there are too many. That a disk is full or
// cannot be written is no error.
void keep_assembled(const std::filesystem::path& folder, std::string_view key, const Assembled& assembled,
                    AssemblyCacheLimits limits = {});

}  // namespace warplens
