#include "core/system/server.h"

#include <cstdlib>
#include <filesystem>

// The page's script has the function (app/host/web/page_calls.js). The text is allocated by malloc; null if
// nothing came.
extern "C" char* warplens_ask_server(const char* path, const char* json);

namespace warplens {

// The page makes this file before the program starts (app/host/web/page/served.js).
bool has_server() {
  static const bool has = std::filesystem::exists("/served");
  return has;
}

Result<std::string> ask_server(const std::string& path, const std::string& json) {
  char* const came = warplens_ask_server(path.c_str(), json.c_str());
  if (came == nullptr)
    return missing("The class's server does not answer. Is this machine still in its network?");
  std::string text = came;
  std::free(came);
  return text;
}

}  // namespace warplens
