// The folders of a page are in its memory. What is below /kept the browser keeps (app/host/web/page/kept.js),
// and what is below /cache the page's script fetches.
#include "core/system/paths.h"

namespace warplens {

std::filesystem::path program_path() { return {}; }
std::string running_program() { return {}; }
std::string home_folder() { return {}; }
std::filesystem::path folder_of_caches() { return "/cache"; }
std::filesystem::path folder_of_settings() { return "/kept"; }
std::string plain_temporary_folder() { return {}; }

Result<std::string> make_folder_in(const std::filesystem::path&, std::string_view) {
  return missing("A page has no folders for temporary files.");
}

}  // namespace warplens
