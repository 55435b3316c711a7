// Where to look for files that are not part of the program: files that tools/setup fetches, and CUDA
// toolkits. What the build found by itself is not recorded: the program may now run on another machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/system/paths.h"

namespace warplens {

// The paths for a place that were given when the build was configured (cmake/options.cmake), joined by ':'.
// If `told` is true, an empty path means "do without". Otherwise none was given, and there is none.
struct BuiltPlace {
  bool told = false;
  const char* path = "";
};
std::vector<std::string> told_paths(const BuiltPlace& built);  // empty if the build was told nothing

// The value of an environment variable, which may be empty. No value if the variable is not set.
std::optional<std::string> chosen_path(const char* variable);

// The Python that runs scripts: $WARPLENS_PYTHON, else python3, which PATH finds.
std::string chosen_python();

// The folder for what can be made or fetched again: on Linux $XDG_CACHE_HOME/warplens, or ~/.cache/warplens
// if the variable is not set. Empty if there is no home either.
std::filesystem::path cache_folder();

// "/a:/b" → "/a", "/b".
std::vector<std::string> split_paths(std::string_view list);

// The paths to try, in this order, whether they exist or not. If the build was told the place, these are its
// paths and `others`. Otherwise: first ../share/warplens/NAME next to the program, which an installation
// fills as tools/setup fills its cache; then that cache, NAME in cache_folder(); then `others`.
std::vector<std::string> places_of(const BuiltPlace& built, const std::string& name,
                                   const std::vector<std::string>& others = {});

// The folders of toolkits: CUDA_HOME, CUDA_PATH, /usr/local/cuda.
std::vector<std::string> toolkit_folders();

}  // namespace warplens
