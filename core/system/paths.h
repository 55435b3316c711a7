// Folders and files that the system provides. A path is empty if it is not known.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace warplens {

// The path of the running program.
std::filesystem::path program_path();
// A path with which the running program can be started again, even if its file was replaced by another build.
std::string running_program();

std::string home_folder();
// The user's folders for all programs: for caches, and for settings. WarpLens has a folder in each.
std::filesystem::path folder_of_caches();
std::filesystem::path folder_of_settings();

// In a web page: the page gives each file below this folder to the user as a download, and removes it. Empty
// elsewhere.
std::filesystem::path folder_of_downloads();

// The folder for temporary files, without spaces, colons and semicolons, since these separate the loader's
// lists.
std::string plain_temporary_folder();
// Makes a new folder with access only for this user, whose name begins with this text. Errors are of kind
// failed, with the system's reason.
Result<std::string> make_folder_in(const std::filesystem::path& parent, std::string_view name);

}  // namespace warplens
