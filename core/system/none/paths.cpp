#include "core/system/paths.h"

namespace warplens {

std::filesystem::path program_path() { return {}; }
std::string running_program() { return {}; }
std::string home_folder() { return {}; }
std::filesystem::path folder_of_caches() { return {}; }
std::filesystem::path folder_of_settings() { return {}; }
std::filesystem::path folder_of_downloads() { return {}; }
std::string plain_temporary_folder() { return {}; }

Result<std::string> make_folder_in(const std::filesystem::path&, std::string_view) {
  return missing("This build has no folders for temporary files.");
}

}  // namespace warplens
