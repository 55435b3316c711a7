// Folders and files that the system knows. An empty path: it does not tell.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace warplens {

// The path of the running program.
std::filesystem::path program_path();
// With which the running program can be started once more, even if its file was replaced by another build.
std::string running_program();

std::string home_folder();
// Of this user, for what all programs keep: what can be made again, and settings. WarpLens has a folder in
// each.
std::filesystem::path folder_of_caches();
std::filesystem::path folder_of_settings();

// The folder for temporary files, without spaces, colons and semicolons, which part the loader's lists.
std::string plain_temporary_folder();
// A new folder for this user alone, whose name begins like this. Errors: kind failed, with the system's
// reason.
Result<std::string> make_folder_in(const std::filesystem::path& parent, std::string_view name);

}  // namespace warplens
