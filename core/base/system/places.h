// Where, on the machine that the program runs on, may be what it does not carry itself: what tools/setup
// fetches, and CUDA toolkits. The build knows such places too, but the program may have been carried
// elsewhere.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

// Of the running program; empty where the system does not tell.
std::filesystem::path program_path();

// What the build knows of a place (cmake/options.cmake), perhaps several, joined by ':'. `told`: by whoever
// configured it, and then an empty path means to do without; else it is what the build found by itself.
struct BuiltPlace {
  bool told = false;
  const char* path = "";
};
std::vector<std::string> told_paths(const BuiltPlace& built);  // none where the build was told nothing

// What an environment variable says, which may be an empty text. Nothing where it is not set.
std::optional<std::string> chosen_path(const char* variable);

// "/a:/b" → "/a", "/b".
std::vector<std::string> split_paths(std::string_view list);

// In the order in which they are to be tried, whether they exist or not. Where the build was told, its paths
// and `others`; else
// 1. beside the program: ../share/warplens/NAME, which an installation fills as tools/setup fills its cache,
// 2. that cache: $XDG_CACHE_HOME/warplens/NAME, else ~/.cache/warplens/NAME,
// 3. `others`,
// 4. what the build found.
std::vector<std::string> places_of(const BuiltPlace& built, const std::string& name,
                                   const std::vector<std::string>& others = {});

// The folders of toolkits: CUDA_HOME, CUDA_PATH, /usr/local/cuda.
std::vector<std::string> toolkit_folders();

}  // namespace warplens
