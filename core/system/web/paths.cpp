// The folders of a page are in its memory. The browser stores what is below /kept
// (app/host/web/page/kept.js), and the page's script fetches what is below /cache.
#include "core/system/paths.h"

namespace warplens {

std::filesystem::path program_path() { return {}; }
std::string running_program() { return {}; }
std::string home_folder() { return {}; }
std::filesystem::path folder_of_caches() { return "/cache"; }
std::filesystem::path folder_of_settings() { return "/kept"; }
std::filesystem::path folder_of_downloads() {
  std::error_code there_already;
  std::filesystem::create_directory("/downloads", there_already);
  return "/downloads";
}
std::string plain_temporary_folder() { return {}; }

Result<std::string> make_folder_in(const std::filesystem::path&, std::string_view) {
  return missing("A page has no folders for temporary files.");
}

}  // namespace warplens
