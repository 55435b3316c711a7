#include "core/system/server.h"

namespace warplens {

bool has_server() { return false; }

Result<std::string> ask_server(const std::string&, const std::string&) {
  return missing("Only a page in a browser has a server.");
}

}  // namespace warplens
